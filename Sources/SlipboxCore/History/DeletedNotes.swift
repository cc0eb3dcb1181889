import Bytes
package import Git
package import NoteIndex
package import Notes
import Platform
package import Text

/// The notes that are in history but no longer in the box, each as it was before its deletion.
package struct DeletedNotes: Sendable {
  /// The notes, as a separate box that answers every query.
  package let snapshot: BoxSnapshot
  let files: [[UInt8]: DeletedFile]

  /// Finds the deleted notes of a box; nil before the first commit.
  ///
  /// Of several deleted notes with one id, the one deleted last counts. A note does not count if its id still exists
  /// under another path, even in a file that can't be read here. If the path of a deleted note is in use again, the note
  /// counts only if it has an id.
  /// - Complexity: linear in the index of history, after the last version of each deleted note was read once.
  package init?(of now: BoxSnapshot, _ context: CommandContext) throws(SlipboxError) {
    let box = now.box
    guard let tip = try box.tip() else { return nil }
    var found: [[UInt8]: DeletedFile] = [:]
    for file in try box.deletedFiles(at: tip, now.reporter) {
      found[Array(file.path.dropFirst(box.prefix.count))] = file
    }
    let files = found
    self.files = files
    let times = NoteTimes(box, at: tip, context, gone: files.mapValues(\.last))
    snapshot = BoxSnapshot(box, .commit(tip), settings: now.settings, context, times: times) {
      (snapshot) throws(SlipboxError) in
      .commit(try Self.notes(of: snapshot, files, now))
    }
  }

  private static func notes(
    of snapshot: BoxSnapshot, _ files: [[UInt8]: DeletedFile], _ now: BoxSnapshot
  ) throws(SlipboxError) -> CommitNotes {
    let kept = snapshot.keptCatalogue()
    let all = files.map { CommitNotes.File(path: $0.key, content: ContentID($0.value.last.blob.bytes)) }
      .sorted { ByteOrder.precedes($0.path, $1.path) }
    let read = try BlobNotes(snapshot, CatalogueMaking(snapshot, nil), kept).entries(of: all)
    let present = try now.catalogue().entries
    var living = Set(present.indices.compactMap { present.key(at: $0).id })
    // A note that moved behind a filter whose key is missing here is identified only by the id in its file name.
    living.formUnion(
      try now.unreadableNotes().compactMap {
        NoteID(String(decoding: FileName.stem(of: $0.path), as: UTF8.self))
      })
    // The last deletion of an id counts.
    let latest = read.entries.indices.sorted { left, right in
      let (one, two) = (files[read.entries[left].note.path], files[read.entries[right].note.path])
      // On one line of history the order of the commits decides, not their times.
      if let one, let two, one.order != two.order { return one.order > two.order }
      return one?.isLater(than: two) ?? false
    }
    var entries: [Entry] = []
    var renames = CommittedRenames(now.box)
    for place in latest {
      let note = read.entries[place].note
      if let id = note.id, !living.insert(id).inserted { continue }
      if note.id == nil, let file = files[note.path],
        file.isBack || renames.moved(note.path, in: file.deletedBy)
      {
        continue
      }
      entries.append(read.entries[place])
    }
    return CommitNotes(
      notes: ListedNotes(entries, linkedBy: now.settings.sameNames), unreadable: read.unreadable, kept: nil,
      files: all)
  }
}

/// The renames of commits: those that their messages list, and those that `slip log` follows. Each commit is read once.
struct CommittedRenames {
  private let box: Box
  private var moves: [ObjectID: [[UInt8]: [UInt8]]] = [:]

  init(_ box: Box) { self.box = box }

  /// Returns whether a commit renamed a note, so that the note still exists under another path.
  mutating func moved(_ path: [UInt8], in commit: ObjectID) -> Bool { target(of: path, in: commit) != nil }

  /// Returns the path to which a commit renamed a note; nil if it did not rename a note of that path.
  mutating func target(of path: [UInt8], in commit: ObjectID) -> [UInt8]? {
    if let known = moves[commit] { return known[path] }
    // A commit that can't be read has no renames.
    let found =
      (try? box.withRepository { repository in
        try RenameReader(repository, below: box.prefix).pathsInBox(renamedBy: commit)
      }) ?? [:]
    moves[commit] = found
    return found[path]
  }
}

extension DeletedNotes {
  /// Returns the notes that a query finds, in the order of the query. Without an order, the latest deletion is first.
  package func matches(_ query: Query) throws(SlipboxError) -> [Match] {
    guard query.sort.isEmpty else { return try snapshot.matches(query) }
    var all = query
    all.limit = nil
    let found = try snapshot.matches(all)
    let deleted = found.map { files[$0.entries.path(at: $0.place)] }
    let order = found.indices.sorted { deleted[$0]?.isLater(than: deleted[$1]) ?? false }
    return order.prefix(query.limit ?? .max).map { found[$0] }
  }

