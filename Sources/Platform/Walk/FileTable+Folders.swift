import Bytes

extension FileTable {
  /// The fields of a folder row, by their offsets.
  enum FolderField: Int {
    case modified = 0
    case changed = 8
    case inode = 16
    case device = 24
    case pathOffset = 32
    case pathLength = 40
    /// The folder after the last one below this one. Folders come in the order of their paths with a slash at
    /// the end, so those below it follow it.
    case lastFolder = 44
    /// The first of the files below, at any depth.
    case firstFile = 48
    /// The file after the last one below, at any depth.
    case lastFile = 52
    /// The first of its own other names.
    case firstOther = 56
    /// The one after the last of its own other names.
    case lastOther = 60
    case flags = 64
  }

  enum FolderFlag {
    static let isSettled: UInt32 = 1
    static let isNestedRepository: UInt32 = 2
  }

  /// The path of a folder relative to the root, without a slash at its end, with a NUL behind it.
  func folderPath(_ folder: Int) -> UnsafeRawBufferPointer {
    heapName(
      folderNumber(folder, .pathOffset), Int(folderNumber(folder, .pathLength) as UInt32))
  }

  /// The folder after the last one below a folder.
  func folderEnd(_ folder: Int) -> Int { Int(folderNumber(folder, .lastFolder) as UInt32) }

  /// The files below a folder, at any depth.
  func filesBelow(_ folder: Int) -> Range<Int> {
    let start = Int(folderNumber(folder, .firstFile) as UInt32)
    return start..<max(start, Int(folderNumber(folder, .lastFile) as UInt32))
  }

  /// The folders in a folder, in the order of their paths.
  func children(of folder: Int) -> [Int] {
    var children: [Int] = []
    var next = folder + 1
    let end = folderEnd(folder)
    while next < end {
      children.append(next)
      next = max(next + 1, folderEnd(next))
    }
    return children
  }

  /// The files in a folder itself: runs of rows between those of the folders in it.
  func ownFiles(of folder: Int, between children: [Int]) -> [Range<Int>] {
    let all = filesBelow(folder)
    var runs: [Range<Int>] = []
    var start = all.lowerBound
    for child in children {
      let below = filesBelow(child)
      if start < below.lowerBound { runs.append(start..<below.lowerBound) }
      start = max(start, below.upperBound)
    }
    if start < all.upperBound { runs.append(start..<all.upperBound) }
    return runs
  }

  /// The other names in a folder.
  func otherNames(of folder: Int) -> Range<Int> {
    let start = Int(folderNumber(folder, .firstOther) as UInt32)
    return start..<max(start, Int(folderNumber(folder, .lastOther) as UInt32))
  }

  /// The stored identity of a folder.
  func identity(of folder: Int) -> FolderIdentity {
    let flags: UInt32 = folderNumber(folder, .flags)
    return FolderIdentity(
      modified: folderNumber(folder, .modified), changed: folderNumber(folder, .changed),
      inode: folderNumber(folder, .inode), device: folderNumber(folder, .device),
      isSettled: flags & FolderFlag.isSettled != 0,
      isNestedRepository: flags & FolderFlag.isNestedRepository != 0)
  }
}

extension FileTable {
  /// Whether folders lie in one another as their paths say, each with its files, and no path has tricks.
  ///
  /// Then every folder is reached from the first one, once, and the work of a walk has an end.
  func areFoldersSound() -> Bool {
    guard folderPath(0).isEmpty, folderEnd(0) == folderCount, filesBelow(0) == 0..<count else { return false }
    var above = [0]
    // No two folders beside one another share files, nor do any two share other names.
    var (files, others) = (0, otherNames(of: 0).upperBound)
    guard otherNames(of: 0).lowerBound == 0 else { return false }
    for folder in 1..<max(1, folderCount) {
      while let last = above.last, folderEnd(last) <= folder {
        files = filesBelow(last).upperBound
        above.removeLast()
      }
      let names = otherNames(of: folder)
      guard let parent = above.last, isSound(folder, in: parent), filesBelow(folder).lowerBound >= files,
        names.lowerBound == others
      else { return false }
      others = names.upperBound
      above.append(folder)
    }
    return others == nameCount
  }

  private func isSound(_ folder: Int, in parent: Int) -> Bool {
    let (files, all) = (filesBelow(folder), filesBelow(parent))
    guard folderEnd(folder) > folder, folderEnd(folder) <= folderEnd(parent),
      files.lowerBound >= all.lowerBound, files.upperBound <= all.upperBound
    else { return false }
    let (path, above) = (folderPath(folder), folderPath(parent))
    let start = above.isEmpty ? 0 : above.count + 1
    guard path.count > start, above.isEmpty || path[above.count] == UInt8(ascii: "/"),
      path.starts(with: above)
    else { return false }
    return Self.isPlainName(UnsafeRawBufferPointer(rebasing: path[start...]))
  }

  /// Whether a name is one that a walk would have found.
  static func isPlainName(_ name: UnsafeRawBufferPointer) -> Bool {
    guard name.first != UInt8(ascii: "."), !name.isEmpty else { return false }
    return CLibrary.offset(of: 0x2F, in: name, from: 0, to: name.count) == nil
      && CLibrary.offset(of: 0, in: name, from: 0, to: name.count) == nil
  }
}

/// The times of a folder, by which a walk sees whether its names are unchanged.
///
/// Both times change with every entry that is created, renamed or removed; unlike the first, the second can't be
/// set by a program.
struct FolderIdentity: Sendable, Equatable {
  var modified: Int64
  var changed: Int64
  var inode: UInt64
  var device: UInt64
  /// Whether any later change shows in the times.
  var isSettled: Bool
  var isNestedRepository = false
}
