import ArgumentParser
import Foundation
import Notes
import SlipboxCore
import SlipboxTesting
import Testing

@testable import SlipboxCLI

/// The help is true: every example in it runs, every option in it is known.
@Suite struct HelpTests {
  /// A command line of the help, with the command whose help it stands in.
  struct Example: Sendable, CustomTestStringConvertible {
    let line: String
    var testDescription: String { line }
  }

  static var examples: [Example] {
    let commands = SlipboxCommand.commands
    let texts = commands.map { $0.configuration.discussion } + HelpTopic.all.map { $0.text }
    let blocks: [[String]] = texts.flatMap(HelpBlock.blocks(of:)).compactMap {
      // Sessions of chapters are run by the tests of the manual.
      if case .lines(let lines) = $0, !lines.contains(where: { $0.hasPrefix("$ ") }) { return lines }
      return nil
    }
    let lines = blocks.joined().map { $0.trimmingCharacters(in: .whitespaces) }
    return lines.filter { $0.hasPrefix("slip ") || $0.contains("| slip ") }.map { Example(line: $0) }
  }

  @Test func thereAreExamplesForEveryCommand() {
    for name in CommandName.allCases.filter({ $0.group != .programs }).map(\.rawValue) {
      #expect(Self.examples.contains { $0.line.contains("slip \(name)") }, "\(name)")
    }
  }

  /// An example that is cut can't be pasted.
  @Test func `examples fit a terminal of 80 columns`() {
    for example in Self.examples {
      #expect(example.line.count <= 78, "\(example.line)")
    }
  }

  /// What zsh or fish would expand stands in quotes.
  @Test func examplesMeanTheSameInEveryShell() {
    for example in Self.examples {
      let bare = example.line.replacing(/'[^']*'|"[^"]*"/, with: "")
      #expect(!bare.contains { "*?[!(<".contains($0) }, "\(example.line)")
      #expect(!bare.contains(" ="), "\(example.line)")
    }
  }

  @Test func everyHelpNamesItsCommand() throws {
    let shell = try Shell()
    func help(_ line: String) throws -> String {
      try run("sh", ["-c", line], in: shell.folder.path, environment: shell.environment).output
    }
    #expect(try help("slip --help").contains("USAGE: slip <subcommand>\n"))
    for name in CommandName.allCases.map(\.rawValue) {
      // A topic of the same name goes before the command.
      let isTopic = HelpTopic.all.contains { $0.name == name }
      let lines = ["slip \(name) --help", "slip \(name) -h"] + (isTopic ? [] : ["slip help \(name)"])
      for line in lines {
        #expect(try help(line).contains("USAGE: slip \(name)"), "\(line)")
      }
    }
  }

  @Test(arguments: examples) func runs(_ example: Example) throws {
    let shell = try Shell()
    try shell.makeSample()
    var environment = shell.environment
    environment["EDITOR"] = "true"
    environment["FIXED_SEED"] = "77"
    let line = example.line.replacingOccurrences(of: "fzf -m", with: "head -1")
      .replacingOccurrences(of: "slip set - +favourite", with: "slip set - +favourite --yes")
      .replacingOccurrences(of: "slip show @1", with: "slip show kqzmvtrp")
      .replacingOccurrences(of: "--watch", with: "--watch | head -n 1")
      // All that the sample went through was today.
      .replacing(/--(as-of|at) (2026-11-01|yesterday)/) { "--\($0.output.1) today" }
      .replacing(/(slip diff .*?)(yesterday|2026-10 2026-11|HEAD~3)/) { "\($0.output.1)today" }
      .replacing(" xwvt", with: " \"A note that says the same\"")
      .replacing(/slip (page|export html --serve)/) { "timeout --preserve-status -s INT 3 \($0.output.0)" }
      .replacing(/slip browse.*/) {
        "(sleep 2; printf q; sleep 2) | timeout 60 script -qec '\($0.output)' /dev/null >/dev/null"
      }
      .replacing("--port 8080", with: "--port 38417").replacing("~/vault", with: "\"$HOME/vault\"").replacing(
        "task export", with: "cat todo.json"
      )
      .replacing("--op kqzmvtrp", with: "--op $(slip undo --list | head -n 1 | cut -f 1)")
    if line.hasPrefix("slip sync") || line.hasPrefix("slip remote rm") { try shell.addRemotes() }
    if line.contains("slip import") { try shell.writeSources() }
    if line.contains("Books.base") {
      let base = "views:\n  - type: table\n    name: To read\n    filters: 'status == \"on-shelf\"'\n"
      try shell.folder.write("Books.base", base)
    }
    if line.hasPrefix("slip broken") { try shell.slip("append", "bcdfghjk", "Not there: [[Nowhere]].") }
    if line.hasPrefix("slip redo") { try shell.slip("undo") }
    if line.hasPrefix("slip restore"), !line.contains("--at ") { try shell.slip("rm", "kqzmvtrp") }
    if ["retitle", "mv", "merge", "split"].contains(where: { line.hasPrefix("slip \($0)") }) {
      try shell.slip("new", "A note that says the same")
      try shell.slip("append", "kqzmvtrp", "## Notes\n\n## Sources\n")
      try shell.slip("append", "Fermentation basics", "## Salt\n")
    }
    if line.hasPrefix("slip mv projects/") { try shell.slip("mv", "kqzmvtrp", "projects/") }
    if line.hasPrefix("slip mv attachments/") {
      try shell.folder.write("attachments/plan.png", "x")
      try shell.slip("append", "kqzmvtrp", "![](attachments/plan.png)")
    }
    try addParts(to: shell, for: line)
    if line.hasPrefix("slip resolve") {
      let lines = ["version 1 -->\none", "version 2 -->\ntwo", "end of versions -->"]
      try shell.slip("set", "kqzmvtrp", "conflicts:status: open")
      try shell.slip("append", "kqzmvtrp", lines.map { "<!-- slip: \($0)\n" }.joined())
    }
    let ran = try run("sh", ["-c", line], in: shell.folder.path, environment: environment)
    #expect(ran.status == 0, "\(ran.errors)")
    let fsck = try run("git", ["fsck", "--strict"], in: shell.folder.path, environment: shell.environment)
    #expect(fsck.status == 0, "\(fsck.errors)")
  }

