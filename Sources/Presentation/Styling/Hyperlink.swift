import Bytes
/// An address that a terminal may be told of.
///
/// Source: OSC 8, "Hyperlinks in terminal emulators"; at most 2,083 bytes, as in VTE and iTerm2.
struct Hyperlink: Equatable {
  private static let schemes = ["https://", "http://", "mailto:", "file://", "ftp://", "ftps://"]
  private static let longest = 2083

  /// The address in printable ASCII, other bytes percent-encoded.
  let address: [UInt8]

  /// Takes an address of one of the schemes that are safe to follow; nil for any other.
  init?(_ address: [UInt8]) {
    guard address.count <= Self.longest, Self.hasScheme(address) else { return nil }
    let encoded = PercentEncoding.encoded(address) { $0 > 0x20 && $0 < 0x7F }
    guard encoded.count <= Self.longest else { return nil }
    self.address = encoded
  }

  /// The sequence that begins the link.
  var opening: [UInt8] { Self.beginning + address + Self.end }

  /// The bytes before an address, and those after it.
  static let beginning = Array("\u{1B}]8;;".utf8)
  static let end = Array("\u{1B}\\".utf8)

  /// The sequence that ends any link.
  static let closing = beginning + end

  private static func hasScheme(_ address: [UInt8]) -> Bool {
    let start = address.prefix(8).map { $0 >= 0x41 && $0 <= 0x5A ? $0 | 0x20 : $0 }
    return schemes.contains { start.starts(with: $0.utf8) }
  }
}

extension Hyperlink {
  /// Whether a link's label is its address, but for percent-encoding and `mailto:`.
  static func isSaid(by label: ArraySlice<UInt8>, _ address: [UInt8]) -> Bool {
    let said = PercentEncoding.decoded(label)
    let target = PercentEncoding.decoded(address)
    return target == said || target == Array("mailto:".utf8) + said
  }
}
