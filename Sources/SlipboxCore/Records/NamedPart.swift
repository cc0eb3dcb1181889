package import NoteIndex
package import Notes
import Text

/// A note, and the part of it that a reference names.
package struct NamedPart: Sendable {
  package let entry: Entry
  /// The part; nil for the whole note.
  package let part: NotePart?

  package init(entry: Entry, part: NotePart?) {
    self.entry = entry
    self.part = part
  }
}

extension NotePart {
  /// Returns the place of the part in a note.
  ///
  /// - Throws: `.notFound` with the existing parts of the note, `.badData` if the name matches several parts, `.usage`
  ///   for lines of front matter.
  package func span(in note: Note, _ text: NoteText) throws(SlipboxError) -> PartSpan {
    do throws(PartProblem) {
      return try text.span(of: self)
    } catch {
      throw refusal(error, in: note, text)
    }
  }

  func refusal(_ problem: PartProblem, in note: Note, _ text: NoteText) -> SlipboxError {
    let (shown, typed) = (note.mention, Phrase(self.typed.drop { "#:".contains($0) }.description))
    switch problem {
    case .noHeading, .severalHeadings:
      return Self.headingRefusal(of: problem, typed, in: note, text)
    case .noBlock:
      let names: [Phrase] = BlockNames.all(in: text).prefix(10).map { "  \($0.name)" }
      return SlipboxError(
        .notFound, "\(shown) has no block \(typed)",
        hints: names.isEmpty
          ? ["a block has its name at the end of its line, as ^name"] : ["its blocks are:"] + names)
    case .severalBlocks(let lines):
      return SlipboxError(
        .badData, "\(typed) matches \(lines.count) blocks of \(shown)",
        hints: lines.map { "  line \($0)" } + ["name the line: REF:LINE"])
    case .noLine(let count):
      return SlipboxError(
        .notFound, "\(shown) has no line \(typed)",
        hints: ["it has \(count) \(count == 1 ? "line" : "lines")"])
    case .frontMatter:
      return SlipboxError(
        .usage, "line \(typed) of \(shown) is in its front matter",
        hints: ["\(slip: "set") changes fields; \(slip: "edit") opens the file"])
    }
  }

  private static func headingRefusal(
    of problem: PartProblem, _ typed: Phrase, in note: Note, _ text: NoteText
  ) -> SlipboxError {
    let anchors = HeadingAnchors(text)
    let lines = { (numbers: [Int]) in
      numbers.prefix(10).map { number in
        let line = text.position(of: anchors.headings[number].lines.lowerBound).line
        return "  line \(line): \(anchors.texts[number])"
      } + SlipboxError.more(numbers.count - 10)
    }
    guard case .severalHeadings(let numbers) = problem else {
      let all = lines(Array(anchors.headings.indices))
      return SlipboxError(
        .notFound, "\(note.mention) has no heading \(typed)",
        hints: all.isEmpty ? [] : ["its headings are:"] + all)
    }
    return SlipboxError(
      .badData, "\(typed) matches \(numbers.count) headings of \(note.mention)",
      hints: lines(numbers) + ["add the line: REF#HEADING:LINE"])
  }
}
