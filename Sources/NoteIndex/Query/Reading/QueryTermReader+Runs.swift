import Notes
import Text

/// Values that continue after a blank: `due:next week`, `group:The south wall`, `+Tag 1`.
///
/// The longest run of plain words after a term belongs to it if both together are a value that the field, a record or a
/// note has. The rest are words of their own. For text without a known run, either reading may be meant.
extension QueryTermReader {
  /// The most words that a run may have.
  private static let longestRun = 32
  /// The names whose values never hold blanks.
  private static let singleWordNames: Set<String> = ["has", "id", "is", "kind", "limit", "sort"]

  /// The tokens of a query, in which values have the blanks that belong to them.
  func tokens(of arguments: QueryArguments) throws(QueryFault) -> [QueryToken] {
    var result: [QueryToken] = []
    let isField = { [context] (name: String) in
      context.schema.declares(name) || context.names?.hasField(name) == true
    }
    for tokens in try arguments.tokens(isField: isField) {
      var index = 0
      while index < tokens.count {
        guard case .word(let word) = tokens[index].kind, word.mayGoOn(in: arguments.bytes) else {
          result.append(tokens[index])
          index += 1
          continue
        }
        let words = Self.plainWords(after: index, in: tokens)
        let count = words.isEmpty ? 0 : try runLength(word, words)
        let joined = word.joined(words.prefix(count))
        result.append(QueryToken(kind: .word(joined), range: joined.range))
        index += 1 + count
      }
    }
    return result
  }

  private static func plainWords(after index: Int, in tokens: [QueryToken]) -> [QueryWord] {
    var words: [QueryWord] = []
    for token in tokens[(index + 1)...].prefix(longestRun) {
      guard case .word(let word) = token.kind, word.isPlain else { break }
      words.append(word)
    }
    return words
  }

  /// Returns how many of the words after a term belong to its value.
  private func runLength(_ word: QueryWord, _ words: [QueryWord]) throws(QueryFault) -> Int {
    let candidates = (1...words.count).reversed().map {
      (count: $0, word: word.joined(words.prefix($0)))
    }
    let longest = { (isKnown: (QueryWord) -> Bool) in candidates.first { isKnown($0.word) }?.count }
    // Without the notes of a box nothing is known of them, and all is taken for the value.
    let unknown = context.names == nil && !context.isOfKind ? words.count : 0
    guard let name = word.name else { return longest(isThere) ?? unknown }
    if word.value.isEmpty { throw Self.blankAfterColon(name, word, words[0]) }
    let lower = name.lowercased()
    switch lower {
    case _ where Self.singleWordNames.contains(lower): return 0
    case "created", "modified":
      return longest { (try? date(lower, $0)) != nil } ?? longest { Self.isNearDate($0) } ?? 0
    case "todo-due" where readsBoxes(lower):
      return longest { (try? date(lower, $0)) != nil } ?? longest { Self.isNearDate($0) } ?? 0
    case "todo" where readsBoxes(lower):
      if let count = longest(isThere) { return count }
      return try unknownRun(word, words, candidates[0].word, [])
    case "tag", "tags", "path": return longest(isThere) ?? unknown
    case "links", "linked-by":
      return longest(meansNotes) ?? (context.isOfKind || meansNotes(word) ? 0 : words.count)
    default:
      let fields = fields(lower, name)
      if let count = longest({ isKnown($0, name, fields) }) { return count }
      return try unknownRun(word, words, candidates[0].word, fields)
    }
  }

  /// How the kinds declare a field; none for the names that have a meaning of their own.
  private func fields(_ lower: String, _ name: String) -> [(kind: Kind, field: Field)] {
    if lower == "title" || lower == "body" { return [] }
    return context.schema.kinds.compactMap { kind in kind.declaredField(name).map { (kind, $0) } }
  }

  /// Returns how many words belong to a value without a known run.
  private func unknownRun(
    _ word: QueryWord, _ words: [QueryWord], _ whole: QueryWord, _ fields: [(kind: Kind, field: Field)]
  ) throws(QueryFault) -> Int {
    // A user who compares exactly does not mean only the first of several words.
    let isExact = comparison(word.value.trimmed)?.sign == .equal
    let isText = fields.isEmpty || fields.contains { $0.field.type == .text || $0.field.type == .tags }
    let isReference = fields.contains { $0.field.type == .reference }
    if context.names == nil, !context.isOfKind, isText || isReference { return words.count }
    let name = word.name ?? ""
    if !isText, isKnown(word, name, fields, isWhole: true) { return 0 }
    let isPart = fields.contains { !$0.field.values.isEmpty } && isKnown(word, name, fields)
    if isText, isExact { return words.count }
    if isText || isPart || (context.isOfKind && isReference) { throw Self.twoReadings(word, words, whole) }
    if fields.contains(where: { $0.field.isTime }), Self.isNearDate(whole) { return words.count }
    return isReference || fields.contains { !$0.field.values.isEmpty } ? words.count : 0
  }

  private static func isNearDate(_ word: QueryWord) -> Bool {
    DateInterval.nameNear(word.value.text) != nil
  }

