/// The units in which positions count.
enum PositionEncoding: String, Codable, Sendable, CaseIterable {
  case utf8 = "utf-8"
  case utf16 = "utf-16"
  case utf32 = "utf-32"

  /// The best of those that a client offers: bytes need no counting. A client that offers none means UTF-16.
  init(offered: [String]) {
    let known = offered.compactMap { PositionEncoding(rawValue: $0) }
    self = known.contains(.utf8) ? .utf8 : known.first ?? .utf16
  }

  /// How many units a character has whose first byte in UTF-8 is this one; none for a byte that continues one.
  @inline(__always)
  func units(ofLead byte: UInt8) -> Int {
    if byte & 0xC0 == 0x80 { return 0 }
    return self == .utf16 && byte >= 0xF0 ? 2 : 1
  }
}
