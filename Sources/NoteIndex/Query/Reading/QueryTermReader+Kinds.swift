import Bytes
import Notes
import Text

/// Terms about fields that kinds declare.
extension QueryTermReader {
  /// Returns a term about a field with a test for each kind that declares it.
  ///
  /// - Parameter plain: the test for notes whose kind does not declare the field.
  ///
  /// - Throws: a fault also for a value that is invalid in the kind whose own query is parsed.
  func declared(_ name: String, _ word: QueryWord, _ plain: QueryNode) throws(QueryFault) -> QueryNode {
    if case .term(let term) = plain, case .lacks = term.condition {
      return declared([name], plain, word) { kind in kind.hasDefault(name) ? .nothing : nil }
    }
    var readings: [(kind: Kind, node: QueryNode)] = []
    var fields: [(kind: Kind, field: Field)] = []
    for kind in context.schema.kinds {
      guard let field = kind.declaredField(name) else { continue }
      fields.append((kind, field))
      if let node = try reading(of: field, kind, word, plain) { readings.append((kind, node)) }
    }
    let misfits = try misfits(name, word, fields)
    return declared([name], readings, plain, word, fields, misfits)
  }

  /// `has:`: a field with a default is never missing.
  func declared(presenceOf names: [String], _ word: QueryWord, _ plain: QueryNode) -> QueryNode {
    declared(names, plain, word) { kind in names.contains(where: kind.hasDefault) ? .everything : nil }
  }

  private func declared(
    _ names: [String], _ plain: QueryNode, _ word: QueryWord, _ reading: (Kind) -> QueryNode?
  ) -> QueryNode {
    declared(names, context.schema.kinds.compactMap { kind in reading(kind).map { (kind, $0) } }, plain, word)
  }

  private func declared(
    _ names: [String], _ readings: [(kind: Kind, node: QueryNode)], _ plain: QueryNode, _ word: QueryWord,
    _ fields: [(kind: Kind, field: Field)] = [], _ misfits: [Misfit] = []
  ) -> QueryNode {
    guard !readings.isEmpty else { return plain }
    let test = DeclaredTest(names, readings, otherwise: plain, fields: fields, misfits: misfits)
    let reading = test.references.isEmpty ? nil : names.first.map { shownReference($0, word) }
    return node(.declared(test), word, reading ?? plain.described(within: true))
  }

  /// Returns a term about a reference, whose names are not split at blanks.
  private func shownReference(_ name: String, _ word: QueryWord) -> String {
    let parts = QueryValue.alternatives(of: byValue(word).value.trimmed, isProse: true)
    return "\(QueryValue.shownName(name)):" + parts.map { QueryValue.shown($0) }.joined(separator: ",")
  }

  /// Returns the test for notes of one kind; nil if it is the same as for all others.
  private func reading(
    of field: Field, _ kind: Kind, _ word: QueryWord, _ plain: QueryNode
  ) throws(QueryFault) -> QueryNode? {
    switch field.type {
    case .reference: return try references(kind, field, word, plain)
    case .text, .tags, .recurrence:
      let isPlain = field.type != .tags && !field.isList && !kind.hasDefault(field.name)
      return isPlain && plain.comparesText ? nil : plain.typed(kind, field) { $0.asText }
    case .integer:
      let node = try values(field.name, byValue(word), isProse: false)
      return node.typed(kind, field) { $0.withoutDates }
    case .date, .moment:
      let reader = QueryTermReader(context, looking: field.direction)
      let node = try reader.values(field.name, byValue(word), isProse: false)
      return node.typed(kind, field) { $0 }
    case .choice, .boolean: return try choices(ChoiceNames(of: field), kind, field, word, plain)
    }
  }

  /// The term without an equals sign: numbers, dates and records are compared by value anyway.
  func byValue(_ word: QueryWord) -> QueryWord {
    guard let (sign, rest) = comparison(word.value.trimmed), sign == .equal, !rest.isEmpty else {
      return word
    }
    return word.with(rest)
  }

  /// A term about one of several values in an order.
  private func choices(
    _ choices: ChoiceNames, _ kind: Kind, _ field: Field, _ word: QueryWord, _ plain: QueryNode
  ) throws(QueryFault) -> QueryNode {
    let value = word.value.trimmed
    var wanted = [Bool](repeating: false, count: choices.count)
    if let (sign, rest) = comparison(value) {
      choices.mark(&wanted, within: choices.range(sign, rest))
    } else {
      for part in QueryValue.alternatives(of: value, isProse: false) {
        if let ends = try rangeEnds(part, word) {
          choices.mark(&wanted, within: choices.range(from: ends.lower, to: ends.upper))
        } else {
          choices.mark(&wanted, like: part)
        }
      }
    }
    let test = TypedTest(kind, field, .choices(wanted), wrong: plain.fieldTests.filter { !$0.isRange })
    return node(.typed(test), word, plain.described(within: true))
  }
}

