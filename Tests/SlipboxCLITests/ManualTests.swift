import ArgumentParser
import Foundation
import SlipboxTesting
import Testing

@testable import SlipboxCLI

/// The manual is true: every command in a chapter prints what stands under it.
///
/// The commands of a chapter run one after the other in a folder, on a terminal. A block after a paragraph that ends in the
/// path of a file and a colon is that file. `SLIPBOX_RECORD=1` writes the outputs into the chapters anew.
@Suite struct ManualTests {
  private static let columns: UInt16 = 78

  static var chapters: [String] {
    HelpTopic.all.filter { $0.text.contains("\n  $ ") }.map(\.name)
  }

  @Test func chaptersHaveSessions() { #expect(Self.chapters.count >= 6) }

  @Test(arguments: chapters) func printsWhatItSays(_ name: String) throws {
    let topic = try #require(HelpTopic.all.first { $0.name == name })
    let shell = try Shell()
    let folder = shell.folder.path + "/notes"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    var number = 0
    var text = topic.text
    var named: String?
    for block in HelpBlock.blocks(of: topic.text) {
      switch block {
      case .heading: named = nil
      case .paragraph(let paragraph):
        let last = paragraph.split(separator: " ").last ?? ""
        named =
          last.hasSuffix(":") && last.contains("/") && last.contains(".") ? String(last.dropLast()) : nil
      case .lines(let lines):
        if let named { try Self.write(lines, to: folder + "/" + named) }
        named = nil
        guard lines.contains(where: { $0.hasPrefix("$ ") }) else { continue }
        let session = Transcript(name: name, text: lines.joined(separator: "\n") + "\n")
        var shown: [String] = []
        for step in session.steps {
          number += 1
          shown.append("$ " + step.command)
          shown += try Self.output(of: step.command, number, in: folder, shell)
        }
        if Snapshot.isRecording {
          text = text.replacingOccurrences(of: Self.indented(lines), with: Self.indented(shown))
        } else {
          #expect(shown == lines, "\(name)\n\(shown.joined(separator: "\n"))")
        }
      }
    }
    if text != topic.text { try Self.record(text, of: topic) }
  }

  /// The picture at the top of the README shows what is printed.
  @Test func theReadmeShowsWhatIsPrinted() throws {
    let file = Self.root.appendingPathComponent("README.md")
    let text = try String(contentsOf: file, encoding: .utf8)
    let parts = text.components(separatedBy: "```console\n")
    try #require(parts.count == 2)
    let old = try #require(parts[1].components(separatedBy: "```").first)
    let shell = try Shell()
    var folder = shell.folder.path
    var shown = ""
    for (index, step) in Transcript(name: "README", text: old).steps.enumerated() {
      let lines = try Self.output(of: step.command, index + 1, in: folder, shell)
      shown += (["$ " + step.command] + lines).joined(separator: "\n") + "\n"
      if let entered = step.command.components(separatedBy: "&& cd ").dropFirst().first {
        folder += "/" + entered
      }
    }
    if Snapshot.isRecording {
      try text.replacingOccurrences(of: old, with: shown).write(to: file, atomically: true, encoding: .utf8)
    } else {
      #expect(shown == old)
    }
  }

  private static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()

  private static func write(_ lines: [String], to path: String) throws {
    let folder = (path as NSString).deletingLastPathComponent
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    try (lines.joined(separator: "\n") + "\n").write(toFile: path, atomically: true, encoding: .utf8)
  }

  /// What a person sees of a command, without the blanks at the ends of lines.
  private static func output(
    of command: String, _ number: Int, in folder: String, _ shell: Shell
  ) throws -> [String] {
    let environment = shell.environment.merging([
      "FIXED_SEED": String(number), "TERM": "dumb", "NO_COLOR": "1", "PAGER": "cat",
      "GIT_PAGER": "cat", "LC_ALL": "C.UTF-8",
    ]) { $1 }
    let terminal = try PseudoTerminal(command, in: folder, environment: environment, columns: columns)
    #expect(terminal.end() >= 0, "\(command) hangs")
    var lines = terminal.text.replacingOccurrences(of: folder, with: "~/notes")
      .replacingOccurrences(of: shell.folder.path, with: "~")
      .replacingOccurrences(of: "\r", with: "").split(separator: "\n", omittingEmptySubsequences: false)
      .map { line in String(line.reversed().drop { $0 == " " }.reversed()) }
    while lines.last == "" { lines.removeLast() }
    return lines
  }

  private static func indented(_ lines: [String]) -> String {
    lines.map { $0.isEmpty ? "" : "  " + $0 }.joined(separator: "\n")
  }

  private static func record(_ text: String, of topic: HelpTopic) throws {
    let folder = root.appendingPathComponent("Sources/SlipboxCLI/Help")
    let file = folder.appendingPathComponent("HelpTopic+\(topic.name.capitalized).swift")
    let inSource = { (text: String) in
      text.split(separator: "\n", omittingEmptySubsequences: false)
        .map { $0.isEmpty ? "" : "      " + $0 }.joined(separator: "\n")
    }
    let source = try String(contentsOf: file, encoding: .utf8)
    let new = source.replacingOccurrences(of: inSource(topic.text), with: inSource(text))
    #expect(new != source, "the chapter \(topic.name) is not in its file")
    try new.write(to: file, atomically: true, encoding: .utf8)
  }

  // MARK: Pages

  @Test func everyCommandAndChapterHasAPage() throws {
    let folder = try TemporaryFolder()
    let ran = try run(Shell.program, ["manual", folder.path], in: folder.path, environment: testEnvironment)
    #expect(ran.status == 0, "\(ran.errors)")
    for name in CommandName.allCases.filter({ $0.group != .programs }).map(\.rawValue) {
      #expect(FileManager.default.fileExists(atPath: "\(folder.path)/man1/slip-\(name).1"), "\(name)")
    }
    for topic in HelpTopic.all {
      #expect(FileManager.default.fileExists(atPath: "\(folder.path)/man7/slip-\(topic.name).7"))
    }
  }

  @Test(.enabled(if: Machine.has("man"), "needs man")) func manRendersEveryPage() throws {
    let folder = try TemporaryFolder()
    let ran = try run(Shell.program, ["manual", folder.path], in: folder.path, environment: testEnvironment)
    #expect(ran.status == 0, "\(ran.errors)")
    let script = "for f in man?/*; do man --warnings -l \"$f\" 2>&1 >/dev/null; done"
    let warnings = try run(
      "sh", ["-c", script], in: folder.path,
      environment: testEnvironment.merging(["LC_ALL": "C.UTF-8", "MANWIDTH": "100"]) { $1 })
    #expect(warnings.output == "")
    let list = try run(
      "sh", ["-c", "man -l man1/slip-list.1"], in: folder.path,
      environment: testEnvironment.merging(["LC_ALL": "C.UTF-8", "MANWIDTH": "100"]) { $1 })
    #expect(list.output.contains("slip list"))
    for option in CommandShape(List.self).options.flatMap(\.names) {
      #expect(list.output.contains(option), "\(option)")
    }
  }

  /// What is in a page of help is in its page of the manual.
  @Test func pagesHoldAllOfTheHelp() {
    func words(_ text: String) -> [String] {
      text.split { !($0.isLetter || $0.isNumber) }.map { $0.lowercased() }
    }
    let commands = SlipboxCommand.commandsForPeople
    for (type, page) in zip(commands, ManualPage.all(of: SlipboxCommand.self, commands).dropFirst()) {
      let markdown = Set(words(page.markdown))
      for word in words(SlipboxCommand.helpMessage(for: type, columns: 10_000))
      where word != "overview" && word != "usage" {
        let isOfInner = ["subcommands", "see", "help", "detailed", "for", "default", "subcommand"].contains(
          word)
        #expect(isOfInner || markdown.contains(word), "\(page.name): \(word)")
      }
    }
    for (topic, page) in zip(HelpTopic.all, ManualPage.chapters) {
      #expect(Set(words(topic.text)).subtracting(words(page.markdown)) == [], "\(page.name)")
    }
  }

  @Test func linesBecomeBlocks() {
    let text = """
      A paragraph that goes a little longer than headings
      on here.

      Names
      What they are, in a line that is longer than forty letters.

        one    1

        two    2
      After.

      Examples:
        slip list

      Rows
        a
      """
    #expect(
      HelpBlock.blocks(of: text) == [
        .paragraph("A paragraph that goes a little longer than headings on here."), .heading("Names"),
        .paragraph("What they are, in a line that is longer than forty letters."),
        .lines(["one    1", "", "two    2"]), .paragraph("After."),
        .heading("Examples"), .lines(["slip list"]), .heading("Rows"), .lines(["a"]),
      ])
  }

  @Test func nothingInATextIsARequestOfRoff() {
    #expect(Roff.text(".TH x") == "\\&.TH x")
    #expect(Roff.text("a\\b -c") == "a\\eb \\-c")
    #expect(Roff.text("'quoted'") == "\\(aqquoted\\(aq")
    #expect(Roff.word("say \"x\"") == "\"say \\(dqx\\(dq\"")
  }
}
