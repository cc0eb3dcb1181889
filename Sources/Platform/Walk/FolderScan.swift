import Bytes

/// The entries of one folder of a walk.
struct FolderScan {
  /// The folder's path relative to the root; empty for the root itself.
  let path: [UInt8]
  /// Its number in the table.
  let known: Int?
  /// The identity for the next table; nil if the folder could not be read.
  var identity: FolderIdentity?
  /// Whether it has the names that the table says, and was therefore not read.
  var isUnchanged = false
  /// Whether its other names differ from those in the table.
  var othersDiffer = false

  /// The results for its rows.
  var rows = RowScan()
  /// More of that, by their numbers in the queue.
  var parts: [Int] = []
  /// Rows that are gone as a whole.
  var lost: [Range<Int>] = []
  /// The files without rows, in the order of their paths.
  var added: [FoundFile] = []
  /// The folders in it, in the order of their paths.
  var children: [Subfolder] = []
  var others: [FileTable.OtherName] = []
  var links: [FoundFile] = []
  var ignoreFiles: [FoundFile] = []
  var problem: SystemError?

  struct Subfolder {
    /// Its number in the table.
    let known: Int?
    let path: [UInt8]
    /// The number of elements of `added` that sort before its entries.
    let addedBefore: Int
    /// Its position among the scans, once it has one.
    var position = -1
  }
}

/// The results for rows of a table whose names are still in their folder.
struct RowScan {
  var changed: [TableChanges.Row] = []
  var suspect: [TableChanges.Row] = []
  /// The rows whose names are no regular files, against expectation.
  var missing: [Int] = []
  /// The first failure other than a file that is gone.
  var problem: SystemError?
}

/// The choices of a walk, and what all of its folders need.
struct WalkPlan: Sendable {
  let root: Descriptor
  let table: FileTable
  let descend: (@Sendable (ArraySlice<UInt8>) -> Bool)?
  let include: @Sendable (ArraySlice<UInt8>) -> Bool
  /// The device whose folders' times can be relied on; nil: none.
  let reliableDevice: UInt64?
  let racyWindow: RacyWindow
}

extension WalkPlan {
  /// The racyWindow of files in a folder on a device: another one may be mounted anywhere.
  func racyWindow(on device: UInt64?) -> RacyWindow {
    device == reliableDevice ? racyWindow : racyWindow.elsewhere
  }

  /// The identity for the next table of a folder that is read after this check.
  func identity(_ status: FileStatus) -> FolderIdentity {
    let (modified, changed) = (status.modified.sinceEpoch, status.changed.sinceEpoch)
    return FolderIdentity(
      modified: modified, changed: changed, inode: status.inode, device: status.device,
      isSettled: status.device == reliableDevice && modified > 0 && !racyWindow.isRacy(modified)
        && !racyWindow.isRacy(changed))
  }

  /// Whether a folder has the names that the table says.
  func isUnchanged(_ folder: Int, _ status: FileStatus) -> Bool {
    let known = table.identity(of: folder)
    return known.isSettled && known.device == reliableDevice && known.device == status.device
      && known.inode == status.inode && known.modified == status.modified.sinceEpoch
      && known.changed == status.changed.sinceEpoch
  }
}

/// Rows of one folder that are looked at apart from the others, so that threads share a large folder.
struct RowWork: Sendable {
  /// How many rows are worth being handed to another thread.
  static let length = 2048

  let folder: Descriptor
  let path: [UInt8]
  let rows: Range<Int>

  /// Looks at the rows.
  func scan(_ table: FileTable) -> RowScan {
    // Threads that use one descriptor wait for each other's count of its users. "." leads to the same folder.
    let own = try? Descriptor.open([UInt8(ascii: ".")], [.pathOnly, .folder], in: folder)
    var scan = RowScan()
    scan.look(at: rows, in: own ?? folder, path, table)
    return scan
  }

  /// Cuts runs of rows into parts.
  static func parts(of runs: [Range<Int>], in folder: Descriptor, _ path: [UInt8]) -> [RowWork] {
    var parts: [RowWork] = []
    for run in runs {
      for start in stride(from: run.lowerBound, to: run.upperBound, by: length) {
        let rows = start..<min(start + length, run.upperBound)
        parts.append(RowWork(folder: folder, path: path, rows: rows))
      }
    }
    return parts
  }
}

/// Compares the names of a folder with those of a table; both in the order of their paths.
struct RowMerge {
  private let table: FileTable
  private var children: ArraySlice<Int>
  private let runs: [Range<Int>]
  /// The run that the next row is in, and that row.
  private var run = 0
  private var row = 0

  /// The rows whose names are there.
  private(set) var present: [Range<Int>] = []
  /// The rows whose names are not.
  private(set) var missing: [Int] = []
  /// The folders that are not there, by their numbers.
  private(set) var lostChildren: [Int] = []

  /// - Parameter folder: The number of the folder in the table; nil: it is new.
  init(_ table: FileTable, _ folder: Int?) {
    self.table = table
    let children = folder.map { table.children(of: $0) } ?? []
    self.children = children[...]
    runs = folder.map { table.ownFiles(of: $0, between: children) } ?? []
    row = runs.first?.lowerBound ?? 0
  }

  /// Whether the next name of a file has a row.
  mutating func takes(_ name: UnsafeRawBufferPointer) -> Bool {
    while let row = nextRow() {
      let known = table.name(of: row)
      if ByteOrder.precedes(name[...], known[...]) { return false }
      self.row += 1
      if known.elementsEqual(name) {
        take(row)
        return true
      }
      missing.append(row)
    }
    return false
  }

  private mutating func nextRow() -> Int? {
    while run < runs.count {
      if row < runs[run].upperBound { return row }
      run += 1
      if run < runs.count { row = runs[run].lowerBound }
    }
    return nil
  }

  private mutating func take(_ row: Int) {
    if let last = present.last, last.upperBound == row {
      present[present.count - 1] = last.lowerBound..<row + 1
    } else {
      present.append(row..<row + 1)
    }
  }

  /// The number of the next folder in the table; nil: it is new.
  mutating func child(_ path: [UInt8], _ name: UnsafeRawBufferPointer) -> Int? {
    let start = path.isEmpty ? 0 : path.count + 1
    while let child = children.first {
      let known = table.folderPath(child).dropFirst(start)
      if Self.folderPrecedes(name[...], known) { return nil }
      children.removeFirst()
      if known.elementsEqual(name) { return child }
      lostChildren.append(child)
    }
    return nil
  }

  /// Whether one name sorts before another when both are followed by a slash.
  private static func folderPrecedes(
    _ left: Slice<UnsafeRawBufferPointer>, _ right: Slice<UnsafeRawBufferPointer>
  ) -> Bool {
    let slash = CollectionOfOne(UInt8(ascii: "/"))
    return (Array(left) + slash).lexicographicallyPrecedes(Array(right) + slash)
  }

  /// Counts the remaining rows as missing.
  mutating func finish() {
    while let row = nextRow() {
      missing.append(row)
      self.row += 1
    }
    lostChildren += children
    children = []
  }
}
