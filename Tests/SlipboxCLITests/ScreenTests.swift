import Foundation
import SlipboxTesting
import Testing

/// What a person sees: every kind of list at four widths, plain and in colour, as `Fixtures/screens`.
///
/// `SLIPBOX_RECORD=1 swift test` writes them anew. Escape sequences are shown with `\\e`.
@Suite(.serialized) struct ScreenTests {
  private static let folder = TranscriptTests.folder.deletingLastPathComponent()
    .appendingPathComponent("screens")
  private static let commands =
    ["slip list"] + ["note", "issue", "book", "task", "group"].map { "slip list kind:\($0)" } + [
      "slip list @overdue", "slip search sourdough", "slip search kind:issue colour", "slip",
      "slip show Sourdough", "slip show 'Repair the gate before the winter comes and the snow with it'",
      "slip list kind:task --watch",
    ]
  static let widths: [UInt16] = [24, 40, 80, 120, 200]

  private let shell: Shell

  init() throws {
    shell = try Shell()
    let setup = try run(
      "sh", [Self.folder.appendingPathComponent("box.sh").path], in: shell.folder.path,
      environment: shell.environment)
    #expect(setup.status == 0 && setup.errors == "", "\(setup.errors)")
  }

  @Test(arguments: widths, [false, true]) func isAsItWas(_ width: UInt16, _ hasColour: Bool) throws {
    let name = "\(width)\(hasColour ? "-colour" : "").txt"
    let file = Self.folder.appendingPathComponent(name)
    var text = ""
    for command in Self.commands {
      text += "$ \(command)\n" + (try screen(command, width, hasColour)) + "\n"
    }
    if ProcessInfo.processInfo.environment["SLIPBOX_RECORD"] != nil {
      try text.write(to: file, atomically: true, encoding: .utf8)
    }
    let recorded = try String(contentsOf: file, encoding: .utf8)
    let pairs = zip(
      recorded.split(separator: "\n", omittingEmptySubsequences: false),
      text.split(separator: "\n", omittingEmptySubsequences: false))
    for (old, new) in pairs where old != new { Issue.record("\(name)\nwas: \(old)\nis:  \(new)") }
    #expect(recorded.utf8.count == text.utf8.count)
  }

  /// Every line of a list fits; days and states stand whole or not at all.
  @Test func nothingIsCutThatMayNotBe() throws {
    for width in [12, 17, 23, 30, 37, 45, 53, 66, 78, 90] as [UInt16] {
      for command in ["slip list", "slip list kind:task", "slip list kind:issue"] {
        for line in try screen(command, width, false).split(separator: "\n") {
          let dates = line.matches(of: /20[0-9-]+/).map { String($0.output) }
          #expect(dates.allSatisfy { $0.count == 10 }, "\(width): \(line)")
          let cut = line.matches(of: /(over|clos|CLOS|complet|progr)[a-zA-Z]*…/)
          #expect(cut.isEmpty, "\(width): \(line)")
        }
      }
    }
  }

  private func screen(_ command: String, _ width: UInt16, _ hasColour: Bool) throws -> String {
    var environment = shell.environment
    environment["FIXED_SEED"] = "500"
    environment["TERM"] = "xterm-256color"
    environment["PAGER"] = "cat"
    environment["NO_COLOR"] = hasColour ? "" : "1"
    let terminal = try PseudoTerminal(
      command, in: shell.folder.path, environment: environment, columns: width)
    if command.hasSuffix("--watch") {
      #expect(terminal.waits(for: "\u{1B}[?7h"))
      terminal.type("\u{3}")
      #expect(terminal.end() == 130)
    } else {
      #expect(terminal.end() == 0)
    }
    let shown = terminal.text.split(separator: "^C").first.map(String.init) ?? ""
    return shown.replacingOccurrences(of: "\r\n", with: "\n")
      .replacingOccurrences(of: "\u{1B}", with: "\\e")
  }
}
