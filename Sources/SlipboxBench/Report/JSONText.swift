import Bytes

/// A value of JSON, written in one line.
package enum JSONText {
  case text(String)
  case number(Double)
  case list([JSONText])
  /// Members in their order; those that are nil are left out.
  case object([(name: String, value: JSONText?)])

  /// The value as JSON.
  package var written: String {
    switch self {
    case .text(let text): return JSONString.quoted(text)
    case .number(let number):
      // JSON has no word for what is not finite.
      guard number.isFinite else { return "null" }
      return number == number.rounded() && number.magnitude < 1e15
        ? "\(Int(number))" : Figures.fixed(number, 4)
    case .list(let values): return "[" + values.map(\.written).joined(separator: ",") + "]"
    case .object(let members):
      let written = members.compactMap { member in
        member.value.map { JSONString.quoted(member.name) + ":" + $0.written }
      }
      return "{" + written.joined(separator: ",") + "}"
    }
  }
}
