/// An element over the panes.
enum Sheet: Sendable {
  case help(top: Int)
  case palette(line: LineEditor, cursor: Int)
  case menu(Menu)
  case text(TextSheet)
  case history(HistorySheet)
  case parts(PartsSheet)
}

/// A note that the palette offers.
struct FoundTitle: Equatable, Sendable {
  let reference: String
  let title: String
  let kind: String
  let isExact: Bool

  /// The query for titles that have words which begin so, in any order; empty without words.
  static func query(_ typed: String) -> String {
    typed.split { !$0.isLetter && !$0.isNumber }.map { "title:\($0)*" }.joined(separator: " ")
  }
}

/// A few choices, each with a key.
struct Menu: Sendable {
  struct Choice: Sendable {
    let key: String
    let text: String
    let result: Result
  }

  enum Result: Sendable {
    case run([String])
    case copy(String)
    /// A command whose notes are named already.
    case start(CommandRun)
    /// A command that the user completes, with the text after the cursor.
    case ask(String, rest: String)
  }

  let title: String
  let choices: [Choice]
  /// The beginning of the command line to which other keys are added; nil if other keys do nothing.
  var line: String?
}

/// Lines to read: the output of a command, or the patch of a change before its confirmation.
struct TextSheet: Sendable {
  let title: String
  let lines: [String]
  var top = 0
  /// The command that is run on `y`; nil if nothing is asked.
  var confirmed: CommandRun?
  /// The choices about the shown lines.
  var choices: [Menu.Choice] = []
  /// The history to which Esc goes back.
  var history: HistorySheet?
  /// Whether the next conflict of a note takes this place once a command has ended.
  var isWaiting = false
}

/// The headings of a note, to go to one, or its check boxes, to tick them.
struct PartsSheet: Sendable {
  enum Purpose: Sendable {
    case headings, boxes
  }

  struct Item: Sendable {
    /// Counted from 1 in the file.
    let line: Int
    let text: String
    /// The level of a heading, from 1.
    var level = 1
    var isDone = false
  }

  let purpose: Purpose
  let title: String
  /// The REF of the note.
  let note: String
  var items: [Item]
  var cursor = 0
}

/// The operations on a note, or on the whole box, newest first.
struct HistorySheet: Sendable {
  struct Item: Sendable {
    /// The name of the operation or the commit.
    let name: String
    let commit: String
    /// The minute of it.
    let time: String
    /// Whether it can be undone by its id.
    let isOperation: Bool
    let line: String
    /// Its changes, a line each.
    let changes: [String]
  }

  let title: String
  /// The note whose history it is; nil if it is that of the box.
  let note: String?
  let items: [Item]
  var cursor = 0
  var top = 0
}
