import Bytes
import Git
package import NoteIndex
import Notes
import Platform
package import Text

/// A note as it was when the editor was started.
package struct EditSession {
  package let entry: Entry
  fileprivate let before: [UInt8]
  fileprivate let committedBefore: ObjectID?
}

/// The result of editing a note.
package struct EditResult {
  package let recorded: CommitResult
  /// Warnings for the user: unreadable front-matter, a changed id, merged changes.
  package let warnings: [Phrase]
}

/// Notes in the user's editor: their earlier texts, and the results.
package struct EditNotes {
  private let snapshot: BoxSnapshot
  private let writer: BoxWriter
  private var box: Box { snapshot.box }

  package init(_ snapshot: BoxSnapshot, _ writer: BoxWriter) {
    self.snapshot = snapshot
    self.writer = writer
  }
}

extension EditNotes {
  /// Remembers how notes are before an editor opens them.
  ///
  /// - Throws: `.configuration` if the file of a note's kind has a mistake.
  package func begin(_ entries: [Entry]) throws(SlipboxError) -> [EditSession] {
    try KindFiles(in: snapshot).refuseFaults(of: entries)
    var sessions: [EditSession] = []
    for entry in entries {
      guard let before = try box.bytes(at: entry.note.path) else { throw FileEdit.gone(entry.note) }
      sessions.append(
        EditSession(entry: entry, before: before, committedBefore: try committedBlob(entry.note.path)))
    }
    return sessions
  }

  /// Whether an editor changed anything.
  package func hasEdits(_ sessions: [EditSession]) throws(SlipboxError) -> Bool {
    for session in sessions where try box.bytes(at: session.entry.note.path) != session.before { return true }
    return false
  }

  /// The notes whose text the editor left empty, or whose file it deleted.
  ///
  /// A note that another process deleted meanwhile is not among them, nor is one that the editor moved.
  package func emptied(_ sessions: [EditSession]) throws(SlipboxError) -> [(
    session: EditSession, isGone: Bool
  )] {
    var emptied: [(session: EditSession, isGone: Bool)] = []
    let moved = try movedByEditor(sessions)
    for session in sessions where !session.before.allSatisfy(Self.isBlank) {
      let bytes = try box.bytes(at: session.entry.note.path)
      if let bytes, !bytes.allSatisfy(Self.isBlank) { continue }
      if bytes == nil, moved[session.entry.note.path] != nil { continue }
      if bytes == nil, try committedBlob(session.entry.note.path) != session.committedBefore { continue }
      emptied.append((session, bytes == nil))
    }
    return emptied
  }

  /// Puts the text that a note had before the editor started back into its file.
  /// - Throws: `.busy` if the file changed again meanwhile.
  package func takeBack(_ session: EditSession) throws(SlipboxError) {
    let path = session.entry.note.path
    let bytes = try box.bytes(at: path)
    do throws(ReplaceError) {
      _ = try box.folder.replace(path, with: session.before, expecting: bytes)
    } catch {
      let conflict = WriteConflict(error, path: path)
      guard case .changedMeanwhile = conflict else { throw conflict.refusal }
      throw SlipboxError(.busy, "\(session.entry.note.mention) is not restored: it keeps changing")
    }
  }

  private static func isBlank(_ byte: UInt8) -> Bool { [0x09, 0x0A, 0x0D, 0x20].contains(byte) }

  /// Commits the saved texts as they are; commits of other processes since are merged in.
  ///
  /// If they can't be committed now, the next command commits them.
  /// - Throws: as `record(_:)`; the saved files stay.
  package func finish(
    _ sessions: [EditSession], reason: String? = nil
  ) throws(SlipboxError) -> EditResult {
    var warnings: [Phrase] = []
    var merged: [[UInt8]: ObjectID?] = [:]
    let moved = try movedMeanwhile(sessions).merging(movedByEditor(sessions)) { meanwhile, _ in meanwhile }
    let recorded = try writer.commitAsFound(
      sessions.map(\.entry.note.path) + moved.values, command: "edit",
      subject: "Edit: \(sessions.count == 1 ? sessions[0].entry.note.title : "\(sessions.count) notes")",
      reason: reason, savesAlways: true
    ) { () throws(SlipboxError) in
      for session in sessions {
        let path = session.entry.note.path
        let committed = try committedBlob(path)
        guard merged[path] != .some(committed) else { continue }
        if committed == nil, let place = moved[path] {
          warnings += try follow(session, to: place)
        } else {
          warnings += try mergeMeanwhile(session, committed)
        }
        merged[path] = .some(committed)
      }
    }
    for session in sessions {
      let path = session.entry.note.path
      warnings += try self.warnings(session, after: box.bytes(at: moved[path] ?? path))
    }
    return EditResult(recorded: recorded, warnings: warnings)
  }

