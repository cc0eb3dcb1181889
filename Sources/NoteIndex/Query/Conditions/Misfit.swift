import Notes
import Text

/// A value in a query that is no date, number, choice or name of a record where a kind declares the field as such.
struct Misfit: Sendable {
  /// The forms of dates, as a hint.
  static let dateForms =
    "dates are 2026-11-21, 2026-11, 2026-W47, today, friday, dec 5, 11/30, 7d, 2w, eow, som; "
    + "in quotes: next week, in 3 days"

  /// Where the value stands in the text that was read.
  let range: Range<Int>
  /// Whether it is an end of a range, follows a comparison or is a pattern; these are values of no plain note either.
  let isBound: Bool
  /// The test of the value as text.
  let plain: QueryNode
  private let value: ArraySlice<QueryLetter>
  /// The kinds in which the value is none.
  private let kinds: [String]
  private let schema: Schema
  private let clock: ClockReading

  init(
    _ value: ArraySlice<QueryLetter>, in word: QueryWord, _ unfit: [(kind: Kind, field: Field)],
    _ schema: Schema, _ clock: ClockReading, plain: QueryNode, isBound: Bool
  ) {
    self.value = value
    self.schema = schema
    self.clock = clock
    self.plain = plain
    self.isBound = isBound
    kinds = unfit.map(\.kind.name)
    range = value.range ?? word.range
  }

  /// Whether the value is none in a kind.
  func isUnfit(in kind: Kind) -> Bool { kinds.contains { $0.hasSameBytes(as: kind.name) } }

  /// The message and the hint about the value as one of some fields of one name.
  func fault(_ fields: [(kind: Kind, field: Field)]) -> (message: String, hint: String?) {
    let shown = QueryValue.excerpt(value)
    let name = fields.first?.field.name ?? ""
    if let target = fields.lazy.compactMap({ $0.field.target }).first, isBound {
      return (
        "\(name): \(shown) matches no \(target)",
        "references support no ranges or wildcards: write \(name):NAME, \(name):NAME,NAME or has:\(name)"
      )
    }
    let times = fields.lazy.compactMap { $0.field.dayAndTime(value.text, clock: clock) }
    if let (day, time) = times.first {
      return (
        "\(name): \(shown) has a time, but the field stores only a date",
        isBound ? "write the day alone: \(day)" : "write \(name):\(day) \(name)-time:\(time)"
      )
    }
    var choices: [String] = []
    var reasons: [String] = []
    for (kind, field) in fields {
      if field.type == .choice {
        choices.append(field.values.joined(separator: ", ") + (fields.count > 1 ? " (\(kind.name))" : ""))
      } else if !reasons.contains(field.reason) {
        reasons.append(field.reason)
      }
    }
    if !choices.isEmpty { reasons.append("not one of its values: \(choices.joined(separator: " or "))") }
    let message = "\(name): \(shown) is \(reasons.joined(separator: ", "))"
    let words = fields.flatMap { $0.field.type == .boolean ? ["true", "false"] : $0.field.values }
    if words.isEmpty {
      let isDate = fields.contains { $0.field.isTime }
      guard isDate else { return (message, "numbers are 4, 4.., 2..4, '>=4'") }
      return (message, Self.dateHint(name, value.text, clock, fields.first?.field.direction ?? .back))
    }
    let near = Spelling.nearest(to: value.text, among: words).map { "did you mean \(Self.term(name, $0))?" }
    return (message, Self.elsewhere(value.text, schema) ?? near)
  }

  /// A term as it is typed: its value is in quotes if it has a blank. In quotes as a whole the term is words to search.
  static func term(_ name: String, _ value: String) -> String {
    value.utf8.contains(0x20) ? "\(name):\"\(value)\"" : "\(name):\(value)"
  }

  /// A hint at a text that is no date of a field: the date that it almost is, else the forms of dates.
  static func dateHint(
    _ name: String, _ text: String, _ clock: ClockReading, _ looking: DateInterval.Direction
  ) -> String {
    let meant = DateInterval.meant(text, clock: clock, looking: looking).map { term(name, $0) }
    return meant.isEmpty ? dateForms : "did you mean \(meant.joined(separator: " or "))?"
  }

  /// A hint at the term that a word is of: the choice of another field, or a field that is true or false.
  private static func elsewhere(_ text: String, _ schema: Schema) -> String? {
    let word = Folding.fold(text)
    if QueryNames.states.contains(word) { return "did you mean is:\(word)?" }
    for kind in schema.kinds {
      for field in kind.fields {
        if field.type == .boolean, Folding.fold(field.name) == word {
          return "for kind \(kind.name), write \(field.name):true"
        }
        if field.type == .choice, let value = field.values.first(where: { Folding.fold($0) == word }) {
          return "for kind \(kind.name), write \(field.name):\(value)"
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
    case .choice: "not one of its values: \(values.joined(separator: ", "))"
    case .boolean: "neither true nor false"
    case .date, .moment: "not a date"
    case .integer: "not a number"
    case .text, .tags, .reference, .recurrence: "not a value"
    }
  }
}
