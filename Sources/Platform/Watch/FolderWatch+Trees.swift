import Bytes
import Glibc

extension FolderWatch {
  /// What was found in folders when they came to be watched, by absolute paths.
  package struct Tree: Sendable {
    /// The files, and the links.
    package var files: [[UInt8]] = []
    package var links: [[UInt8]] = []
    /// The folders that hold a repository of their own. They are watched, for it may go away, but nothing in them.
    package var repositories: [[UInt8]] = []
  }

  /// Watches a folder and all below it that a walk goes into: not hidden ones, nor what is in those that hold a
  /// repository of their own.
  ///
  /// - Parameter isRoot: whether it is the folder of the walk itself, which may be a link and hold a repository.
  /// - Throws: `ENOSPC` where the user watches too many folders. A folder that can't be read is left out.
  package func add(tree folder: [UInt8], isRoot: Bool) throws(SystemError) -> Tree {
    let reader = FolderReader()
    var tree = Tree()
    var waiting = [folder]
    while let next = waiting.popLast() {
      let isFirst = isRoot && next == folder
      do throws(SystemError) {
        try add(next, followingLink: isFirst)
      } catch {
        guard error.code != ENOSPC, error.code != ENOMEM else { throw error }
        continue
      }
      let found = entries(of: next, reader)
      if found.holdsRepository, !isFirst {
        tree.repositories.append(next)
      } else {
        tree.files += found.files
        tree.links += found.links
        waiting += found.folders
      }
    }
    return tree
  }

  private struct Entries {
    var files: [[UInt8]] = []
    var links: [[UInt8]] = []
    var folders: [[UInt8]] = []
    var holdsRepository = false
  }

  /// What a folder holds; nothing where it can't be read.
  private func entries(of folder: [UInt8], _ reader: FolderReader) -> Entries {
    var entries = Entries()
    guard let open = try? Descriptor.open(folder, O_RDONLY | O_DIRECTORY | O_NONBLOCK) else { return entries }
    try? reader.forEach(in: open, folder) { name, hint in
      guard name.first != UInt8(ascii: ".") else {
        if name.elementsEqual(".git".utf8) { entries.holdsRepository = true }
        return
      }
      let path = BytePath.path(of: name, in: folder)
      switch hint {
      case .directory: entries.folders.append(path)
      case .symbolicLink: entries.links.append(path)
      case .file, .other: entries.files.append(path)
      case .unknown:
        switch (try? Files.status(path))?.kind {
        case .directory: entries.folders.append(path)
        case .symbolicLink: entries.links.append(path)
        default: entries.files.append(path)
        }
      }
    }
    return entries
  }
}
