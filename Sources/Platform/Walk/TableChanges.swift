/// What a walk found to be otherwise than a table says; every list is in the order of the paths.
package struct TableChanges: Sendable {
  /// A row of the table with the present state of its file.
  package struct Row: Sendable {
    package let row: Int
    package let status: FileStatus
  }

  /// The files with another stamp.
  package var changed: [Row] = []
  /// The files with the same stamp that may have changed all the same: it was racy.
  package var suspect: [Row] = []
  /// The files that have no row.
  package var added: [FoundFile] = []
  /// The rows whose files are gone.
  package var removed: [Int] = []
  /// The symbolic links to regular files, wherever those are, with the status of the file that they point to.
  package var links: [FoundFile] = []
  /// The temporary files that an interrupted replacement has left.
  package var temporaries: [[UInt8]] = []
  /// The folders that were skipped because they hold a repository of their own.
  package var nestedRepositories: [[UInt8]] = []
  /// The `.gitignore` files in the folders that were walked.
  package var ignoreFiles: [FoundFile] = []
  /// Whether one of the `.gitignore` files is new, gone or changed, or may have changed.
  package var ignoreFilesMayDiffer = false
  /// The folders and files that could not be looked at; the others were.
  package var problems: [SystemError] = []
  /// Whether `FileTable.applying` would write nothing new. That may be so for times of folders alone, which
  /// only spare the next walk some work.
  package var isTableCurrent = true
  /// When the walk began.
  package let racyWindow: RacyWindow
  /// The folders that were walked, in the order of their paths with a slash at the end.
  var folders: [SeenFolder] = []

  init(racyWindow: RacyWindow) { self.racyWindow = racyWindow }

  /// Whether a file that is read after the walk, and then has this stamp, could still change without a change
  /// of it.
  package func isRacy(_ stamp: FileStamp) -> Bool { racyWindow.isRacy(stamp) }

  /// The changes where the root can't be opened.
  init(without table: FileTable, _ problem: SystemError) {
    self.init(racyWindow: RacyWindow(isLocal: false))
    removed = Array(0..<table.count)
    problems = [problem]
    ignoreFilesMayDiffer = true
  }
}

/// A folder as a walk saw it.
enum SeenFolder: Sendable {
  /// One that has the names which the table says.
  case unchanged(Int, others: [FileTable.OtherName])
  case read(FileTable.Folder)
}

extension TableChanges {
  /// The folders for the next table.
  /// - Parameter table: The one that the walk was held against.
  package func folders(of table: FileTable) -> [FileTable.Folder] {
    var result: [FileTable.Folder] = []
    result.reserveCapacity(folders.count)
    for folder in folders {
      switch folder {
      case .read(let folder): result.append(folder)
      case .unchanged(let number, let others):
        result.append(
          FileTable.Folder(
            path: Array(table.folderPath(number)), identity: table.identity(of: number), others: others))
      }
    }
    return result
  }
}
