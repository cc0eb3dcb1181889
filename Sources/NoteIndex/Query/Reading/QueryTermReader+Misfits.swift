import Notes

/// Values of declared fields that are no date, number or choice.
extension QueryTermReader {
  /// The parts of a term's value that are none of a field's in any kind that declares it.
  ///
  /// - Throws: the first of them as a fault, where the query is a kind's own.
  func misfits(
    _ name: String, _ word: QueryWord, _ fields: [(kind: Kind, field: Field)]
  ) throws(QueryFault) -> [Misfit] {
    let own = context.ownKind.flatMap { kind in kind.declaredField(name).map { (kind: kind, field: $0) } }
    let asked = context.isOfKind ? [own].compactMap { $0 } : fields
    guard !asked.isEmpty, asked.allSatisfy({ $0.field.isChecked }) else { return [] }
    var misfits: [Misfit] = []
    for piece in try pieces(word) {
      if asked.contains(where: { fits(piece.value, isBound: piece.isBound, $0.field) }) { continue }
      misfits.append(Misfit(piece.value, in: word, asked, context.schema))
    }
    if context.isOfKind, let misfit = misfits.first {
      throw QueryFault(misfit.message, at: misfit.range, hint: misfit.hint)
    }
    return misfits
  }

  /// The single values of a term: alternatives, ends of ranges, what follows a comparison; none with a star.
  private func pieces(
    _ word: QueryWord
  ) throws(QueryFault) -> [(value: ArraySlice<QueryLetter>, isBound: Bool)] {
    let value = word.value.trimmed
    if let (_, rest) = comparison(value) { return rest.isEmpty ? [] : [(rest, true)] }
    var pieces: [(value: ArraySlice<QueryLetter>, isBound: Bool)] = []
    for part in QueryValue.alternatives(of: value, isProse: false) where !part.isEmpty {
      if let ends = try rangeEnds(part, word) {
        pieces += [ends.lower, ends.upper].compactMap { $0 }.map { ($0, true) }
      } else if !part.contains(where: { $0.isPlain("*") }) {
        pieces.append((part, false))
      }
    }
    return pieces
  }

  private func fits(_ value: ArraySlice<QueryLetter>, isBound: Bool, _ field: Field) -> Bool {
    switch field.type {
    case .text, .tags, .reference: true
    case .integer: DecimalNumber(value.text) != nil
    case .date, .moment: DateInterval.parse(value.text, clock: clock, looking: field.direction) != nil
    case .choice, .boolean: ChoiceNames(of: field).has(value, isBound: isBound)
    }
  }
}

extension Field {
  /// Whether not every text is a value of the field.
  fileprivate var isChecked: Bool {
    switch type {
    case .text, .tags, .reference: false
    case .integer, .date, .moment, .choice, .boolean: true
    }
  }
}
