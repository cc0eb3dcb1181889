import Notes
import Text

/// Terms about fields that kinds declare.
extension QueryTermReader {
  /// A term about a field as each kind that declares it understands it.
  ///
  /// - Parameter plain: what it asks of notes whose kind does not.
  func declared(_ name: String, _ word: QueryWord, _ plain: QueryNode) throws(QueryFault) -> QueryNode {
    if case .term(let term) = plain, case .lacks = term.condition {
      return declared([name], plain, word) { kind in kind.hasDefault(name) ? .nothing : nil }
    }
    var readings: [(kind: Kind, node: QueryNode)] = []
    for kind in context.schema.kinds {
      guard let field = kind.declaredField(name), let node = try reading(of: field, kind, word, plain) else {
        continue
      }
      readings.append((kind, node))
    }
    return declared([name], readings, plain, word)
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
    _ names: [String], _ readings: [(kind: Kind, node: QueryNode)], _ plain: QueryNode, _ word: QueryWord
  ) -> QueryNode {
    guard !readings.isEmpty else { return plain }
    let test = DeclaredTest(names, readings, otherwise: plain)
    return node(.declared(test), word, plain.described(within: true))
  }

  /// What the term asks of notes of one kind; nil where that is the same as of all others.
  private func reading(
    of field: Field, _ kind: Kind, _ word: QueryWord, _ plain: QueryNode
  ) throws(QueryFault) -> QueryNode? {
    switch field.type {
    case .reference: return plain.typed(kind, field) { $0.asReference }
    case .text, .tags:
      let isPlain = field.type == .text && !field.isList && !kind.hasDefault(field.name)
      return isPlain && plain.comparesText ? nil : plain.typed(kind, field) { $0.asText }
    case .integer:
      return plain.typed(kind, field) { $0.withoutDates }
    case .date, .moment:
      let node = try QueryTermReader(context, looking: field.direction).values(field.name, word)
      return node.typed(kind, field) { $0 }
    case .choice:
      return try choices(field.values.map { [$0] }, kind, field, word, plain)
    case .boolean:
      return try choices([["false", "no", "off"], ["true", "yes", "on"]], kind, field, word, plain)
    }
  }

  /// A term about one of several values in an order, each of which has one name or more.
  private func choices(
    _ names: [[String]], _ kind: Kind, _ field: Field, _ word: QueryWord, _ plain: QueryNode
  ) throws(QueryFault) -> QueryNode {
    let choices = ChoiceNames(names)
    let value = word.value.trimmed
    var wanted = names.map { _ in false }
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

/// The names of values in their order.
private struct ChoiceNames {
  private let names: [[String]]
  private let folded: [[[UInt8]]]

  init(_ names: [[String]]) {
    self.names = names
    folded = names.map { $0.map { Folding.fold(Array($0.utf8)[...]) } }
  }

  private func place(of value: ArraySlice<QueryLetter>) -> Int? {
    let name = Folding.fold(value.bytes[...])
    return folded.firstIndex { $0.contains(name) }
  }

  func mark(_ wanted: inout [Bool], within range: Range<Int>) {
    for place in range { wanted[place] = true }
  }

  /// Marks the value of a name, or where there is none, those in whose names all words occur.
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

  /// The places that a comparison leaves; none where the bound is no value.
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

  /// The places from one value to another, both inside; none where an end is no value.
  func range(from lower: ArraySlice<QueryLetter>?, to upper: ArraySlice<QueryLetter>?) -> Range<Int> {
    guard let first = lower.map(place) ?? 0, let last = upper.map(place) ?? names.count - 1, first <= last
    else { return 0..<0 }
    return first..<last + 1
  }
}
