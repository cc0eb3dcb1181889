import Notes

/// Terms about fields that kinds declare.
extension QueryTermReader {
  /// A term about a field as each kind that declares it understands it.
  ///
  /// - Parameter plain: what it asks of notes whose kind does not.
  ///
  /// - Throws: a fault also for a value that the kind whose own query is read can't have.
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

  /// A term about a reference, whose names are not parted at blanks.
  private func shownReference(_ name: String, _ word: QueryWord) -> String {
    let parts = QueryValue.alternatives(of: byValue(word).value.trimmed, isProse: true)
    return "\(QueryValue.shownName(name)):" + parts.map { QueryValue.shown($0) }.joined(separator: ",")
  }

  /// The test for notes of one kind; nil where it is the same as for all others.
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
