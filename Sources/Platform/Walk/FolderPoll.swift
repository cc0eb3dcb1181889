import Bytes

/// Changes in single folders, found by comparing their entries with the earlier ones: the portable form of `ChangeQueue`.
///
/// A change is missed if size, times and mode of a file stay the same, as within one tick of the clock.
struct FolderPoll {
  /// How often the folders are read while a watch waits, in milliseconds.
  static let intervalMilliseconds: Int64 = 500

  private struct Found: Equatable {
    /// Nil for a folder: its own times change with each name in it.
    let stamp: FileStamp?
    let inode: UInt64
    let mode: UInt32

    init(_ status: FileStatus) {
      stamp = status.kind == .directory ? nil : FileStamp(status)
      inode = status.inode
      mode = status.mode
    }

    var isFolder: Bool { stamp == nil }
  }

  private var folders: [[UInt8]: [[UInt8]: Found]] = [:]

  var count: Int { folders.count }

  /// Watches a folder by its absolute path. A folder that is watched already is not read again.
  /// - Throws: `ENOTDIR` for a symbolic link that is not followed; `ENOENT` and the like.
  mutating func add(_ folder: [UInt8], followingLink: Bool) throws(SystemError) {
    guard folders[folder] == nil else { return }
    folders[folder] = try Self.contents(of: folder, followingLink: followingLink)
  }

  /// Watches a folder and those below it no longer.
  mutating func remove(below folder: [UInt8]) {
    let prefix = folder + [UInt8(ascii: "/")]
    folders = folders.filter { path, _ in path != folder && !path.starts(with: prefix) }
  }

  /// Reads all folders again.
  /// - Complexity: one call of the system for each file.
  mutating func changes() -> [FolderWatch.Event] {
    var events: [FolderWatch.Event] = []
    for (folder, before) in folders {
      // A folder that can't be read any more counts as gone.
      guard let now = try? Self.contents(of: folder, followingLink: true) else {
        folders[folder] = nil
        events.append(.folderGone(folder))
        continue
      }
      for (name, found) in before where now[name] == nil {
        events.append(.name(name, in: folder, isFolder: found.isFolder, isGone: true))
      }
      for (name, found) in now where before[name] != found {
        events.append(.name(name, in: folder, isFolder: found.isFolder, isGone: false))
      }
      folders[folder] = now
    }
    return events
  }

  private static func contents(
    of folder: [UInt8], followingLink: Bool
  ) throws(SystemError) -> [[UInt8]: Found] {
    var mode: Descriptor.Mode = [.reading, .folder, .withoutWaiting]
    if !followingLink { mode.insert(.withoutLink) }
    let open = try Descriptor.open(folder, mode)
    var found: [[UInt8]: Found] = [:]
    try FolderReader().forEach(in: open, folder) { name, _ in
      var code: Int32 = 0
      // A file that is gone meanwhile is not there.
      guard let status = FileStatus.of(terminated: name, in: open, code: &code) else { return }
      found[Array(name)] = Found(status)
    }
    return found
  }
}