  private static func blankAfterColon(_ name: String, _ word: QueryWord, _ next: QueryWord) -> QueryFault {
    let (name, value) = (QueryValue.shownName(name), QueryValue.excerpt(next.value))
    return QueryFault(
      "unexpected space after \(name):", at: word.range.lowerBound..<next.range.upperBound,
      hint: "write \(name):\(value)  or, for notes without it,  (\(name):) \(value)")
  }

  private static func twoReadings(
    _ word: QueryWord, _ words: [QueryWord], _ whole: QueryWord
  ) -> QueryFault {
    let rest = words.map { QueryValue.excerpt($0.value) }.joined(separator: " AND ")
    let (name, first) = (QueryValue.shownName(word.name ?? ""), QueryValue.excerpt(word.value))
    let signs = whole.value.prefix { $0.isPlain("=") || $0.isPlain("<") || $0.isPlain(">") }
    let value = whole.value.dropFirst(signs.count)
    let parts = QueryValue.alternatives(of: value, isProse: true).map { QueryValue.shown($0) }
    let quoted = signs.text + parts.joined(separator: ",")
    return QueryFault(
      "\(name):\(QueryValue.excerpt(whole.value)) is ambiguous", at: whole.range,
      hint: "write \(name):\(quoted)  or  \(name):\(first) AND \(rest)")
  }
}

/// The tests of whether a value is known.
extension QueryTermReader {
  /// Whether a note passes a term, or would but for a dash before its tag.
  private func isThere(_ word: QueryWord) -> Bool {
    let plus =
      word.sign == nil ? word : QueryWord(sign: .plus, name: nil, value: word.value, range: word.range)
    guard let names = context.names, case .node(let node)? = try? read(plus) else { return false }
    if case .not(let inner) = node { return names.isThere(inner) }
    return names.isThere(node)
  }

  private func meansNotes(_ word: QueryWord) -> Bool {
    guard let names = context.names else { return false }
    return QueryValue.alternatives(of: word.value, isProse: true).allSatisfy { names.meansNote($0.text) }
  }

  /// Whether each part of a value is one of a field, or one that a note has.
  ///
  /// - Parameter isWhole: whether a part of a choice's name will not do.
  private func isKnown(
    _ word: QueryWord, _ name: String, _ fields: [(kind: Kind, field: Field)], isWhole: Bool = false
  ) -> Bool {
    let value = word.value.trimmed
    let compared = comparison(value)
    let isProse = fields.isEmpty || fields.contains { !$0.field.isChecked }
    let parts = compared.map { [$0.rest] } ?? QueryValue.alternatives(of: value, isProse: isProse)
    return parts.allSatisfy { part in
      if part.isEmpty { return false }
      let isOne = fields.contains { field in
        isValue(part, isBound: compared != nil || isWhole, of: field.field, word)
      }
      return isOne || isBorne(word.with(compared == nil ? part : value), name, fields)
    }
  }

  private func isValue(
    _ part: ArraySlice<QueryLetter>, isBound: Bool, of field: Field, _ word: QueryWord
  ) -> Bool {
    switch field.type {
    case .text, .tags, .recurrence: return false
    case .reference:
      guard let names = context.names, let target = field.target, (try? isPattern(part, word)) == false else {
        return false
      }
      return names.meansRecord(Field.bareReference(part.text), context.schema.kindOrPlain(named: target))
    case .integer, .date, .moment, .choice, .boolean:
      guard let ends = try? rangeEnds(part, word) else { return fits(part, isBound: isBound, field) }
      return [ends.lower, ends.upper].compactMap { $0 }.allSatisfy { fits($0, isBound: true, field) }
    }
  }

  /// Whether a note has a value in a field that may contain any text.
  private func isBorne(_ word: QueryWord, _ name: String, _ fields: [(kind: Kind, field: Field)]) -> Bool {
    let lower = name.lowercased()
    let isOwn = lower == "title" || lower == "body"
    guard let names = context.names, let node = try? values(isOwn ? lower : name, word) else { return false }
    if isOwn { return names.isThere(node) }
    let checked = fields.filter { $0.field.type != .text && $0.field.type != .tags }
    return names.isBorne(node, name) { kind in !checked.contains { $0.kind.name.hasSameLetters(as: kind) } }
  }
}

extension QueryWord {
  /// Whether it is a word without quotes and without a meaning of its own.
  fileprivate var isPlain: Bool {
    sign == nil && name == nil && !value.isEmpty && !value[value.startIndex].isPlain("@")
      && !value.contains { $0.isQuoted || $0.isPlain("\"") }
  }

  /// Whether the value may go on after a blank: it has a name or a sign before it, and no quote closes it.
  fileprivate func mayGoOn(in bytes: [UInt8]) -> Bool {
    guard sign != nil || name != nil else { return false }
    return value.last.map { !$0.isQuoted } ?? (bytes[range.upperBound - 1] != UInt8(ascii: "\""))
  }

  /// The term with words at the end of its value, a blank before each.
  fileprivate func joined(_ words: ArraySlice<QueryWord>) -> QueryWord {
    guard let last = words.last else { return self }
    var letters = Array(value)
    var end = range.upperBound
    for word in words {
      letters.append(QueryLetter(byte: UInt8(ascii: " "), isQuoted: false, offset: end))
      letters += word.value
      end = word.range.upperBound
    }
    return QueryWord(
      sign: sign, name: name, value: letters[...], range: range.lowerBound..<last.range.upperBound,
      isJoined: true)
  }
}
