import Git
package import Notes
package import Platform
import Text

/// The notes of a box as they are on disk, read on all processors.
package struct NoteFolder: Sendable {
  /// A note with the state of its file.
  package struct File: Sendable {
    package let note: Note
    package let status: FileStatus
  }

  /// The largest file that is read as a note, in bytes.
  package static let sizeLimit = 64 << 20

  /// Every note, by path.
  package let notes: [File]
  /// Notes that could not be read, with the reason.
  package let unreadable: [(path: [UInt8], reason: String)]
  /// Temporary files that a command of slip did not remove.
  let temporaries: [[UInt8]]

  /// Walks the box and reads its notes.
  init(of box: Slipbox) throws(SlipboxError) {
    let walk = DirectoryWalk.files(under: box.root, include: { FileName.isNote(Array($0)) })
    temporaries = walk.temporaries
    var unreadable = walk.problems.map { (path: $0.path, reason: $0.reason) }
    let tracked = try box.committedState()
    var files: [DirectoryWalk.Found] = []
    for file in walk.files {
      if !tracked.isTracked(file.path), try box.isIgnored(file.path) { continue }
      files.append(file)
    }
    // What is ignored stays so by whatever name a link gives to it.
    var known = Set(walk.files.map(\.path))
    for link in walk.links {
      if let target = box.target(of: link.path), known.insert(target.path).inserted { files.append(target) }
    }
    let folder = box.folder
    let read = concurrentMap(files) { file in Self.read(file.path, file.status, in: folder) }
    var notes: [File] = []
    notes.reserveCapacity(read.count)
    for (file, result) in zip(files, read) {
      switch result {
      case .success(let note): notes.append(note)
      case .failure(let error): unreadable.append((file.path, error.reason))
      }
    }
    notes.sort { $0.note.path.lexicographicallyPrecedes($1.note.path) }
    self.notes = notes
    self.unreadable = unreadable
  }

  private static func read(
    _ path: [UInt8], _ status: FileStatus, in folder: BoxFolder
  ) -> Result<File, SystemError> {
    do throws(SystemError) {
      let file = try folder.read(path, limit: sizeLimit)
      return .success(File(note: Note(path: path, text: NoteText(file.bytes)), status: file.status))
    } catch {
      return .failure(error)
    }
  }
}

extension Slipbox {
  /// Whether the ignore rules leave out a file that git does not track.
  func isIgnored(_ path: [UInt8]) throws(SlipboxError) -> Bool {
    try git { () throws(GitError) in try repository.isIgnored(repositoryPath(path)) }
  }

  /// Whether any rule can be about a path: what is kept knows of some, or a folder on the way has a file of rules.
  ///
  /// To ask libgit2 costs its start.
  func mayBeIgnored(_ path: [UInt8]) -> Bool {
    guard let kept = keptCatalogue(), !kept.sources.hasRules else { return true }
    var folder = BytePath.folder(of: path)
    while true {
      let rules = absolutePath(BytePath.join(folder, Array(".gitignore".utf8)))
      do throws(SystemError) {
        if try Files.status(rules) != nil { return true }
      } catch {
        return true
      }
      if folder.isEmpty { return false }
      folder = BytePath.folder(of: folder)
    }
  }

  /// The file of the box that a symbolic link leads to: the note itself, whatever its own name is.
  func target(of link: [UInt8]) -> DirectoryWalk.Found? {
    guard let target = Files.realPath(absolutePath(link)), let path = BytePath.relative(target, to: root),
      let status = try? Files.status(target, followLinks: false), status.kind == .file
    else { return nil }
    return DirectoryWalk.Found(path: path, status: status)
  }
}
