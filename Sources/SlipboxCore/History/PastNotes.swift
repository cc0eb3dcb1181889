import Git
package import NoteIndex
import Notes
import Platform
import Text

/// Notes that people name now, as they were at a point in the past.
package struct PastNotes {
  private let now: BoxSnapshot
  private let point: PastPoint
  /// The box at that point.
  package let snapshot: BoxSnapshot

  package init(of now: BoxSnapshot, at point: PastPoint, _ context: CommandContext) throws(SlipboxError) {
    self.now = now
    self.point = point
    snapshot = try now.box.snapshot(at: point, context)
  }

  /// The notes that REFs name, each once, in their order.
  package func entries(_ references: [String], fuzzy: Bool) throws(SlipboxError) -> [Entry] {
    var seen: Set<[UInt8]> = []
    var entries: [Entry] = []
    for reference in references {
      let entry = try entry(reference, fuzzy: fuzzy)
      if seen.insert(entry.note.path).inserted { entries.append(entry) }
    }
    return entries
  }

  /// The note that a REF names now, as it was then; where it names none now, the one that it named then.
  ///
  /// A note with an id is found by it, others by their path, through renames that left their bytes as they were.
  /// - Throws: as `BoxSnapshot.entry(_:fuzzy:)`; `.notFound` where the note was not there.
  package func entry(_ reference: String, fuzzy: Bool) throws(SlipboxError) -> Entry {
    let present: Entry
    do throws(SlipboxError) {
      present = try now.entry(reference, fuzzy: fuzzy)
    } catch {
      guard error.kind == .notFound else { throw error }
      return try formerEntry(reference, fuzzy: fuzzy)
    }
    if let entry = try entry(of: present) { return entry }
    throw SlipboxError(
      .notFound, "\(present.note.mention) was not in the box as of \(Visible.escape(point.name))",
      hints: [
        "it was created \(present.created.rfc3339.prefix(16)); slip log \(present.note.shellName) shows its commits"
      ])
  }

  /// A note of now, as it was then; nil where it was not there.
  func entry(of present: Entry) throws(SlipboxError) -> Entry? {
    let path = present.note.path
    guard let id = present.note.id else {
      guard let former = try formerPath(of: path) else { return nil }
      return try snapshot.committedEntry(former)
    }
    // Mostly it was where it is.
    if let entry = try snapshot.committedEntry(path), entry.note.id == id { return entry }
    return try snapshot.catalogue().entry(id: id)
  }

  private func formerPath(of path: [UInt8]) throws(SlipboxError) -> [UInt8]? {
    let box = snapshot.box
    guard let tip = try box.tip() else { return nil }
    let index = try box.historyIndex(at: tip, snapshot.reporter)
    let former = try box.git { _ throws(GitError) in
      try index.path(of: box.repositoryPath(path), at: point.commit)
    }
    // What is not committed now may have been then.
    return former.map { Array($0.dropFirst(box.prefix.count)) } ?? path
  }

  private func formerEntry(_ reference: String, fuzzy: Bool) throws(SlipboxError) -> Entry {
    do throws(SlipboxError) {
      return try snapshot.entry(reference, fuzzy: fuzzy)
    } catch {
      guard case .noNote(reference, _)? = error.fact else { throw error }
      throw SlipboxError(
        .notFound,
        "no note \(Visible.escape(reference)), neither now nor as of \(Visible.escape(point.name))",
        hints: error.hints)
    }
  }
}

extension BoxSnapshot {
  /// The note in the file at a path of the commit, without a look at others; nil where there is no such file.
  func committedEntry(_ path: [UInt8]) throws(SlipboxError) -> Entry? {
    guard FileName.isNote(path), let bytes = try bytes(at: path) else { return nil }
    let note = Note(path: path, text: NoteText(bytes))
    let noFile = FileStamp(size: 0, modified: 0, changed: 0, inode: 0)
    let created = note.created ?? times.created(undated: path, noFile)
    return Entry(note: note, created: created, kind: kindMatcher().kind(of: note, created: created))
  }
}
