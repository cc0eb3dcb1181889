import Bytes
import Git
import Platform

extension Box {
  /// Whether the ignore rules leave out a file that git does not track.
  func isIgnored(_ path: [UInt8]) throws(SlipboxError) -> Bool {
    let name = repositoryPath(path)
    return try git { repository throws(GitError) in try repository.isIgnored(name) }
  }

  /// The rule that ignores a file, as "FILE:LINE: PATTERN"; nil where none does.
  func ignoreRule(_ path: [UInt8]) -> String? {
    withRepository { $0.ignoreRule(repositoryPath(path)) }
  }

  /// Whether a folder on the way to a path has a file of ignore rules, or can't be looked at.
  func hasIgnoreFile(above path: [UInt8]) -> Bool {
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
  ///
  /// Nil where a walk would not find it under its own name either: outside of the box, in a hidden folder, in git's
  /// own, or in a repository inside the box.
  func target(of link: [UInt8]) -> DirectoryWalk.Found? {
    let root = Files.realPath(root) ?? root
    guard let target = Files.realPath(absolutePath(link)), let path = BytePath.relative(target, to: root),
      folder.isOpen(path), !isInNestedRepository(path),
      // A target that went away meanwhile is no note.
      let status = try? Files.status(target, followLinks: false), status.kind == .file
    else { return nil }
    return DirectoryWalk.Found(path: path, status: status)
  }

  /// Whether a symbolic link is at a path.
  func isLink(_ path: [UInt8]) -> Bool {
    // What can't be looked at is no link that could be followed.
    (try? Files.status(absolutePath(path), followLinks: false))?.kind == .symbolicLink
  }

  /// Whether a path or a folder on the way to it is a symbolic link.
  func passesThroughLink(_ path: [UInt8]) -> Bool {
    var place = path
    while !place.isEmpty {
      if isLink(place) { return true }
      place = BytePath.folder(of: place)
    }
    return false
  }

  /// Whether anything is at a path.
  package func isThere(_ path: [UInt8]) -> Bool {
    (try? Files.status(absolutePath(path), followLinks: false)) != nil
  }

  /// Whether a path is in a repository inside the box, none of whose files belongs to the box.
  func isInNestedRepository(_ path: [UInt8]) -> Bool {
    var folder = BytePath.folder(of: path)
    while !folder.isEmpty {
      do throws(SystemError) {
        if try Files.status(absolutePath(BytePath.join(folder, Array(".git".utf8)))) != nil { return true }
      } catch {
        // What can't be looked at counts as a repository: its files are not read.
        return true
      }
      folder = BytePath.folder(of: folder)
    }
    return false
  }
}
