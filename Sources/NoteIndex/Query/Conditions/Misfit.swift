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

  init(_ value: ArraySlice<QueryLetter>, in word: QueryWord, _ fields: [(kind: Kind, field: Field)]) {
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
      hint = fields.contains { $0.field.isTime } ? Self.dateForms : "numbers are 4, 4.., 2..4, '>=4'"
    } else {
      hint = Spelling.nearest(to: value.text, among: words).map { "did you mean \(name):\($0)?" }
    }
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
