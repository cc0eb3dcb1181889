import Bytes

/// A command of slip that the screen runs.
struct CommandRun: Equatable, Sendable {
  /// The words after `slip`.
  var words: [String]
  /// The REFs for standard input, if they are too many for words.
  var input: [String] = []
  /// The words as they were typed, without the sign for the notes.
  let typed: String
  /// The line of the prompt; nil for a command of a key.
  var source: String?
  /// Whether its output is a patch, after which the user confirms the command.
  var isPreview = false

  /// The words of a command with the chosen notes in the place of `@`.
  ///
  /// One note is named in the words; several are passed on standard input.
  init(_ words: [String], on references: [String]) {
    typed = words.filter { $0 != "@" }.joined(separator: " ")
    guard words.contains("@") else {
      self.words = words
      return
    }
    if let only = references.first, references.count == 1, !only.hasPrefix("-"), !only.contains("\n") {
      self.words = words.map { $0 == "@" ? only : $0 }
    } else {
      self.words = words.map { $0 == "@" ? "-" : $0 }
      input = references
    }
  }

  /// The REFs for standard input, a line each.
  var lines: [UInt8] { Array(input.map { $0 + "\n" }.joined().utf8) }

  /// The command as one could type it.
  var line: String {
    (["slip"] + words.map { $0.hasPrefix("-") ? $0 : ShellWord.quoted($0) }).joined(separator: " ")
  }

  /// The words of a line as a shell splits them: at blanks, with quotes around words that contain blanks.
  ///
  /// - Returns: nil if a quote has no end.
  static func words(of line: String) -> [String]? {
    var words: [String] = []
    var word: String?
    var quote: Character?
    var isEscaped = false
    for character in line {
      if isEscaped {
        word = (word ?? "") + String(character)
        isEscaped = false
      } else if character == "\\", quote != "'" {
        isEscaped = true
      } else if let open = quote {
        if character == open { quote = nil } else { word = (word ?? "") + String(character) }
      } else if character == "\"" || character == "'" {
        quote = character
        word = word ?? ""
      } else if character == " " {
        if let done = word { words.append(done) }
        word = nil
      } else {
        word = (word ?? "") + String(character)
      }
    }
    return quote == nil && !isEscaped ? words + (word.map { [$0] } ?? []) : nil
  }
}
