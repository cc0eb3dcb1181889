import NoteIndex
import Notes
import Presentation
import SlipboxCore
import SlipboxTesting

@testable import SlipboxScreen

/// A box of files that are committed, on a screen that is driven without a terminal and without threads.
final class ScreenInTest {
  let folder: TemporaryFolder
  let answers: ScreenAnswers
  var state: ScreenState
  /// The commands that the screen asked for, in their order; none is run.
  private(set) var runs: [CommandRun] = []
  private(set) var copied: [String] = []
  private(set) var hasQuit = false

  static let plain = Style(colour: false, unicode: true, hyperlinks: false)

  init(
    _ files: [String: String] = [:], size: (columns: Int, rows: Int) = (120, 40), style: Style = plain,
    keys: String = "", query: String = "", settings: String = ""
  ) throws {
    folder = try TemporaryFolder()
    try folder.git("init", "-q", "-b", "main")
    try folder.git("config", "user.name", "Ada")
    try folder.git("config", "user.email", "ada@example.org")
    for (path, text) in files { try folder.write(path, text) }
    try folder.write(".slipbox/config.yaml", "path: \"{slug}-{id}.md\"\n\(settings)")
    try folder.git("add", "-A")
    try folder.git(
      "-c", "user.useConfigOnly=false", "commit", "-q", "-m", "as found", "--date=2026-11-20T12:00:00Z")
    let bytes = folder.bytes
    let clock = ClockReading(now: Timestamp(seconds: 1_795_249_800, offsetSeconds: 0), offset: { _ in 0 })
    let ids = IDSource(SplitMix64(seed: 5))
    let circumstances = ScreenCircumstances(
      slip: { _ in [] }, style: style, usesMouse: false, keys: keys,
      context: {
        CommandContext(
          clock: clock, workingDirectory: bytes, configurationFolder: nil, boxVariable: nil, device: "desk",
          ids: ids, reporter: Reporter { _ in })
      },
      complete: { words in
        (words.last ?? "").isEmpty ? [] : [Candidate("list"), Candidate("log")].compactMap { $0 }
      },
      needsTerminal: { $0.first == "edit" }, showsPatch: { ["do", "set", "rm"].contains($0.first ?? "") })
    let snapshot = try BoxOpening.snapshot(named: bytes, circumstances.context())
    answers = ScreenAnswers(ScreenBox(snapshot, circumstances), circumstances)
    state = ScreenState(
      actions: try ActionTable(keys: keys, showsPatch: circumstances.showsPatch), style: style,
      boxName: "box",
      size: size)
    state.view.request.query = query
    carryOut(state.start())
  }

  /// Presses keys, and has all that they ask for done before the next.
  func press(_ keys: Key...) { for key in keys { take(.key(key)) } }

  /// Types letters.
  func type(_ text: String) {
    for character in text { press(character == " " ? .space : .text(String(character))) }
  }

  func take(_ event: ScreenEvent) { carryOut(state.take(event)) }

  private func carryOut(_ effects: [ScreenEffect]) {
    for effect in effects {
      switch effect {
      case .run(let run, _): runs.append(run)
      case .copy(let text): copied.append(text)
      case .quit: hasQuit = true
      default: if let event = answers.event(for: effect) { take(event) }
      }
    }
  }

  /// Ends the command that runs.
  func end(output: [String] = [], messages: [String] = [], isSuccess: Bool = true) {
    guard let run = state.running else { return }
    take(.ran(CommandResult(run: run, output: output, messages: messages, isSuccess: isSuccess)))
  }

  /// The screen as text, with blanks at the end of lines left out.
  var text: String { state.frame().text }
  var titles: [String] { (state.listing?.matches ?? []).map(\.entry.note.title) }
}

/// Files of a small box with records of each kind.
let smallBox: [String: String] = [
  "groups/home.md": "---\nid: grpbbbbb\nkind: group\ntitle: Home\ncreated: 2026-11-01T08:00:00Z\n---\n",
  "tasks/call.md":
    "---\nid: tskbbbbb\nkind: task\ntitle: Call the library\ndue: 2026-11-20\ngroup: grpbbbbb\npriority: high\ncreated: 2026-11-02T08:00:00Z\n---\nAsk about [[Fermentation]].\n",
  "tasks/water.md":
    "---\nid: tskccccc\nkind: task\ntitle: Water the plants\ndone: true\nfinished: 2026-11-05\ncreated: 2026-11-03T08:00:00Z\n---\n",
  "issues/crash.md":
    "---\nid: xssbbbbb\nkind: issue\ntitle: Crash on start\nstatus: open\ntags: [editor, urgent]\ncreated: 2026-11-04T08:00:00Z\n---\nIt crashes.\n",
  "books/hobbit.md":
    "---\nid: bkkbbbbb\nkind: book\ntitle: The Hobbit\nauthor: J. R. R. Tolkien\nstatus: reading\nrating: 4\ncreated: 2026-11-05T08:00:00Z\n---\n",
  "fermentation.md":
    "---\nid: ntxbbbbb\ntitle: Fermentation\ntags: [food]\ncreated: 2026-11-06T08:00:00Z\n---\n# Fermentation\n\nSalt, time and *patience*. See [[Call the library]].\n\n- cabbage\n- carrots\n",
]

/// Titles that terminals, and programs that draw on them, trip over.
let hostileBox: [String: String] = [
  "wide.md":
    "---\nid: hstbbbbb\ntitle: \"漢字とかなの長い題名がここにあります、とても長い題名です、まだ続きます\"\ncreated: 2026-11-01T08:00:00Z\n---\n本文は全角文字です。\n",
  "marks.md":
    "---\nid: hstccccc\ntitle: \"e\u{301}a\u{308}\u{323} na\u{308}chste Fa\u{308}hre 👩‍👩‍👧‍👦 🇩🇪 🏳️‍🌈\"\ncreated: 2026-11-02T08:00:00Z\n---\nz\u{335}\u{321}\u{322} a\u{300}\u{301}\u{302}\n",
  "right.md":
    "---\nid: hstddddd\ntitle: \"שלום עולם مرحبا بالعالم\"\ncreated: 2026-11-03T08:00:00Z\n---\nعربي\n",
  "control.md":
    "---\nid: hstfffff\ntitle: \"a\\e[31mred\\e[0m \\u0007 bell\\ttab\\r\\n next\"\ncreated: 2026-11-04T08:00:00Z\n---\n\u{1B}]0;title\u{07}\u{1B}[2Jgone\u{9B}31m\n",
  "empty.md": "---\nid: hstggggg\ntitle: \"\"\ncreated: 2026-11-05T08:00:00Z\n---\n",
  "long.md":
    "---\nid: hsthhhhh\ntitle: \"\(String(repeating: "long ", count: 60))\"\ncreated: 2026-11-06T08:00:00Z\n---\n\(String(repeating: "x", count: 3_000))\n",
]

extension ScreenInTest {
  /// Has one thing done that the screen could ask for.
  func carry(_ effect: ScreenEffect) { answers.event(for: effect).map(take) }
}
