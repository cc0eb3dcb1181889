import Foundation
import SlipboxTesting
import Testing

/// Commands on a real terminal: editors, questions, keys; and on streams that are closed, full or cut off.
@Suite(.serialized) struct TerminalTests {
  private let shell: Shell
  private let box: String
  private let id = "bcdfghjk"

  init() throws {
    shell = try Shell()
    box = shell.folder.path + "/box"
    try note("alpha", id: id, title: "Alpha", more: "tags: [greek]", text: "The text of alpha.")
    try note("beta", id: "cdfghjkl", title: "Beta", more: "tags: [greek]", text: "The text of beta.")
    #expect(try sh("slip init").status == 0)
  }

  // MARK: Editors

  @Test(.enabled(if: Machine.has("vi"), "needs vi")) func editStartsVi() throws {
    try editStartsTheEditorOnTheTerminal("vi", ready: "text of alpha", keys: "GoTyped by hand.\u{1B}:wq\r")
  }

  @Test(.enabled(if: Machine.has("ed"), "needs ed")) func editStartsEd() throws {
    try editStartsTheEditorOnTheTerminal("ed", ready: "\n", keys: "a\nTyped by hand.\n.\nw\nq\n")
  }

  @Test(.enabled(if: Machine.has("nano"), "needs nano")) func editStartsNano() throws {
    try editStartsTheEditorOnTheTerminal(
      "nano", ready: "text of alpha", keys: "\u{1B}/\rTyped by hand.\u{18}y\r")
  }

  private func editStartsTheEditorOnTheTerminal(_ editor: String, ready: String, keys: String) throws {
    let terminal = try terminal("EDITOR=\(editor) slip edit \(id)")
    #expect(terminal.waits(for: ready), "\(editor): \(terminal.text)")
    terminal.type(keys)
    #expect(terminal.end() == 0, "\(editor): \(terminal.text)")
    #expect(try text("alpha").hasSuffix("Typed by hand.\n"), "\(editor)")
    #expect(try sh("git log -1 --format=%s && git status --porcelain").output == "Edit: Alpha\n")
  }

  @Test func theEditorHasTheTerminalEvenBesideAPipe() throws {
    try shell.folder.write("editor", "printf 'what? '; read line; echo \"$line\" >>\"$1\"\n")
    let terminal = try terminal("echo from the pipe | EDITOR='sh ../editor' slip edit \(id) | cat >../output")
    #expect(terminal.waits(for: "what? "))
    terminal.type("from the keys\n")
    #expect(terminal.end() == 0)
    #expect(try text("alpha").hasSuffix("from the keys\n"))
    #expect(try isClean())
  }

  // MARK: Control characters

  @Test(arguments: ["export markdown", "export todotxt", "export ical --date due", "chart --by state --csv"])
  func whatIsExportedToATerminalHasNoControlCharacters(command: String) throws {
    try note(
      "evil", id: "dfghjklm", title: "Evil",
      more: "kind: task\ndue: 2026-11-30\nstate: \"s\\x1b[35mt\"\naliases: [\"a\"]",
      text: "red \u{1B}[35mtext")
    try shell.folder.write("box/evil2.md", "# Title \u{1B}[35m here\n")
    let terminal = try terminal("slip \(command)")
    #expect(terminal.end() == 0, "\(terminal.text)")
    #expect(!terminal.text.contains("\u{1B}[35m"), "\(terminal.text)")
  }

  // MARK: Choosing notes

  /// A command without a note opens the program of the setting, `fzf`, or a list with numbers.
  @Test func aNoteThatIsNotNamedIsChosen() throws {
    let none = "PATH=\(try toolsWithoutPicker())"
    for (typed, shown) in [("2\n", "beta"), ("alpha\n1\n", "alpha"), ("9\nbeta\n1\n", "beta")] {
      let terminal = try terminal("\(none) slip show --raw | cat")
      for line in typed.split(separator: "\n") {
        #expect(terminal.waits(for: "to cancel: ", count: 1))
        terminal.type(line + "\n")
      }
      #expect(terminal.end() == 0, "\(terminal.text)")
      #expect(terminal.text.contains("The text of \(shown)."), "\(terminal.text)")
    }
    let left = try terminal("\(none) slip rm")
    #expect(left.waits(for: "to cancel: "))
    left.type("\n")
    #expect(left.end() == 130)
    #expect(try isClean() && text("alpha").contains("alpha"))
    let several = try terminal("\(none) slip set +chosen")
    #expect(several.waits(for: "to cancel: "))
    several.type("1-2\n")
    #expect(several.end() == 0, "\(several.text)")
    #expect(try sh("slip list +chosen --count").output == "2\n")
  }

