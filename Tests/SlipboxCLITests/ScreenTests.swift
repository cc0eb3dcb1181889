import Foundation
import Notes
import Presentation
import SlipboxCore
import SlipboxTesting
import Testing
import Text

/// What a person sees: every kind of list at five widths, plain and in colour, as `Fixtures/screens`.
///
/// `SLIPBOX_RECORD=1 swift test` writes them anew. Escape sequences are shown with `\\e`.
@Suite struct ScreenTests {
  private static let folder = TranscriptTests.folder.deletingLastPathComponent()
    .appendingPathComponent("screens")
  private static let kinds = ["note", "issue", "book", "task", "group"]
  private static let commands =
    ["slip list"] + kinds.map { "slip list kind:\($0)" } + ["slip list @overdue", "slip search sourdough"]
    + ["note sourdough", "issue colour", "book left", "task winter", "group garden"].map {
      "slip search kind:\($0)"
    } + [
      "slip", "slip show Sourdough",
      "slip show 'Repair the gate before the winter comes and the snow with it'",
    ]
  private static let watches =
    kinds.map { "slip list kind:\($0) --watch" } + ["slip search sourdough --watch"]
  private static let widths: [UInt16] = [24, 40, 80, 120, 200]
  /// The width at which the command itself is asked for no colour; elsewhere the colours are taken off.
  private static let plainWidth: UInt16 = 80

  private let shell: Shell

  init() throws {
    shell = try Shell()
    let setup = try run(
      "sh", [Self.folder.appendingPathComponent("box.sh").path], in: shell.folder.path,
      environment: shell.environment)
    #expect(setup.status == 0 && setup.errors == "", "\(setup.errors)")
  }

  @Test func areAsTheyWere() async throws {
    let place = Place(folder: shell.folder.path, environment: shell.environment)
    let screens = try await withThrowingTaskGroup(of: (name: String, text: String).self) { group in
      for width in Self.widths {
        group.addTask { ("\(width)-colour.txt", try Self.show(in: place, width, hasColour: true)) }
      }
      group.addTask {
        ("\(Self.plainWidth).txt", try Self.show(in: place, Self.plainWidth, hasColour: false))
      }
      return try await group.reduce(into: [String: String]()) { $0[$1.name] = $1.text }
    }
    for width in Self.widths {
      let coloured = screens["\(width)-colour.txt"] ?? ""
      let plain = coloured.replacing(/\\e\[[0-9;]*m|\\e\]8;;[^\\]*\\e\\/, with: "")
      try compare("\(width)-colour.txt", coloured)
      try compare("\(width).txt", screens["\(width).txt"] ?? plain)
      if let typed = screens["\(width).txt"] { #expect(typed == plain) }
    }
  }

  private func compare(_ name: String, _ text: String) throws {
    let difference = try Snapshot.difference(text, from: "screens/\(name)")
    #expect(difference == nil, "\(difference ?? "")")
  }

  /// Every line of a list fits; days and states stand whole or not at all.
  @Test func nothingIsCutThatMayNotBe() throws {
    let now = Timestamp(seconds: 1_795_249_800, offsetSeconds: 3_600)
    let context = CommandContext(
      clock: ClockReading(now: now, offset: { _ in 3_600 }), workingDirectory: Array(shell.folder.path.utf8),
      configurationFolder: nil, boxVariable: nil, device: "desk", ids: IDSource(SplitMix64(seed: 1)),
      reporter: Reporter(warn: { _ in }))
    let snapshot = try BoxOpening.snapshot(named: nil, context)
    let presenter = NotePresenter(snapshot)
    let found = try snapshot.search(try snapshot.query(["sourdough"]))
    for kind in [nil] + Self.kinds {
      let matches = try snapshot.matches(try snapshot.query(kind.map { ["kind:\($0)"] } ?? []))
      #expect(!matches.isEmpty && !found.isEmpty)
      for width in Array(stride(from: 10, to: 60, by: 3)) + [61, 66, 72, 78, 79, 90, 130] {
        let display = Display(
          style: Style(colour: false, unicode: true, hyperlinks: false), width: width)
        let list = NoteList(presenter, .rows, isSearch: kind == nil, display: display)
        let declared = kind.flatMap { presenter.schema.kind(named: $0) }
        for line in try list.table(kind == nil ? matches + found : matches, kind: declared) {
          #expect(CellWidth.of(line) <= width, "\(width): \(line)")
          let dates = line.matches(of: /20[0-9-]+/).map { String($0.output) }
          #expect(dates.allSatisfy { $0.count == 10 }, "\(width): \(line)")
          let cut = line.matches(of: /(over|clos|CLOS|complet|progr|task)[a-zA-Z]*…/)
          #expect(cut.isEmpty, "\(width): \(line)")
        }
      }
    }
  }

  /// Where the commands run.
  private struct Place: Sendable {
    let folder: String
    let environment: [String: String]

    func terminal(_ command: String, _ width: UInt16, _ hasColour: Bool) throws -> PseudoTerminal {
      let more = [
        "FIXED_SEED": "500", "TERM": "xterm-256color", "PAGER": "cat", "NO_COLOR": hasColour ? "" : "1",
      ]
      return try PseudoTerminal(
        command, in: folder, environment: environment.merging(more) { $1 }, columns: width)
    }
  }

  /// All commands with what they show; those that watch are ended by Ctrl-C.
  private static func show(in place: Place, _ width: UInt16, hasColour: Bool) throws -> String {
    let script = commands.map { "\($0) || echo FAILED; printf '\\036'" }.joined(separator: "\n")
    let terminal = try place.terminal(script, width, hasColour)
    #expect(terminal.end() == 0)
    let shown = terminal.text.split(separator: "\u{1E}").map(String.init)
    #expect(shown.count == commands.count && !terminal.text.contains("FAILED"))
    var screens = Array(zip(commands, shown))
    for command in watches {
      let terminal = try place.terminal(command, width, hasColour)
      #expect(terminal.waits(for: "\u{1B}[?7h"))
      terminal.type("\u{3}")
      #expect(terminal.end() == 130)
      screens.append((command, terminal.text.components(separatedBy: "^C")[0]))
    }
    return screens.map { command, text in
      let lines = text.replacingOccurrences(of: "\r\n", with: "\n").replacingOccurrences(
        of: "\u{1B}", with: "\\e")
      return "$ \(command)\n\(lines)\n"
    }.joined()
  }
}
