import Bytes
import Git
import Notes

/// The commits of one note, through the names that its file had.
///
/// A commit that added the file is where a name begins. What went away in that commit is its former name: the one that the
/// commit's own message tells, else the note of the same id, else a file of the same bytes, else the one most like it, if half of the text is the same. A file from which
/// the note was only copied is none.
struct NoteTrail {
  /// A name, and the commits under it, newest first.
  struct Era {
    /// From the root of the repository.
    let path: [UInt8]
    let commits: [ObjectID]
  }

  /// Newest first.
  private(set) var eras: [Era] = []

  private static let mostEras = 1_000

  private let index: HistoryIndex
  private let repository: Repository
  private let renames: RenameReader
  private let id: NoteID?

  /// - Parameters:
  ///   - path: from the root of the repository.
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
          // The commit is where a shallow clone is cut.
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

  /// Whether a path had another note before it was taken anew: one with another id.
  private func isOther(before place: Int, of commits: [ObjectID], _ path: [UInt8]) throws(GitError) -> Bool {
    guard let id, place + 1 < commits.count else { return false }
    for commit in commits[(place + 1)...] {
      guard let file = try repository.file(path, at: commit) else { continue }
      let other = Note(path: path, text: NoteText(try repository.content(of: file.id, at: path))).id
      return other != nil && other != id
    }
    return false
  }
}

/// Finds the name that a note's file had before a commit added it under another.
struct RenameReader {
  private let repository: Repository
  private let folder: [UInt8]

  /// - Parameter prefix: the box's folder in the repository, with a slash at its end; empty at the top.
  init(_ repository: Repository, below prefix: [UInt8]) {
    self.repository = repository
    folder = Array(prefix.dropLast())
  }

  /// So many pairs of a new file and a deleted one are compared in a commit.
  private static let mostPairs = 4_096

  /// The new names of the notes that a commit renamed, by their former ones, from the root of the repository.
  ///
  /// - Complexity: a comparison of texts for each pair of a new and a deleted note; none if they are too many.
  func renames(in commit: Commit) throws(GitError) -> [[UInt8]: [UInt8]] {
    guard let parent = commit.parents.first else { return [:] }
    let files = try repository.changedFiles(from: parent, to: commit.id, under: folder)
    let added = files.filter { $0.old == nil && isNote($0.path) }
    let gone = files.count { $0.new == nil && isNote($0.path) }
    guard gone > 0, added.count * gone <= Self.mostPairs else { return [:] }
    var names: [[UInt8]: [UInt8]] = [:]
    for file in added {
      if let former = try formerPath(of: file.path, added: commit, parent) { names[former] = file.path }
    }
    return names
  }

  /// Whether a file may be a note of the box; one in a hidden folder, as the trash of another program, is none.
  private func isNote(_ path: [UInt8]) -> Bool {
    FileName.isNote(path) && !FileName.isHidden(Array(path.dropFirst(folder.count)))
  }

  /// The name that a file had before, as slip wrote it into the commit's message.
  private func formerPath(of path: [UInt8], toldBy commit: Commit) -> [UInt8]? {
    let start = folder.isEmpty ? [] : folder + [UInt8(ascii: "/")]
    return OperationTrailers.operation(of: commit).moves.first { start + $0.value == path }
      .map { start + $0.key }
  }

  /// The name that a file had before a commit added it under another; nil where it was new.
  func formerPath(
    of path: [UInt8], added commit: Commit, _ parent: ObjectID
  ) throws(GitError) -> [UInt8]? {
    let files = try repository.changedFiles(from: parent, to: commit.id, under: folder)
    guard let own = files.first(where: { $0.path == path })?.new else { return nil }
    let gone = files.compactMap { $0.new == nil ? $0.old : nil }.filter { isNote($0.path) }
    guard !gone.isEmpty else { return nil }
    if let told = formerPath(of: path, toldBy: commit), gone.contains(where: { $0.path == told }) {
      return told
    }
    let text = try repository.content(of: own.id, at: path)
    let noteID = Note(path: path, text: NoteText(text)).id
    var best: (path: [UInt8], score: Double)?
    let chunks = TextChunks(text)
    for file in gone {
      if file.id == own.id, !text.isEmpty {
        best = (file.path, 1)
        if noteID == nil { break }
        continue
      }
      let other = try repository.content(of: file.id, at: file.path)
      let otherID = Note(path: file.path, text: NoteText(other)).id
      if let noteID, noteID == otherID { return file.path }
      if noteID != nil, otherID != nil { continue }
      let score = TextChunks(other).similarity(to: chunks)
      if score >= TextChunks.leastOfRename, score > best?.score ?? 0 { best = (file.path, score) }
    }
    return best?.path
  }
}
