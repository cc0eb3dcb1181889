import Bytes

/// Brings together what the folders of a walk hold, each where its path sorts.
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
