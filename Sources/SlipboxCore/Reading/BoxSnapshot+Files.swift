import Bytes
import Git
import Platform
import Text

/// Small files of the box itself: settings, kinds, templates.
extension BoxSnapshot {
  /// The bytes of a file of the box, or nil where there is none.
  package func bytes(at path: [UInt8]) throws(SlipboxError) -> [UInt8]? {
    switch source {
    case .workTree: return try box.bytes(at: path)
    case .commit(let commit): return try box.bytes(at: path, in: commit)
    }
  }

  /// The names of the files in a folder of the box; none where there is no such folder.
  func names(in folder: [UInt8]) throws(SlipboxError) -> [[UInt8]] {
    switch source {
    case .workTree:
      do throws(SystemError) {
        return try Files.list(box.absolutePath(folder))
      } catch {
        if error.isMissing { return [] }
        throw SlipboxError(error)
      }
    case .commit(let commit):
      let prefix = box.repositoryPath(folder)
      let files = try box.git { repository throws(GitError) in try repository.files(at: commit, under: prefix)
      }
      let names = files.map { Array($0.path.dropFirst(prefix.count + 1)) }
      return names.filter { !$0.contains(UInt8(ascii: "/")) }
    }
  }

  /// Whether any ignore rule can be about a path: the kept catalogue knows of some, or a folder on the way has a file of
  /// rules. To ask libgit2 costs its start.
  func mayBeIgnored(_ path: [UInt8]) -> Bool {
    guard let kept = keptCatalogue(), !kept.sources.hasRules else { return true }
    return box.hasIgnoreFile(above: path)
  }
}

extension Box {
  private static let mostLinks = 40

  /// The bytes of a file in a commit, through symbolic links inside the box as in the work tree; nil if there is none.
  func bytes(at path: [UInt8], in commit: ObjectID) throws(SlipboxError) -> [UInt8]? {
    var path = path
    for _ in 0..<Self.mostLinks {
      let name = repositoryPath(path)
      guard let entry = try git({ repository throws(GitError) in try repository.file(name, at: commit) })
      else {
        return nil
      }
      let bytes = try blob(entry.id)
      guard entry.mode == TreeEntry.symbolicLink else { return bytes }
      guard bytes.first != UInt8(ascii: "/"),
        let target = BytePath.normalised(BytePath.join(BytePath.folder(of: path), bytes))
      else { return nil }
      path = target
    }
    return nil
  }
}
