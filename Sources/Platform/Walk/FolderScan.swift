import Glibc

/// What one folder of a walk holds.
struct FolderScan {
  /// The folder's path relative to the root; empty for the root itself.
  let path: [UInt8]
  /// Its number in the table.
  let known: Int?
  /// What the next table says of it; nil where it could not be read.
  var identity: FolderIdentity?
  /// Whether it has the names that the table says, and was therefore not read.
  var isUnchanged = false
  /// Whether its other names differ from those in the table.
  var othersDiffer = false

  /// What became of rows.
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
    /// How many of `added` sort before what it holds.
    let addedBefore: Int
    /// Its position among the scans, once it has one.
    var position = -1
  }
}

/// What became of rows of a table whose names are still in their folder.
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

  /// What the next table says of a folder that is read after this look at it.
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