  private func committedBlob(_ path: [UInt8]) throws(SlipboxError) -> ObjectID? {
    guard let tip = try box.tip() else { return nil }
    let name = box.repositoryPath(path)
    return try box.git { repository throws(GitError) in try repository.file(name, at: tip)?.id }
  }

  /// The new paths of notes that another process moved while they were edited, by their old paths. A note is identified
  /// by its id.
  private func movedMeanwhile(_ sessions: [EditSession]) throws(SlipboxError) -> [[UInt8]: [UInt8]] {
    var moved: [[UInt8]: [UInt8]] = [:]
    var now: BoxSnapshot?
    for session in sessions where session.committedBefore != nil {
      let path = session.entry.note.path
      guard let id = session.entry.note.id, try committedBlob(path) == nil else { continue }
      if now == nil { now = try BoxOpening.snapshot(named: box.root, writer.context) }
      guard let entries = try now?.catalogue().entries else { continue }
      let others = (0..<entries.count).lazy.filter { entries.names(at: $0).id == id }
        .map { entries.path(at: $0) }.filter { $0 != path }
      if let place = others.first, others.dropFirst().isEmpty { moved[path] = place }
    }
    return moved
  }

  /// The new paths of notes whose files the editor moved, for instance by `git mv`, by their old paths.
  private func movedByEditor(_ sessions: [EditSession]) throws(SlipboxError) -> [[UInt8]: [UInt8]] {
    var files: [(old: NoteVersion?, new: NoteVersion?)] = []
    for session in sessions where try box.bytes(at: session.entry.note.path) == nil {
      guard let blob = session.committedBefore, try committedBlob(session.entry.note.path) == blob else {
        continue
      }
      let path = session.entry.note.path
      files.append((NoteVersion(path: path, bytes: try box.content(of: blob, at: path), blob: blob), nil))
    }
    guard !files.isEmpty else { return [:] }
    for change in try OutsideChanges(in: BoxOpening.snapshot(named: box.root, writer.context)).notes()
    where change.difference == .new && FileName.isNote(change.path) {
      guard let bytes = try box.bytes(at: change.path) else { continue }
      files.append((nil, NoteVersion(path: change.path, bytes: bytes, blob: ObjectID(ofBlob: bytes))))
    }
    let pairs = NoteMatching.pairs(files).compactMap { pair in
      pair.old.flatMap { old in pair.new.map { (old.path, $0.path) } }
    }
    return Dictionary(pairs, uniquingKeysWith: { first, _ in first })
  }

  /// Moves the saved text to the note's new path: the editor saved it at the old path of a moved note.
  private func follow(_ session: EditSession, to place: [UInt8]) throws(SlipboxError) -> [Phrase] {
    let path = session.entry.note.path
    let name = session.entry.note.mention
    guard let saved = try box.bytes(at: path), let theirs = try box.bytes(at: place) else { return [] }
    guard let merged = try merged(session, saved, theirs, at: place) else {
      return [
        "\(name) was moved to \(place) while you edited it, and can't be merged with your text, "
          + "which is saved in \(path)"
      ]
    }
    do throws(ReplaceError) {
      if merged.text.bytes != theirs {
        _ = try box.folder.replace(place, with: merged.text.bytes, expecting: theirs)
      }
      try box.folder.remove(path, expecting: saved)
    } catch {
      let conflict = WriteConflict(error, path: place)
      guard case .changedMeanwhile = conflict else { throw conflict.refusal }
      throw SlipboxError(
        .busy, "\(name) keeps changing, so your text is not merged into it",
        hints: ["your text is saved in \(path)"])
    }
    return [
      "\(name) was moved to \(place) while you edited it: your text is saved there"
        + (Self.keptTwice(merged).map { ", and both versions are kept of: \($0)" } ?? "")
    ]
  }

  /// The saved text merged with the changes of others since, at the note's current path.
  private func merged(
    _ session: EditSession, _ saved: [UInt8], _ theirs: [UInt8], at path: [UInt8]
  ) throws(SlipboxError) -> NoteMerge.Result? {
    NoteMerge.merge(
      base: NoteText(session.before), one: NoteText(saved), other: NoteText(theirs),
      times: try timesOfEditing(path))
  }

  /// The parts of which a merge kept both versions, in words; nil without such parts.
  private static func keptTwice(_ merged: NoteMerge.Result) -> Phrase? {
    let names = merged.conflicts.map { Phrase($0.name) }
    return names.isEmpty ? nil : names.joined(separator: ", ")
  }