/// Terms about fields that refer to records.
extension QueryTermReader {
  /// A term about a reference: the names of records, or a star alone for any.
  ///
  /// The queries that kinds declare are asked without other notes, so that all their values are text.
  func references(
    _ kind: Kind, _ field: Field, _ word: QueryWord, _ plain: QueryNode
  ) throws(QueryFault) -> QueryNode {
    let text = { (node: QueryNode) in node.typed(kind, field) { $0.asReference } }
    if context.isOfKind || field.target == nil { return text(plain) }
    let word = byValue(word)
    if comparison(word.value.trimmed) != nil { return text(plain) }
    var nodes: [QueryNode] = []
    for part in try filledAlternatives(word, isProse: true) {
      let alternative = word.with(part)
      let compared = text(try values(field.name, alternative))
      if try isPattern(part, alternative) {
        nodes.append(compared)
      } else {
        let test = ReferenceTest(
          kind, field, name: Field.bareReference(part.text), range: part.range ?? word.range, plain: compared)
        nodes.append(node(.referring(test), word, compared.described(within: true)))
      }
    }
    return .any(nodes)
  }

  /// Whether a value holds a star or is a range, so that it names no record.
  func isPattern(_ value: ArraySlice<QueryLetter>, _ word: QueryWord) throws(QueryFault) -> Bool {
    try rangeEnds(value, word) != nil || value.contains { $0.isPlain("*") }
  }
}

/// Values of declared fields that are no date, number, choice or name of a record.
extension QueryTermReader {
  /// Returns the parts of a term's value that are not values of the field in a kind that declares it.
  ///
  /// - Throws: the first of them as a fault, if the query is a kind's own.
  func misfits(
    _ name: String, _ word: QueryWord, _ fields: [(kind: Kind, field: Field)]
  ) throws(QueryFault) -> [Misfit] {
    let own = context.ownKind.flatMap { kind in kind.declaredField(name).map { (kind: kind, field: $0) } }
    let asked = context.isOfKind ? [own].compactMap { $0 } : fields
    var misfits: [Misfit] = []
    for piece in try pieces(word) {
      let unfit = asked.filter {
        $0.field.isChecked && !fits(piece.value, isBound: piece.use != .any, $0.field)
      }
      if unfit.isEmpty { continue }
      let plain = try? values(name, word.with(piece.use == .whole ? equal(to: piece.value) : piece.value))
      misfits.append(
        Misfit(
          piece.value, in: word, unfit, context.schema, clock, plain: plain ?? .nothing,
          isBound: piece.use == .bound
        ))
    }
    if !context.isOfKind { misfits += try patterns(word, asked) }
    guard context.isOfKind, let misfit = misfits.first else { return misfits }
    let fault = misfit.fault(asked)
    throw QueryFault(fault.message, at: misfit.range, hint: fault.hint)
  }

  /// The meaning of a value in a term.
  private enum Use {
    /// All that has its words.
    case any
    /// Itself: it follows `=`.
    case whole
    /// An end of a range.
    case bound
  }

  /// The comparison that only the value itself passes.
  private func equal(to value: ArraySlice<QueryLetter>) -> ArraySlice<QueryLetter> {
    let sign = Comparison.equal.rawValue.utf8.map {
      QueryLetter(byte: $0, isQuoted: false, offset: value.range?.lowerBound ?? 0)
    }
    return (sign + value)[...]
  }

  /// Returns the single values of a term: alternatives, ends of ranges, operands of comparisons; no values with a star.
  private func pieces(
    _ word: QueryWord
  ) throws(QueryFault) -> [(value: ArraySlice<QueryLetter>, use: Use)] {
    let value = word.value.trimmed
    if let (sign, rest) = comparison(value) {
      return rest.isEmpty ? [] : [(rest, sign == .equal ? .whole : .bound)]
    }
    var pieces: [(value: ArraySlice<QueryLetter>, use: Use)] = []
    for part in QueryValue.alternatives(of: value, isProse: false) where !part.isEmpty {
      if let ends = try rangeEnds(part, word) {
        pieces += [ends.lower, ends.upper].compactMap { $0 }.map { ($0, .bound) }
      } else if !part.contains(where: { $0.isPlain("*") }) {
        pieces.append((part, .any))
      }
    }
    return pieces
  }

  /// The parts of a term's value with a comparison, a range or a star, for the fields that refer to records.
  private func patterns(
    _ word: QueryWord, _ fields: [(kind: Kind, field: Field)]
  ) throws(QueryFault) -> [Misfit] {
    let references = fields.filter { $0.field.type == .reference && $0.field.target != nil }
    if references.isEmpty { return [] }
    let value = byValue(word).value.trimmed
    var patterns = comparison(value) == nil ? [] : [value]
    if patterns.isEmpty {
      for part in QueryValue.alternatives(of: value, isProse: true)
      where !part.allSatisfy({ $0.isPlain("*") }) {
        if try isPattern(part, word) { patterns.append(part) }
      }
    }
    return patterns.map {
      Misfit($0, in: word, references, context.schema, clock, plain: .nothing, isBound: true)
    }
  }

