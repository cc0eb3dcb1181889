import Foundation
import SlipboxTesting
import Testing

@testable import SlipboxCLI

/// What is offered on Tab.
@Suite struct CompletionTests {
  /// Lines as they are typed, with what bash would put in the place of what it replaces, in any order.
  static let rows: [(line: String, offered: [String])] = [
    ("slip li", ["links", "list"]),
    ("slip comp", ["completions"]),
    ("slip gr", ["graph"]),
    ("slip graph --d", ["--depth", "--dot"]),
    ("slip broken +fo", ["+food"]),
    ("slip links --pa", ["--paths"]),
    ("slip nosuch ", []),
    ("slip --col", ["--color"]),
    ("slip --color a", ["auto", "always"]),
    ("slip list --so", ["--sort"]),
    ("slip list --where", []),
    ("slip list -- --so", []),
    ("slip list ki", ["kind:"]),
    ("slip list kind:b", ["book"]),
    ("slip list KIND:b", ["book"]),
    ("slip list kind:book,t", ["book,task"]),
    ("slip list kind:task priority:", ["none", "low", "medium", "high"]),
    ("slip list priority:high,", ["high,none", "high,low", "high,medium"]),
    ("slip list group:Ho", ["Home"]),
    ("slip list NOT group:Ho", ["Home"]),
    ("slip list 'NOT group:Ho", ["NOT group:Home"]),
    ("slip list kind:issue priority:low..", ["low..low", "low..medium", "low..high"]),
    ("slip list status:c", ["closed", "completed"]),
    ("slip list is:a", ["active"]),
    ("slip list due:to", ["today", "tomorrow"]),
    ("slip list created:y", ["yesterday"]),
    ("slip list done:", ["true", "false"]),
    ("slip list author:j", ["J.\\ R.\\ R.\\ Tolkien"]),
    ("slip list author:J.\\ R", ["J.\\ R.\\ R.\\ Tolkien"]),
    ("slip list 'author:j", ["author:J. R. R. Tolkien"]),
    ("slip list \"kind:issue +fo", ["kind:issue +food"]),
    ("slip list kind:issue +fo", ["+food"]),
    ("slip list -tra", ["-trash"]),
    ("slip list tag:in", ["inbox"]),
    ("slip list @ur", ["@urgent"]),
    ("slip list @ov", ["@overdue"]),
    ("slip list NOT ki", ["kind:"]),
    ("slip list 'NOT (ki", ["NOT (kind:"]),
    ("slip list has:rat", ["rating"]),
    ("slip list sort:-mod", ["-modified"]),
    ("slip list sort:title,-ra", ["title,-rating"]),
    ("slip list --sort ti", ["title"]),
    ("slip list --sort=ti", ["title"]),
    ("slip list --with b", ["body", "backlinks"]),
    ("slip list --with body,l", ["body,links"]),
    ("slip doctor --fix=k", ["kinds"]),
    ("slip filter ", ["list", "save", "rename", "rm"]),
    ("slip filter --quiet --color never ", ["list", "save", "rename", "rm"]),
    ("slip filter --color a", ["auto", "always"]),
    ("slip list path:20", ["2026/"]),
    ("slip list path:2026/", ["2026/11/"]),
    ("slip search +fo", ["+food"]),
    ("slip set -w ki", ["kind:"]),
    ("slip set --where kind:issue +ol +ne", []),
    ("slip show kqz", ["kqzmvtrp"]),
    ("slip show ferm", ["Fermentation\\ basics"]),
    ("slip show \"FERM", ["Fermentation basics"]),
    ("slip show fermentation-b", ["fermentation-basics"]),
    ("slip show 2026/1", []),
    ("slip show @1", []),
    ("slip show nothing-like-it", []),
    ("slip set kqzmvtrp rat", ["rating:"]),
    ("slip set Crash\\ on\\ start d", []),
    ("slip set Crash\\ on\\ start pri", ["priority:"]),
    ("slip finish Review\\ the\\ paper due", ["due:"]),
    ("slip finish Review\\ the\\ paper rat", []),
    ("slip list kind:book ra", ["rating:"]),
    ("slip list kind:book pri", []),
    ("slip set kqzmvtrp priority:h", ["high"]),
    ("slip set kqzmvtrp +fo", ["+food"]),
    ("slip set kqzmvtrp due:tom", ["tomorrow"]),
    ("slip set kqzmvtrp kind:bo", ["book"]),
    ("slip new ta", ["task"]),
    ("slip new task 'A title' prio", ["priority:"]),
    ("slip new task A group:Ho", ["Home"]),
    ("slip new book A status:c", ["completed"]),
    ("slip do fi", ["finish"]),
    ("slip finish review", ["Review\\ the\\ paper"]),
    ("slip finish crash", []),
    ("slip close crash", ["Crash\\ on\\ start"]),
    ("slip reopen crash", []),
    ("slip close hang", []),
    ("slip reopen hang", ["Hang"]),
    ("slip tags re", ["rename"]),
    ("slip tags drop tra", ["trash"]),
    ("slip tags missing kqz", ["kqzmvtrp"]),
    ("slip filter r", ["rename", "rm"]),
    ("slip filter rm u", ["urgent"]),
    ("slip filter save new +fo", ["+food"]),
    ("slip kinds gr", ["group"]),
    ("slip config pa", ["path", "pager"]),
    ("slip help da", ["daily", "dates"]),
    ("slip help tem", ["templates"]),
    ("slip new Plan --template ", ["meeting"]),
    ("slip new Plan --template m", ["meeting"]),
    ("slip new Plan --template=m", ["meeting"]),
    ("slip new Plan --template x", []),
    ("slip new Plan --from kqz", ["kqzmvtrp"]),
    ("slip new Plan --no-t", ["--no-template"]),
    ("slip new Plan --fol", ["--folder"]),
    ("slip dai", ["daily"]),
    ("slip capt", ["capture"]),
    ("slip daily y", ["yesterday"]),
    ("slip daily fri", ["friday"]),
    ("slip daily --app", ["--append"]),
    ("slip capture kqz", []),
    ("slip help sea", ["search"]),
    ("slip completions z", ["zsh"]),
    ("slip --box /nonexistent list +", []),
    ("slip list --box /nonexistent +", []),
    ("slip doctor ", []),
  ]