  /// The editor wrote its own text over a change that was committed while it was open: both are merged in the file.
  private func mergeMeanwhile(
    _ session: EditSession, _ committed: ObjectID?
  ) throws(SlipboxError) -> [Phrase] {
    let path = session.entry.note.path
    let name = session.entry.note.mention
    guard committed != session.committedBefore, let saved = try box.bytes(at: path) else { return [] }
    guard let committed else {
      return ["\(name) was deleted while you edited it; your text is saved as the note"]
    }
    let theirs = try box.content(of: committed, at: path)
    if theirs == session.before || theirs == saved { return [] }
    guard let merged = try merged(session, saved, theirs, at: path) else {
      return [
        "\(name) changed while you edited it, and can't be merged; the other version is in its history: "
          + "\(slip: "log", .note(session.entry.note))"
      ]
    }
    guard merged.text.bytes != saved else { return [] }
    do throws(ReplaceError) {
      _ = try box.folder.replace(path, with: merged.text.bytes, expecting: saved)
    } catch {
      let conflict = WriteConflict(error, path: path)
      guard case .changedMeanwhile = conflict else { throw conflict.refusal }
      throw SlipboxError(
        .busy, "\(name) keeps changing, so it can't be merged with the committed version",
        hints: ["\(slip: "commit", .note(session.entry.note)) commits it unchanged"])
    }
    guard let parts = Self.keptTwice(merged) else {
      return ["\(name) changed while you edited it: both changes are merged"]
    }
    return ["\(name) changed while you edited it: both versions are kept of: \(parts)"]
  }

  /// When an editor saved a note, which is now, and when somebody else committed it.
  private func timesOfEditing(_ path: [UInt8]) throws(SlipboxError) -> MergeTimes {
    let now = writer.context.clock.now
    let author = try box.git { repository throws(GitError) in
      try repository.identity(at: (now.seconds, now.offsetSeconds / 60)).author
    }
    let committed = try box.tip().flatMap { (tip) throws(SlipboxError) in
      try ChangeOrigins(RepositoryMergeStore(box)).stamp(of: .content, at: box.repositoryPath(path), in: tip)
    }
    // The editor was closed after all that was committed while it was open; the clock was read before.
    let own = MergeStamp(
      seconds: max(now.seconds, (committed?.seconds ?? 0) + 1), commit: "", when: now.rfc3339,
      who: author.name, device: box.device(writer.context))
    return MergeTimes(all: MergeStamps(one: own, other: committed))
  }

  /// The problems of the saved texts, a line each.
  package func problems(of sessions: [EditSession]) throws(SlipboxError) -> [Phrase] {
    var problems: [Phrase] = []
    for session in sessions {
      let bytes = try box.bytes(at: session.entry.note.path)
      guard bytes != session.before else { continue }
      problems += try warnings(session, after: bytes)
    }
    return problems
  }

  private func warnings(_ session: EditSession, after bytes: [UInt8]?) throws(SlipboxError) -> [Phrase] {
    guard let bytes else { return [] }
    let name = { (note: Note) in note.mention }
    let old = session.entry.note
    let new = Note(path: old.path, text: NoteText(bytes))
    // The text of the note as it was listed is no longer in its file.
    if NoteText(session.before).frontMatter != nil, try new.text.hasLateFrontMatter {
      return ["\(name(old)): \(NoteText.lateFrontMatterWords)"]
    }
    var warnings: [Phrase] = new.frontMatter.problems.map {
      "\(name(old)): line \($0.line), column \($0.column): \($0.message)"
    }
    if bytes != session.before {
      let kind = !new.hasKindField ? session.entry.kind : new.kind
      let records = ChangeRecords(in: snapshot)
      let before = Note(path: old.path, text: NoteText(session.before))
      let known = Set(records.problems(in: before, kind: kind))
      let made = records.problems(in: new, kind: kind).filter { !known.contains($0) }
      warnings += made.map { "\(name(old)): \($0)" }
    }
    let lost = LinkGraph(try snapshot.catalogue(), executor: Processors.all).linksLost(by: old, as: new)
    if lost.links > 0 {
      let links =
        "\(lost.links == 1 ? "1 link" : "\(lost.links) links") in "
        + (lost.notes == 1 ? "1 note" : "\(lost.notes) notes")
      warnings.append(
        "\(name(new)): \(links) to its old name \(lost.links == 1 ? "is" : "are") broken; "
          + "to keep the old name as an alias: \(slip: "set", .note(new), .value("aliases:+\(old.title)"))")
    }
    if let id = old.id, new.id != id, new.frontMatter.isWritable {
      let now = new.id.map { "is now \($0)" } ?? "is gone"
      warnings.append("\(id): its id \(now); links and scripts that use \(id) are broken")
    }
    return warnings
  }
}
