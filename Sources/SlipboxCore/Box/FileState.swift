import Bytes
package import Git
package import Platform

/// The content of a path, in the work tree or in a commit.
///
/// A file is more than its bytes: git also knows its mode, symbolic links, and files that a sparse checkout leaves out of
/// the work tree. All code that writes, commits, merges or compares files uses these values.
package enum FileState: Sendable, Equatable {
  case absent
  /// A regular file with the bytes that it has in the work tree.
  case file([UInt8], isExecutable: Bool)
  /// A symbolic link with its target as it is written.
  case link([UInt8])
  /// A tracked file that sparse checkout leaves out of the work tree: the blob and the mode that git has.
  case leftOut(ObjectID, mode: UInt32)

  /// The bytes of a regular file of the work tree; nil if there is none.
  package var bytes: [UInt8]? {
    if case .file(let bytes, _) = self { bytes } else { nil }
  }

  /// The mode of a tree entry: 0o100644, 0o100755 or 0o120000; nil if there is no file.
  var mode: UInt32? {
    switch self {
    case .absent: nil
    case .file(_, let isExecutable): isExecutable ? 0o100755 : 0o100644
    case .link: TreeEntry.symbolicLink
    case .leftOut(_, let mode): mode
    }
  }
}

/// A path of the work tree as it was read, independent of git's index.
struct WorkTreeFile {
  /// The path in the box.
  let path: [UInt8]
  /// The content of the path; also `.absent` if something is there that git can't track.
  let state: FileState
  /// The status before the bytes were read; nil if nothing is there.
  let status: FileStatus?

  /// Whether a folder, FIFO, socket or device is at the path.
  var isObstructed: Bool {
    switch status?.kind {
    case .directory, .other: true
    case .file, .symbolicLink, nil: false
    }
  }
}

extension Box {
  /// Reads a path of the work tree without following a symbolic link.
  func workTreeFile(at path: [UInt8]) throws(SlipboxError) -> WorkTreeFile {
    let item = try system { () throws(SystemError) in try folder.item(path) }
    switch item {
    case nil: return WorkTreeFile(path: path, state: .absent, status: nil)
    case .file(let bytes, let status):
      let state = FileState.file(bytes, isExecutable: status.mode & 0o100 != 0)
      return WorkTreeFile(path: path, state: state, status: status)
    case .link(let target, let status):
      return WorkTreeFile(path: path, state: .link(target), status: status)
    case .other(let status): return WorkTreeFile(path: path, state: .absent, status: status)
    }
  }

  /// Returns the obstacle in place of a folder above a path: a symbolic link (not followed), a file, a FIFO, a socket or
  /// a device.
  func obstacle(
    above path: [UInt8]
  ) throws(SlipboxError) -> (path: [UInt8], kind: FileStatus.Kind)? {
    for slash in path.indices where path[slash] == UInt8(ascii: "/") {
      let folder = Array(path[..<slash])
      let status = try system { () throws(SystemError) in
        try Files.status(absolutePath(folder), followLinks: false)
      }
      guard let status else { return nil }
      if status.kind != .directory { return (folder, status.kind) }
    }
    return nil
  }

  /// Returns the path of the file that a write to a path changes. For a symbolic link it is the target, which is in the
  /// box.
  /// - Throws: `.notPermitted` if the link leads out of the box.
  func writtenPath(of path: [UInt8]) throws(SlipboxError) -> [UInt8] {
    do throws(SystemError) {
      return try folder.target(of: path)
    } catch {
      // The folder is created with the file.
      if error.isMissing { return path }
      throw SlipboxError(error)
    }
  }

  /// Returns the blob id that git would store for a state of a path; nil if there is no file.
  /// - Throws: `.configuration` if a program produces the stored form of the file.
  func contentID(of state: FileState, at path: [UInt8]) throws(SlipboxError) -> ObjectID? {
    switch state {
    case .absent: nil
    case .file(let bytes, _): try contentID(of: bytes, at: path)
    case .link(let target): ObjectID(ofBlob: target)
    case .leftOut(let blob, _): blob
    }
  }

  /// Returns the bytes that git would write to the work tree for a content, with its line ends. Behind a filter the
  /// content is returned unchanged. So is a content that git does not have as a blob, because a filter produced it at
  /// another path.
  func workTreeBytes(of stored: [UInt8], at path: [UInt8]) throws(SlipboxError) -> [UInt8] {
    let file = CheckoutFile(path: repositoryPath(path), blob: ObjectID(ofBlob: stored), mode: 0o100644)
    return try git { repository throws(GitError) in
      guard try repository.attributes.foreignFilter(of: file.path) == nil else { return stored }
      guard try repository.hasObject(file.blob) else { return stored }
      return try repository.conversion.checkedOut([file]).first ?? stored
    }
  }

