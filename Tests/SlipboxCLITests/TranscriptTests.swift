import Foundation
import SlipboxTesting
import Testing

@testable import SlipboxCLI

/// Every command as people type it: `Fixtures/transcripts`.
///
/// `SLIPBOX_RECORD=1 swift test` writes them anew, `SLIPBOX_TRANSCRIPT=sync` takes those alone whose names have the word.
@Suite struct TranscriptTests {
  static let folder = URL(fileURLWithPath: Snapshot.fixtures).appendingPathComponent("transcripts")

  /// The names of all transcripts.
  static let allNames = ((try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? [])
    .filter { $0.hasSuffix(".txt") }.sorted()

  /// The names of the transcripts that run.
  static var names: [String] {
    let word = ProcessInfo.processInfo.environment["SLIPBOX_TRANSCRIPT"] ?? ""
    return allNames.filter { word.isEmpty || $0.contains(word) }
  }

  @Test func thereAreTranscripts() { #expect(Self.allNames.count > 100) }

  /// The name of a transcript says which command it is about. `slip` stands for all commands.
  @Test(arguments: allNames) func theNameBeginsWithACommand(_ name: String) {
    let first = name.prefix { $0 != "-" && $0 != "." }
    let places =
      ["slip", "tutorial", CommandName.help] + CommandName.actions + CommandName.allCases.map(\.rawValue)
    #expect(places.contains(String(first)) || Self.namesOfOld.contains(name))
  }

  /// Names that the page of failures refers to.
  private static let namesOfOld = [
    "git-settings.txt", "hostile-words.txt", "not-now.txt", "odd-names.txt", "template-faults.txt",
  ]

  private static let mistakes =
    allNames.filter { $0.hasSuffix("-mistakes.txt") } + ["slip-unknown-commands.txt"]

  /// The steps of the transcripts of mistakes, without those that make the box.
  private static func mistakeSteps(_ name: String) throws -> [Transcript.Step] {
    let text = try String(contentsOf: folder.appendingPathComponent(name), encoding: .utf8)
    return Array(Transcript(name: name, text: text).steps.dropFirst())
  }

  /// Each mistake at the prompt is refused with what, where and what to do; none is done in silence.
  @Test(arguments: mistakes) func everyMistakeIsExplained(_ name: String) throws {
    for step in try Self.mistakeSteps(name) where step.output.last?.hasPrefix("? ") == true {
      let code = step.output.last.flatMap { Int($0.dropFirst(2)) } ?? 0
      #expect([64, 65, 66, 77].contains(code), "\(step.command)")
      #expect(step.output.contains { $0.hasPrefix("! slip: ") }, "\(step.command)")
    }
  }

  @Test func fewMistakesAreAccepted() throws {
    let steps = try Self.mistakes.flatMap { try Self.mistakeSteps($0) }
    #expect(steps.count > 250)
    let accepted = steps.filter { $0.output.last?.hasPrefix("? ") != true }.map(\.command)
    #expect(accepted.sorted() == ["slip config path", "slip show Sourdoug"])
  }

  @Test func aStepBetweenOthersChangesNoIdAndNoTime() throws {
    let before = "$ slip init -q .\n$ slip new One -q\n"
    let after = "$ slip new Two -q\n$ slip list Two\n"
    let rows = try ["", "# clock +0m\n$ slip new Between -q\n"].map { between in
      let shell = try Shell()
      let transcript = Transcript(name: "", text: before + between + after)
      return try transcript.run(in: shell.folder, environment: shell.environment).steps.last?.output
    }
    #expect(rows[0]?.first?.hasSuffix("\tnote\t2026-11-21T09:33:00+01:00\tTwo\t") == true)
    #expect(rows[0] == rows[1])
  }

  @Test(arguments: names) func saysWhatItSaid(_ name: String) throws {
    let file = Self.folder.appendingPathComponent(name)
    let recorded = Transcript(name: name, text: try String(contentsOf: file, encoding: .utf8))
    let shell = try Shell()
    let ran = try recorded.run(in: shell.folder, environment: shell.environment) {
      try shell.check(after: $0)
    }
    if Snapshot.isRecording {
      try ran.text.write(to: file, atomically: true, encoding: .utf8)
    } else {
      for (old, new) in zip(recorded.steps, ran.steps) where old != new {
        Issue.record(
          "\(name): $ \(old.command)\nwas:\n\(old.output.joined(separator: "\n"))\nis:\n\(new.output.joined(separator: "\n"))"
        )
      }
    }
    try shell.checkRepository()
  }
}
