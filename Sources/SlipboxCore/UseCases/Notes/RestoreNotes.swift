import Bytes
import Git
package import NoteIndex
import Notes
import Text

/// Brings notes back from history as they were, byte by byte.
package struct RestoreNotes {
  private let now: BoxSnapshot
  private let context: CommandContext
  private let reason: String?

  package init(_ now: BoxSnapshot, _ context: CommandContext, reason: String?) {
    self.now = now
    self.context = context
    self.reason = reason
  }

  /// A note as it was, and its note of now; nil if there is none.
  private struct Restored {
    let past: Entry
    let present: Entry?

    /// A note keeps the place that it has.
    var path: [UInt8] { present?.note.path ?? past.note.path }
  }

  /// The plan that brings deleted notes back as they last were, and the notes.
  /// - Throws: `.notFound` for a REF that names no deleted note, `.badData` if several fit, `.cannotCreate` if a
  ///   place is taken.
  package func plan(_ references: [String]) throws(SlipboxError) -> (plan: Plan, entries: [Entry]) {
    let deleted = try DeletedNotes(of: now, context)
    var restored: [Restored] = []
    for reference in references {
      restored.append(Restored(past: try deletedEntry(reference, deleted), present: nil))
    }
    return (try plan(restored, asOf: nil), restored.map(\.past))
  }

  /// The plan that brings back the deleted notes that a query finds, and the notes.
  package func plan(query: [String]) throws -> (plan: Plan, entries: [Entry]) {
    guard let deleted = try DeletedNotes(of: now, context) else { return (try plan([], asOf: nil), []) }
    let matches = try deleted.matches(try deleted.snapshot.query(query))
    let found = matches.map { Restored(past: $0.entry, present: nil) }
    return (try plan(found, asOf: nil), found.map(\.past))
  }

  /// The plan that restores notes as they were at a point in the past, deleted ones included, and the notes.
  /// - Throws: as `plan(_:)`; `.notFound` if a note was not there.
  package func plan(
    _ references: [String], at point: PastPoint
  ) throws(SlipboxError) -> (plan: Plan, entries: [Entry]) {
    let past = try PastNotes(of: now, at: point, context)
    var restored: [Restored] = []
    for reference in references {
      let entry = try entry(reference, past)
      restored.append(Restored(past: entry, present: try present(entry, reference)))
    }
    return (try plan(restored, asOf: point), restored.map { $0.present ?? $0.past })
  }
}

extension RestoreNotes {
  /// The last version of a deleted note.
  private func deletedEntry(_ reference: String, _ deleted: DeletedNotes?) throws(SlipboxError) -> Entry {
    let missing: SlipboxError
    do throws(SlipboxError) {
      if let deleted { return try deleted.entry(reference) }
      missing = SlipboxError(.notFound, "no notes have been deleted")
    } catch {
      guard error.kind == .notFound else { throw error }
      missing = error
    }
    if let present = try? NoteLookup(in: now).entry(reference, fuzzy: false, isStrict: true) {
      let note = present.note
      throw SlipboxError(
        .notFound, "\(note.title) (\(note.shownName)) is not deleted",
        hints: [
          "\(slip: "restore", .note(note), "--at", "REV") restores an earlier version; \(slip: "log", .note(note)) shows them"
        ])
    }
    // A file that was taken away, and not yet committed.
    if let tip = try now.box.tip(),
      let entry = try? NoteLookup(in: CommitReader(now.box, context).snapshot(of: tip)).entry(
        reference, fuzzy: false, isStrict: true)
    {
      return entry
    }
    var near: [Phrase] = ["\(slip: "list", "--deleted") lists the deleted notes"]
    if case .noNote(_, isNear: true)? = missing.fact { near = missing.hints }
    throw SlipboxError(.notFound, "no deleted note \(reference)", hints: near)
  }

  /// A note as it was then, found by its name of now or of then, or by the last one that it had.
  private func entry(_ reference: String, _ past: PastNotes) throws(SlipboxError) -> Entry {
    do throws(SlipboxError) {
      return try past.entry(reference, fuzzy: false)
    } catch {
      guard error.kind == .notFound, let deleted = try DeletedNotes(of: now, context),
        let last = try? deleted.entry(reference), let entry = try past.entry(of: last)
      else { throw error }
      return entry
    }
  }

  /// The note that is now what another one was: by its id, else by the name that it was called.
  private func present(_ past: Entry, _ reference: String) throws(SlipboxError) -> Entry? {
    if let id = past.note.id { return try now.catalogue().entry(id: id) }
    guard let named = try? NoteLookup(in: now).entry(reference, fuzzy: false, isStrict: true),
      named.note.id == nil
    else { return try renamed(past) }
    return named
  }

  /// So many renames of a note are followed.
  private static let mostRenames = 100

