import Bytes

/// The differences between a walk and a table. Every list is in the order of the paths.
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

  /// The changes if the root can't be opened.
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
  /// - Parameter table: the table that the walk was compared with.
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

extension BoxFolder {
  /// Compares single files with a table, as a walk of the whole folder would compare all of them.
  ///
  /// - Parameter paths: the files that may have changed, without hidden names in them.
  /// - Returns: their differences. Symbolic links are among `links` with their own status, wherever they lead.
  /// - Complexity: a few system calls a path.
  package func changes(among paths: some Sequence<[UInt8]>, since table: FileTable) -> TableChanges {
    let isLocal = DirectoryWalk.reliableDevice(anchor) != nil
    var changes = TableChanges(racyWindow: RacyWindow(isLocal: isLocal))
    for path in paths {
      let row = table.row(of: path)
      let status: FileStatus?
      do throws(SystemError) {
        status = try place(of: path, for: .reading, followingLast: false).status()
      } catch {
        // A walk does not follow a symbolic link to a folder.
        if !error.isMissing, error.code != SystemError.leavesBox { changes.problems.append(error) }
        status = nil
      }
      if let status, status.kind == .symbolicLink {
        changes.links.append(FoundFile(path: path, status: status))
      }
      if let status, status.kind == .file {
        changes.note(path, status, row, table)
      } else if let row {
        changes.removed.append(row)
      }
    }
    return changes
  }
}

extension TableChanges {
  /// Notes a file that is there.
  fileprivate mutating func note(_ path: [UInt8], _ status: FileStatus, _ row: Int?, _ table: FileTable) {
    guard let row else {
      added.append(FoundFile(path: path, status: status))
      return
    }
    if FileStamp(status) != table.stamp(of: row) {
      changed.append(Row(row: row, status: status))
    } else if table.isRacy(row) {
      suspect.append(Row(row: row, status: status))
    }
  }
}

extension FileTable {
  /// Writes the table of the files that a walk saw.
  ///
  /// Its rows are those of this table without the removed ones, and with the added ones in order. A
  /// stamp is racy by the clock at the start of the walk: that holds for contents read after it.
  ///
  /// - Parameter changes: those of a walk that was compared with this table.
  package func applying(_ changes: TableChanges) -> [UInt8] {
    let racyWindow = changes.racyWindow
    let added = changes.added.map { found in
      let stamp = FileStamp(found.status)
      return File(path: found.path, stamp: stamp, isRacy: racyWindow.isRacy(stamp))
    }
    var renewed = (changes.changed + changes.suspect).map { change in
      let stamp = FileStamp(change.status)
      return RenewedRow(row: change.row, stamp: stamp, isRacy: racyWindow.isRacy(stamp))
    }
    renewed.sort { $0.row < $1.row }
    return TableContents(
      base: self, kept: rows(without: changes.removed), renewed: renewed, added: added,
      folders: changes.folders(of: self)
    ).encoded()
  }

  private func rows(without removed: [Int]) -> [Range<Int>] {
    var kept: [Range<Int>] = []
    var start = 0
    for row in removed where row >= start && row < count {
      if start < row { kept.append(start..<row) }
      start = row + 1
    }
    if start < count { kept.append(start..<count) }
    return kept
  }
}

/// The time at which files were first checked, and the granularity of their file system's timestamps.
///
/// A file that is written twice within the granularity has the same time after both. A reader in between would take
/// the second state for the first. A time is therefore racy if a later change could still have it.
///
/// Linux stamps files with the clock of its last tick. The same clock is read here, before any file is
/// checked: however late a tick comes, no later change has an earlier time than this one.
package struct RacyWindow: Sendable, Equatable {
  /// The system's clock before the first look, in nanoseconds since 1970.
  package let moment: Int64
  /// The distance from the moment, in nanoseconds, at which times can be relied on.
  package let grain: Int64

  package init(moment: Int64, grain: Int64) {
    self.moment = moment
    self.grain = grain
  }

  /// The present moment, for files on a local file system or another.
  init(isLocal: Bool) {
    self.init(moment: LocalClock.nowOfFiles(), grain: isLocal ? Self.grain : Self.grainElsewhere)
  }

  /// Five times the longest tick, against slow writers and small steps of the clock.
  private static let grain: Int64 = 50_000_000
  /// The times are another machine's, or cut to two seconds.
  private static let grainElsewhere: Int64 = 2_500_000_000

  /// The same moment for files that are not on a local file system, or not known to be.
  var elsewhere: RacyWindow { RacyWindow(moment: moment, grain: max(grain, Self.grainElsewhere)) }

  /// Whether a later change could carry the same times.
  package func isRacy(_ stamp: FileStamp) -> Bool { isRacy(stamp.modified) || isRacy(stamp.changed) }

  /// Whether a later change could carry the same time; so could one of any time that lies in the future.
  func isRacy(_ time: Int64) -> Bool {
    // A whole second may be all that the file system keeps: then the time is anywhere within it.
    let slack = time % 1_000_000_000 == 0 ? grain + 999_999_999 : grain
    return time >= moment - slack
  }
}