  @Test func theUsersOwnProgramChooses() throws {
    try shell.folder.write("choose", "cat >../lines; sed -n 2p ../lines\n")
    #expect(try sh("slip config --user picker 'sh ../choose'").status == 0)
    let shown = try terminal("slip show --raw")
    #expect(shown.end() == 0)
    #expect(shown.text.contains("The text of alpha.") != shown.text.contains("The text of beta."))
    let lines = try sh("cat ../lines").output.split(separator: "\n")
    #expect(lines.count == 2 && lines.allSatisfy { $0.split(separator: "\t").count == 3 })
    #expect(try sh("slip config --user picker 'not-there-at-all'").status == 0)
    let missing = try terminal("slip edit")
    #expect(missing.end() == 78)
    #expect(missing.text.contains("not-there-at-all"))
    #expect(try sh("slip config --user picker 'false'").status == 0)
    #expect(try terminal("slip edit").end() == 130)
  }

  @Test(.enabled(if: Machine.has("fzf"), "needs fzf")) func fzfChoosesWithTheNoteBesideTheList() throws {
    let terminal = try terminal("slip set rating:4 2>&1 | cat")
    #expect(terminal.waits(for: "created"), "\(terminal.text)")
    terminal.type("alpha")
    #expect(terminal.waits(for: "1/2"), "\(terminal.text)")
    terminal.type("\r")
    #expect(terminal.end() == 0, "\(terminal.text)")
    #expect(try text("alpha").contains("rating: 4"))
    #expect(try !text("beta").contains("rating: 4"))
    let left = try self.terminal("slip rm")
    #expect(left.waits(for: "2/2"))
    left.type("\u{1B}")
    #expect(left.end() == 130)
    #expect(try isClean())
  }

  @Test func withoutATerminalNothingIsChosen() throws {
    let commands = [
      "show", "edit", "set +x", "rm", "finish", "links", "backlinks", "mentions", "related", "resolve",
      "restore",
    ]
    for command in commands {
      let ran = try sh("timeout 20 setsid -w slip \(command) </dev/null")
      #expect(ran.status == 64, "\(command): \(ran.errors)")
      #expect(ran.errors.contains("which note?"), "\(command): \(ran.errors)")
    }
  }

  /// A folder with links to slip and the usual tools, for a PATH on which no program chooses.
  private func toolsWithoutPicker() throws -> String {
    let made = try sh(
      "mkdir -p ../tools && for t in slip git cat sh env; do ln -sf $(command -v $t) ../tools/$t; done; cd ../tools && pwd"
    )
    return made.output.trimmingCharacters(in: .newlines)
  }

  // MARK: Questions and keys

  @Test func aQuestionIsAskedOnTheTerminal() throws {
    let head = try sh("git rev-parse HEAD").output
    for (answer, isDone) in [("n", false), ("", false), ("y", true)] {
      let terminal = try terminal("slip list >/dev/null; : | slip rm --where +greek >/dev/null")
      #expect(terminal.waits(for: "[y/N]"), "\(terminal.text)")
      terminal.type(answer + "\n")
      #expect(terminal.end() == (isDone ? 0 : 130))
      #expect(try isClean())
      #expect((try sh("git rev-parse HEAD").output != head) == isDone)
      #expect(try sh("slip list --count").output == (isDone ? "0\n" : "2\n"))
    }
  }

  @Test func withoutATerminalNothingIsAsked() throws {
    let ran = try sh("setsid -w slip rm --where +greek")
    #expect(ran.status == 64 && ran.errors.contains("--yes"), "\(ran)")
    #expect(try sh("slip list --count").output == "2\n")
  }

  @Test func theFirstNoteOfTheLastListIsAt1() throws {
    let terminal = try terminal("slip list --sort title; echo now; slip show @1; slip show @2")
    #expect(terminal.end() == 0)
    let shown = terminal.text.components(separatedBy: "now\r\n").last ?? ""
    let first = try #require(shown.range(of: "text of alpha"), "\(terminal.text)")
    let second = try #require(shown.range(of: "text of beta"), "\(terminal.text)")
    #expect(first.lowerBound < second.lowerBound)
    #expect(shown.contains("@1 is"))
  }

