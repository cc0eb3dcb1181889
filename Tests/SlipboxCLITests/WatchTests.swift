import Foundation
import SlipboxTesting
import Testing

/// Lists that are drawn anew when something changes, on a terminal and in a pipe.
@Suite(.serialized) struct WatchTests {
  private let shell: Shell
  private let box: String

  init() throws {
    shell = try Shell()
    box = shell.folder.path + "/box"
    try note("notes/alpha", title: "Alpha", more: "tags: [greek]")
    try note("notes/beta", title: "Beta", more: "tags: [greek]")
    #expect(try sh("slip init").status == 0)
  }

  // MARK: A terminal

  @Test func aTerminalShowsWhatOthersChange() throws {
    let terminal = try terminal("slip list --watch")
    #expect(terminal.waits(for: "Alpha"), "\(terminal.text)")
    // An editor, and one that replaces the file.
    try note("notes/alpha", title: "Edited", more: "")
    #expect(terminal.waits(for: "Edited"))
    #expect(try sh("sed -i 's/Edited/Replaced/' notes/alpha.md").status == 0)
    #expect(terminal.waits(for: "Replaced"))
    // Another slip.
    #expect(try sh("slip new Gamma +new").status == 0)
    #expect(terminal.waits(for: "#new"))
    // Git.
    #expect(try sh("git stash -q -u").status == 0)
    #expect(terminal.waits(for: "#greek", count: 3))
    terminal.type("\u{3}")
    #expect(terminal.end() == 130)
    #expect(Self.isSane(terminal.text))
  }

  @Test func foldersComeAndGo() throws {
    let terminal = try terminal("slip list --watch")
    #expect(terminal.waits(for: "Alpha"))
    try note("new/deep/gamma", title: "Gamma", more: "")
    #expect(terminal.waits(for: "Gamma"))
    try note("new/deep/delta", title: "Delta", more: "")
    #expect(terminal.waits(for: "Delta"))
    #expect(try sh("mv new old && printf '\\n#moved\\n' >>old/deep/delta.md").status == 0)
    #expect(terminal.waits(for: "#moved"))
    let before = terminal.text.count
    #expect(try sh("mv old ../outside && mv notes .hidden").status == 0)
    #expect(terminal.waits(for: "no notes yet"))
    #expect(!terminal.text.dropFirst(before).contains("\u{1B}[H-  2026-01-05  Delta"))
    #expect(try sh("mv .hidden notes && rm notes/beta.md").status == 0)
    #expect(terminal.waits(for: "Alpha", count: 2))
    terminal.type("\u{3}")
    #expect(terminal.end() == 130)
    #expect(Self.isSane(terminal.text))
  }

  @Test func whatDoesNotFitIsCounted() throws {
    for number in 0..<40 { try note("many/n\(number)", title: "Number \(number)", more: "") }
    let terminal = try terminal("slip list --watch --sort title")
    #expect(terminal.waits(for: "and 20 more"), "\(terminal.text)")
    #expect(try sh("rm many/n3.md").status == 0)
    #expect(terminal.waits(for: "and 19 more"))
    terminal.resize(rows: 12)
    #expect(terminal.waits(for: "and 31 more"))
    terminal.type("\u{3}")
    #expect(terminal.end() == 130)
  }

  @Test func kindsSettingsAndBranchesCount() throws {
    try note("notes/gamma", title: "Gamma", more: "status: wild")
    let terminal = try terminal("slip list @mine --watch")
    // What is wrong with the question from the start is no matter of time.
    #expect(terminal.end() == 64)
    #expect(try sh("slip filter save mine kind:paper").status == 0)
    let second = try self.terminal("slip list @mine --watch --format '<{title}>'")
    #expect(second.waits(for: "no matches"))
    try shell.folder.write(
      "box/.slipbox/kinds/paper.yaml", "match: status:wild\nfields:\n  status:\n    type: text\n")
    #expect(second.waits(for: "<Gamma>"), "\(second.text)")
    #expect(try sh("slip filter save mine +greek").status == 0)
    #expect(second.waits(for: "<Alpha>"))
    second.type("\u{3}")
    #expect(second.end() == 130)
    let third = try self.terminal("slip list title:gamma --watch --format '<{modified}>'")
    #expect(third.waits(for: "<20"))
    #expect(try sh("git add . && git commit -qm Gamma --date 2001-02-03T04:05:06Z").status == 0)
    #expect(third.waits(for: "<2001-02-03"))
    third.type("\u{3}")
    #expect(third.end() == 130)
  }

