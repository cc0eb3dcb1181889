import Bytes
import ArgumentParser
import Text

/// A word of the command line, as it was typed.
struct Word: ExpressibleByArgument, Sendable {
  /// The mark before a word that begins with a dash but holds no options; see `Arguments`.
  static let mark: Character = "\u{1}"

  let text: String
  /// Whether it stood after `--`, and so is no option and, of an action, no term of a query; marked twice.
  let isLiteral: Bool

  init(_ text: String) {
    self.text = text
    isLiteral = false
  }

  init?(argument: String) {
    let marks = argument.prefix(2).prefix { $0 == Self.mark }.count
    text = String(argument.dropFirst(marks))
    isLiteral = marks == 2
  }

  /// What was typed, where it need not be UTF-8: the name of a file or folder.
  var bytes: [UInt8] { ByteText.bytes(of: text) }
}

extension [Word] {
  var texts: [String] { map(\.text) }
}