  /// The note without an id that a note of the past is now, under the path that renames have given it.
  private func renamed(_ past: Entry) throws(SlipboxError) -> Entry? {
    let (box, catalogue) = (now.box, try now.catalogue())
    guard let tip = try box.tip() else { return nil }
    var path = past.note.path
    for _ in 0..<Self.mostRenames {
      if let entry = catalogue.entry(path: path) { return entry.note.id == nil ? entry : nil }
      let name = box.repositoryPath(path)
      let next = try box.git { repository throws(GitError) -> [UInt8]? in
        var last: ObjectID?
        try repository.history.visit(from: tip, touching: [name], limit: 1) { commit in
          last = commit.id
          return false
        }
        guard let last else { return nil }
        return try RenameReader(repository, below: box.prefix).pathsInBox(renamedBy: last)[path]
      }
      guard let next else { return nil }
      path = next
    }
    return nil
  }

  private func plan(_ restored: [Restored], asOf point: PastPoint?) throws(SlipboxError) -> Plan {
    var paths: Set<[UInt8]> = []
    var (edits, exposed): ([FileEdit], [[UInt8]]) = ([], [])
    var retitled: [NoteRename] = []
    for note in restored where paths.insert(note.path).inserted {
      let bytes = try now.box.workTreeBytes(of: note.past.note.text.bytes, at: note.path)
      if let refusal = try occupation(of: note, bytes) { throw refusal }
      if try now.box.leavesFilter(from: note.past.note.path, to: note.path) {
        now.box.warnOfReadableText(of: note.past.note.mention, now.reporter)
        exposed.append(note.past.note.path)
      }
      edits.append(edit(note, bytes))
      if let present = note.present, !present.note.title.hasSameBytes(as: note.past.note.title) {
        retitled.append(NoteRename(present, change: { _ in NoteText(bytes) }))
      }
    }
    let links = try linkEdits(retitled)
    // The typed date may mean another commit tomorrow.
    let date = point.map { ", as of \(String($0.commit.hex.prefix(8)))" } ?? ""
    var plan = Plan(command: "restore", reason: reason, edits: edits + (links?.edits ?? [])) {
      [paths] changes in
      let notes = changes.filter { paths.contains($0.path) }
      guard notes.count == 1, let bytes = notes[0].after else { return "Restore \(notes.count) notes\(date)" }
      let note = Note(path: notes[0].path, text: NoteText(bytes))
      return "Restore \(note.kind): \(note.title)\(date)"
    }
    plan.exposed = exposed
    if let links { plan.links = links.report }
    return plan
  }

  /// The edits of other notes whose links have the present titles of notes that get an earlier title back.
  private func linkEdits(
    _ retitled: [NoteRename]
  ) throws(SlipboxError) -> (edits: [FileEdit], report: LinkReport)? {
    guard !retitled.isEmpty else { return nil }
    do throws(SlipboxError) {
      let plan = try RenameNotes(in: now).plan(retitled, command: "restore", reason: reason) { _ in "" }
      let own = Set(retitled.map(\.path))
      return (plan.edits.filter { !own.contains($0.path) }, plan.links)
    } catch {
      // Such as another note that has the earlier title now.
      guard error.kind == .badData else { throw error }
      now.reporter.warnOnce("the links to it were not changed: \(error.message)")
      return nil
    }
  }

  private func edit(_ note: Restored, _ bytes: [UInt8]) -> FileEdit {
    let path = note.path
    guard note.present == nil else { return FileEdit(path: path) { _ in bytes } }
    return FileEdit(path: path) { (before) throws(SlipboxError) in
      guard before == nil || before == bytes else { throw Self.taken(path, nil, note.past) }
      return bytes
    }
  }

  /// Why a note can't come back to its place; nil if it can.
  private func occupation(of note: Restored, _ bytes: [UInt8]) throws(SlipboxError) -> SlipboxError? {
    guard note.present == nil else { return nil }
    let catalogue = try now.catalogue()
    if let id = note.past.note.id, let other = catalogue.entry(id: id), other.note.path != note.path {
      return SlipboxError(
        .cannotCreate, "the id \(id) is in the box, at \(other.note.path)",
        hints: [
          "\(slip: "restore", .value(id.description), "--at", "REV") restores that note; \(slip: "rm", .value(other.note.path)) deletes it"
        ])
    }
    guard let there = try now.box.bytes(at: note.path), there != bytes else { return nil }
    return Self.taken(note.path, catalogue.entry(path: note.path), note.past)
  }

  private static func taken(_ path: [UInt8], _ other: Entry?, _ past: Entry) -> SlipboxError {
    let by: Phrase = other.map { "\($0.note.shownName)  \($0.note.title)" } ?? "another file"
    return SlipboxError(
      .cannotCreate, "the path of \(past.note.mention) is in use: \(path) is \(by)",
      hints: [
        "move that file first: mv \(typed: path) ELSEWHERE, then \(slip: "commit"), then \(slip: "restore", .note(past.note))"
      ])
  }
}
