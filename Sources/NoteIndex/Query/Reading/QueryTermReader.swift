import Bytes
import Notes
import Text

/// Turns the terms of a query into conditions.
///
/// A query passes through `QueryLexer` (words) and `QueryParser` (terms and their order) to this reader. The reader makes
/// conditions, such as `TypedTest` and `DeclaredTest`, which `QueryNode.matches` tests for each note. `EntryFilter`
/// answers most of them from the catalogue alone, before a note is read.
struct QueryTermReader {
  let context: QueryContext
  /// Which way relative dates lie; nil: by the name of the field.
  let looking: DateInterval.Direction?

  init(_ context: QueryContext, looking: DateInterval.Direction? = nil) {
    self.context = context
    self.looking = looking
  }

  var clock: ClockReading { context.clock }

  /// Reads one term.
  func read(_ word: QueryWord) throws(QueryFault) -> QueryReading {
    guard word.value.count <= QuerySyntax.longestValue else {
      throw QueryFault(
        "this term is too long", at: word.range, hint: "a term has at most \(QuerySyntax.longestValue) bytes")
    }
    if let sign = word.sign { return .node(try tag(word, sign)) }
    guard let name = word.name else { return .node(try text(word)) }
    return try field(name, word)
  }

  /// Reads a word or a phrase that may occur anywhere.
  private func text(_ word: QueryWord) throws(QueryFault) -> QueryNode {
    guard !word.value.isEmpty else {
      throw QueryFault("empty quotes", at: word.range)
    }
    if word.value[0].isPlain("@"), word.value.count > 1 { return try context.filter(word) }
    try refuseNegation(word)
    guard let pattern = TextPattern(word.value) else {
      throw QueryFault(
        "* needs letters next to it", at: word.range, hint: "to list all notes, give no terms")
    }
    return node(.text(pattern), word, QueryValue.shown(word.value, alwaysQuoted: true))
  }

  /// Refuses `!status:open` and `!@filter`, which people write for NOT.
  private func refuseNegation(_ word: QueryWord) throws(QueryFault) {
    guard word.value[0].isPlain("!"), word.value.count > 1 else { return }
    let rest = word.value.dropFirst()
    let bytes = rest.bytes
    let isTerm =
      bytes[0] == UInt8(ascii: "@") || QuerySyntax.sign(in: bytes, at: 0, before: bytes.count) != nil
      || QuerySyntax.colon(afterNameIn: bytes, at: 0, before: bytes.count) != nil
    guard isTerm, rest.allSatisfy({ !$0.isQuoted }) else { return }
    throw QueryFault(
      "! does not mean NOT here", at: word.range, hint: "write NOT \(QueryValue.excerpt(rest))")
  }

  private func tag(_ word: QueryWord, _ sign: QueryWord.Sign) throws(QueryFault) -> QueryNode {
    let mark = sign == .plus ? "+" : "-"
    let value = withoutHash(word.value.trimmed)
    guard let range = value.range else {
      throw QueryFault("a tag's name is missing here", at: word.range)
    }
    if value[value.startIndex].isPlain("(") {
      throw QueryFault(
        "\(mark) takes one tag, no parentheses", at: word.range,
        hint: sign == .minus ? "exclude a group with NOT ( )" : "write +one +two, or (+one OR +two)")
    }
    try refuseField(value, word, sign)
    try refuseFilter(value, word, sign)
    let tag = node(
      .tag([Glob(value, folding: true, reach: .wholeOrBelow)]), word,
      "+" + QueryValue.shown(value, isName: true),
      range)
    return sign == .plus ? tag : .not(tag)
  }

  /// Refuses `-kind:book`, which people write for `NOT kind:book`.
  private func refuseField(
    _ value: ArraySlice<QueryLetter>, _ word: QueryWord, _ sign: QueryWord.Sign
  ) throws(QueryFault) {
    let bytes = value.bytes
    guard value.allSatisfy({ !$0.isQuoted }),
      QuerySyntax.colon(afterNameIn: bytes, at: 0, before: bytes.count) != nil
    else { return }
    let (mark, plain) = sign == .plus ? ("+", "") : ("-", "NOT ")
    let text = QueryValue.excerpt(value)
    throw QueryFault(
      "\(mark) is for tags, not for fields", at: word.range,
      hint: "write \(plain)\(text), or for a tag of that name '\(mark)\"\(text)\"'")
  }

