import Text

/// A command line of bash up to the cursor: its words, and which part of the last one bash will replace.
struct ShellLine {
  private enum Quote { case none, single, double }

  /// The words without quotes and backslashes; the last one, which may be empty, is being typed.
  private(set) var words: [[UInt8]] = []
  /// The length in bytes of the part of the last word that bash keeps: up to its last break or the open quote.
  private var kept = 0
  private var quote = Quote.none

  /// Reads a line.
  ///
  /// - Parameter breaks: the letters at which bash breaks words for completion, its `COMP_WORDBREAKS`.
  init(_ line: [UInt8], breaks: [UInt8]) {
    var word: [UInt8] = []
    var isInWord = false
    var isEscaped = false
    var quoteStart = 0
    for byte in line {
      if isEscaped {
        if quote == .double, !Self.isEscapable(byte) { word.append(UInt8(ascii: "\\")) }
        word.append(byte)
        isEscaped = false
      } else if byte == UInt8(ascii: "\\"), quote != .single {
        (isEscaped, isInWord) = (true, true)
      } else if let mark = Self.quote(byte), quote == .none || quote == mark {
        quote = quote == .none ? mark : .none
        (isInWord, quoteStart) = (true, word.count)
      } else if quote == .none, Self.isBlank(byte) {
        if isInWord { words.append(word) }
        (word, isInWord, kept) = ([], false, 0)
      } else {
        word.append(byte)
        isInWord = true
        if quote == .none, breaks.contains(byte) { kept = word.count - (Self.isPrefix(byte) ? 1 : 0) }
      }
    }
    if quote != .none { kept = quoteStart }
    words.append(word)
  }

  /// The text that bash has to insert so that the last word becomes `text`; nil where it can't.
  func replacement(for text: String) -> String? {
    guard let last = words.last, text.utf8.starts(with: last.prefix(kept)) else { return nil }
    let rest = Array(text.utf8.dropFirst(kept))
    switch quote {
    case .none: return String(decoding: Self.escaped(rest), as: UTF8.self)
    case .single: return rest.contains(UInt8(ascii: "'")) ? nil : String(decoding: rest, as: UTF8.self)
    case .double:
      // Inside double quotes nothing takes the meaning from an exclamation mark.
      if rest.contains(UInt8(ascii: "!")) { return nil }
      let escaped = rest.flatMap { Self.isEscapable($0) ? [UInt8(ascii: "\\"), $0] : [$0] }
      return String(decoding: escaped, as: UTF8.self)
    }
  }

  /// A text as one word of a shell: a backslash before all but letters, digits and signs without a meaning.
  private static func escaped(_ bytes: [UInt8]) -> [UInt8] {
    bytes.flatMap { byte -> [UInt8] in
      let isPlain =
        byte >= 0x80 || byte &- UInt8(ascii: "0") < 10 || (byte | 0x20) &- UInt8(ascii: "a") < 26
        || Array("_@%+=:,./-".utf8).contains(byte)
      return isPlain ? [byte] : [UInt8(ascii: "\\"), byte]
    }
  }

  private static func quote(_ byte: UInt8) -> Quote? {
    switch byte {
    case UInt8(ascii: "'"): .single
    case UInt8(ascii: "\""): .double
    default: nil
    }
  }

  /// Whether bash replaces a break together with what follows it.
  private static func isPrefix(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: "@") || byte == UInt8(ascii: "$")
  }

  private static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 || byte == 0x0A }

  /// Whether a backslash before a byte takes its meaning away inside double quotes.
  private static func isEscapable(_ byte: UInt8) -> Bool { Array("$`\"\\".utf8).contains(byte) }
}
