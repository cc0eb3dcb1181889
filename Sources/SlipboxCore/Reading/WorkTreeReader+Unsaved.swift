import Git
import NoteIndex
package import Notes
import Platform

extension WorkTreeReader {
  /// The same moment with other texts in the place of some files, as an editor has them: also of files that are not there.
  ///
  /// Nothing is written, and no file looked at. Texts that are those of their files change nothing.
  /// - Parameter texts: the texts, by paths in the box.
  /// - Complexity: O(n) without making a note, at the first question; that of reading the texts.
  package func snapshot(
    of snapshot: BoxSnapshot, with texts: [[UInt8]: [UInt8]]
  ) -> BoxSnapshot {
    BoxSnapshot(
      box, .workTree, settings: snapshot.settings, context, times: snapshot.times,
      committed: snapshot.sharedCommitted, others: snapshot.sharedOthers, unsaved: texts
    ) { (next) throws(SlipboxError) in
      let contents = try snapshot.contents()
      guard let notes = contents.workTree else { return contents }
      return .workTree(try overlaid(notes, texts, for: next))
    }
  }

  private func overlaid(
    _ notes: WorkTreeNotes, _ texts: [[UInt8]: [UInt8]], for snapshot: BoxSnapshot
  ) throws(SlipboxError) -> WorkTreeNotes {
    var findings = notes.findings
    for (path, bytes) in texts {
      if let row = notes.kept?.table.row(of: path), let document = notes.kept?.snapshot.document(ofFile: row)
      {
        findings.hidden.insert(document)
      }
      let now = snapshot.clock.now.seconds
      let stamp = FileStamp(
        size: Int64(bytes.count), modified: now * 1_000_000_000, changed: now * 1_000_000_000, inode: 0)
      findings.recent[path] = NoteFile(
        path: path, bytes: bytes, stamp: stamp, isRacy: true, verdict: .note)
    }
    return WorkTreeNotes(
      try CatalogueMaking(snapshot, notes.kept).catalogue(findings), notes.kept, findings)
  }
}

extension BoxSnapshot {
  /// Whether a text is that of the note with a path, byte by byte, as far as this snapshot has read it.
  ///
  /// - Complexity: O(n) in the bytes of the text.
  package func holds(_ text: [UInt8], at path: [UInt8]) throws(SlipboxError) -> Bool {
    try contents().content(of: path)?.id == ContentID(ObjectID(ofBlob: text).bytes)
  }
}

extension BoxSnapshot {
  /// Whether another snapshot of the work tree has the same notes, settings and kinds, all from the same kept catalogue.
  ///
  /// - Complexity: O(m) in the files that differ from the kept catalogue.
  package func hasNotes(of other: BoxSnapshot) throws(SlipboxError) -> Bool {
    guard let own = try contents().workTree, let others = try other.contents().workTree,
      let generation = own.kept?.snapshot.generation, generation == others.kept?.snapshot.generation,
      own.findings.hidden == others.findings.hidden, settings.text == other.settings.text,
      schema().kinds == other.schema().kinds
    else { return false }
    let files = { (notes: WorkTreeNotes) in
      Dictionary(
        notes.findings.recent.values.map { ($0.path, $0.content) }, uniquingKeysWith: { first, _ in first })
    }
    return files(own) == files(others)
  }

  /// The note with a path, its text read now; nil where there is none.
  ///
  /// - Complexity: O(log n), without a table of all paths; that of reading the note.
  package func note(at path: [UInt8]) throws(SlipboxError) -> Note? {
    let contents = try contents()
    guard case .workTree(let notes) = contents else { return try catalogue().entry(path: path)?.note }
    guard notes.isNote(path), let content = contents.content(of: path) else { return nil }
    return Note(path: path, text: NoteText(texts.bytes(path, content.id, nil) ?? []))
  }
}

extension WorkTreeNotes {
  /// Whether there is a note with a path.
  fileprivate func isNote(_ path: [UInt8]) -> Bool {
    if let file = findings.recent[path] { return file.note != nil }
    guard let kept, let row = kept.table.row(of: path), let document = kept.snapshot.document(ofFile: row)
    else {
      return false
    }
    return !findings.hidden.contains(document)
  }
}