  /// Adds the headings and check boxes that an example names.
  private func addParts(to shell: Shell, for line: String) throws {
    if line.contains("Fermentation basics#"), !line.hasPrefix("slip split") {
      let headings = ["Second rise", "Log", "Old log", "Plan", "Sources"].map { "## \($0)\n" }.joined()
      try shell.slip("append", "Fermentation basics", headings + "\n[[bcdfghjk]] and https://example.org\n")
      try shell.slip("new", "A reader", "-b", "[[Fermentation basics#Sources]]")
    }
    guard ["tick", "untick", "promote", "todos", "outline"].contains(where: { line.hasPrefix("slip \($0)") })
    else {
      return
    }
    let box = line.hasPrefix("slip untick") ? "- [x]" : "- [ ]"
    try shell.slip("new", "Garden plan", "+garden", "-b", "## March\n\n\(box) order seeds\n- [x] rake\n")
    let boxes = (1...20).map { "\(box) box \($0)\n" }.joined()
    try shell.slip("set", "kqzmvtrp", "--body", "## Boxes\n\(boxes)\(box) old box due:2026-01-01\n")
    try shell.slip("append", "Fermentation basics", "## Salt\n")
  }

  /// The terms on the left of the topic on queries, each of which must be read.
  static var forms: [String] {
    guard let forms = HelpTopic.query.text.components(separatedBy: "Examples\n").first else { return [] }
    let lines = forms.split(separator: "\n").filter { $0.hasPrefix("  ") }
    return lines.flatMap { line in
      let cells = line.split(separator: "  ").map { $0.trimmingCharacters(in: .whitespaces) }
      return cells.count > 1 ? cells.dropLast() : []
    }
  }

  @Test func topicsFitATerminal() {
    // What commands print is as wide as it is.
    let texts = HelpTopic.all.filter { !$0.text.contains("\n  $ ") }.map(\.text)
    let prose = HelpTopic.all.map { $0.text.split(separator: "\n").filter { !$0.hasPrefix("  ") } }
    for line in texts.flatMap({ $0.split(separator: "\n") }) + prose.joined() {
      #expect(line.count <= 80, "\(line)")
    }
  }

  @Test func thereAreForms() { #expect(Self.forms.count > 25) }

  @Test func everyFormOfAQueryIsRead() throws {
    let shell = try Shell()
    try shell.makeSample()
    for form in Self.forms {
      let argument = form.hasPrefix("'") ? form : "'\(form)'"
      for command in ["list", "search"] {
        let ran = try run(
          "sh", ["-c", "slip \(command) -- \(argument)"], in: shell.folder.path,
          environment: shell.environment)
        #expect(ran.status == 0 || (command == "search" && ran.status == 1), "\(form): \(ran.errors)")
      }
    }
  }

  @Test func everyLongOptionIsKnownToTheArgumentRules() throws {
    let dump = try run(Shell.program, ["--experimental-dump-help"]).output
    let data = try #require(dump.data(using: .utf8))
    let tree = try JSONSerialization.jsonObject(with: data)
    var names: Set<String> = []
    Self.collect(tree, into: &names)
    #expect(names == OptionName.known)
  }

  @Test func theOptionsOfEveryCommandAreDeclaredAsGlobal() {
    let options = CommandShape(Overview.self).options
    let declared = Set(options.compactMap { $0.names.first { $0.hasPrefix("--") } })
    #expect(
      declared.subtracting(["--help", "--version", "--json", "--as-of", "--schema"])
        == Set((GlobalOptions.flags + GlobalOptions.values).map(\.typed)))
    for option in options
    where option.takesValue && Set(option.names).isDisjoint(with: ["--as-of", "--schema"]) {
      #expect(GlobalOptions.values.contains { option.names.contains($0.typed) })
    }
  }

