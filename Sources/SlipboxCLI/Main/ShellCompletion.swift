import ArgumentParser
import NoteIndex
import Notes
import Platform
import Presentation
import SlipboxCore
import Text

/// The answer to a shell when Tab is pressed: `slip _complete SHELL ...`, which is not a command for people.
struct ShellCompletion {
  static let command = "_complete"

  /// The types of completion in bash that insert candidates one after another, which no remark may follow.
  private static let inserting = ["37", "42"]

  private let makeSession: (GlobalOptions) -> Session

  /// - Parameter makeSession: starts a session with the options of the line being typed.
  init(_ makeSession: @escaping (GlobalOptions) -> Session) { self.makeSession = makeSession }

  /// Answers a shell, and returns the exit code: 1 without an answer. Whatever goes wrong is passed over in silence.
  func run(_ words: [String]) -> Int32 {
    guard let options = try? GlobalOptions.parse(["--quiet"]) else { return 1 }
    let lines = Self.lines(words) { try open($0, options) }
    guard !lines.isEmpty else { return 1 }
    // If the answer can't be written, the shell has gone.
    try? makeSession(options).console.print(lines)
    return 0
  }

  /// The lines of the answer.
  ///
  /// - Parameter open: opens the box in a folder, or the one of the working directory.
  static func lines(_ words: [String], open: @escaping (String?) throws -> BoxSnapshot) -> [String] {
    switch words.first {
    case "bash" where words.count > 2:
      let isInserting = words.count > 3 && inserting.contains(words[3])
      return bash(words[1], breaks: words[2], hasNotes: !isInserting, open: open)
    case "zsh" where words.count > 1: return plain(Array(words.dropFirst()), open: open)
    case "fish" where words.count > 2:
      // The word being typed follows the last --.
      return plain(Array(words.dropFirst().dropLast(2)) + [words[words.count - 1]], open: open)
    default: return []
    }
  }

  private static func plain(_ words: [String], open: @escaping (String?) throws -> BoxSnapshot) -> [String] {
    distinct(Completer.candidates(words, open: open)).map { "\($0.text)\t\($0.note)" }
  }

  /// Each text once: shells insert the common prefix of all lines, descriptions included.
  private static func distinct(_ candidates: [Candidate]) -> [Candidate] {
    var counts: [String: Int] = [:]
    for candidate in candidates { counts[candidate.text, default: 0] += 1 }
    var seen: Set<String> = []
    return candidates.compactMap { candidate in
      guard seen.insert(candidate.text).inserted else { return nil }
      let count = counts[candidate.text] ?? 1
      return count == 1 ? candidate : Candidate(candidate.text, "\(count) of this name")
    }
  }

  private static func bash(
    _ line: String, breaks: String, hasNotes: Bool, open: @escaping (String?) throws -> BoxSnapshot
  ) -> [String] {
    let line = ShellLine(Array(line.utf8), breaks: Array(breaks.utf8))
    let words = line.words.dropFirst().map { String(decoding: $0, as: UTF8.self) }
    let found = distinct(Completer.candidates(Array(words), open: open)).compactMap { candidate in
      line.replacement(for: candidate.text).map { (text: $0, note: candidate.note) }
    }
    // Bash inserts the displayed text, so descriptions are shown only if bash can't choose one.
    guard found.count > 1, hasNotes else { return found.map(\.text) }
    return found.map { $0.note.isEmpty ? $0.text : "\($0.text)  (\($0.note))" }
  }

  /// Opens a box to look into, and to do nothing else.
  private func open(_ folder: String?, _ options: GlobalOptions) throws -> BoxSnapshot {
    var options = options
    options.box = folder.map { Word($0) }
    var context = makeSession(options).context
    context.startMaintenance = { _ in }
    let box = try Box(at: try BoxLocation.find(named: options.box?.bytes, in: context))
    return try WorkTreeReader(box, context).snapshot()
  }
}

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

  /// The text that bash has to insert so that the last word becomes `text`; nil if it can't.
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

  /// Whether bash replaces a word break together with the text after it.
  private static func isPrefix(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: "@") || byte == UInt8(ascii: "$")
  }

  private static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 || byte == 0x0A }

  /// Whether a backslash before a byte takes its meaning away inside double quotes.
  private static func isEscapable(_ byte: UInt8) -> Bool { Array("$`\"\\".utf8).contains(byte) }
}
