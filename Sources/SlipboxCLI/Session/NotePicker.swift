import Bytes
import NoteIndex
import Notes
import Platform
import Presentation
import SlipboxCore
import Text

/// Lets the user choose notes on the terminal, if a command needs some and none was named.
///
/// The notes are shown by the program of the setting `picker`, else by `fzf`, with each note beside the list. Without
/// such a program they are a numbered list. The newest come first.
struct NotePicker {
  let snapshot: BoxSnapshot
  let session: Session
  /// Whether a note is shown beside the list, by `slip show`.
  let hasPreview: Bool

  init(_ snapshot: BoxSnapshot, _ session: Session, hasPreview: Bool = true) {
    self.snapshot = snapshot
    self.session = session
    self.hasPreview = hasPreview
  }

  /// The notes that the user chose, named on standard error.
  ///
  /// - Parameters:
  ///   - isOne: whether exactly one is needed.
  ///   - nothing: the message if there are no notes to choose from.
  ///   - refusal: the error if there is no terminal.
  ///   - isOffered: whether a note can be chosen.
  /// - Throws: `EarlyExit` with 130 if the user chose none, as if by Ctrl-C.
  func entries(
    isOne: Bool = false, refusal: SlipboxError, nothing: String = "this box has no notes",
    where isOffered: (Entry) -> Bool = { _ in true }
  ) throws -> [Entry] {
    guard Terminal.isControlled else { throw refusal }
    let entries = try snapshot.matches(try snapshot.query([])).map(\.entry).filter(isOffered)
    guard !entries.isEmpty else { throw SlipboxError(.notFound, Phrase(nothing), hints: refusal.hints) }
    let lines = try OfferedNote.lines(entries, snapshot)
    let program = PickerProgram(session, previewing: hasPreview ? snapshot.box.root : nil)
    let places =
      try program.places(among: lines, isOne: isOne) ?? NumberedList(lines, isOne: isOne, session).places()
    guard !places.isEmpty else {
      session.say("no note was selected")
      throw EarlyExit(code: ExitCode.interrupted)
    }
    for place in places { session.say(lines[place].echo) }
    return places.map { entries[$0] }
  }

  /// The refusal of a command without a note.
  static func refusal(of command: String) -> SlipboxError {
    SlipboxError(.usage, "which note?", hints: ["slip \(command) REF; a REF is an id, a path or a title"])
  }
}

extension [Entry] {
  /// The notes as they are named in a command: by their ids, else by their paths.
  var references: [String] { map { $0.note.id?.description ?? ByteText.text(of: $0.note.path) } }
}

/// Notes with numbers on the terminal, of which some are chosen by their numbers, after words have made the list shorter.
struct NumberedList {
  private static let length = 20
  private let lines: [OfferedNote]
  private let isOne: Bool
  private let session: Session

  init(_ lines: [OfferedNote], isOne: Bool, _ session: Session) {
    self.lines = lines
    self.isOne = isOne
    self.session = session
  }

  /// The indices of the chosen lines; empty if the answer is empty, or input ends.
  func places() -> [Int] {
    var offered = Array(lines.indices)
    while true {
      show(offered)
      let number = isOne ? "a number" : "numbers"
      guard let answer = session.console.ask("\(number), words to search for, or Enter to cancel: ") else {
        return []
      }
      let words = answer.split { $0 == " " || $0 == "," || $0 == "\t" }.map(String.init)
      if words.isEmpty { return [] }
      if let chosen = Self.numbers(words, upTo: min(offered.count, Self.length)) {
        if !isOne || chosen.count == 1 { return chosen.map { offered[$0 - 1] } }
        session.console.complain("choose one note")
        continue
      }
      let wanted = words.map { Folding.fold($0) }
      let found = lines.indices.filter { place in
        let text = Folding.fold(lines[place].text)
        return wanted.allSatisfy { text.contains($0) }
      }
      if found.isEmpty { session.console.complain("no matches") } else { offered = found }
    }
  }

