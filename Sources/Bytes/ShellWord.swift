/// Words as they are typed in a shell, for commands that a message suggests.
package enum ShellWord {
  /// Returns the bytes as one word that every shell reads back as them, in letters that a terminal can show.
  ///
  /// Bare where nothing in it has a meaning, else in double or single quotes. Control characters, and bytes that are
  /// no ASCII where they are no UTF-8, need the form `$'\x1b'`, which bash, zsh and ksh read.
  package static func quoted(_ bytes: some Collection<UInt8>) -> String {
    if !bytes.isEmpty, bytes.first != UInt8(ascii: "-"), bytes.allSatisfy(isPlain) {
      return String(decoding: bytes, as: UTF8.self)
    }
    if bytes.contains(where: isControl) || !isText(bytes) { return escaped(bytes) }
    let text = String(decoding: bytes, as: UTF8.self)
    let hasMeaning = bytes.contains { Array("$`\"\\!".utf8).contains($0) }
    if !hasMeaning { return "\"\(text)\"" }
    return "'" + text.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''") + "'"
  }

  /// Returns the text as one word; see above.
  package static func quoted(_ text: String) -> String { quoted(ByteText.bytes(of: text)) }

  /// Whether a byte means itself anywhere in a word, in bash, zsh and fish alike.
  private static func isPlain(_ byte: UInt8) -> Bool {
    byte &- UInt8(ascii: "0") < 10 || (byte | 0x20) &- UInt8(ascii: "a") < 26
      || Array("_@%+:,./-".utf8).contains(byte)
  }

  private static func isControl(_ byte: UInt8) -> Bool { byte < 0x20 || byte == 0x7F }

  /// Whether bytes are UTF-8 without controls beyond ASCII: those would act on the terminal in quotes too.
  private static func isText(_ bytes: some Collection<UInt8>) -> Bool {
    let text = String(decoding: bytes, as: UTF8.self)
    guard text.utf8.elementsEqual(bytes) else { return false }
    return text.unicodeScalars.allSatisfy { scalar in
      switch scalar.properties.generalCategory {
      case .control, .format, .lineSeparator, .paragraphSeparator, .unassigned: false
      default: true
      }
    }
  }

  private static func escaped(_ bytes: some Collection<UInt8>) -> String {
    var result = "$'"
    for byte in bytes {
      switch byte {
      case UInt8(ascii: "'"), UInt8(ascii: "\\"): result += "\\" + String(UnicodeScalar(byte))
      case 0x20..<0x7F: result += String(UnicodeScalar(byte))
      default:
        let hex = String(byte, radix: 16)
        result += "\\x" + (hex.count == 1 ? "0" : "") + hex
      }
    }
    return result + "'"
  }
}