  /// What bash has after Tab for some lines: its own script, with the variables that it sets.
  private func offered(_ lines: [String], _ shell: Shell, type: Int = 37) throws -> [[String]] {
    let script = """
      eval "$(slip completions bash)"
      COMP_TYPE=$1 COMP_WORDS=(slip) COMP_CWORD=1
      shift
      for COMP_LINE; do
        COMP_POINT=${#COMP_LINE}
        _slip slip
        printf '%s\n' "${COMPREPLY[@]}" -
      done
      """
    let ran = try run(
      "bash", ["-c", script, "bash", "\(type)"] + lines, in: shell.folder.path, environment: shell.environment
    )
    #expect(ran.errors == "")
    let answers = ran.output.components(separatedBy: "-\n").dropLast()
    #expect(answers.count == lines.count)
    return answers.map { $0.split(separator: "\n").map(String.init) }
  }

  private func offered(_ line: String, _ shell: Shell, type: Int = 37) throws -> [String] {
    try offered([line], shell, type: type)[0]
  }

  private func box() throws -> Shell {
    let shell = try Shell()
    try shell.makeSample()
    try shell.slip("new", "group", "Home")
    try shell.slip("new", "issue", "Hang", "status:closed")
    return shell
  }

  @Test func offersWhatMayFollow() throws {
    let shell = try box()
    for (row, offered) in zip(Self.rows, try offered(Self.rows.map(\.line), shell)) {
      #expect(offered.sorted() == row.offered.sorted(), "\(row.line)")
    }
  }

  @Test func saysWhatIsWhat() throws {
    let shell = try box()
    let notes = try offered("slip show ", shell, type: 63)
    #expect(notes.contains("kqzmvtrp  (Fermentation basics)"))
    #expect(try offered("slip sea", shell, type: 63) == ["search"])
    let zsh = try run(
      "slip", ["_complete", "zsh", "list", "kind:bo"], in: shell.folder.path, environment: shell.environment)
    #expect(zsh.output == "kind:book\t\n")
    let fish = try run(
      "slip", ["_complete", "fish", "tags", "drop", "--", "tra"], in: shell.folder.path,
      environment: shell.environment)
    #expect(fish.output == "trash\t1 note\n")
  }

  /// A name that a shell could take for more than a name.
  static let hostile = [
    "$(touch hacked)", "`touch hacked`", "a;touch hacked", "it's", "say \"hi\"", "back\\slash", "new\nline",
    "bell\u{7}",
    "*", "~root", "#hash", "!x", "a&b|c<d>e", "$HOME", "tab\there", "\u{202E}right", "żółw 日本",
  ]

  @Test func hostileNamesAreSafe() throws {
    let shell = try box()
    for (number, name) in Self.hostile.enumerated() {
      let quoted = String(decoding: try JSONEncoder().encode(name), as: UTF8.self)
      try shell.folder.write(
        "h\(number).md", "---\ntitle: \(quoted)\nauthor: \(quoted)\ntags: [\(quoted)]\n---\n")
    }
    for line in [
      "slip set h author:", "slip set h 'author:", "slip set h \"author:", "slip list +", "slip show h",
    ] {
      for reply in try offered(line, shell) {
        #expect(!reply.unicodeScalars.contains { $0.value < 32 || $0.value == 0x202E }, "\(line): \(reply)")
      }
    }
    // What bash would insert is one word, and that word is a value of the box; nothing is run.
    let openers = [("author:", ""), ("'author:", "'"), ("\"author:", "\"")]
    for (opening, closing) in openers {
      let replies = try offered("slip set h \(opening)", shell)
      #expect(replies.count > 5)
      for reply in replies {
        let word = opening == "author:" ? "author:" + reply : String(opening.prefix(1)) + reply + closing
        let ran = try run(
          "bash", ["-c", "printf '%s\\n' \(word)"], in: shell.folder.path, environment: shell.environment)
        let value = ran.output.hasSuffix("\n") ? String(ran.output.dropLast()) : ran.output
        let known = Self.hostile + ["J. R. R. Tolkien"]
        #expect(known.contains { "author:" + $0 == value }, "\(word) gives \(value)")
      }
    }
    #expect(!FileManager.default.fileExists(atPath: shell.folder.path + "/hacked"))
  }

