/// The type that a scalar of a field without a declaration has in JSON and in comparisons.
package enum ScalarType: Sendable {
  case text, number, boolean

  /// The type of a scalar: plain decimal numbers, `true` and `false` have one if no quotes are around them.
  ///
  /// - Parameter isPlain: whether the scalar is written without quotes.
  package init(_ text: String, isPlain: Bool) {
    if !isPlain {
      self = .text
    } else if text.hasSameBytes(as: "true") || text.hasSameBytes(as: "false") {
      self = .boolean
    } else {
      self = PlainNumber.isNumber(text) ? .number : .text
    }
  }
}

/// The quotes of a note's fields, read from the file when they are first needed.
package struct FieldQuotes {
  private let text: NoteText
  private var fields: [[Bool]]?

  package init(_ text: NoteText) { self.text = text }

  /// Whether each scalar of a field is written without quotes, in the order of its value.
  ///
  /// It is empty if that is not known, as in front-matter that is not valid YAML.
  /// - Parameter place: that of the field in `FrontMatter.fields`.
  /// - Complexity: that of reading the front-matter the first time.
  package mutating func plainScalars(ofField place: Int) -> [Bool] {
    let known = fields ?? FrontMatterReading(text, keepsShapes: true).plainScalars
    fields = known
    return known.indices.contains(place) ? known[place] : []
  }

  /// The type of a field with one scalar; that of any other value is text.
  package mutating func type(of value: FieldValue, ofField place: Int) -> ScalarType {
    guard let text = value.text, value.mayHaveTypes else { return .text }
    return ScalarType(text, isPlain: plainScalars(ofField: place).first ?? false)
  }
}

extension FieldValue {
  /// Whether some scalar of the value is a number or a boolean if it has no quotes.
  package var mayHaveTypes: Bool {
    switch self {
    case .text(let text): ScalarType(text, isPlain: true) != .text
    case .list(let elements): elements.contains { $0.mayHaveTypes }
    case .map(let entries): entries.contains { $0.value.mayHaveTypes }
    case .empty: false
    }
  }
}