  /// Refuses `-@overdue`, which people write for `NOT @overdue`.
  private func refuseFilter(
    _ value: ArraySlice<QueryLetter>, _ word: QueryWord, _ sign: QueryWord.Sign
  ) throws(QueryFault) {
    let text = QueryValue.excerpt(value)
    guard value.allSatisfy({ !$0.isQuoted }), text.hasPrefix("@"), context.hasFilter(String(text.dropFirst()))
    else { return }
    let (mark, plain) = sign == .plus ? ("+", "") : ("-", "NOT ")
    throw QueryFault(
      "\(mark) is for tags, not for filters", at: word.range,
      hint: "write \(plain)\(text), or for a tag of that name '\(mark)\"\(text)\"'")
  }

  func withoutHash(_ value: ArraySlice<QueryLetter>) -> ArraySlice<QueryLetter> {
    let name = value.drop { $0.isPlain("#") }
    return name.isEmpty ? value : name
  }

  func node(
    _ condition: QueryCondition, _ word: QueryWord, _ reading: String, _ range: Range<Int>? = nil
  ) -> QueryNode {
    .term(QueryTerm(condition: condition, range: range ?? word.range, reading: reading))
  }
}

/// The result of reading one term.
enum QueryReading {
  /// A condition on notes.
  case node(QueryNode)
  /// An order for the result.
  case sort([SortKey])
  /// The maximum number of notes.
  case limit(Int)
}

/// `sort:` and `limit:`, which ask nothing of a note.
extension QueryTermReader {
  func sortKeys(_ word: QueryWord) throws(QueryFault) -> [SortKey] {
    var keys: [SortKey] = []
    for part in QueryValue.alternatives(of: word.value, isProse: false) {
      keys.append(try SortKey(part, in: word.range))
    }
    return keys
  }

  func limit(_ word: QueryWord) throws(QueryFault) -> Int {
    let digits = word.value.bytes
    if !digits.isEmpty, digits.allSatisfy(ASCII.isDigit), let number = Int(word.value.text) { return number }
    throw QueryFault(
      "limit: needs a whole number", at: word.value.range ?? word.range, hint: "as in limit:20")
  }
}

/// Terms with a name and a colon.
extension QueryTermReader {

  func field(_ name: String, _ word: QueryWord) throws(QueryFault) -> QueryReading {
    let lower = String(decoding: name.utf8.map(ASCII.lowerCased), as: UTF8.self)
    try check(name, lower, word)
    switch lower {
    case "sort": return .sort(try sortKeys(word))
    case "limit": return .limit(try limit(word))
    case "has": return .node(try has(word))
    case "is": return .node(try state(word))
    case "kind", "path", "id", "tag", "tags": return .node(try named(lower, word))
    case "links", "linked-by": return .node(try links(lower, word))
    case "created", "modified": return .node(try date(lower, word))
    case "todo" where readsBoxes(lower): return .node(try todo(word))
    case "todo-due" where readsBoxes(lower): return .node(try date(lower, word))
    case "title", "body": return .node(try values(lower, word))
    default:
      try refuseWrongTime(name, word)
      return .node(try declared(name, word, try values(name, word)))
    }
  }

  private func check(_ name: String, _ lower: String, _ word: QueryWord) throws(QueryFault) {
    if name.isEmpty { throw QueryFault("a field's name is missing before the colon", at: word.range) }
    if let first = word.value.first, first.isPlain("(") {
      throw QueryFault(
        "a field can't have parentheses", at: word.range,
        hint: "write \(name):a,b or (\(name):a OR \(name):b)")
    }
    if lower != "sort", lower != "limit" { try refuseNegation(name, word) }
  }

