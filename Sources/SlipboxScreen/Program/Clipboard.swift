import Bytes

/// The clipboard of the terminal, which may be on another machine.
enum Clipboard {
  /// What hands a text to it. Source: xterm, OSC 52. Terminals that do not know it pass over it.
  static func sequence(_ text: String) -> [UInt8] {
    Array("\u{1B}]52;c;\(Base64.encoded(Array(text.utf8)))\u{07}".utf8)
  }
}
