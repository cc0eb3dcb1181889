import Git
package import Notes

/// The versions of notes in history, under all names that their files had.
package enum PastVersions {
  /// Visits the versions of some notes, each text once, the latest first.
  ///
  /// A version with the id of another note is not of the note.
  ///
  /// - Parameters:
  ///   - notes: the notes, with their ids.
  ///   - present: the paths of all notes of the box.
  ///   - visit: receives the number of a note and one of its versions.
  /// - Complexity: linear in the index of history, and that of reading the versions.
  package static func visit(
    _ notes: [(path: [UInt8], id: NoteID?)], present: Set<[UInt8]>, in snapshot: BoxSnapshot,
    _ visit: (Int, Note) -> Void
  ) throws(SlipboxError) {
    guard !notes.isEmpty, let index = try BoxHistory(of: snapshot).index() else { return }
    let box = snapshot.box
    let earlier = try EarlierPaths.all(of: notes, present: present, in: snapshot) { _ in true }
    var numbers: [[UInt8]: Int] = [:]
    for (number, note) in notes.enumerated() {
      for path in [note.path] + (earlier[note.path] ?? []) { numbers[box.repositoryPath(path)] = number }
    }
    let versions = try box.git { _ throws(GitError) in try index.versions { numbers[$0] != nil } }
    var seen: Set<[UInt8]> = []
    for version in versions.sorted(by: { $0.began.time.seconds > $1.began.time.seconds }) {
      guard let number = numbers[version.path], seen.insert(version.path + version.blob.bytes).inserted else {
        continue
      }
      let path = Array(version.path.dropFirst(box.prefix.count))
      let note = Note(path: path, text: NoteText(try box.content(of: version.blob, at: path)))
      if let id = note.id, let own = notes[number].id, id != own { continue }
      visit(number, note)
    }
  }
}