  /// Refuses `status:!open` and `status:!=open`, which people write for `NOT status:open`.
  private func refuseNegation(_ name: String, _ word: QueryWord) throws(QueryFault) {
    for part in QueryValue.alternatives(of: word.value.trimmed, isProse: true) where part.count > 1 {
      guard part[part.startIndex].isPlain("!") else { continue }
      let isUnequal = part[part.startIndex + 1].isPlain("=")
      let value = QueryValue.shown(part.dropFirst(isUnequal ? 2 : 1))
      let shown = "\(QueryValue.shownName(name)):\(isUnequal && !QueryNames.fields.contains(name) ? "=" : "")"
      throw QueryFault(
        isUnequal ? "!= is not known" : "! does not mean NOT here", at: word.range,
        hint: "write NOT \(shown)\(value)")
    }
  }

  /// `has:due`, `has:due,group`.
  private func has(_ word: QueryWord) throws(QueryFault) -> QueryNode {
    let names = try filledAlternatives(word, isProse: false)
    let shown = names.map { QueryValue.shown($0) }.joined(separator: ",")
    let read = names.map { value in
      let lower = String(decoding: value.bytes.map(ASCII.lowerCased), as: UTF8.self)
      return QueryNames.fields.contains(lower) ? lower : value.text
    }
    if let name = read.first(where: { $0 == "links" || $0 == "linked-by" }) {
      guard read.count > 1 else { return try hasLinks(name, word) }
      throw QueryFault(
        "has:\(name) can't be one of several", at: word.range, hint: "write (has:\(name) OR has:other)")
    }
    if let name = read.first(where: { ["todo", "todo-due"].contains($0) && readsBoxes($0) }) {
      guard read.count > 1 else {
        if name == "todo" { return .not(node(.todo(TodoTest(.none)), word, "todo:")) }
        return node(.todo(TodoTest(.due([.all]))), word, "has:todo-due")
      }
      throw QueryFault(
        "has:\(name) can't be one of several", at: word.range, hint: "write (has:\(name) OR has:other)")
    }
    return declared(presenceOf: read, word, node(.has(read), word, "has:" + shown))
  }

  /// The alternatives of a value, none of which may be empty.
  func filledAlternatives(_ word: QueryWord, isProse: Bool) throws(QueryFault) -> [ArraySlice<QueryLetter>] {
    let parts = QueryValue.alternatives(of: word.value, isProse: isProse)
    guard parts.contains(where: \.isEmpty) else { return parts }
    if parts.count == 1 {
      throw QueryFault("a value must follow the colon", at: word.range)
    }
    throw QueryFault(
      "a value is missing beside the comma", at: word.range,
      hint: "to match notes without the field, use a separate term: (status:open OR status:)")
  }

  /// `kind:`, `path:`, `id:` and `tag:`: names, with `*` and `?`.
  private func named(_ name: String, _ word: QueryWord) throws(QueryFault) -> QueryNode {
    let name = name == "tags" ? "tag" : name
    var value = word.value.trimmed
    guard !value.isEmpty else {
      if name == "path" { throw QueryFault("a folder or a file must follow path:", at: word.range) }
      return node(.lacks(name), word, "\(name):")
    }
    let isExcluded = name == "tag" && value.count > 1 && value[value.startIndex].isPlain("-")
    if isExcluded { value = value.dropFirst() }
    let isExact = value.count > 1 && value[value.startIndex].isPlain("=")
    if isExact { value = value.dropFirst() }
    let word = word.with(value, name: name)
    let parts = isExact ? [value] : try filledAlternatives(word, isProse: false)
    if name == "tag", !isExact, isExcluded || parts.count > 1 { try refuseDashes(parts, word) }
    let shown = parts.map { QueryValue.shown($0, isName: true) }.joined(separator: ",")
    let found = node(
      condition(name, parts, isExact: isExact), word, "\(name):\(isExact ? "=" : "")\(shown)")
    return isExcluded ? .not(found) : found
  }

  /// Refuses a dash before a tag that is one of several, or that follows another dash.
  private func refuseDashes(_ parts: [ArraySlice<QueryLetter>], _ word: QueryWord) throws(QueryFault) {
    for part in parts where part.count > 1 && part[part.startIndex].isPlain("-") {
      throw QueryFault(
        "a dash is not allowed here", at: part.range ?? word.range,
        hint: "write tag:-a,b to match notes with neither, or (tag:a OR tag:-b)")
    }
  }

