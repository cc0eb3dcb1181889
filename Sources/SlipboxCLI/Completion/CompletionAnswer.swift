import ArgumentParser
import NoteIndex
import Notes
import Platform
import SlipboxCore

/// What a shell is told when Tab is pressed: `slip _complete SHELL ...`, which is no command for people.
enum CompletionAnswer {
  static let command = "_complete"

  /// The types of completion in bash that insert candidates one after another, which no remark may follow.
  private static let inserting = ["37", "42"]

  /// Answers a shell; without an answer it exits 1. Whatever goes wrong is passed over in silence.
  static func run(_ words: [String]) -> Int32 {
    let lines = lines(words, open: open)
    guard !lines.isEmpty else { return 1 }
    try? Console.print(lines.map { $0 + "\n" }.joined())
    return 0
  }

  /// The lines of the answer.
  ///
  /// - Parameter open: opens the box in a folder, or the one of the working directory.
  static func lines(_ words: [String], open: @escaping (String?) throws -> Slipbox) -> [String] {
    switch words.first {
    case "bash" where words.count > 2:
      let isInserting = words.count > 3 && inserting.contains(words[3])
      return bash(words[1], breaks: words[2], hasNotes: !isInserting, open: open)
    case "zsh" where words.count > 1: return plain(Array(words.dropFirst()), open: open)
    case "fish" where words.count > 2:
      // The word being typed stands behind the last --.
      return plain(Array(words.dropFirst().dropLast(2)) + [words[words.count - 1]], open: open)
    default: return []
    }
  }

  private static func plain(_ words: [String], open: @escaping (String?) throws -> Slipbox) -> [String] {
    Completer.candidates(words, open: open).map { "\($0.text)\t\($0.note)" }
  }

  private static func bash(
    _ line: String, breaks: String, hasNotes: Bool, open: @escaping (String?) throws -> Slipbox
  ) -> [String] {
    let line = ShellLine(Array(line.utf8), breaks: Array(breaks.utf8))
    let words = line.words.dropFirst().map { String(decoding: $0, as: UTF8.self) }
    let found = Completer.candidates(Array(words), open: open).compactMap { candidate in
      line.replacement(for: candidate.text).map { (text: $0, note: candidate.note) }
    }
    // Bash shows what it would insert, so a remark may stand only where it can't choose one.
    guard found.count > 1, hasNotes else { return found.map(\.text) }
    return found.map { $0.note.isEmpty ? $0.text : "\($0.text)  (\($0.note))" }
  }

  /// Opens a box to look into, and to do nothing else.
  private static func open(_ folder: String?) throws -> Slipbox {
    var options = try GlobalOptions.parse(["--quiet"])
    options.box = folder.map { Word($0) }
    var surroundings = Session(options).surroundings
    surroundings.startMaintenance = { _ in }
    return try Slipbox(at: try BoxLocation.find(named: options.box?.bytes, in: surroundings), surroundings)
  }
}
