import Bytes
package import Git
import NoteIndex
package import Notes

/// The commits of one note, across the names that its file had.
///
/// A commit that added the file begins a name. `RenameReader` finds the former name among the files that the commit
/// deleted. If a note was only copied from a file, that file is not a former name.
struct NoteTrail {
  /// A name, and the commits under it, newest first.
  struct Era {
    /// The path, from the root of the repository.
    let path: [UInt8]
    let commits: [ObjectID]
  }

  /// The names, newest first.
  private(set) var eras: [Era] = []

  private static let mostEras = 1_000

  private let index: HistoryIndex
  private let repository: Repository
  private let renames: RenameReader
  private let id: NoteID?

  /// - Parameters:
  ///   - path: the path from the root of the repository.
  ///   - prefix: the box's folder in the repository, with a slash at its end; empty at the top.
  /// - Complexity: that of the index for each name, and a comparison of trees for each commit that added the file.
  init(
    of path: [UInt8], id: NoteID?, in repository: Repository, _ index: HistoryIndex, below prefix: [UInt8]
  ) throws(GitError) {
    self.index = index
    self.repository = repository
    self.id = id
    renames = RenameReader(repository, below: prefix)
    try follow(path)
  }

  private mutating func follow(_ last: [UInt8]) throws(GitError) {
    var path = last
    var start: ObjectID?
    while eras.count < Self.mostEras {
      let commits = try index.commits(touching: [path], from: start)
      guard !commits.isEmpty else { return }
      let additions = try index.additions(of: path)
      var next: (path: [UInt8], parent: ObjectID)?
      var end = commits.count
      for (place, id) in commits.enumerated() where additions.contains(id) {
        let commit = try repository.read(id)
        guard let parent = commit.parents.first else { continue }
        do throws(GitError) {
          if let former = try renames.formerPath(of: path, added: commit, parent) {
            next = (former, parent)
          } else if try isOther(before: place, of: commits, path) {
            next = nil
          } else {
            continue
          }
        } catch {
          // The commit is at the boundary of a shallow clone.
          guard case .missing = error.reason else { throw error }
          continue
        }
        end = place + 1
        break
      }
      eras.append(Era(path: path, commits: Array(commits[..<end])))
      guard let next else { return }
      (path, start) = (next.path, next.parent)
    }
  }

  /// Returns the path that the note had at a commit, from the root of the repository; nil if it did not exist then.
  func path(at commit: ObjectID) throws(GitError) -> [UInt8]? {
    if let ancestors = try index.ancestors(of: commit, among: eras.flatMap(\.commits)) {
      return eras.first { !ancestors.isDisjoint(with: $0.commits) }?.path
    }
    // A commit of another branch.
    for era in eras where try repository.file(era.path, at: commit) != nil { return era.path }
    return nil
  }

  /// Returns whether a path had another note before the path was used again: a note with another id.
  private func isOther(before place: Int, of commits: [ObjectID], _ path: [UInt8]) throws(GitError) -> Bool {
    guard let id, place + 1 < commits.count else { return false }
    for commit in commits[(place + 1)...] {
      guard let file = try repository.file(path, at: commit) else { continue }
      let bytes = try repository.conversion.content(of: file.id, at: path)
      let other = Note(path: path, text: NoteText(bytes)).id
      return other != nil && other != id
    }
    return false
  }
}