  /// Every action that is a command is one of a built-in kind, and the other way round.
  @Test func theActionsThatAreCommandsAreThoseOfTheBuiltInKinds() {
    let names = Schema.builtIn.kinds.flatMap { $0.actions.map(\.name) }
    #expect(Set(names).isSuperset(of: CommandName.actions))
  }

  @Test func everySettingIsInItsTopic() {
    let topic = HelpTopic.all.first { $0.name == "config" }?.text ?? ""
    let lines = topic.split(separator: "\n")
    for key in Settings.keys { #expect(lines.contains { $0.hasPrefix("  \(key.name) ") }, "\(key.name)") }
  }

  private static func collect(_ value: Any, into names: inout Set<String>) {
    if let list = value as? [Any] {
      for element in list { collect(element, into: &names) }
    } else if let object = value as? [String: Any] {
      if object["kind"] as? String == "long", let name = object["name"] as? String { names.insert(name) }
      for (_, element) in object { collect(element, into: &names) }
    }
  }

  /// The parser knows a command by its declaration, and the rules for arguments by `CommandName`.
  @Test func `every command is declared with its name`() {
    for name in CommandName.allCases { #expect(name.type.configuration.commandName == name.rawValue) }
    let declared = SlipboxCommand.configuration.subcommands.compactMap { $0.configuration.commandName }
    #expect(declared == CommandName.allCases.map(\.rawValue))
    #expect(SlipboxCommand.configuration.subcommands.allSatisfy { $0.configuration.aliases.isEmpty })
  }
}

extension Shell {
  /// The files of other programs that the help on imports speaks of.
  func writeSources() throws {
    let home = environment["HOME"] ?? ""
    try FileManager.default.createDirectory(atPath: home + "/vault", withIntermediateDirectories: true)
    try Data("A note.\n".utf8).write(to: URL(fileURLWithPath: home + "/vault/a.md"))
    let task = #"{"uuid":"u1","description":"One","entry":"20261120T093000Z","status":"pending"}"#
    let book = "Book Id,Title,Author,Exclusive Shelf\n7,Dune,Frank Herbert,to-read\n"
    for (name, text) in [
      ("todo.txt", "Call Mom @phone\n"), ("done.txt", "x Done\n"), ("todo.json", task),
      ("goodreads_library_export.csv", book), ("films.csv", "Name,Seen\nAlien,2026-01-02\n"),
    ] {
      try folder.write(name, text)
    }
  }

  /// A box in which the notes are that the help speaks of.
  func makeSample() throws {
    _ = try run("cp", ["-a", try Self.sample.get().path + "/.", "."], in: folder.path)
    // The index knows the inodes of the original.
    _ = try run("git", ["update-index", "-q", "--refresh"], in: folder.path, environment: environment)
  }

  /// The sample, made once.
  private static let sample = Result { () throws in
    let shell = try Shell()
    try shell.writeSample()
    return shell.folder
  }

  private func writeSample() throws {
    try slip("init", "-q")
    let note =
      "---\nid: kqzmvtrp\ntitle: Fermentation basics\ntags: [food, inbox, trash, old]\nrating: 5\n"
      + "author: J. R. R. Tolkien\ncreated: 2026-11-20T10:00:00+01:00\nstatus: open\ndue: 2026-11-30\n---\n"
      + "Thought on sourdough. The second rise is fermented. See [[Sourdough]].\n"
    try folder.write("2026/11/fermentation-basics-kqzmvtrp.md", note)
    try folder.write(
      "2026/11/sourdough-bcdfghjk.md",
      "---\nid: bcdfghjk\ntitle: Sourdough\ntags: [food]\ncreated: 2026-11-19T10:00:00+01:00\n---\n"
        + "From the fermentation basics; see [[kqzmvtrp]].\n")
    try folder.write(
      "2026/11/alone-cdfghjkl.md",
      "---\nid: cdfghjkl\ntitle: Alone\ntags: [inbox]\ncreated: 2026-11-18T10:00:00+01:00\n---\n")
    try folder.write(".slipbox/templates/meeting.md", "---\nkind: note\n---\n# {{title}}\n")
    try slip("commit", "-q")
    try slip("new", "issue", "Crash on start", "+stale")
    try slip("new", "task", "Review the paper")
    try slip("filter", "save", "urgent", "kind:issue is:active priority:high")
    try slip("view", "save", "reading", "kind:book", "--by", "status", "--form", "board")
    try slip("view", "save", "pages", "kind:book", "--columns", "count")
    _ = try run("git", ["add", ".slipbox"], in: folder.path, environment: environment)
    _ = try run("git", ["commit", "-q", "-m", "template"], in: folder.path, environment: environment)
  }

  /// Two empty places that the box can be synced with.
  func addRemotes() throws {
    for name in ["origin", "backup"] {
      let place = try TemporaryFolder()
      places.append(place)
      try place.git("init", "-q", "--bare", "-b", "main")
      try slip("remote", "add", name, place.path)
    }
  }

  /// Runs a command in the box.
  func slip(_ arguments: String...) throws {
    let ran = try run("slip", arguments, in: folder.path, environment: environment)
    #expect(ran.status == 0, "\(ran.errors)")
  }
}
