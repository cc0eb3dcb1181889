import Git
package import NoteIndex
package import Notes
import Platform
import Text

/// A note as it was when the editor was started.
package struct EditSession {
  package let entry: Entry
  fileprivate let before: [UInt8]
  fileprivate let committedBefore: ObjectID?
}

/// What became of a note in the editor.
package struct EditResult {
  package let recorded: Recorded
  /// What the user should know: front-matter that can't be read, an id that changed, what was merged.
  package let warnings: [String]
}

extension Slipbox {
  /// Remembers how notes are before an editor opens them.
  package func beginEditing(_ entries: [Entry]) throws(SlipboxError) -> [EditSession] {
    var sessions: [EditSession] = []
    for entry in entries {
      guard let before = try bytes(at: entry.note.path) else { throw FileEdit.gone(entry.note) }
      sessions.append(
        EditSession(entry: entry, before: before, committedBefore: try committedBlob(entry.note.path)))
    }
    return sessions
  }

  /// Whether an editor changed anything.
  package func hasEdits(_ sessions: [EditSession]) throws(SlipboxError) -> Bool {
    for session in sessions where try bytes(at: session.entry.note.path) != session.before { return true }
    return false
  }

  /// The notes whose text the editor left with nothing in it, or whose file it took away.
  ///
  /// A note that another process deleted meanwhile is none of them.
  package func emptied(_ sessions: [EditSession]) throws(SlipboxError) -> [(
    session: EditSession, isGone: Bool
  )] {
    var emptied: [(session: EditSession, isGone: Bool)] = []
    for session in sessions where !session.before.allSatisfy(Self.isBlank) {
      let bytes = try bytes(at: session.entry.note.path)
      if let bytes, !bytes.allSatisfy(Self.isBlank) { continue }
      if bytes == nil, try committedBlob(session.entry.note.path) != session.committedBefore { continue }
      emptied.append((session, bytes == nil))
    }
    return emptied
  }

  /// Puts the text that a note had before the editor started back into its file.
  /// - Throws: `.busy` where the file changed again meanwhile.
  package func takeBack(_ session: EditSession) throws(SlipboxError) {
    let path = session.entry.note.path
    let bytes = try bytes(at: path)
    do throws(ReplaceError) {
      _ = try folder.replace(path, with: session.before, expecting: bytes)
    } catch {
      if case .refused(let refusal) = Interference(error, path: path) { throw refusal }
      throw SlipboxError(.busy, "\(Self.name(of: session.entry.note)) keeps changing")
    }
  }

  private static func isBlank(_ byte: UInt8) -> Bool { [0x09, 0x0A, 0x0D, 0x20].contains(byte) }

  /// Commits what the editor saved, as it is; what another process committed meanwhile is merged in.
  ///
  /// - Throws: as `record(_:)`; the files keep what the editor saved.
  package func finishEditing(
    _ sessions: [EditSession], reason: String? = nil
  ) throws(SlipboxError) -> EditResult {
    var warnings: [String] = []
    for session in sessions { warnings += try mergeMeanwhile(session) }
    let recorded = try commitAsFound(
      sessions.map(\.entry.note.path), command: "edit",
      subject: "Edit: \(sessions.count == 1 ? sessions[0].entry.note.title : "\(sessions.count) notes")",
      reason: reason)
    for session in sessions {
      warnings += try self.warnings(session, after: bytes(at: session.entry.note.path))
    }
    return EditResult(recorded: recorded, warnings: warnings)
  }

  private func committedBlob(_ path: [UInt8]) throws(SlipboxError) -> ObjectID? {
    guard let tip = try tip() else { return nil }
    return try git { () throws(GitError) in try repository.file(repositoryPath(path), at: tip)?.id }
  }

  /// The editor wrote its own text over a change that was committed while it was open: both are merged in the file.
  private func mergeMeanwhile(_ session: EditSession) throws(SlipboxError) -> [String] {
    let path = session.entry.note.path
    let name = Self.name(of: session.entry.note)
    let committed = try committedBlob(path)
    guard committed != session.committedBefore, let saved = try bytes(at: path) else { return [] }
    guard let committed else {
      return ["\(name) was deleted while you edited it; it is made again with what you saved"]
    }
    let theirs = try git { () throws(GitError) in try repository.blob(committed) }
    if theirs == session.before || theirs == saved { return [] }
    let merged = NoteMerge.merge(
      base: NoteText(session.before), ours: NoteText(saved), theirs: NoteText(theirs))
    guard merged.text.bytes != saved else { return [] }
    do throws(ReplaceError) {
      _ = try folder.replace(path, with: merged.text.bytes, expecting: saved)
    } catch {
      if case .refused(let refusal) = Interference(error, path: path) { throw refusal }
      throw SlipboxError(.busy, "\(name) keeps changing", hints: ["slip commit \(name) commits it as it is"])
    }
    guard !merged.conflicts.isEmpty else {
      return ["\(name) changed while you edited it: both changes are merged"]
    }
    let parts = merged.conflicts.map { Visible.escape($0) }.joined(separator: ", ")
    return ["\(name) changed while you edited it: both versions are kept of: \(parts)"]
  }

  private func warnings(_ session: EditSession, after bytes: [UInt8]?) throws(SlipboxError) -> [String] {
    guard let bytes else { return [] }
    let name = { (note: Note) in Self.name(of: note) }
    let old = session.entry.note
    let new = Note(path: old.path, text: NoteText(bytes))
    var warnings = new.frontMatter.problems.map {
      "\(name(old)): line \($0.line), column \($0.column): \($0.message)"
    }
    if bytes != session.before {
      let kind = new.frontMatter["kind"] == nil ? session.entry.kind : new.kind
      let known = Set(
        try recordProblems(in: Note(path: old.path, text: NoteText(session.before)), kind: kind))
      let made = try recordProblems(in: new, kind: kind).filter { !known.contains($0) }
      warnings += made.map { "\(name(old)): \($0)" }
    }
    if let id = old.id, new.id != id, new.frontMatter.isWritable {
      let now = new.id.map { "is now \($0)" } ?? "is gone"
      warnings.append("\(id): its id \(now); links and scripts that use \(id) no longer find it")
    }
    return warnings
  }

  /// What breaks the kind of a note that somebody wrote in an editor, in words for a warning.
  package func recordProblems(in note: Note, kind: String? = nil) throws(SlipboxError) -> [String] {
    try recordEditor().problems(in: note, kind: kind).map { Visible.escape($0.message) }
  }
}
