/// Numbers as people read them, in the same form everywhere.
package enum Figures {
  /// Such as `12,345`.
  package static func grouped(_ number: Int) -> String {
    let digits = Array("\(number.magnitude)")
    var text = number < 0 ? "-" : ""
    for (index, digit) in digits.enumerated() {
      if index > 0, (digits.count - index).isMultiple(of: 3) { text += "," }
      text.append(digit)
    }
    return text
  }

  /// Milliseconds with three digits that count: `0.94`, `8.53`, `131`, `9,300`.
  package static func milliseconds(_ value: Double) -> String {
    value < 10 ? fixed(value, 2) : value < 100 ? fixed(value, 1) : grouped(Int(value.rounded()))
  }

  /// A number with so many places after the point, rounded half away from zero.
  package static func fixed(_ value: Double, _ places: Int) -> String {
    guard value.isFinite, value.magnitude < 1e15 else { return "\(value)" }
    let scale = (0..<places).reduce(1) { scale, _ in scale * 10 }
    let scaled = Int((value.magnitude * Double(scale)).rounded())
    let sign = value < 0 && scaled > 0 ? "-" : ""
    guard places > 0 else { return sign + "\(scaled)" }
    let fraction = "\(scaled % scale)"
    return sign + "\(scaled / scale)." + String(repeating: "0", count: places - fraction.count) + fraction
  }
}