  @Test func ignoreRulesAndLinksCount() throws {
    try shell.folder.write("box/hidden.txt", "# Behind a link\n")
    let terminal = try terminal("slip list --watch")
    #expect(terminal.waits(for: "Alpha"))
    try note("draft/gamma", title: "Gamma", more: "")
    #expect(terminal.waits(for: "Gamma"))
    try shell.folder.write("box/.gitignore", "draft/\n")
    #expect(terminal.waits(for: "#greek", count: 6))
    #expect(try sh("ln -s hidden.txt link.md").status == 0)
    #expect(terminal.waits(for: "Behind a link"))
    try shell.folder.write("box/hidden.txt", "# Changed behind a link\n")
    #expect(terminal.waits(for: "Changed behind"))
    #expect(try sh("git add -f draft/gamma.md").status == 0)
    #expect(terminal.waits(for: "Gamma", count: 2))
    terminal.type("\u{3}")
    #expect(terminal.end() == 130)
  }

  @Test func searchesAreDrawnAnewToo() throws {
    let terminal = try terminal("slip search sourdough --watch")
    #expect(terminal.waits(for: "no matches"))
    #expect(try sh("slip append Alpha 'Feed the sourdough.'").status == 0)
    #expect(terminal.waits(for: "Feed the"), "\(terminal.text)")
    terminal.type("\u{3}")
    #expect(terminal.end() == 130)
  }

  // MARK: A pipe

  @Test func aPipeGetsEachAnswerThatDiffers() throws {
    let reader =
      "{ read a; read b; read end; touch ../first; cat >../rest; echo \"$a/$b/$end.\" >../answer; }"
    let terminal = try terminal("slip list --watch --format '{title}' --sort title | \(reader)")
    #expect(waits { shell.folder.read("first") != nil })
    // Nothing of this shows in the answer.
    try note("notes/beta", title: "Beta", more: "tags: [other]")
    try note("notes/gamma", title: "Gamma", more: "")
    #expect(waits { text("rest").hasSuffix("Alpha\nBeta\nGamma\n\n") })
    #expect(text("rest") == "Alpha\nBeta\nGamma\n\n")
    terminal.type("\u{3}")
    _ = terminal.end()
  }

  @Test func theCountAndNULsInAPipe() throws {
    let terminal = try terminal(
      "slip list --watch --paths -0 >../paths & slip list --watch --count >../count; wait")
    #expect(waits { text("count") == "2\n\n" && text("paths").hasSuffix(".md\0\0") })
    #expect(try sh("rm notes/beta.md").status == 0)
    #expect(waits { text("count") == "2\n\n1\n\n" && text("paths").hasSuffix("\0\0notes/alpha.md\0\0") })
    terminal.type("\u{3}")
    _ = terminal.end()
  }

  @Test func endsWhenNobodyReads() throws {
    let ran = try sh("{ timeout 20 slip list --watch; echo $? >../status; } | head -n 1")
    #expect(ran.output.split(separator: "\n").count == 1 && ran.errors == "")
    #expect(text("status") == "141\n")
  }

  @Test func aBoxThatGoesAwayEndsIt() throws {
    let inside = try terminal("slip list --watch")
    let outside = try terminal("cd / && slip list --watch --box \(box)")
    #expect(inside.waits(for: "Alpha") && outside.waits(for: "Alpha"))
    #expect(try run("mv", [box, box + "-moved"], environment: environment).status == 0)
    #expect(outside.end() == 66, "\(outside.text)")
    // A command whose working directory moves along goes on.
    try shell.folder.write("box-moved/later.md", "# Later\n")
    #expect(inside.waits(for: "Later"))
    inside.type("\u{3}")
    #expect(inside.end() == 130)
  }

  // MARK: Helpers

  /// Whether nothing was switched that has to be switched back, but for the edge, which is.
  private static func isSane(_ text: String) -> Bool {
    let edges =
      text.components(separatedBy: "\u{1B}[?7l").count == text.components(separatedBy: "\u{1B}[?7h").count
    let others = text.replacingOccurrences(of: "\u{1B}[?7l", with: "").replacingOccurrences(
      of: "\u{1B}[?7h", with: "")
    return edges && !others.contains("\u{1B}[?")
  }

  private func note(_ name: String, title: String, more: String) throws {
    try shell.folder.write(
      "box/\(name).md", "---\ntitle: \(title)\ncreated: 2026-01-05T09:30:00+01:00\n\(more)\n---\nText.\n")
  }

  private func text(_ name: String) -> String {
    String(decoding: shell.folder.read(name) ?? [], as: UTF8.self)
  }

  private func waits(until condition: () -> Bool) -> Bool {
    let deadline = Date() + 20
    while !condition() {
      guard Date() < deadline else { return false }
      usleep(10_000)
    }
    return true
  }

  private func sh(_ command: String) throws -> (status: Int32, output: String, errors: String) {
    try shell.sh(command, in: box, with: environment)
  }

  private func terminal(_ command: String) throws -> PseudoTerminal {
    try PseudoTerminal(command, in: box, environment: environment)
  }

  private var environment: [String: String] {
    let seed = String(shell.nextSeed())
    return shell.environment.merging(["FIXED_SEED": seed, "TERM": "xterm-256color"]) { $1 }
  }
}
