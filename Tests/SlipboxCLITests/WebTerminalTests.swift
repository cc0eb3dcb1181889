import Foundation
import SlipboxTesting
import Testing

/// The web of notes as a person sees it on a terminal.
@Suite struct WebTerminalTests {
  private let shell: Shell

  init() throws {
    shell = try Shell()
    try note("sourdough", id: "kqzmvtrp", "title: Sourdough\n", "To [[Wild yeast]], [[Gone]] and [[Gone]].")
    try note(
      "yeast", id: "bcdfghjk", "title: Wild yeast\n",
      "Before. It lives in [[Sourdough]] and in [[kqzmvtrp]]. After.")
    try note("kitchen", id: "cdfghjkl", "title: Kitchen\nkind: group\n", "Sourdough is baked here.")
    let task = "title: \"Feed \\e[31mit\"\nkind: task\ngroup: Kitchen\n"
    try note("task", id: "dfghjklm", task, "[[Sourdough]]\u{1B}[2J")
    try shell.slip("init", "-q")
  }

  private func note(_ name: String, id: String, _ fields: String, _ text: String) throws {
    try shell.folder.write("\(name).md", "---\nid: \(id)\ncreated: 2026-01-05\n\(fields)---\n\(text)\n")
  }

  /// What a command shows on a terminal, without its colours.
  private func shown(_ command: String, status: Int32 = 0) throws -> String {
    let environment = shell.environment.merging(
      ["FIXED_SEED": "1", "TERM": "xterm-256color", "PAGER": "cat", "NO_COLOR": "1", "LC_ALL": "C.UTF-8"]
    ) { $1 }
    let terminal = try PseudoTerminal(command, in: shell.folder.path, environment: environment)
    #expect(terminal.end() == status, "\(command): \(terminal.text)")
    #expect(!terminal.text.contains("\u{1B}[2J") && !terminal.text.contains("\u{1B}[31m"), "\(command)")
    return terminal.text.replacing("\r\n", with: "\n")
  }

  @Test func showEndsWithWhoLinksAndWhoRefers() throws {
    let kitchen = try shown("slip show Kitchen")
    #expect(kitchen.contains("referred to by 1 note\n") && kitchen.contains("Feed"))
    let sourdough = try shown("slip show Sourdough")
    #expect(sourdough.contains("linked from 2 notes\n") && sourdough.contains("Wild yeast"))
    let piped = try shown("slip show Sourdough | cat")
    #expect(piped.contains("Wild yeast]]") && !piped.contains("linked from"))
  }

  @Test func `todos by tag lists a box under each of its tags`() throws {
    try shell.folder.write("list.md", "# List\n\n- [ ] eggs #shop\n- [ ] bread #Car #shop\n- [ ] call\n")
    let lines = try shown("slip todos --by tag").split(separator: "\n").map {
      $0.trimmingCharacters(in: .whitespaces)
    }
    #expect(
      lines == [
        "#Car", "4: ☐ bread #Car #shop  List", "#shop", "3: ☐ eggs #shop  List",
        "4: ☐ bread #Car #shop  List",
        "no tag", "5: ☐ call  List",
      ])
  }

  @Test func backlinksShowEachSentenceOnce() throws {
    let text = try shown("slip backlinks Sourdough")
    #expect(text.components(separatedBy: "It lives in [[Sourdough]] and in [[kqzmvtrp]].").count == 2)
    #expect(!text.contains("After."))
  }

  @Test func theNotesOfAnAnswerHaveNumbers() throws {
    let both = try shown("slip backlinks Sourdough >/dev/null; slip links Sourdough; slip show @1")
    #expect(both.contains("@1 is bcdfghjk  Wild yeast"))
  }

  @Test func linksTellWhatIsBroken() throws {
    let text = try shown("slip links Sourdough")
    #expect(text.components(separatedBy: "broken").count == 3 && text.contains("Wild yeast"))
    let several = try shown("slip links Sourdough 'Wild yeast'")
    #expect(several.contains("Sourdough\n  ") && several.contains("Wild yeast\n  "))
  }

  @Test func theOthersFitTheTerminal() throws {
    for command in ["broken", "mentions Sourdough", "related Sourdough", "orphans", "graph"] {
      let text = try shown("stty cols 40; slip \(command)")
      #expect(!text.isEmpty)
      for line in text.split(separator: "\n") { #expect(line.count <= 40, "\(command): \(line)") }
    }
    #expect(try shown("slip broken").contains("[[Gone]]"))
    #expect(try shown("slip mentions Sourdough").contains("Sourdough is baked here."))
    #expect(try shown("slip mentions Lost; true").contains("no note Lost"))
  }
}
