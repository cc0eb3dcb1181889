import Foundation
import SlipboxTesting
import Testing

/// Every command as people type it: `Fixtures/transcripts`.
///
/// `SLIPBOX_RECORD=1 swift test` writes them anew, `SLIPBOX_TRANSCRIPT=sync` takes those alone whose names have the word.
@Suite struct TranscriptTests {
  static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().appendingPathComponent("Fixtures/transcripts")

  static var names: [String] {
    let files = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
    let word = ProcessInfo.processInfo.environment["SLIPBOX_TRANSCRIPT"] ?? ""
    return files.filter { $0.hasSuffix(".txt") && (word.isEmpty || $0.contains(word)) }.sorted()
  }

  @Test func thereAreTranscripts() { #expect(Self.names.count > 10) }

  /// Each mistake at the prompt is refused with what, where and what to do; none is done in silence.
  @Test func everyMistakeIsExplained() throws {
    let text = try String(contentsOf: Self.folder.appendingPathComponent("mistakes.txt"), encoding: .utf8)
    let steps = Transcript(name: "mistakes", text: text).steps.dropFirst()
    #expect(steps.count > 200)
    for step in steps where step.output.last?.hasPrefix("? ") == true {
      let code = step.output.last.flatMap { Int($0.dropFirst(2)) } ?? 0
      #expect([64, 65, 66, 77].contains(code), "\(step.command)")
      #expect(step.output.contains { $0.hasPrefix("! slip: ") }, "\(step.command)")
    }
    let accepted = steps.filter { $0.output.last?.hasPrefix("? ") != true }.map(\.command)
    #expect(accepted == ["slip show Sourdoug", "slip config path"])
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