  private func condition(
    _ name: String, _ parts: [ArraySlice<QueryLetter>], isExact: Bool
  ) -> QueryCondition {
    switch name {
    case "kind": .kind(parts.map { Glob($0, folding: true, reach: .whole) })
    case "id": .id(parts.map { Glob($0, folding: true, reach: isExact ? .whole : .beginning) })
    case "tag":
      .tag(parts.map { Glob(withoutHash($0), folding: true, reach: isExact ? .whole : .wholeOrBelow) })
    default: .path(parts.map { PathCondition($0, isExact: isExact) })
    }
  }
}

/// `is:`, which tests the state of a note.
extension QueryTermReader {

  func state(_ word: QueryWord) throws(QueryFault) -> QueryNode {
    var nodes: [QueryNode] = []
    for part in try filledAlternatives(word, isProse: false) {
      let name = String(decoding: part.bytes.map(ASCII.lowerCased), as: UTF8.self)
      nodes.append(node(try condition(name, part, word), word, "is:\(name)"))
    }
    return .any(nodes)
  }

  /// Terms for states that other programs know.
  private static let otherStates = [
    "open": "is:active", "done": "done:true", "finished": "done:true", "completed": "done:true",
    "complete": "done:true", "closed": "NOT is:active", "overdue": "@overdue", "late": "@overdue",
    "due": "has:due", "ready": "is:active", "pending": "is:active",
  ]

  private func condition(
    _ name: String, _ value: ArraySlice<QueryLetter>, _ word: QueryWord
  ) throws(QueryFault) -> QueryCondition {
    switch name {
    case "active": return .active(try context.test(.active, at: word.range))
    case "waiting": return .active(try context.test(.waiting, at: word.range))
    case "blocked": return .dependency(try context.dependency(.blocked, at: word.range))
    case "blocking": return .dependency(try context.dependency(.blocking, at: word.range))
    case "conflicted": return .conflicted
    case "orphan":
      try context.refuseLinks("is:orphan", at: word.range)
      return .links(LinksTest(.fromNone))
    case "todo": return .todo(TodoTest(.any))
    case "untitled": return .untitled
    default:
      let near = Spelling.nearest(to: name, among: QueryNames.states).map { "is:\($0)" }
      throw QueryFault(
        "is:\(QueryValue.excerpt(value)) is not known", at: value.range ?? word.range,
        hint: (Self.otherStates[name] ?? near).map { "did you mean \($0)?" }
          ?? "use one of \(QueryNames.states.map { "is:\($0)" }.joined(separator: ", "))")
    }
  }
}

/// `links:` and `linked-by:`, which test the links between notes.
extension QueryTermReader {
  func links(_ name: String, _ word: QueryWord) throws(QueryFault) -> QueryNode {
    try context.refuseLinks(name + ":", at: word.range)
    let isTo = name == "links"
    guard !word.value.trimmed.isEmpty else {
      return node(.links(LinksTest(isTo ? .toNone : .fromNone)), word, "\(name):")
    }
    let parts = try filledAlternatives(word, isProse: true)
    let references = parts.map { LinkReference.text($0.text) }
    let shown = parts.map { QueryValue.shownLiteral($0) }.joined(separator: ",")
    return node(.links(LinksTest(isTo ? .to(references) : .from(references))), word, "\(name):" + shown)
  }

  /// `has:links`: a link to another note. `has:linked-by`: a link from one.
  func hasLinks(_ name: String, _ word: QueryWord) throws(QueryFault) -> QueryNode {
    try context.refuseLinks("has:" + name, at: word.range)
    let question: LinksTest.Question = name == "links" ? .toNone : .fromNone
    return .not(node(.links(LinksTest(question)), word, "\(name):"))
  }
}

extension QueryContext {
  /// Refuses a term about links in the query of a kind.
  func refuseLinks(_ term: String, at range: Range<Int>) throws(QueryFault) {
    guard isOfKind else { return }
    throw QueryFault("\(term) can't be used here: it depends on other notes", at: range)
  }
}
