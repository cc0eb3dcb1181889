import Foundation
import SlipboxTesting
import Testing

@testable import SlipboxCLI

/// Commands, options and pages that texts point to exist: hints, help, the README, the decisions.
@Suite struct SignpostTests {
  static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent()

  /// Words that follow `slip` in sentences about the program.
  static let prose: Set<String> = [
    "NAME", "alone", "at", "can", "command", "did", "does", "for", "has", "ignores", "is", "itself", "keeps",
    "knows", "made", "makes",
    "never", "reads", "replaced", "runs", "uses", "without",
    "of",
    "recorded",
    "to",
    "too",
    "with", "works",
  ]

  /// Commands of the program with their long options, read from its own account of them.
  static let commands: [String: Set<String>] = {
    guard let dump = try? run(Shell.program, ["--experimental-dump-help"]).output,
      let tree = try? JSONSerialization.jsonObject(with: Data(dump.utf8)) as? [String: Any],
      let program = tree["command"] as? [String: Any]
    else { return [:] }
    var commands: [String: Set<String>] = [:]
    for command in program["subcommands"] as? [[String: Any]] ?? [] {
      if let name = command["commandName"] as? String { commands[name] = options(of: command) }
    }
    // Actions of the built-in kinds take what do takes; a shell alone asks _complete.
    for action in ["close", "reopen", "start", "finish", "shelve", "today"] {
      commands[action] = commands["do"]
    }
    commands["_complete"] = []
    return commands
  }()

  private static func options(of command: [String: Any]) -> Set<String> {
    var found: Set<String> = ["help"]
    for argument in command["arguments"] as? [[String: Any]] ?? [] {
      for name in argument["names"] as? [[String: Any]] ?? [] where name["kind"] as? String == "long" {
        if let text = name["name"] as? String { found.insert(text) }
      }
    }
    for inner in command["subcommands"] as? [[String: Any]] ?? [] { found.formUnion(options(of: inner)) }
    return found
  }

  @Test func theProgramListsItsCommands() { #expect(Self.commands.count > 20) }

  @Test func everySuggestedCommandExists() throws {
    let texts = try Self.literals() + Self.codeOfPages()
    #expect(texts.count > 500)
    for (file, text) in texts {
      for suggestion in Self.suggestions(in: text) where !Self.prose.contains(suggestion.command) {
        guard let options = Self.commands[suggestion.command] else {
          Issue.record("\(file): there is no slip \(suggestion.command), in: \(text)")
          continue
        }
        for option in suggestion.options where !options.contains(option) {
          Issue.record("\(file): slip \(suggestion.command) has no --\(option), in: \(text)")
        }
      }
    }
  }

  @Test func everyTopicOfHelpExists() throws {
    for (file, text) in try Self.literals() + Self.codeOfPages() {
      for name in Self.matches(#"\bslip help ([a-z]+)"#, in: text).compactMap(\.[1]) {
        #expect(Self.topics.contains(name) || Self.commands[name] != nil, "\(file): slip help \(name)")
      }
    }
  }

  private static let topics = Set(HelpTopic.all.map(\.name))

  @Test func everyDecisionThatIsNamedExists() throws {
    let folder = Self.root.appendingPathComponent("docs/dev/decisions")
    let pages = Set(try FileManager.default.contentsOfDirectory(atPath: folder.path))
    for (file, text) in try Self.files(["Sources", "Tests", "scripts"]) {
      // By its number alone or by its whole name.
      for page in Self.matches(#"Decisions/(\d{4}[-a-z0-9]*)"#, in: text).compactMap(\.[1]) {
        let exists = page.count == 4 ? pages.contains { $0.hasPrefix(page) } : pages.contains("\(page).md")
        #expect(exists, "\(file): Decisions/\(page)")
      }
    }
  }

  @Test func whatIsNoCommandIsFound() {
    let found = Self.suggestions(
      in: "the path is no field: slip mv moves the file; or slip list --all +food --lines")
    #expect(found.map(\.command) == ["mv", "list"])
    #expect(found.map(\.options) == [[], ["all", "lines"]])
  }

  /// The commands that a text names after `slip`, with the long options up to the end of the command.
  static func suggestions(in text: String) -> [(command: String, options: [String])] {
    matches(#"(?<![\w/.-])slip ([a-z_][a-z_-]*)([^;|`\n()]*)"#, in: text).map { match in
      let own = (match[2] ?? "").components(separatedBy: "slip ")[0]
      return (match[1] ?? "", matches(#"(?<=\s)--([a-z][a-z-]*)"#, in: own).compactMap(\.[1]))
    }
  }

  /// The groups of each match of a regular expression; a group that took no part is nil.
  static func matches(_ pattern: String, in text: String) -> [[String?]] {
    guard let expression = try? NSRegularExpression(pattern: pattern) else {
      Issue.record("not a regular expression: \(pattern)")
      return []
    }
    let whole = text as NSString
    return expression.matches(in: text, range: NSRange(location: 0, length: whole.length)).map { match in
      (0..<match.numberOfRanges).map { group in
        let range = match.range(at: group)
        return range.location == NSNotFound ? nil : whole.substring(with: range)
      }
    }
  }

  /// The texts in quotes of the sources that speak to users, with their files.
  private static func literals() throws -> [(file: String, text: String)] {
    let speaking = [
      "Bytes", "Text", "Notes", "NoteIndex", "Git", "SampleBox", "SlipboxCore", "Presentation", "SlipboxCLI",
    ]
    return try files(speaking.map { "Sources/" + $0 }).filter { $0.file.hasSuffix(".swift") }.flatMap {
      file in
      let code = file.text.split(separator: "\n").filter {
        !$0.drop { $0 == " " }.hasPrefix("//")
      }.joined(separator: "\n")
      // Lines that a backslash continues are one.
      return matches(#""""\n([\s\S]*?)\n\s*"""|"((?:\\.|[^"\\\n])*)""#, in: code).map { match in
        let text = match[1] ?? match[2] ?? ""
        return (file.file, text.replacingOccurrences(of: #"\\\n\s*"#, with: "", options: .regularExpression))
      }
    }
  }

  /// The code in the README and in the pages of documentation.
  private static func codeOfPages() throws -> [(file: String, text: String)] {
    let pages =
      try files(["docs"]) + [
        ("README.md", try String(contentsOf: root.appendingPathComponent("README.md"), encoding: .utf8))
      ]
    return pages.flatMap { page in
      matches(#"```[a-z]*\n([\s\S]*?)```|`([^`]+)`"#, in: page.text).map { match in
        (page.file, match[1] ?? (match[2] ?? "").replacingOccurrences(of: "\n", with: " "))
      }
    }
  }

  /// The files of text below folders, by their paths from the root; folders that do not exist have none.
  static func files(_ folders: [String]) throws -> [(file: String, text: String)] {
    var found: [(String, String)] = []
    for folder in folders {
      let url = root.appendingPathComponent(folder)
      for case let name as String in FileManager.default.enumerator(atPath: url.path) ?? .init() {
        guard let text = try? String(contentsOf: url.appendingPathComponent(name), encoding: .utf8) else {
          continue  // A folder, or a file that is no text.
        }
        found.append(("\(folder)/\(name)", text))
      }
    }
    return found
  }
}
