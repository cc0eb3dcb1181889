/// The clipboard of the terminal, which may be on another machine.
enum Clipboard {
  /// What hands a text to it. Source: xterm, OSC 52. Terminals that do not know it pass over it.
  static func sequence(_ text: String) -> [UInt8] {
    Array("\u{1B}]52;c;\(base64(Array(text.utf8)))\u{07}".utf8)
  }

  private static let letters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/")

  /// Source: RFC 4648, section 4.
  static func base64(_ bytes: [UInt8]) -> String {
    var text = ""
    for start in stride(from: 0, to: bytes.count, by: 3) {
      let group = bytes[start..<min(start + 3, bytes.count)]
      let padded = Array(group) + Array(repeating: 0, count: 3 - group.count)
      let value = Int(padded[0]) << 16 | Int(padded[1]) << 8 | Int(padded[2])
      for place in 0..<4 { text.append(place <= group.count ? letters[value >> (18 - 6 * place) & 63] : "=") }
    }
    return text
  }
}