  /// Returns the deletion of a note; nil if the note is not one of these.
  /// - Complexity: one read of a commit.
  package func deletion(of note: Note) -> PastDeletion? {
    guard let file = files[note.path] else { return nil }
    // If the commit can't be read, its command is unknown.
    let commit = try? snapshot.box.git { repository throws(GitError) in try repository.read(file.deletedBy) }
    // If a merge dropped the note, its first parent does not have the note.
    let isDropped = file.order == 0 && (commit?.parents.count ?? 0) > 1
    return PastDeletion(
      commit: file.deletedBy, time: Timestamp(file.deleted),
      before: isDropped ? "\(file.last.modifiedBy.hex.prefix(8))" : "\(file.deletedBy.hex.prefix(8))~",
      command: commit.flatMap { OperationTrailers.operation(of: $0).command })
  }
}

extension DeletedFile {
  /// Returns whether the file was deleted after another one. If one commit deleted both, the path decides.
  fileprivate func isLater(than other: DeletedFile?) -> Bool {
    guard let other else { return true }
    let (own, others) = ((deleted.seconds, order), (other.deleted.seconds, other.order))
    return own == others ? ByteOrder.precedes(path, other.path) : own > others
  }
}

extension Box {
  /// Returns the files of notes that are in history but not in its tip, by their paths in the repository.
  func deletedFiles(at tip: ObjectID, _ reporter: Reporter) throws(SlipboxError) -> [DeletedFile] {
    let index = try historyIndex(at: tip, reporter)
    return try git { _ throws(GitError) in try index.deletedFiles { isNoteFile($0) } }
  }
}

/// The lookup of deleted notes by the names that people type.
extension DeletedNotes {
  /// The maximum number of candidates that an error names.
  private static let mostNamed = 10
  /// The maximum number of deleted files that are searched for the hints about a note that was not found.
  private static let mostForHints = 5_000

  /// Returns the deleted note that a REF names: by its id, its path, or its last title.
  /// - Throws: `.badData` if several match, with their dates; `.notFound` if none does.
  package func entry(_ reference: String) throws(SlipboxError) -> Entry {
    do throws(SlipboxError) {
      return try NoteLookup(in: snapshot).entry(reference, fuzzy: false)
    } catch {
      guard error.kind == .badData,
        case .ambiguous(let entries) = try snapshot.catalogue().resolve(
          reference, .typed(fuzzy: false), keys: RecordKeys(snapshot.schema()))
      else { throw error }
      let sorted = entries.map { ($0, deletion(of: $0.note)) }
        .sorted { ($0.1?.time.seconds ?? 0) > ($1.1?.time.seconds ?? 0) }
      let lines = sorted.prefix(Self.mostNamed).map { entry, deletion -> Phrase in
        "  \(entry.note.shownName)  \(entry.note.title)\(Self.said(deletion))"
      }
      throw SlipboxError(
        .badData, "\(reference) matches \(entries.count) deleted notes",
        hints: ["name it by its \(entries.allSatisfy { $0.note.id != nil } ? "id" : "id or path"):"] + lines
          + SlipboxError.more(entries.count - lines.count))
    }
  }

  /// Returns the deleted note that a REF names; nil if none has the name.
  /// - Throws: `.badData` if several match, with their dates.
  package func entry(named reference: String) throws(SlipboxError) -> Entry? {
    do throws(SlipboxError) { return try entry(reference) } catch {
      guard error.kind == .notFound else { throw error }
      return nil
    }
  }

  private static func said(_ deletion: PastDeletion?) -> String {
    deletion.map { ", deleted \($0.said)" } ?? ""
  }

  /// Returns hints for a note that was not found, if a deleted note has the name.
  package static func hints(
    for reference: String, _ now: BoxSnapshot, _ context: CommandContext
  ) -> [Phrase] {
    // If history can't be read, there is no hint.
    guard let deleted = try? DeletedNotes(of: now, context), deleted.files.count <= mostForHints,
      let entry = try? deleted.entry(reference), let deletion = deleted.deletion(of: entry.note)
    else { return [] }
    let note = entry.note
    return [
      "\(note.shownName)  \(note.title) was deleted \(deletion.said)",
      "\(slip: "restore", .note(note)) restores it, \(slip: "show", .note(note), "--at", "\(deletion.before)") shows it",
    ]
  }
}

extension PastDeletion {
  /// The minute and the command, as a part of a sentence.
  var said: String {
    "\(time.shownMinute)\(command.map { " by slip \($0)" } ?? "")"
  }
}

/// The deletion of a note: its time and its command.
package struct PastDeletion: Sendable, Equatable {
  package let commit: ObjectID
  /// The author's time of the commit.
  package let time: Timestamp
  /// A revision that has the note.
  package let before: String
  /// The command of slip that deleted the note; nil if another program made the commit.
  package let command: String?
}
