import Bytes
import Glibc
import Platform

/// Where the parts of a repository lie, found without libgit2.
struct RepositoryLayout {
  /// The folder that `.git` was found in, or the git folder itself where it is bare.
  let folder: [UInt8]
  /// The work tree; nil for a bare repository.
  let workTree: [UInt8]?
  /// The git folder, in a linked worktree its own.
  let gitDirectory: [UInt8]
  /// The git folder that all worktrees share.
  let commonDirectory: [UInt8]

  /// Looks in a folder and above, as git does: never past the file system that the folder is on.
  static func find(from directory: [UInt8]) throws(GitError) -> RepositoryLayout? {
    guard var folder = Files.realPath(directory), let start = RawFile.status(folder) else { return nil }
    while true {
      if let found = try at(folder) { return found }
      let parent = folder.parentPath
      guard parent != folder, let above = RawFile.status(parent), above.device == start.device else {
        return nil
      }
      folder = parent
    }
  }

  private static func at(_ folder: [UInt8]) throws(GitError) -> RepositoryLayout? {
    let link = folder / ".git"
    if let status = RawFile.status(link, followLinks: true) {
      if status.kind == .directory, let real = Files.realPath(link), try isGitFolder(real) {
        return RepositoryLayout(folder: folder, workTree: folder, gitDirectory: real)
      }
      if status.kind == .file {
        return RepositoryLayout(folder: folder, workTree: folder, gitDirectory: try target(of: link))
      }
    }
    guard Files.isFolder(folder / "objects"), try isGitFolder(folder) else { return nil }
    return RepositoryLayout(folder: folder, workTree: nil, gitDirectory: folder)
  }

  private init(folder: [UInt8], workTree: [UInt8]?, gitDirectory: [UInt8]) {
    self.folder = folder
    self.workTree = workTree
    self.gitDirectory = gitDirectory
    commonDirectory = Self.commonFolder(of: gitDirectory)
  }

  /// The folder that the file `commondir` names, else the git folder itself.
  private static func commonFolder(of gitDirectory: [UInt8]) -> [UInt8] {
    guard let file = try? RawFile.read(gitDirectory / "commondir")?.bytes.trimmed, !file.isEmpty else {
      return gitDirectory
    }
    let path = file.first == UInt8(ascii: "/") ? file : gitDirectory / file
    return Files.realPath(path) ?? path
  }

  /// Tells whether a folder is git's. One that has everything but a sound HEAD is damaged, not absent: taking it for
  /// absent could lead to a repository further above.
  private static func isGitFolder(_ path: [UInt8]) throws(GitError) -> Bool {
    let common = commonFolder(of: path)
    guard Files.isFolder(common / "objects"), Files.isFolder(common / "refs") else { return false }
    if let status = RawFile.status(path / "HEAD"), status.kind == .symbolicLink { return true }
    let head = try RawFile.read(path / "HEAD")?.bytes ?? []
    if head.starts(with: "ref:".utf8) || ObjectID(hex: head.prefix(40)) != nil { return true }
    // A folder of notes may well have subfolders of these names; only ".git" is certainly meant for git.
    guard path.suffix(5).elementsEqual("/.git".utf8) else { return false }
    throw GitError(
      .damaged(object: "HEAD"),
      "\(GitError.text(path / "HEAD")) is corrupt; write \"ref: refs/heads/BRANCH\" with your branch into it")
  }

  /// The git folder that a file `.git` names.
  private static func target(of link: [UInt8]) throws(GitError) -> [UInt8] {
    let text = try RawFile.read(link)?.bytes ?? []
    guard text.starts(with: "gitdir:".utf8) else {
      throw GitError(.other, "\(GitError.text(link)) is a file without a line gitdir: PATH")
    }
    let name = Array(text.dropFirst(7)).trimmed
    let path = name.first == UInt8(ascii: "/") ? name : link.parentPath / name
    guard let real = Files.realPath(path), try isGitFolder(real) else {
      throw GitError(
        .missing,
        "\(GitError.text(link)) names a git folder that does not exist: \(GitError.text(path)); "
          + "if the repository was moved, run: git worktree repair")
    }
    return real
  }
}

extension RepositoryLayout {
  /// Whether work tree and git folder belong to the user who runs this.
  var isOwned: Bool {
    let paths = [folder, gitDirectory] + (workTree == nil ? [] : [folder / ".git"])
    return paths.allSatisfy { RawFile.status($0, followLinks: true)?.owner == geteuid() }
  }

  /// The settings that the repository holds; nil where it has no file of them.
  /// - Throws: `unreadable` where the file is there and can't be read: git would do nothing without it either.
  func configuration() throws(GitError) -> [UInt8]? {
    let path = commonDirectory / "config"
    do throws(SystemError) {
      if let found = try Files.readIfPresent(path) { return found.bytes }
      guard try Files.status(path, followLinks: true) != nil else { return nil }
    } catch {
      throw GitError(.unreadable(path: path), "\(GitError.text(path)) can't be read: \(error.reason)")
    }
    throw GitError(.unreadable(path: path), "\(GitError.text(path)) can't be read: it is not a file")
  }

  /// Whether the configuration has nothing that changes how the repository is found or opened, so that opening it can
  /// wait until an object is needed. When in doubt, false.
  func isPlain(_ configuration: [UInt8]?) -> Bool {
    guard workTree != nil, let configuration, configuration.count < 1 << 20 else { return false }
    let text = configuration.map { $0 >= 65 && $0 <= 90 ? $0 + 32 : $0 }
    if ["extensions", "worktree", "include"].contains(where: { text.containsText($0) }) { return false }
    // A linked worktree has its own folder, whatever the repository says of the first one.
    let isLinked = gitDirectory != commonDirectory
    return !text.split(whereSeparator: { $0 == 10 || $0 == 13 }).contains { line in
      let words = line.split(whereSeparator: { $0 == 32 || $0 == 9 || $0 == UInt8(ascii: "=") })
      guard let key = words.first, let value = words.dropFirst().first else { return false }
      let isVersion = key.elementsEqual("repositoryformatversion".utf8)
      return isVersion && !value.elementsEqual("0".utf8)
        || !isLinked && key.elementsEqual("bare".utf8) && !value.elementsEqual("false".utf8)
    }
  }
}

extension [UInt8] {
  /// Whether the bytes of a text occur here.
  func containsText(_ text: String) -> Bool {
    let wanted = Array(text.utf8)
    return withUnsafeBytes { buffer in
      wanted.withUnsafeBytes { wanted in
        guard let base = buffer.baseAddress, let text = wanted.baseAddress, let first = wanted.first else {
          return wanted.isEmpty
        }
        var start = 0
        while start + wanted.count <= buffer.count {
          guard let found = memchr(base + start, Int32(first), buffer.count - wanted.count + 1 - start) else {
            return false
          }
          start = UnsafeRawPointer(found) - base
          if memcmp(found, text, wanted.count) == 0 { return true }
          start += 1
        }
        return false
      }
    }
  }
}