  private func show(_ places: [Int]) {
    let shown = places.prefix(Self.length)
    let width = String(shown.count).count
    let columns = Terminal.columns(StandardStream.errors) ?? 80
    for (number, place) in shown.enumerated() {
      let label = String(number + 1)
      let gap = String(repeating: " ", count: width - label.count)
      let line = "\(gap)\(label)  \(lines[place].text)"
      session.console.complain(CellWidth.truncate(line, to: columns))
    }
    if places.count > shown.count { session.console.complain("and \(places.count - shown.count) more") }
  }

  /// The numbers that words name, such as `2` and `4-6`, in their order; nil if one is not a number of the list.
  static func numbers(_ words: [String], upTo count: Int) -> [Int]? {
    var numbers: [Int] = []
    for word in words {
      let ends = word.split(separator: "-", omittingEmptySubsequences: false).map { Int($0) }
      guard let first = ends.first ?? nil, let last = ends.last ?? nil, ends.count <= 2, first >= 1,
        first <= last,
        last <= count
      else { return nil }
      numbers += (first...last).filter { !numbers.contains($0) }
    }
    return numbers
  }
}

/// The program that notes are chosen with: `fzf`, or the one of the setting `picker`.
///
/// It reads a line for each note, in columns with tabs between them: a number, the name of the note in commands, and what
/// people see. Of the lines that it prints only the numbers count.
struct PickerProgram {
  private let session: Session
  /// The box whose notes are shown beside the list; nil if they are not.
  private let box: [UInt8]?
  /// The user's own; nil for the usual one.
  private let own: String?

  init(_ session: Session, previewing box: [UInt8]?) {
    self.session = session
    self.box = box
    own = Settings.user(session.context)["picker"]
  }

  /// The indices of the chosen lines, empty if the user left; nil if there is no such program.
  ///
  /// - Throws: `.configuration` if the user's own program can't be run.
  func places(among lines: [OfferedNote], isOne: Bool) throws(SlipboxError) -> [Int]? {
    if own == Self.none { return nil }
    let input = lines.enumerated().flatMap { place, line in
      Array("\(place + 1)\t".utf8) + line.name.map { Self.separators.contains($0) ? UInt8(ascii: "?") : $0 }
        + Array("\t\(line.text)\n".utf8)
    }
    let (exit, output): (ChildProcess.Exit, [UInt8])
    do throws(SystemError) {
      (exit, output) = try ChildProcess.choose(command(isOne: isOne).map { Array($0.utf8) }, among: input)
    } catch {
      throw SlipboxError(error)
    }
    if exit == .code(127) || exit == .code(126) {
      guard let own else { return nil }
      throw SlipboxError(
        .configuration, "can't run the program for choosing notes: \(own)",
        hints: ["slip config --user picker COMMAND; \(Self.none) means a numbered list"])
    }
    let numbers = output.split(separator: UInt8(ascii: "\n")).compactMap { line in
      Int(String(decoding: line.prefix { $0 != UInt8(ascii: "\t") }, as: UTF8.self))
    }
    return (isOne ? Array(numbers.prefix(1)) : numbers).map { $0 - 1 }.filter(lines.indices.contains)
  }

  /// The word for no program.
  private static let none = "none"
  private static let separators: Set<UInt8> = [9, 10, 13]

  private func command(isOne: Bool) -> [String] {
    if let own { return ["sh", "-c", own] }
    let options = ["--delimiter", "\t", "--with-nth", "3..", "--tiebreak", "index"] + preview
    return ["sh", "-c", "command -v fzf >/dev/null || exit 127; exec fzf \"$@\"", "fzf"] + options
      + (isOne ? [] : ["--multi"])
  }

  /// The command that shows the note of a line: `fzf` inserts its name, quoted.
  private var preview: [String] {
    guard let box else { return [] }
    let slip = Files.ownProgram.map { ShellWord.quoted($0) } ?? "slip"
    return [
      "--preview", "\(slip) show --box \(ShellWord.quoted(box)) -- {2}", "--preview-window",
      "right,50%,wrap,<80(down,40%,wrap)",
    ]
  }
}