  /// Two notes of one id, whose titles would be run where a shell took them for a part of what it inserts.
  private func boxOfOneID(_ shell: Shell) throws {
    for name in ["one", "two"] {
      try shell.folder.write(
        "\(name).md", "---\nid: qqqqwwww\ntitle: $(touch hacked) `touch hacked`;touch hacked \(name)\n---\n")
    }
  }

  @Test func whatBeginsAlikeIsInsertedWithoutRemarks() throws {
    let shell = try box()
    try boxOfOneID(shell)
    #expect(try offered("slip show qqqq", shell, type: 9) == ["qqqqwwww"])
    for shellName in ["zsh", "fish"] {
      let words = shellName == "zsh" ? ["show", "qqqq"] : ["show", "--", "qqqq"]
      let ran = try run(
        "slip", ["_complete", shellName] + words, in: shell.folder.path, environment: shell.environment)
      #expect(ran.output == "qqqqwwww\t2 of this name\n")
    }
  }

  @Test(.enabled(if: Machine.has("bash"), "needs bash")) func tabInBashRunsNothing() throws {
    try tabInARealShellRunsNothing("bash --norc --noprofile -i", "eval \"$(slip completions bash)\"")
  }

  @Test(.enabled(if: Machine.has("zsh"), "needs zsh")) func tabInZshRunsNothing() throws {
    try tabInARealShellRunsNothing(
      "zsh -f -i", "autoload -U compinit && compinit -u -D; eval \"$(slip completions zsh)\"")
  }

  @Test(.enabled(if: Machine.has("fish"), "needs fish")) func tabInFishRunsNothing() throws {
    try tabInARealShellRunsNothing("fish --no-config -i", "slip completions fish | source")
  }

  /// A real shell at a terminal: presses Tab, and then runs the completed line.
  private func tabInARealShellRunsNothing(_ command: String, _ setUp: String) throws {
    let shell = try box()
    try boxOfOneID(shell)
    try shell.folder.write("h.md", "---\ntitle: Hostile\nzzz: \"$(touch hacked)\"\n---\n")
    var environment = shell.environment
    environment["TERM"] = "xterm"
    environment["HOME"] = shell.folder.path
    let terminal = try PseudoTerminal(command, in: shell.folder.path, environment: environment)
    terminal.type(setUp + "; echo rea''dy\r")
    #expect(terminal.waits(for: "ready\r\n"), "\(terminal.text)")
    terminal.type("slip show qqqq\t")
    #expect(terminal.waits(for: "wwww"), "\(terminal.text)")
    terminal.type(" >first 2>&1\r")
    terminal.type("slip set Hostile zzz:\t >second 2>&1; echo do''ne\r")
    #expect(terminal.waits(for: "done\r\n"), "\(terminal.text)")
    terminal.type("exit\r")
    _ = terminal.end()
    #expect(!FileManager.default.fileExists(atPath: shell.folder.path + "/hacked"), "\(terminal.text)")
    #expect(shell.folder.read("first") != nil, "\(terminal.text)")
  }

  @Test func isSilentWhateverIsTyped() throws {
    let shell = try box()
    let lines = [
      "", "slip", "slip '", "slip list \"", "slip list \\", "slip list kind:\"", "slip   list   ki",
      "slip list \u{1}",
    ]
    _ = try offered(lines + ["slip --box", "slip list --sort", "slip list -w", "slip help x "], shell)
    for words in [[], ["bash"], ["bash", "slip"], ["zsh"], ["fish", "--"], ["nosuch", "x"], ["zsh", ""]] {
      let ran = try run(
        "slip", ["_complete"] + words, in: shell.folder.path, environment: shell.environment)
      #expect(ran.errors == "" && [0, 1].contains(ran.status), "\(words)")
    }
  }

  @Test(.enabled(if: Machine.has("bash"), "needs bash")) func bashReadsItsScript() throws {
    try expectRead(by: "bash")
  }

  @Test(.enabled(if: Machine.has("zsh"), "needs zsh")) func zshReadsItsScript() throws {
    try expectRead(by: "zsh")
  }

  @Test(.enabled(if: Machine.has("fish"), "needs fish")) func fishReadsItsScript() throws {
    try expectRead(by: "fish")
  }

  private func expectRead(by name: String) throws {
    let shell = try Shell()
    let script = try run("slip", ["completions", name], environment: shell.environment)
    let read = try run(name, ["-n", "-c", script.output], environment: shell.environment)
    #expect(read.status == 0 && read.errors == "", "\(read.errors)")
  }

  @Test(arguments: CompletionShell.allCases.map(\.rawValue)) func theScriptCallsSlip(_ name: String) throws {
    let shell = try Shell()
    let script = try run("slip", ["completions", name], environment: shell.environment)
    #expect(script.output.contains("_complete \(name)"))
  }
}