  /// Returns whether the work tree has the content that a commit has for a path, ignoring the executable bit. In that
  /// case nothing would be lost if another commit's file replaced it.
  ///
  /// - Parameters:
  ///   - committed: the entry of the commit; nil if it has none.
  ///   - runsFilters: whether filters run; without them a file behind a filter counts as changed if its status is new.
  ///   - entry: the entry of git's index, whose record of the file's status may make a comparison unnecessary.
  func holds(
    _ committed: TreeEntry?, _ file: WorkTreeFile, _ entry: IndexEntry?, runsFilters: Bool = true
  ) throws(SlipboxError) -> Bool {
    guard let committed else { return file.status == nil }
    if entry?.skipWorktree == true, file.status == nil { return true }
    if let status = file.status, let entry, entry.id == committed.id, entry.mode == committed.mode,
      entry.describes(status), isSettled(status)
    {
      return true
    }
    switch file.state {
    case .absent, .leftOut: return false
    case .link(let target):
      return committed.mode == TreeEntry.symbolicLink && ObjectID(ofBlob: target) == committed.id
    case .file(let bytes, _):
      guard committed.isRegular else { return false }
      let name = repositoryPath(file.path)
      let filter = try git { repository throws(GitError) in
        try repository.attributes.foreignFilter(of: name)
      }
      if filter == nil { return try stores(bytes, at: file.path, as: committed.id) }
      // A file that was written without its filter has the stored form.
      if ObjectID(ofBlob: bytes) == committed.id { return true }
      guard runsFilters else { return false }
      // A filter may store equal text in other bytes each time.
      if (try? content(of: committed)) == bytes { return true }
      return try git { repository throws(GitError) in
        try repository.conversion.storedIDs(ofFiles: [name])[name] == committed.id
      }
    }
  }

  /// Returns whether git-add(1) of a file of the work tree would change nothing, including the mode if modes count.
  func isCommitted(
    _ committed: TreeEntry?, _ file: WorkTreeFile, runsFilters: Bool = true
  ) throws(SlipboxError) -> Bool {
    guard try holds(committed, file, nil, runsFilters: runsFilters) else { return false }
    guard case .file(_, let isExecutable) = file.state, let committed, committed.isRegular else {
      return true
    }
    return isExecutable == (committed.mode & 0o100 != 0) || !withRepository { $0.settings.usesFileModes }
  }

  /// Returns the entry of a commit as it would be in the work tree, without conversions of git's.
  func state(of committed: TreeEntry?) throws(SlipboxError) -> FileState {
    guard let committed else { return .absent }
    if committed.mode == TreeEntry.symbolicLink { return .link(try stored(committed.id)) }
    return .file(try content(of: committed), isExecutable: committed.mode & 0o100 != 0)
  }

  /// Returns whether a file was last changed before git wrote its index, so that the index's record of it can be trusted.
  ///
  /// Source: git's technical/racy-git.
  private func isSettled(_ status: FileStatus) -> Bool {
    // Without an index there is no record.
    guard let index = (try? Files.status(BytePath.join(gitDirectory, Array("index".utf8)))) ?? nil else {
      return false
    }
    return status.modified < index.modified && status.changed < index.modified
  }
}

/// A change of one file of the work tree: the content of its path before and after.
package struct FileChange: Sendable, Equatable {
  package let path: [UInt8]
  package let from: FileState
  package let to: FileState
  /// The permissions of a new file. An existing file keeps its own, except the executable bit.
  package let permissions: FilePermissions

  package init(path: [UInt8], from: FileState, to: FileState, permissions: FilePermissions? = nil) {
    self.path = path
    self.from = from
    self.to = to
    var isExecutable = false
    if case .file(_, true) = to { isExecutable = true }
    self.permissions = permissions ?? (isExecutable ? .executable : .plain)
  }

  /// Creates a change of the bytes of a regular file; nil means no file.
  package init(
    path: [UInt8], before: [UInt8]?, after: [UInt8]?, permissions: FilePermissions = .plain
  ) {
    let isExecutable = permissions.isExecutable
    let state = { (bytes: [UInt8]?) in bytes.map { FileState.file($0, isExecutable: isExecutable) } ?? .absent
    }
    self.init(path: path, from: state(before), to: state(after), permissions: permissions)
  }

  /// The bytes before; nil if there is no regular file.
  package var before: [UInt8]? { from.bytes }

  /// The bytes after; nil if there is no regular file.
  package var after: [UInt8]? { to.bytes }

  /// Whether anything changes at all.
  package var isChange: Bool { from != to }
}
