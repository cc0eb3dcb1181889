import Foundation
import SlipboxTesting
import Testing

@testable import SlipboxCLI

/// What a newcomer sees on a terminal: lists and their numbers, neighbours, help.
@Suite(.serialized) struct NewcomerTests {
  private let shell: Shell

  init() throws {
    shell = try Shell()
    try shell.slip("init", "-q")
    try shell.slip("new", "group", "Home")
    try shell.slip("new", "task", "Sweep", "group:Home")
    try shell.slip("new", "task", "Mop", "group:Home", "done:true")
    try shell.slip("new", "Plan", "-b", "See [[Home]].")
  }

  private func shown(_ script: String) throws -> String {
    var environment = shell.environment
    environment["TERM"] = "xterm"
    environment["LESS"] = "FRX"
    let terminal = try PseudoTerminal(script, in: shell.folder.path, environment: environment)
    _ = terminal.end()
    return terminal.text.replacing(/\u{1B}\[[0-9;]*m/, with: "")
  }

  @Test func showNamesWhatRefersToANoteAndWhatLinksToIt() throws {
    let text = try shown("slip show Home")
    let lines = text.components(separatedBy: "\r\n")
    let referrers = try #require(lines.firstIndex(of: "referred to by 2 notes"), "\(text)")
    #expect(lines[referrers + 1].contains("open") && lines[referrers + 1].hasSuffix("Sweep"), "\(text)")
    #expect(lines[referrers + 2].contains("done") && lines[referrers + 2].hasSuffix("Mop"), "\(text)")
    let linking = try #require(lines.firstIndex(of: "linked from 1 note"), "\(text)")
    #expect(lines[linking + 1].hasSuffix("Plan"), "\(text)")
    let piped = try run("slip", ["show", "Home"], in: shell.folder.path, environment: shell.environment)
    #expect(!piped.output.contains("referred to by"))
  }

  @Test func numbersOfTheLastList() throws {
    #expect(try shown("slip list zzz; slip show @1").contains("@1: the last list in this terminal was empty"))
    let many = try shown("slip list kind:task --sort title; echo now; slip show @1-2")
    #expect(many.contains("@1 is") && many.contains("@2 is"), "\(many)")
    #expect(many.contains("Mop\r\n\r\nid"), "\(many)")
    #expect(
      try shown("slip list -n 2; slip show @1..3").contains("the last list in this terminal had 2 notes"))
    let offered = try shown(
      "slip list kind:task --sort title >/dev/null; slip list kind:task --sort title; echo now; slip _complete zsh show @"
    )
    #expect(offered.contains("@1\tMop") && offered.contains("@2\tSweep"), "\(offered)")
    let action = try shown("slip list kind:task --sort title; echo now; slip _complete zsh finish @")
    #expect(!action.contains("@1\tMop") && action.contains("@2\tSweep"), "\(action)")
  }

  @Test func aPathThatIsShortenedIsAReference() throws {
    let folder = "A folder with a very long name/and one below it that is longer still"
    try shell.folder.write("\(folder)/Adopted.md", "# Adopted\n")
    let list = try shown("stty cols 60; slip list Adopted")
    let name = try #require(
      list.split(separator: " ").first { $0.contains("\u{2026}") || $0.contains("...") }, "\(list)")
    #expect(name.hasSuffix("pted.md"), "\(list)")
    let ran = try run(
      "slip", ["show", "A…pted.md"], in: shell.folder.path, environment: shell.environment)
    #expect(ran.output.hasPrefix("Adopted\n"), "\(ran)")
    let none = try run("slip", ["show", "B…pted.md"], in: shell.folder.path, environment: shell.environment)
    #expect(none.status == 66, "\(none)")
  }

  /// Lines of help break between words alone, on any width.
  @Test(arguments: [40, 60, 80, 100]) func helpFitsTheScreen(_ width: Int) throws {
    let commands = ["help dates", "help query", "help refs", "list --help", "--help", "new -h"]
    let whole = try run(
      "sh", ["-c", commands.map { "slip \($0)" }.joined(separator: "; ")], environment: shell.environment)
    let words = Set(whole.output.split { $0.isWhitespace })
    let text = try shown(
      "stty cols \(width) rows 2000; " + commands.map { "slip \($0)" }.joined(separator: "; "))
    for line in text.components(separatedBy: "\r\n") {
      // A word alone may be longer.
      #expect(line.count <= width || line.split(separator: " ").count == 1, "\(line)")
    }
    for word in text.split(whereSeparator: \.isWhitespace) { #expect(words.contains(word), "\(word)") }
  }

  @Test func longHelpIsPaged() throws {
    var environment = shell.environment
    environment["TERM"] = "xterm"
    environment["PAGER"] = "sed s/^/paged:/"
    for command in ["help query", "list --help", "--help"] {
      let terminal = try PseudoTerminal(
        "stty rows 10 cols 80; slip \(command); slip \(command) --no-pager", in: shell.folder.path,
        environment: environment)
      _ = terminal.end()
      let lines = terminal.text.components(separatedBy: "\r\n")
      let paged = lines.filter { $0.hasPrefix("paged:") }
      #expect(paged.count > 10 && lines.count > paged.count + 10, "\(command): \(terminal.text)")
    }
  }
}