/// Merges the entries of the folders of a walk, each in the order of its path.
struct WalkResult {
  private(set) var changes: TableChanges
  private let table: FileTable
  private let queue: WalkQueue
  private let rootPath: [UInt8]

  init(_ queue: WalkQueue, root: [UInt8]) {
    self.queue = queue
    table = queue.plan.table
    rootPath = root
    let plan = queue.plan
    let isOnOneDevice = queue.scans.allSatisfy {
      $0?.identity.map { $0.device == plan.reliableDevice } ?? true
    }
    changes = TableChanges(racyWindow: isOnOneDevice ? plan.racyWindow : plan.racyWindow.elsewhere)
    changes.added.reserveCapacity(queue.scans.reduce(0) { $0 + ($1?.added.count ?? 0) })
    collect()
    sort()
    changes.ignoreFilesMayDiffer = ignoreFilesMayDiffer()
    changes.isTableCurrent = changes.isTableCurrent && isCurrent()
  }

  /// Goes through the folders with a stack of its own: they nest deeper than calls may.
  private mutating func collect() {
    var stack: [(scan: Int, file: Int, child: Int)] = [(0, 0, -1)]
    while let (position, file, child) = stack.popLast() {
      guard let scan = queue.scans[position] else { continue }
      if child < 0 { open(scan) }
      guard max(0, child) < scan.children.count else {
        changes.added.append(contentsOf: scan.added[file...])
        continue
      }
      let next = scan.children[max(0, child)]
      changes.added.append(contentsOf: scan.added[file..<next.addedBefore])
      stack.append((position, next.addedBefore, max(0, child) + 1))
      stack.append((next.position, 0, -1))
    }
  }

  /// Notes all that a folder holds but the files that are added.
  private mutating func open(_ scan: FolderScan) {
    let parts = scan.parts.compactMap { queue.parts[$0] }
    for rows in [scan.rows] + parts {
      changes.changed += rows.changed
      changes.suspect += rows.suspect
      changes.removed += rows.missing
    }
    for lost in scan.lost { changes.removed += lost }
    changes.links += scan.links
    changes.ignoreFiles += scan.ignoreFiles
    for other in scan.others where other.kind == .temporary {
      changes.temporaries.append(BytePath.path(of: other.name, in: scan.path))
    }
    let partProblem = parts.lazy.compactMap(\.problem).first
    if let problem = scan.problem ?? scan.rows.problem ?? partProblem { note(problem) }
    guard var identity = scan.identity else { return }
    if identity.isNestedRepository { changes.nestedRepositories.append(scan.path) }
    if partProblem != nil { identity.isSettled = false }
    add(scan, identity)
  }

  /// Notes a folder for the next table.
  private mutating func add(_ scan: FolderScan, _ identity: FolderIdentity) {
    if scan.isUnchanged, let known = scan.known {
      changes.folders.append(.unchanged(known, others: scan.others))
      if scan.othersDiffer { changes.isTableCurrent = false }
      return
    }
    changes.folders.append(
      .read(FileTable.Folder(path: scan.path, identity: identity, others: scan.others)))
    guard let known = scan.known, table.identity(of: known) == identity,
      table.otherNames(of: known).map({ table.otherName($0) }) == scan.others
    else {
      changes.isTableCurrent = false
      return
    }
  }

  /// Notes a problem; that of the root has the root's own path.
  private mutating func note(_ problem: SystemError) {
    guard problem.path.isEmpty else {
      changes.problems.append(problem)
      return
    }
    changes.problems.append(
      SystemError(operation: problem.operation, path: rootPath, code: problem.code))
  }
}

extension WalkResult {
  private mutating func sort() {
    changes.changed.sort { $0.row < $1.row }
    changes.suspect.sort { $0.row < $1.row }
    changes.removed.sort()
    changes.links.sort { ByteOrder.precedes($0.path, $1.path) }
    changes.ignoreFiles.sort { ByteOrder.precedes($0.path, $1.path) }
    changes.temporaries.sort { ByteOrder.precedes($0, $1) }
    changes.nestedRepositories.sort { ByteOrder.precedes($0, $1) }
    changes.problems.sort { ByteOrder.precedes($0.path, $1.path) }
  }

  private func isCurrent() -> Bool {
    // A suspect that could still change without a trace needs no new row.
    changes.changed.isEmpty && changes.added.isEmpty && changes.removed.isEmpty
      && changes.folders.count == table.folderCount
      && changes.suspect.allSatisfy { changes.racyWindow.isRacy(FileStamp($0.status)) }
  }

  private func ignoreFilesMayDiffer() -> Bool {
    var known: [(path: [UInt8], stamp: FileStamp)] = []
    for folder in 0..<table.folderCount {
      for row in table.otherNames(of: folder) {
        guard let other = table.otherName(row), other.kind == .ignoreFile, let stamp = other.stamp else {
          continue
        }
        if other.isRacy { return true }
        known.append((BytePath.path(of: other.name, in: Array(table.folderPath(folder))), stamp))
      }
    }
    known.sort { ByteOrder.precedes($0.path, $1.path) }
    return known.count != changes.ignoreFiles.count
      || !zip(known, changes.ignoreFiles).allSatisfy { known, found in
        known.path == found.path && known.stamp == FileStamp(found.status)
      }
  }
}
