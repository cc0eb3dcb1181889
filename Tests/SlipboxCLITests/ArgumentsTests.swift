import ArgumentParser
import SlipboxCore
import Testing

@testable import SlipboxCLI

@Suite struct ArgumentsTests {
  @Test(arguments: [
    (["list", "-later"], ["list", "\u{1}-later"]),
    (["list", "-l"], ["list", "-l"]),
    (["list", "-"], ["list", "-"]),
    (["list", "--json", "-0"], ["list", "--json", "-0"]),
    (["list", "--", "-later"], ["list", "--", "-later"]),
    (["--box", "d", "list", "+x"], ["list", "+x", "--box", "d"]),
    (["--box", "d", "filter", "save", "n", "q"], ["filter", "save", "n", "q", "--box", "d"]),
    (["filter", "--box", "d", "save", "n", "q"], ["filter", "save", "n", "q", "--box", "d"]),
    (["view", "-q", "--box=d", "save", "n", "q"], ["view", "save", "n", "q", "-q", "--box=d"]),
    (["--quiet", "remote", "--box", "d", "add", "x"], ["remote", "add", "x", "--quiet", "--box", "d"]),
    (["view", "--box", "d", "n", "--json"], ["view", "n", "--json", "--box", "d"]),
    (["view", "--box", "d"], ["view", "--box", "d"]),
    (["help", "--no-pager", "view", "save"], ["help", "view", "save", "--no-pager"]),
    (["--quiet", "new", "--", "-x"], ["new", "--quiet", "--", "\u{1}\u{1}-x"]),
    (["--no-color", "list"], ["list", "--no-color"]),
    (["set", "a", "-m", "-reason"], ["set", "a", "-m", "\u{1}-reason"]),
    ([], ["overview"]),
    (["close", "x"], ["do", "close", "x"]),
    (["--help"], ["--help"]),
  ])
  func areReadAsTheSpecificationSays(_ words: [String], _ expected: [String]) throws {
    #expect(try Arguments.prepare(words) == expected)
  }

  @Test(arguments: [["list", "-json"], ["lst"], ["set", "x", "-dry-run"]])
  func refusesWhatIsLikelyASlip(_ words: [String]) {
    let error = #expect(throws: SlipboxError.self) { _ = try Arguments.prepare(words) }
    #expect(error?.kind == .usage)
    #expect(error?.hints.isEmpty == false)
  }

  /// The rules for dashes go by a table of options; the commands declare the same.
  @Test func theTableOfOptionsIsTrue() {
    for type in SlipboxCommand.commands {
      let name = type.configuration.commandName ?? ""
      for option in CommandShape(type).options {
        let long = option.names.first { $0.hasPrefix("--") }.map { String($0.dropFirst(2)) }
        guard let known = long.flatMap(OptionName.init(rawValue:)) else { continue }
        // `--fix` may stand alone, and takes its value after an equals sign only.
        #expect(known.takesValue(in: name) == (option.takesValue && known != .fix), "\(name) \(option.names)")
        let letter = option.names.first { $0.count == 2 }
        #expect(letter == known.letter.map { "-\($0)" }, "\(name) \(option.names)")
      }
    }
  }

  @Test func anOptionIsNeverJoinedWithItsValue() throws {
    for type in SlipboxCommand.commands {
      let name = type.configuration.commandName ?? ""
      let shape = CommandShape(type)
      guard !shape.arguments.isEmpty else { continue }
      for option in shape.options where option.takesValue {
        guard let letter = option.names.first(where: { $0.count == 2 }) else { continue }
        let joined = letter + "value"
        for words in [
          [joined], [joined, "x"], ["x", joined], ["x", joined, "y"], ["x", "--json", joined],
        ] {
          #expect(try Arguments([name] + words).doubtful.count == 1, "\(name) \(words)")
        }
        for words in [["--", joined], ["x", "--", joined], [letter, joined], ["x", letter, joined]] {
          #expect(try Arguments([name] + words).doubtful.isEmpty, "\(name) \(words)")
        }
        #expect(try Arguments.prepare([name, letter, "--", "x"]).contains("\u{1}--"))
      }
    }
  }

  /// Every command that is suggested for another program's word exists.
  @Test func whatIsSuggestedExists() {
    for word in UnknownCommand.wordsOfOthers {
      let meant = UnknownCommand.meaning(of: word)?.split(separator: " ").first.map(String.init)
      #expect(CommandName.wordsForPeople.contains(meant ?? ""), "\(word)")
      #expect(!CommandName.isFirstWord(word), "\(word) is a command")
    }
  }

  @Test(arguments: [
    ["list", "+x", "--limit", "3"], ["view", "n"], ["view", "save", "n", "q"], ["remote"],
    ["remote", "add", "x"], ["filter", "rm", "n"], ["new", "T", "-b", "x", "--quiet"], ["close", "x"],
  ])
  func `a command parsed alone is the one that is parsed among all commands`(words: [String]) throws {
    let words = try Arguments.prepare(words)
    let type = try #require(SlipboxCommand.command(named: words[0]))
    let (alone, amongAll) = (try type.parsedAlone(words), try SlipboxCommand.parseAsRoot(words))
    #expect(String(reflecting: alone) == String(reflecting: amongAll))
  }

  /// A version or an unknown option is left to the parse with all commands, which words the message.
  @Test(arguments: [["list", "--version"], ["list", "--json", "--nothing"], ["overview", "more"]])
  func `a command parsed alone refuses the words that are refused among all commands`(words: [String]) throws
  {
    let type = try #require(SlipboxCommand.command(named: words[0]))
    #expect(throws: (any Error).self) { try type.parsedAlone(words) }
    #expect(throws: (any Error).self) { try SlipboxCommand.parseAsRoot(words) }
  }

  @Test func aWordIsWhatWasTyped() {
    #expect(Word(argument: "\u{1}-later")?.text == "-later")
    #expect(Word(argument: "plain")?.text == "plain")
  }
}
