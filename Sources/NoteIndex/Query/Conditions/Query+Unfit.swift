import Bytes
package import Notes

extension Query {
  /// A field that is asked for a value which no record can have.
  package struct UnfitField: Sendable {
    /// The kinds that declare the field, and how each does.
    package let declarations: [(kind: Kind, field: Field)]
  }

  /// The fields that are asked for what is none of their choices, no number or no date, by the kinds that
  /// declare them.
  ///
  /// - Parameter isWanted: the kinds that come into question: those that there are records of.
  package func unfitFields(_ isWanted: (Kind) -> Bool) -> [UnfitField] {
    var unfit: [UnfitField] = []
    root.forEachTerm { term, isAskedFor in
      guard isAskedFor, case .declared(let test) = term.condition else { return }
      let declarations = test.unfitFields(isWanted)
      if !declarations.isEmpty { unfit.append(UnfitField(declarations: declarations)) }
    }
    return unfit
  }

  /// Whether a word of the query looks like a comparison, which it is not: `year>=1990`, or `>=` by itself.
  package var hasComparisonAsText: Bool {
    var isThere = false
    root.forEachTerm { term, isAskedFor in
      guard isAskedFor, case .text = term.condition else { return }
      let letters = term.reading.utf8.filter { $0 != UInt8(ascii: "\"") }
      let signs = letters.filter { QueryComparisons.isSign($0) }
      isThere =
        isThere
        || (signs.count == letters.count || letters.first.map(ASCII.isWord) ?? false)
          && ["<", ">", "<=", ">=", "=", "=="].contains(String(decoding: signs, as: UTF8.self))
    }
    return isThere
  }
}