  @Test func eachNumberOfAListIsSaid() throws {
    let terminal = try terminal("slip list --sort title; echo now; slip set @2 @1 'place:two words'")
    #expect(terminal.end() == 0)
    let shown = terminal.text.components(separatedBy: "now\r\n").last ?? ""
    for number in ["@1 is", "@2 is"] {
      #expect(shown.components(separatedBy: number).count == 2, "\(terminal.text)")
    }
  }

  @Test func anInterruptedQuestionChangesNothing() throws {
    let head = try sh("git rev-parse HEAD").output
    let terminal = try terminal("trap : INT; slip rm --where +greek; echo status $?")
    #expect(terminal.waits(for: "[y/N]"))
    terminal.type("\u{3}")
    #expect(terminal.waits(for: "status 130"), "\(terminal.text)")
    _ = terminal.end()
    #expect(try isClean())
    #expect(try sh("git rev-parse HEAD").output == head)
  }

  @Test func anInterruptedEditorLosesNothing() throws {
    let before = try text("alpha")
    for (saved, rest) in [("", before), ("echo half >>\"$1\"; ", before + "half\n")] {
      try shell.folder.write("editor", "\(saved)echo ready; read line\n")
      let terminal = try terminal("trap : INT; EDITOR='sh ../editor' slip edit \(id); echo status $?")
      #expect(terminal.waits(for: "ready"))
      terminal.type("\u{3}")
      #expect(terminal.waits(for: "status "))
      _ = terminal.end()
      #expect(!terminal.text.contains("status 0"), "\(terminal.text)")
      #expect(try text("alpha") == rest)
      #expect(try isClean() == saved.isEmpty)
    }
    #expect(try sh("slip commit").status == 0)
    #expect(try isClean())
  }

  // MARK: Forms

