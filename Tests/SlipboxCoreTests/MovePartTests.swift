import NoteIndex
import Notes
import SlipboxTesting
import Testing

@testable import SlipboxCore

/// Parts of notes that move, in notes made at random.
@Suite struct MovePartTests {
  private static let lines = [
    "text", "- item", "- [ ] box", "> quoted", "    indented", "| a | b |", "שלום", "wide 文字", "tab\there",
    "",
    "[[#S1]] and [[Other#S2|two]]", "[s](b.md#s3)", "[[B#S2]]",
  ]

  /// A note with sections of several levels; the names of the sections are those of the note.
  private func note(_ title: String, _ names: [String], _ random: inout SplitMix64) -> String {
    let end = Bool.random(using: &random) ? "\r\n" : "\n"
    var lines = ["# \(title)", ""]
    for name in names {
      lines.append(String(repeating: "#", count: Int.random(in: 2...4, using: &random)) + " " + name)
      lines.append("")
      for _ in 0..<Int.random(in: 0..<4, using: &random) {
        lines.append(Self.lines.randomElement(using: &random) ?? "")
      }
      if Bool.random(using: &random) { lines.append("") }
    }
    let isEnded = Int.random(in: 0..<4, using: &random) > 0
    return lines.joined(separator: end) + (isEnded ? end : "")
  }

  /// The lines that say something, without the marks of headings and the targets of links, which may change.
  private func content(_ texts: [String]) -> [String] {
    let lines = texts.flatMap { $0.split(whereSeparator: \.isNewline) }.map { line in
      line.drop { $0 == "#" }.replacing(/\[\[.*?\]\]|\]\(.*?\)/, with: "")
    }
    return lines.map { String($0) }.filter { !$0.allSatisfy { $0 == " " } }.sorted()
  }

  @Test(arguments: UInt64(0)..<120) func `nothing is lost, and no link breaks`(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    let names = (1...6).map { "S\($0)" }
    let own = Array(names.prefix(3)), others = Array(names.suffix(3))
    let box = try WritingBox([
      "a.md": note("A", own, &random), "b.md": note("B", ["S1", "S2", "S3"] + others, &random),
      "other.md": note("Other", ["S1", "S2"], &random),
    ])
    let paths = ["a.md", "b.md", "other.md"]
    let before = paths.map(box.text)
    let snapshot = try box.snapshot()
    let broken = try NoteWeb(snapshot).unresolvedLinks().reduce(0) { $0 + $1.links.count }
    let entry = try NoteLookup(in: snapshot).entry("a.md", fuzzy: false)
    let isWithin = Int.random(in: 0..<3, using: &random) == 0
    let place = (isWithin ? own : others).randomElement(using: &random) ?? ""
    let target = NamedPart(
      entry: isWithin ? entry : try NoteLookup(in: snapshot).entry("b.md", fuzzy: false),
      part: Bool.random(using: &random) ? .heading(place) : nil)
    let part = NotePart.heading(own.randomElement(using: &random) ?? "")
    let writer = BoxWriter(snapshot.box, context(in: box.folder.path, box.listener), after: snapshot)
    do throws(SlipboxError) {
      _ = try writer.record(try MovePart(in: snapshot).plan(part, of: entry, to: target))
    } catch {
      // A section can't go into itself, and links that would become ambiguous are refused.
      #expect([.usage, .badData].contains(error.kind), "\(error)")
      #expect(paths.map(box.text) == before)
      return
    }
    #expect(content(paths.compactMap(box.text)) == content(before.compactMap { $0 }))
    #expect(try NoteWeb(try box.snapshot()).unresolvedLinks().reduce(0) { $0 + $1.links.count } <= broken)
    let unchanged = isWithin ? ["b.md", "other.md"] : ["other.md"]
    for path in unchanged {
      let lines = { (text: String?) in text.map { content([$0]) } }
      #expect(lines(box.text(path)) == lines(before[paths.firstIndex(of: path) ?? 0]))
    }
  }
}