  /// Refuses a value of `due-time:` beside a date `due` that is not a time of day, as changes do.
  func refuseWrongTime(_ name: String, _ word: QueryWord) throws(QueryFault) {
    let ending = "-time"
    guard name.hasSuffix(ending), !context.schema.declares(name), comparison(word.value.trimmed) == nil else {
      return
    }
    let day = String(name.dropLast(ending.count))
    let fields = context.schema.kinds.compactMap { $0.declaredField(day) }
    guard let field = fields.first(where: { $0.type == .date }) else { return }
    for part in QueryValue.alternatives(of: word.value.trimmed, isProse: false) {
      let isTyped = part.first.map { ASCII.isDigit($0.byte) } ?? false
      guard isTyped, try !isPattern(part, word), !TimeReader.isClockTime(part.text) else { continue }
      throw QueryFault(
        "\(name): \(QueryValue.excerpt(part)) is not a time of day (17:30, 9am)",
        at: part.range ?? word.range,
        hint: "the day goes into \(field.name), the time into \(field.name)\(ending)")
    }
  }

  /// Whether a value is one of a checked field.
  func fits(_ value: ArraySlice<QueryLetter>, isBound: Bool, _ field: Field) -> Bool {
    switch field.type {
    case .text, .tags, .reference, .recurrence: true
    case .integer: DecimalNumber(value.text) != nil
    case .date, .moment:
      DateInterval.parse(value.text, clock: clock, looking: field.direction) != nil
        && field.dayAndTime(value.text, clock: clock) == nil
    case .choice, .boolean: ChoiceNames(of: field).has(value, isBound: isBound)
    }
  }
}

extension Field {
  /// Whether some texts are invalid values of the field, regardless of the notes.
  var isChecked: Bool {
    switch type {
    case .text, .tags, .reference, .recurrence: false
    case .integer, .date, .moment, .choice, .boolean: true
    }
  }
}

/// The names of values in their order.
struct ChoiceNames {
  private let names: [[String]]
  private let folded: [[[UInt8]]]

  init(_ names: [[String]]) {
    self.names = names
    folded = names.map { $0.map { Folding.fold(Array($0.utf8)[...]) } }
  }

  /// The names of the values of a field; none for one that is not a choice.
  init(of field: Field) {
    switch field.type {
    case .choice: self.init(field.values.map { [$0] })
    case .boolean: self.init([["false", "no", "off"], ["true", "yes", "on"]])
    case .text, .integer, .date, .moment, .tags, .reference, .recurrence: self.init([])
    }
  }

  var count: Int { names.count }

  private func place(of value: ArraySlice<QueryLetter>) -> Int? {
    let name = Folding.fold(value.bytes[...])
    return folded.firstIndex { $0.contains(name) }
  }

  /// Whether a value is one of the names, or words of one unless it is a bound of a range.
  func has(_ value: ArraySlice<QueryLetter>, isBound: Bool) -> Bool {
    if isBound { return place(of: value) != nil }
    var wanted = names.map { _ in false }
    mark(&wanted, like: value)
    return wanted.contains(true)
  }

  func mark(_ wanted: inout [Bool], within range: Range<Int>) {
    for place in range { wanted[place] = true }
  }

  /// Marks the value of a name; if no name equals it, marks the values in whose names all its words occur.
  func mark(_ wanted: inout [Bool], like value: ArraySlice<QueryLetter>) {
    if let place = place(of: value) {
      wanted[place] = true
      return
    }
    let isAny = value.allSatisfy { $0.isPlain("*") }
    let patterns = QueryValue.words(of: value).map { TextPattern($0) }
    for place in names.indices {
      let fits = names[place].contains { name in patterns.allSatisfy { $0?.occurs(in: name) ?? false } }
      if isAny || fits { wanted[place] = true }
    }
  }

  /// Returns the places that pass a comparison; empty if the bound is not a value.
  func range(_ sign: QueryTermReader.Comparison, _ value: ArraySlice<QueryLetter>) -> Range<Int> {
    guard let place = place(of: value) else { return 0..<0 }
    return switch sign {
    case .equal: place..<place + 1
    case .below: 0..<place
    case .atMost: 0..<place + 1
    case .above: place + 1..<names.count
    case .atLeast: place..<names.count
    }
  }

  /// Returns the places from one value to another, both included; empty if an end is not a value.
  func range(from lower: ArraySlice<QueryLetter>?, to upper: ArraySlice<QueryLetter>?) -> Range<Int> {
    guard let first = lower.map(place) ?? 0, let last = upper.map(place) ?? names.count - 1, first <= last
    else { return 0..<0 }
    return first..<last + 1
  }
}