  @Test func aDailyNoteOpensInTheEditor() throws {
    try shell.folder.write("editor", "echo typed >>\"$1\"\n")
    // Made and written in one commit, then opened as it is.
    for (round, subject) in ["New note: 2026-11-22", "Edit: 2026-11-22"].enumerated() {
      let seed = try run(
        "sh", ["-c", "git rev-list --count HEAD"], in: box, environment: environment
      ).output
      let terminal = try terminal("EDITOR='sh ../editor' slip daily 2026-11-22")
      #expect(terminal.end() == 0, "\(terminal.text)")
      let text = String(decoding: try #require(shell.folder.read("box/daily/2026-11-22.md")), as: UTF8.self)
      #expect(text.hasSuffix("---\n" + String(repeating: "typed\n", count: round + 1)), "\(text)")
      #expect(try sh("git log -1 --format=%s").output == subject + "\n")
      #expect(try sh("git rev-list --count HEAD").output == "\((Int(seed.dropLast()) ?? 0) + 1)\n")
      #expect(try isClean())
    }
  }

  /// A template is the form; without one the fields of the kind are shown, and go where nobody filled them in.
  @Test func theFormOfATemplateIsItsOwn() throws {
    try shell.folder.write(
      "box/.slipbox/templates/issue.md", "---\npriority: high # or low\n---\n## Steps\n")
    #expect(try sh("git add -A && git commit -qm template").status == 0)
    try shell.folder.write(
      "editor", "cat \"$1\" >../seen; sed -i 's/^title:$/title: Typed/' \"$1\"; echo done >>\"$1\"\n")
    for (options, isShown) in [("", false), (" --no-template", true)] {
      let terminal = try terminal("EDITOR='sh ../editor' slip new issue\(options)")
      #expect(terminal.end() == 0, "\(terminal.text)")
      let seen = String(decoding: try #require(shell.folder.read("seen")), as: UTF8.self)
      #expect(seen.contains("# closed: ") == isShown, "\(seen)")
      #expect(seen.contains("priority: high # or low\n") == !isShown && seen.contains("title:\n"), "\(seen)")
      let made = try sh("git show HEAD:$(git show --format= --name-only HEAD)").output
      #expect(made.contains("title: Typed\n") && !made.contains("# closed"), "\(made)")
      #expect(made.contains("## Steps\n") == !isShown && made.hasSuffix("done\n"), "\(made)")
    }
  }

  @Test func aFormThatNobodyFilledInMakesNothing() throws {
    try shell.folder.write("box/.slipbox/templates/note.md", "---\ntags: [x]\n---\n# {{title}}\n\nText.\n")
    #expect(try sh("git add -A && git commit -qm template").status == 0)
    let terminal = try terminal("EDITOR=true slip new")
    #expect(terminal.end() == 130 && terminal.text.contains("no note was created"), "\(terminal.text)")
    #expect(try sh("slip list --count").output == "2\n")
  }

  // MARK: What a terminal may see

  @Test func controlCharactersNeverArrive() throws {
    let evil = "\u{1B}[5;35;44mEVIL\u{1B}]0;EVIL\u{7}\u{9B}31m\r\u{8}\u{202E}\u{7F}"
    let quoted = "\"\\e[5;35;44mEVIL\\e]0;EVIL\\a\\x9b31m\\r\\b\\u202e\\x7f\""
    let tags = "tags: [\(quoted), greek]\nother: \(quoted)"
    try note("evil", id: "dfghjklm", title: quoted, more: tags, text: evil)
    try note("\u{1B}[5;35;44mEVIL", id: "fghjklmn", title: "Evil name", more: "tags: [greek]", text: evil)
    try note("broken", id: "ghjklmnp", title: "[\(evil)", more: "tags: [greek]", text: evil)
    let commands = [
      "list", "list --paths", "list --csv", "list --jsonl", "list --format '{title} {path} {tags}'",
      "search EVIL", "show dfghjklm", "show fghjklmn", "show notes/broken.md", "show dfghjklm --json",
      "show dfghjklm --raw", "status", "set dfghjklm a:b --dry-run", "set notes/broken.md a:b", "show EVIL",
      "list '\(evil)'", "'\(evil)'", "commit", "log", "log dfghjklm", "new '\(evil)'", "rm --where +greek",
    ]
    for command in commands {
      let coloured = try terminal("slip \(command)")
      if command.hasPrefix("rm") {
        #expect(coloured.waits(for: "[y/N]"))
        coloured.type("n\n")
      }
      _ = coloured.end()
      if command.hasPrefix("list") { #expect(coloured.text.contains("EVIL"), "slip \(command)") }
      // On a slow disk a line of progress comes and goes, in words of slip's own.
      let text = coloured.text.replacing(/\r[a-z0-9, ]*\u{1B}\[K/, with: "")
      let arrived = Self.controlCharacters(in: text)
      #expect(arrived == [], "slip \(command): \(coloured.text.debugDescription)")
    }
  }

  /// Every command with words that act on a terminal in every place where words come from.
  @Test func wordsFromAnySourceAreSpeltOut() throws {
    let evil = "\u{1B}[5;35;44mEVIL\u{1B}]0;EVIL\u{7}\u{9B}31m\r\u{8}\u{202E}\u{2066}\u{7F}\u{85}"
    let folder = shell.folder
    let name = evil.replacingOccurrences(of: "/", with: "")
    let yaml = String(decoding: try JSONEncoder().encode(evil), as: UTF8.self)
    try folder.write(
      "box/\(name)/\(name).md",
      "---\nkind: \(yaml)\n\(yaml): \(yaml)\ntags: [\(yaml)]\ngroup: \(yaml)\n---\n[[\(evil)]] #a\(evil)\n")
    try folder.write("box/\(name).png", "x")
    try folder.write(
      "box/.slipbox/kinds/evil.yaml", "\(yaml): 1\nextends: \(yaml)\nfields:\n  \(yaml): \(yaml)\n")
    try folder.write("box/.slipbox/kinds/\(name).yaml", "\(evil)")
    try folder.write("box/.slipbox/kinds/cook.yaml", "match: \"(\\e[5;35;44mEVIL\"\nactive: \"x:<\\u009b\"\n")
    try folder.write("box/.slipbox/templates/\(name).md", "\(evil)")
    try folder.write("box/.gitignore", "*\(evil)*ignored*\n")
    #expect(
      try sh(
        "git add -A && git -c user.name='\(evil)' commit -qm '\(evil)' && git checkout -qb 'b\u{9B}31m\u{202E}'"
      ).status == 0)
    let config =
      "path: \(yaml)\nfilters:\n  \(yaml): \(yaml)\n  bad: \"(\\e[5;35;44mEVIL\"\n\(yaml): \(yaml)\n"
    let commands = [
      "", "list", "list --paths", "list --row", "list -n EVIL", "list '@\(evil)'", "list @bad",
      "list 'sort:\(evil)'",
      "list --format '{\(evil)}'", "list --sort '\(evil)'", "list --with '\(evil)'", "list --color '\(evil)'",
      "list 'kind:\(evil)'", "list 'x:<\(evil)'", "list '(\(evil)'", "search '\(evil)'", "show '\(evil)'",
      "show '\(name)/\(name).md'",
      "show --raw '\(name)/\(name).md'", "show --json '\(name)/\(name).md'",
      "set '\(name)/\(name).md' '\(evil)'",
      "set '\(name)/\(name).md' 'x:\(evil)'", "set '\(name)/\(name).md' '+\(evil)' --dry-run",
      "append '\(evil)' x",
      "new '\(evil)'", "new evil '\(evil)'", "new T --template '\(evil)'", "new T --template '\(name)'",
      "rm '\(evil)'",
      "do '\(evil)' x", "do '\(evil)' '\(name)/\(name).md'", "tags", "tags '\(evil)'",
      "tags rename '\(evil)' x", "tags missing", "filter", "filter list",
      "filter rm '\(evil)'", "filter save '\(evil)' x", "log", "log '\(evil)'", "log --json", "status",
      "commit '\(evil)'", "config", "config '\(evil)'",
      "config path '\(evil)'", "kinds", "kinds '\(evil)'", "kinds evil", "doctor", "doctor --explain",
      "doctor --fix='\(evil)'", "doctor --json",
      "sample --seed '\(evil)'", "completions '\(evil)'", "help '\(evil)'", "'\(evil)'", "'--\(evil)'",
      "list --'\(evil)'", "list -'\(evil)'",
      "--box '\(evil)' list", "init '\(evil)/x'", "edit '\(evil)'", "commit",
    ]
    for (settings, attributes) in [(config, ""), ("", "*.md filter=\(evil.filter { $0 != "\r" })\n")] {
      try folder.write("box/.slipbox/config.yaml", settings)
      if !attributes.isEmpty { try folder.write("box/.gitattributes", attributes) }
      for command in commands {
        let terminal = try terminal("EDITOR=true slip \(command) </dev/null")
        _ = terminal.end()
        let text = terminal.text.replacing(/\r[a-z0-9, ]*\u{1B}\[K/, with: "")
        let arrived = Self.controlCharacters(in: text)
        #expect(arrived == [], "slip \(command.debugDescription): \(terminal.text.debugDescription)")
      }
    }
  }

  /// Control characters other than the colours and links that slip itself makes.
  private static func controlCharacters(in text: String) -> [Unicode.Scalar] {
    let hasOthersColour = text.contains("\u{1B}[5;35;44m")
    var rest = text
    for own in ["\u{1B}]8;;[^\u{1B}\u{7}]*\u{1B}\\\\", "\u{1B}\\[[0-9;]*m", "\r\n"] {
      rest = rest.replacingOccurrences(of: own, with: "", options: .regularExpression)
    }
    let controls = rest.unicodeScalars.filter { scalar in
      switch scalar {
      case "\t", "\n": false
      case "\u{202A}"..."\u{202E}", "\u{2066}"..."\u{2069}": true
      default: scalar.value < 0x20 || (0x7F...0x9F).contains(scalar.value)
      }
    }
    return controls + (hasOthersColour ? ["\u{1B}"] : [])
  }

  // MARK: Progress

  /// How far a long change is, stage by stage, and nothing of it is left at the end.
  @Test func aLongChangeSaysHowFarItIs() throws {
    let shown = [
      (
        "sample --count 30 --force",
        ["preparing 0 of 30", "storing 0 of 30", "writing 30 files", "committing 30 files"]
      ),
      ("tags rename greek roman --yes", ["preparing 0 of 2", "storing 0 of 2", "committing 2 files"]),
      ("set --where kind:note a:b --yes -q", []),
    ]
    for (command, stages) in shown {
      let terminal = try terminal("FIXED_PATIENCE=0 slip \(command) >/dev/null")
      #expect(terminal.end() == 0, "\(terminal.text)")
      var rest = terminal.text[...]
      for stage in stages {
        let found = try #require(rest.range(of: "\r\(stage)\u{1B}[K"), "\(terminal.text.debugDescription)")
        rest = rest[found.upperBound...]
      }
      if stages.isEmpty { #expect(terminal.text == "") } else { #expect(rest.contains("\r\u{1B}[K")) }
    }
    #expect(try isClean())
  }

  /// Whatever the command is, the first one reads all notes.
  @Test func theFirstLookAtManyNotesSaysHowFarItIs() throws {
    for number in 0..<300 { try note("many/\(number)", id: nil, title: "Number", more: "tags: []", text: "") }
    for (command, isShown) in [("list", true), ("list -q", false), ("set Alpha a:b", true)] {
      #expect(try sh("rm -rf .git/slipbox").status == 0)
      let terminal = try terminal("FIXED_PATIENCE=0 slip \(command) >/dev/null")
      #expect(terminal.end() == 0, "\(terminal.text)")
      #expect(
        terminal.text.contains("\rreading 0 of 302\u{1B}[K") == isShown, "\(terminal.text.debugDescription)")
      #expect(terminal.text.contains("\r\u{1B}[K") == isShown, "\(terminal.text.debugDescription)")
    }
  }

  @Test func nothingIsSaidOfProgressWithoutATerminal() throws {
    let ran = try sh("FIXED_PATIENCE=0 slip sample --count 30 --force")
    #expect(ran.status == 0 && ran.output.isEmpty && ran.errors.isEmpty, "\(ran)")
  }

  // MARK: Streams

  @Test func dieQuietlyWhereNobodyReads() throws {
    for number in 0..<300 {
      let title = String(repeating: "long ", count: 60) + String(number)
      try note("n\(number)", id: nil, title: title, more: "tags: []", text: "")
    }
    let ran = try sh("{ slip list; echo $? >../status; } | head -n 1")
    #expect(ran.errors == "" && ran.output.split(separator: "\n").count == 1)
    #expect(String(decoding: shell.folder.read("status") ?? [], as: UTF8.self) == "141\n")
  }

  private static let readers = [
    "list", "show bcdfghjk", "search text", "log", "--help", "list --json", "status", "config",
  ]

  @Test(arguments: readers)
  func saySoWhereTheOutputIsFull(_ command: String) throws {
    let ran = try sh("slip \(command) >/dev/full")
    #expect(ran.status == 74 && ran.errors.contains("standard output"), "slip \(command): \(ran)")
  }

  @Test func closedStreamsDoNotHang() throws {
    let commands = [
      "append \(id)", "append \(id) more", "new Closed", "new Piped -b -", "set - a:b", "rm --where +greek",
      "list", "show \(id)", "status", "commit",
    ]
    for command in commands {
      for streams in ["<&-", "<&- >&-", "<&- >&- 2>&-"] {
        let ran = try sh("timeout 20 setsid -w slip \(command) \(streams)")
        #expect(ran.status < 124 && ran.status != 70, "slip \(command) \(streams): \(ran)")
        #expect(try isClean(), "slip \(command) \(streams)")
      }
    }
    #expect(try sh("git fsck --strict").status == 0)
  }

  // MARK: Helpers

  private func note(_ name: String, id: String?, title: String, more: String, text: String) throws {
    let first = id.map { "id: \($0)\n" } ?? ""
    let header = "---\n\(first)title: \(title)\ncreated: 2026-01-05T09:30:00+01:00\n\(more)\n---\n"
    try shell.folder.write("box/notes/\(name).md", header + text + "\n")
  }

  private func text(_ name: String) throws -> String {
    String(decoding: try #require(shell.folder.read("box/notes/\(name).md")), as: UTF8.self)
  }

  private func isClean() throws -> Bool { try sh("git status --porcelain").output == "" }

  private func sh(_ command: String) throws -> (status: Int32, output: String, errors: String) {
    try shell.sh(command, in: box, with: environment)
  }

  private func terminal(_ command: String) throws -> PseudoTerminal {
    try PseudoTerminal(command, in: box, environment: environment)
  }

  /// Each command has its own time and ids.
  private var environment: [String: String] {
    let seed = String(shell.nextSeed())
    return shell.environment.merging(["FIXED_SEED": seed, "TERM": "xterm-256color", "PAGER": "cat"]) { $1 }
  }
}

/// A shell command on a terminal of its own, with a keyboard to type on.
final class PseudoTerminal {
  /// What the terminal has got so far.
  private(set) var received: [UInt8] = []
  private let keyboard: Int32
  private let process: pid_t
  private static let patience: TimeInterval = 20
  /// TIOCGPTN and TIOCSPTLCK, which the Glibc module leaves out.
  private static let numberRequest: UInt = 0x8004_5430
  private static let lockRequest: UInt = 0x4004_5431

  /// Starts the command with the terminal as its controlling one.
  init(_ command: String, in folder: String, environment: [String: String], columns: UInt16 = 80) throws {
    keyboard = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC)
    var number: UInt32 = 0
    var locked: Int32 = 0
    guard keyboard >= 0, ioctl(keyboard, Self.numberRequest, &number) == 0,
      ioctl(keyboard, Self.lockRequest, &locked) == 0
    else { throw POSIXError(.ENOENT) }
    var size = winsize(ws_row: 24, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0)
    _ = ioctl(keyboard, UInt(TIOCSWINSZ), &size)
    let words = ["sh", "-c", "cd \"$0\" && eval \"$1\"", folder, command]
    process = try Self.start(words, environment, on: "/dev/pts/\(number)")
  }

  deinit { close(keyboard) }

  /// A session leader that opens a terminal gets it as its controlling one.
  private static func start(
    _ arguments: [String], _ environment: [String: String], on terminal: String
  ) throws -> pid_t {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_addopen(&actions, 0, terminal, O_RDWR, 0)
    for stream in [1, 2] as [Int32] { posix_spawn_file_actions_adddup2(&actions, 0, stream) }
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    // Worker threads block all signals; Ctrl-C is to reach the command.
    var none = sigset_t()
    sigemptyset(&none)
    posix_spawnattr_setsigmask(&attributes, &none)
    // Other tests of this process wait for children, and ignore these signals meanwhile.
    var usual = sigset_t()
    sigemptyset(&usual)
    for signal in [SIGINT, SIGQUIT, SIGPIPE] { sigaddset(&usual, signal) }
    posix_spawnattr_setsigdefault(&attributes, &usual)
    let newSession: Int32 = 0x80  // POSIX_SPAWN_SETSID, which the Glibc module leaves out
    let flags = newSession | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF
    posix_spawnattr_setflags(&attributes, Int16(flags))
    let words = arguments.map { strdup($0) } + [nil]
    let variables = environment.map { strdup("\($0.key)=\($0.value)") } + [nil]
    defer { for word in words + variables { free(word) } }
    var process = pid_t()
    let code = posix_spawnp(&process, words[0] ?? strdup("sh"), &actions, &attributes, words, variables)
    guard code == 0 else { throw POSIXError(POSIXErrorCode(rawValue: code) ?? .EIO) }
    return process
  }

  /// What the terminal has got so far, as text.
  var text: String { String(decoding: received, as: UTF8.self) }

  /// Types keys.
  func type(_ keys: String) {
    let bytes = Array(keys.utf8)
    _ = write(keyboard, bytes, bytes.count)
  }

  /// Gives the terminal another height.
  func resize(rows: UInt16) {
    var size = winsize(ws_row: rows, ws_col: 80, ws_xpixel: 0, ws_ypixel: 0)
    _ = ioctl(keyboard, UInt(TIOCSWINSZ), &size)
  }

  /// Waits until a text has appeared, or has so many times; false where it does not come.
  func waits(for text: String, count: Int = 1) -> Bool {
    let deadline = Date() + Self.patience
    let wanted = Array(text.utf8)
    let has = {
      let starts = self.received.indices.filter { self.received[$0...].starts(with: wanted) }
      return starts.count >= count
    }
    while !has() {
      guard Date() < deadline, read() else { return has() }
    }
    return true
  }

  /// Waits for the end of the command: its exit code, 128 and the signal that ended it, or -1 where it hangs.
  func end() -> Int32 {
    let deadline = Date() + Self.patience
    while Date() < deadline, read() {}
    var status: Int32 = 0
    while waitpid(process, &status, WNOHANG) == 0 {
      guard Date() < deadline else {
        kill(-process, SIGKILL)
        waitpid(process, &status, 0)
        return -1
      }
      usleep(2_000)
    }
    return status & 0x7F == 0 ? (status >> 8) & 0xFF : 128 + (status & 0x7F)
  }

  /// Takes what has come, waiting a moment for it; false where nobody holds the terminal any more.
  private func read() -> Bool {
    var ready = pollfd(fd: keyboard, events: Int16(POLLIN), revents: 0)
    guard poll(&ready, 1, 200) > 0 else { return true }
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    let count = Foundation.read(keyboard, &buffer, buffer.count)
    guard count > 0 else { return false }
    received += buffer.prefix(count)
    return true
  }
}
