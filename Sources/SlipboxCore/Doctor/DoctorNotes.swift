import NoteIndex
import Notes
import Text

/// Finds the faults of single notes.
struct NoteCheck: Sendable {
  let now: Timestamp
  /// Whether git stopped in a merge that a sync finishes.
  let isStopped: Bool

  /// Returns all faults of single notes.
  ///
  /// - Complexity: O(n), on several threads; only the texts of notes that have or may have faults are read.
  func findings(_ entries: Entries) throws(SlipboxError) -> [Finding] {
    let facts = EntryFacts(entries)
    return try entries.flatMapChunks(executor: Processors.all) { (places) throws(SlipboxError) in
      var findings: [Finding] = []
      for place in places {
        let suspects: NoteFacts.Flags = [.hasProblems, .hasMergeMarkers]
        let isSuspect = facts.flags(at: place).map { !$0.isDisjoint(with: suspects) } ?? true
        guard isSuspect || isAhead(entries.key(at: place).created) else { continue }
        findings += try self.findings(entries[place])
      }
      return findings
    }
  }

  /// Returns all faults of a note, whose text is read.
  private func findings(_ entry: Entry) throws(SlipboxError) -> [Finding] {
    let text = try entry.note.text
    return frontMatterFindings(entry.note, text) + inlineFindings(entry.note)
      + mergeFindings(entry.note, text) + dateFindings(entry)
  }

  private func frontMatterFindings(_ note: Note, _ text: NoteText) -> [Finding] {
    // TOML is read-only here, which is not a fault of the note.
    guard text.format != .toml else { return [] }
    var problems = note.frontMatter.problems
    // Bytes that are not text prevent every change of a note, even if they are in the body.
    if let unreadable = text.unreadable, !problems.contains(where: { $0.line == unreadable.line }) {
      problems.append(unreadable)
    }
    return problems.map { problem in
      Finding(
        .frontMatter, note.path, line: problem.line, column: problem.column, Phrase(problem.message),
        remedy: "\(slip: "edit", .note(note))")
    }
  }

  private func inlineFindings(_ note: Note) -> [Finding] {
    note.shadowedInlineFields.map { field in
      Finding(
        .frontMatter, note.path, line: field.line,
        "\(field.name) is also in the front matter, and that value is used",
        remedy: "remove one of the two: \(slip: "edit", .note(note))")
    }
  }

  private func mergeFindings(_ note: Note, _ text: NoteText) -> [Finding] {
    guard let line = MergeMarkers.firstLine(in: text.bytes) else { return [] }
    let edit: Phrase = "\(slip: "edit", .note(note))"
    // The rules of the kinds decide no conflict that can't be merged without them.
    let isMergeable = MarkedText(text.bytes)?.merged() != nil
    return [
      Finding(
        .merge, note.path, line: line, "a conflict marker of an unfinished merge",
        remedy: isStopped
          ? "\(slip: "resolve", "--yes") merges the notes and finishes what git began"
          : isMergeable
            ? "\(slip: "heal") keeps both versions as a conflict, or resolve it: \(edit)"
            : "the versions can't be merged; remove the markers: \(edit)")
    ]
  }

  /// The tolerated difference between clocks, in seconds.
  private static let clockTolerance: Int64 = 300

  /// Returns whether a date is in the future.
  private func isAhead(_ created: Timestamp) -> Bool {
    // A date without a time counts as midnight UTC, so today's date may be ahead.
    let isDateAlone = created.offsetSeconds == 0 && created.seconds % 86_400 == 0
    return isDateAlone
      ? created.civilDate > now.civilDate : created.seconds > now.seconds + Self.clockTolerance
  }

  private func dateFindings(_ entry: Entry) -> [Finding] {
    guard let created = entry.note.created else { return [] }
    guard isAhead(created) else { return [] }
    let field = entry.note.frontMatter.fields.first { Note.createdFields.contains($0.name.lowercased()) }
    return [
      Finding(
        .dates, entry.note.path, line: field?.line, "created \(created.rfc3339) is in the future",
        remedy: "\(slip: "set", .note(entry.note), "created:DATE")")
    ]
  }
}

/// Finds links that slip resolves and Obsidian does not.
struct ObsidianCheck {
  private let snapshot: BoxSnapshot

  init(in snapshot: BoxSnapshot) { self.snapshot = snapshot }

  /// Returns the links of an Obsidian vault by titles, aliases and ids; empty in other layouts.
  ///
  /// Obsidian resolves only the names of files. It offers titles and aliases only while a link is typed, and then writes
  /// `[[file|alias]]`.
  /// Source: Obsidian Help, "Aliases": "Obsidian creates the link with the alias as its custom display text".
  /// - Complexity: O(n) in all links.
  func findings(_ entries: Entries) throws(SlipboxError) -> [Finding] {
    guard snapshot.settings.sameNames == .obsidian else { return [] }
    let graph = LinkGraph(entries, executor: Processors.all)
    return try graph.linksByTitle().map { (place, links) throws(SlipboxError) in
      let note = entries[place].note
      let positions = try note.text.positions(of: links.map(\.link.range.lowerBound))
      return zip(links, positions).map { found, position in
        let spelling = LinkSpelling(found.link, reading: found.reading)
        return Finding(
          .links, note.path, line: position.line, column: position.column,
          "Obsidian does not find the note of \(Self.shown(found.link)): no file has that name",
          way: .automatic, remedy: "writes the name of its file, \(found.name)",
          repair: .relink(
            form: found.link.form, target: found.link.target, name: found.name, reading: found.reading,
            label: found.link.form == .wiki ? String(decoding: spelling.name, as: UTF8.self) : nil))
      }
    }.flatMap { $0 }
  }

  private static func shown(_ link: BodyScan.Link) -> String {
    let target = Phrase(link.target)
    return switch link.form {
    case .wiki: "[[\(target)]]"
    case .embed: "![[\(target)]]"
    default: "the link to \(target)"
    }
  }
}
