import Notes
import Text

/// A value in a query that is no date, number or choice where each kind that declares the field asks for one.
struct Misfit: Sendable {
  /// The forms of dates, as a hint.
  static let dateForms =
    "dates are 2026-11-21, 2026-11, 2026-W47, today, friday, dec 5, next week (in quotes), 7d, 2w, eow, som"

  let message: String
  let hint: String?
  /// Where the value stands in the text that was read.
  let range: Range<Int>

  init(
    _ value: ArraySlice<QueryLetter>, in word: QueryWord, _ fields: [(kind: Kind, field: Field)],
    _ schema: Schema
  ) {
    let shown = QueryValue.excerpt(value)
    let name = fields.first?.field.name ?? ""
    var choices: [String] = []
    var reasons: [String] = []
    for (kind, field) in fields {
      if field.type == .choice {
        choices.append(field.values.joined(separator: ", ") + (fields.count > 1 ? " (\(kind.name))" : ""))
      } else if !reasons.contains(field.reason) {
        reasons.append(field.reason)
      }
    }
    if !choices.isEmpty { reasons.append("none of \(choices.joined(separator: " or "))") }
    message = "\(name): \(shown) is \(reasons.joined(separator: ", "))"
    range = value.range ?? word.range
    let words = fields.flatMap { $0.field.type == .boolean ? ["true", "false"] : $0.field.values }
    if words.isEmpty {
      let isDate = fields.contains { $0.field.isTime }
      hint = isDate ? Self.dateHint(name, value.text) : "numbers are 4, 4.., 2..4, '>=4'"
    } else {
      hint =
        Self.elsewhere(value.text, schema)
        ?? Spelling.nearest(to: value.text, among: words).map { "did you mean \(name):\($0)?" }
    }
  }

  /// A hint at a text that is no date of a field: the date that it almost is, else the forms of dates.
  static func dateHint(_ name: String, _ text: String) -> String {
    guard let near = DateInterval.nameNear(text) else { return dateForms }
    let term = "\(name):\(near)"
    return "did you mean \(near.utf8.contains(0x20) ? "\"\(term)\"" : term)?"
  }

  /// A hint at the term that a word is of: the choice of another field, or a field that is true or false.
  private static func elsewhere(_ text: String, _ schema: Schema) -> String? {
    let word = Folding.fold(text)
    if QueryNames.states.contains(word) { return "did you mean is:\(word)?" }
    for kind in schema.kinds {
      for field in kind.fields {
        if field.type == .boolean, Folding.fold(field.name) == word {
          return "\(field.name):true asks for that in kind \(kind.name)"
        }
        if field.type == .choice, let value = field.values.first(where: { Folding.fold($0) == word }) {
          return "\(field.name):\(value) asks for that in kind \(kind.name)"
        }
      }
    }
    return nil
  }
}

extension Field {
  /// Why a text is none of its values.
  fileprivate var reason: String {
    switch type {
    case .choice: "none of \(values.joined(separator: ", "))"
    case .boolean: "neither true nor false"
    case .date, .moment: "not a date"
    case .integer: "not a number"
    case .text, .tags, .reference: "not a value"
    }
  }
}