/// The former paths of notes, from history.
///
/// A path is a former one of a note if a commit renamed the file without changing its bytes, or if its last version has
/// the note's id. It is also one if the message of the commit that removed it says so. A path that a note of the box has
/// now does not count.
package struct EarlierPaths {
  private let snapshot: BoxSnapshot
  private let isShown: (Note, ObjectID) -> Bool
  /// The paths to which each path was renamed.
  private var steps: [[UInt8]: Set<[UInt8]>] = [:]

  /// Returns the former paths of notes, by their present paths.
  ///
  /// - Parameters:
  ///   - notes: the notes, with their ids.
  ///   - present: the paths of all notes of the box.
  ///   - isShown: whether a former version of a note may be mentioned, and the commit that ended it.
  /// - Complexity: linear in the index of history, after the last version of each deleted note was read.
  package static func all(
    of notes: [(path: [UInt8], id: NoteID?)], present: Set<[UInt8]>, in snapshot: BoxSnapshot,
    isShown: (Note, ObjectID) -> Bool
  ) throws(SlipboxError) -> [[UInt8]: [[UInt8]]] {
    guard let tip = try BoxHistory(of: snapshot).tip() else { return [:] }
    return try withoutActuallyEscaping(isShown) { isShown throws(SlipboxError) in
      var paths = EarlierPaths(snapshot: snapshot, isShown: isShown)
      let ids = notes.compactMap { note in note.id.map { ($0, note.path) } }
      try paths.addRenames(at: tip, besides: present)
      try paths.addDeletions(at: tip, Dictionary(ids, uniquingKeysWith: { first, _ in first }))
      return paths.byTarget(Set(notes.map(\.path)), present)
    }
  }

  private init(snapshot: BoxSnapshot, isShown: @escaping (Note, ObjectID) -> Bool) {
    self.snapshot = snapshot
    self.isShown = isShown
  }

  private func path(_ path: [UInt8]) -> [UInt8] { Array(path.dropFirst(snapshot.box.prefix.count)) }

  private mutating func addRenames(at tip: ObjectID, besides present: Set<[UInt8]>) throws(SlipboxError) {
    let box = snapshot.box
    let index = try box.historyIndex(at: tip, snapshot.reporter)
    let renames = try box.git { _ throws(GitError) in try index.renames() }
    for rename in renames where box.isNoteFile(rename.from) && box.isNoteFile(rename.to) {
      let (old, new) = (path(rename.from), path(rename.to))
      guard !present.contains(old) else { continue }
      let bytes = try box.git { repository throws(GitError) in
        try repository.file(rename.to, at: rename.commit).map { file throws(GitError) in
          try repository.conversion.content(of: file.id, at: rename.to)
        }
      }
      guard let bytes, isShown(Note(path: old, text: NoteText(bytes)), rename.commit) else { continue }
      steps[old, default: []].insert(new)
    }
  }

  private mutating func addDeletions(
    at tip: ObjectID, _ ids: [NoteID: [UInt8]]
  ) throws(SlipboxError) {
    let box = snapshot.box
    var renames = CommittedRenames(box)
    for file in try box.deletedFiles(at: tip, snapshot.reporter) where !file.isBack {
      let old = path(file.path)
      let note = Note(path: old, text: NoteText(try box.content(of: file.last.blob, at: old)))
      guard isShown(note, file.deletedBy) else { continue }
      if let id = note.id {
        if let new = ids[id] { steps[old, default: []].insert(new) }
      } else if let new = renames.target(of: old, in: file.deletedBy) {
        steps[old, default: []].insert(new)
      }
    }
  }

  /// Returns the former paths of each target. A path that leads to several notes is left out.
  private func byTarget(_ targets: Set<[UInt8]>, _ present: Set<[UInt8]>) -> [[UInt8]: [[UInt8]]] {
    var result: [[UInt8]: [[UInt8]]] = [:]
    for start in steps.keys where !present.contains(start) {
      var seen: Set<[UInt8]> = [start]
      var (open, found) = ([start], Set<[UInt8]>())
      while let path = open.popLast() {
        if present.contains(path) {
          found.insert(path)
        } else {
          open += (steps[path] ?? []).filter { seen.insert($0).inserted }
        }
      }
      if let target = found.first, found.count == 1, targets.contains(target) {
        result[target, default: []].append(start)
      }
    }
    return result
  }
}

/// The versions of notes in history, under all names that their files had.
package enum PastVersions {
  /// Visits the versions of some notes, each text once, the latest first.
  ///
  /// A version with the id of another note is excluded.
  ///
  /// - Parameters:
  ///   - notes: the notes, with their ids.
  ///   - present: the paths of all notes of the box.
  ///   - visit: receives the number of a note, one of its versions, and the commit with which it began.
  /// - Complexity: linear in the index of history, and that of reading the versions.
  package static func visit(
    _ notes: [(path: [UInt8], id: NoteID?)], present: Set<[UInt8]>, in snapshot: BoxSnapshot,
    _ visit: (Int, Note, ObjectID) -> Void
  ) throws(SlipboxError) {
    guard !notes.isEmpty, let index = try BoxHistory(of: snapshot).index() else { return }
    let box = snapshot.box
    let earlier = try EarlierPaths.all(of: notes, present: present, in: snapshot) { _, _ in true }
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
      visit(number, note, version.began.commit)
    }
  }
}
