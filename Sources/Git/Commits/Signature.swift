/// Who did something, and when.
package struct Signature: Sendable, Equatable {
  package let name: String
  package let email: String
  /// Since 1970, UTC.
  package let seconds: Int64
  /// East of UTC.
  package let offsetMinutes: Int

  package init(name: String, email: String, seconds: Int64, offsetMinutes: Int) {
    self.name = name
    self.email = email
    self.seconds = seconds
    self.offsetMinutes = offsetMinutes
  }
}

extension Signature {
  /// The line of a commit, without the word before it.
  var line: String {
    let minutes = min(offsetMinutes.magnitude, 99 * 60 + 59)
    let digits = String(minutes / 60 * 100 + minutes % 60)
    let padded = String(repeating: "0", count: 4 - digits.utf8.count) + digits
    return "\(name) <\(email)> \(seconds) \(offsetMinutes < 0 ? "-" : "+")\(padded)"
  }

  /// Reads the line of a commit; what is missing or broken in it becomes empty or 0.
  init(line: ArraySlice<UInt8>, decode: (ArraySlice<UInt8>) -> String) {
    let close = line.lastIndex(of: UInt8(ascii: ">")) ?? line.startIndex
    let open = line[..<close].firstIndex(of: UInt8(ascii: "<")) ?? close
    let named = line[..<open]
    name = decode(named.last == 32 ? named.dropLast() : named)
    email = open < close ? decode(line[(open + 1)..<close]) : ""
    let times = close < line.endIndex ? line[(close + 1)...].split(separator: 32) : []
    seconds = times.first.flatMap { Int64(String(decoding: $0, as: UTF8.self)) } ?? 0
    offsetMinutes = times.count > 1 ? Self.offset(times[1]) : 0
  }

  /// Reads `+HHMM`.
  private static func offset(_ text: ArraySlice<UInt8>) -> Int {
    guard text.count <= 7, let digits = Int(String(decoding: text, as: UTF8.self)) else { return 0 }
    return digits / 100 * 60 + digits % 100
  }
}
