package import NoteIndex
package import Notes
import Text

/// A note, and the part of it that a reference names.
package struct NamedPart: Sendable {
  package let entry: Entry
  /// Nil for the whole note.
  package let part: NotePart?

  package init(entry: Entry, part: NotePart?) {
    self.entry = entry
    self.part = part
  }
}

extension BoxSnapshot {
  /// The note that a REF names, or the part of one: `REF#HEADING`, `REF#^block`, `REF:LINE`, `REF:FIRST-LAST`.
  ///
  /// A note whose id, path or title is the whole text comes first, then the longest name of a note that has such a part,
  /// then the longest name, and last the longest name that resembles a title.
  /// - Throws: as `entry(_:fuzzy:)`.
  package func namedPart(
    _ reference: String, fuzzy: Bool, isStrict: Bool = false
  ) throws(SlipboxError) -> NamedPart {
    let readings = NotePart.readings(of: reference)
    if !readings.isEmpty {
      if let entry = try existing(reference, fuzzy: false, isStrict) {
        return NamedPart(entry: entry, part: nil)
      }
      if let named = try named(readings, fuzzy: false, isStrict) { return named }
      if fuzzy, let named = try named(readings, fuzzy: true, isStrict) { return named }
    }
    return NamedPart(entry: try entry(reference, fuzzy: fuzzy, isStrict: isStrict), part: nil)
  }

  /// The first of the readings whose note has such a part, else the first with a note.
  private func named(
    _ readings: [(name: String, part: NotePart)], fuzzy: Bool, _ isStrict: Bool
  ) throws(SlipboxError) -> NamedPart? {
    var first: NamedPart?
    for (name, part) in readings {
      guard let entry = try existing(name, fuzzy: fuzzy, isStrict) else { continue }
      let named = NamedPart(entry: entry, part: part)
      if readings.count == 1 || (try? entry.note.text.span(of: part, takesFirst: true)) != nil {
        return named
      }
      first = first ?? named
    }
    return first
  }

  /// The part of a note that a REF names; nil if it names a whole note, or none.
  ///
  /// - Throws: as `entry(_:fuzzy:)` if several notes have the name, or if it can't be read.
  package func part(
    _ reference: String, fuzzy: Bool, isStrict: Bool = false
  ) throws(SlipboxError) -> (entry: Entry, part: NotePart)? {
    guard !NotePart.readings(of: reference).isEmpty else { return nil }
    do throws(SlipboxError) {
      let named = try namedPart(reference, fuzzy: fuzzy, isStrict: isStrict)
      return named.part.map { (named.entry, $0) }
    } catch {
      guard error.kind == .notFound else { throw error }
      return nil
    }
  }

  /// The notes that REFs name, as far as they name parts too.
  package func namedParts(_ references: [String], fuzzy: Bool) throws(SlipboxError) -> [NamedPart] {
    var parts: [NamedPart] = []
    for reference in references { parts.append(try namedPart(reference, fuzzy: fuzzy)) }
    return parts
  }

  /// Nil if no note has the name.
  private func existing(_ name: String, fuzzy: Bool, _ isStrict: Bool) throws(SlipboxError) -> Entry? {
    do throws(SlipboxError) {
      return try entry(name, fuzzy: fuzzy, isStrict: isStrict, suggests: false)
    } catch {
      guard error.kind == .notFound else { throw error }
      return nil
    }
  }

  /// Where a part of a note is.
  ///
  /// - Throws: `.notFound` with what the note has instead, `.badData` if the name fits several parts, `.usage` for lines of
  ///   front matter.
  package static func span(of part: NotePart, in note: Note, _ text: NoteText) throws(SlipboxError)
    -> PartSpan
  {
    do throws(PartProblem) {
      return try text.span(of: part)
    } catch {
      throw refusal(of: error, part, in: note, text)
    }
  }

  static func refusal(
    of problem: PartProblem, _ part: NotePart, in note: Note, _ text: NoteText
  ) -> SlipboxError {
    let (shown, typed) = (note.mention, Phrase(part.typed.drop { "#:".contains($0) }.description))
    switch problem {
    case .noHeading, .severalHeadings:
      return headingRefusal(of: problem, typed, in: note, text)
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
