import Notes

/// Values of declared fields that are no date, number, choice or name of a record.
extension QueryTermReader {
  /// The parts of a term's value that are none of a field's in a kind that declares it.
  ///
  /// - Throws: the first of them as a fault, where the query is a kind's own.
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

  /// What a value in a term stands for.
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

  /// The single values of a term: alternatives, ends of ranges, what follows a comparison; none with a star.
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

  /// Whether a value is one of a checked field.
  func fits(_ value: ArraySlice<QueryLetter>, isBound: Bool, _ field: Field) -> Bool {
    switch field.type {
    case .text, .tags, .reference, .recurrence: true
    case .integer: DecimalNumber(value.text) != nil
    case .date, .moment: DateInterval.parse(value.text, clock: clock, looking: field.direction) != nil
    case .choice, .boolean: ChoiceNames(of: field).has(value, isBound: isBound)
    }
  }
}

extension Field {
  /// Whether not every text is a value of the field, whatever notes there are.
  var isChecked: Bool {
    switch type {
    case .text, .tags, .reference, .recurrence: false
    case .integer, .date, .moment, .choice, .boolean: true
    }
  }
}
