/// Finds files below a folder, with their status.
///
/// Names that begin with "." are skipped, so are folders below the first that hold a `.git`, FIFOs, sockets
/// and devices; nothing but folders is opened. Symbolic links to folders are not followed. A file that goes
/// away meanwhile is not reported.
package enum DirectoryWalk {
  package typealias Found = FoundFile

  /// The result of a walk. Every list is sorted by the bytes of the paths.
  package struct Result: Sendable {
    /// The regular files.
    package var files: [Found] = []
    /// The symbolic links to regular files, wherever those are, with the status of the file that they point
    /// to.
    package var links: [Found] = []
    /// The folders that were skipped because they hold a repository of their own.
    package var nestedRepositories: [[UInt8]] = []
    /// The temporary files that an interrupted replacement has left.
    package var temporaries: [[UInt8]] = []
    /// The folders that could not be read; the others were.
    package var problems: [SystemError] = []
  }

  /// Walks a folder on two threads.
  /// - Parameter descend: Whether to go into a folder, by its relative path; nil: into all.
  /// - Parameter include: Whether to report a file, by its name without the folders.
  /// - Complexity: One call of the system a file, and a few a folder.
  package static func files(
    under folder: [UInt8], descend: (@Sendable (ArraySlice<UInt8>) -> Bool)? = nil,
    include: @escaping @Sendable (ArraySlice<UInt8>) -> Bool
  ) -> Result {
    let found = walk(folder, since: .empty, descend: descend, include: include)
    return Result(
      files: found.added, links: found.links, nestedRepositories: found.nestedRepositories,
      temporaries: found.temporaries, problems: found.problems)
  }

  /// Walks a folder and compares it with a table of an earlier walk.
  ///
  /// A folder's own times change with every entry that is created, renamed or removed. If they are unchanged, the names
  /// are taken from the table; every file is still checked with `fstatat`. The table must come from walks with the
  /// same choice of files.
  ///
  /// - Parameter include: whether to report a file, by its name without the folders.
  /// - Complexity: one system call a file, and a few a folder. Nothing else is done for a file that is
  /// unchanged.
  package static func changes(
    under folder: [UInt8], since table: FileTable,
    include: @escaping @Sendable (ArraySlice<UInt8>) -> Bool
  ) -> TableChanges {
    walk(folder, since: table, descend: nil, include: include)
  }

  /// Walks a folder for its first table: everything is new.
  package static func table(
    under folder: [UInt8], include: @escaping @Sendable (ArraySlice<UInt8>) -> Bool
  ) -> TableChanges {
    changes(under: folder, since: .empty, include: include)
  }
}

extension DirectoryWalk {
  /// Whether a folder is on a local file system, whose changes the kernel can report.
  package static func isLocal(_ folder: [UInt8]) -> Bool {
    guard let open = try? Descriptor.open(folder, [.reading, .folder, .withoutWaiting]) else { return false }
    return reliableDevice(open) != nil
  }

  private static func walk(
    _ folder: [UInt8], since table: FileTable, descend: (@Sendable (ArraySlice<UInt8>) -> Bool)?,
    include: @escaping @Sendable (ArraySlice<UInt8>) -> Bool
  ) -> TableChanges {
    let root: Descriptor
    do throws(SystemError) {
      root = try Descriptor.open(folder, [.reading, .folder, .withoutWaiting])
    } catch {
      return TableChanges(without: table, error)
    }
    let device = reliableDevice(root)
    let queue = WalkQueue(
      WalkPlan(
        root: root, table: table, descend: descend, include: include, reliableDevice: device,
        racyWindow: RacyWindow(isLocal: device != nil)))
    queue.walk()
    return WalkResult(queue, root: folder).changes
  }

  /// The device of a folder on a local file system that keeps the times of folders; nil on others.
  static func reliableDevice(_ folder: Descriptor) -> UInt64? {
    guard let type = LinuxCalls.fileSystemType(of: folder.number), localSystems.contains(type) else {
      return nil
    }
    return (try? folder.status([]))?.device
  }

  /// The magic numbers of ext2 to ext4, XFS, Btrfs, F2FS, tmpfs, ZFS, bcachefs and overlayfs, from statfs(2).
  private static let localSystems: Set<Int> = [
    0xEF53, 0x5846_5342, 0x9123_683E, 0xF2F5_2010, 0x0102_1994, 0x2FC1_2FC1, 0xCA45_1A4E, 0x794C_7630,
  ]
}

extension DirectoryWalk {
  /// Whether a name is that of a temporary file which an interrupted replacement has left.
  package static func isTemporary(_ name: [UInt8]) -> Bool { TemporaryFile.isTemporary(name) }
}

/// A file that a walk has found.
package struct FoundFile: Sendable {
  /// The path relative to the folder that was walked.
  package let path: [UInt8]
  package let status: FileStatus

  package init(path: [UInt8], status: FileStatus) {
    self.path = path
    self.status = status
  }
}

/// The remaining work of a walk, and its results so far.
final class WalkQueue: SharedWork, @unchecked Sendable {
  let plan: WalkPlan

  // Guarded by the lock: all work in the order of its discovery, the results, and two counts.
  private var work: [Work] = [.folder(0, known: nil, mustRead: false)]
  private var paths: [[UInt8]] = [[]]
  private(set) var scans: [FolderScan?] = [nil]
  private(set) var parts: [RowScan?] = []
  private var taken = 0
  private var finished = 0
  /// For each folder of the table its position among the scans, -1 if it has none.
  private var positions: [Int]
  private let signal = Signal()

  private enum Work {
    /// A folder, by its position among the scans.
    case folder(Int, known: Int?, mustRead: Bool)
    /// Rows, by the number of their part.
    case rows(Int, RowWork)
  }

  init(_ plan: WalkPlan) {
    self.plan = plan
    positions = Array(repeating: -1, count: plan.table.folderCount)
    if !positions.isEmpty {
      positions[0] = 0
      work = [.folder(0, known: 0, mustRead: false)]
    }
  }

  /// Does all work on two threads.
  func walk() {
    // The first folder is read before a second thread is worth its start.
    if let first = take() { perform(first, FolderScanner(plan)) }
    Threads.run(self, helpers: finished == work.count ? 0 : 1)
    // A row that is missing in a folder without changes: the folder is read after all.
    repeatDoubtful()
    run()
  }

  /// Works until nothing is left.
  override func run() {
    let scanner = FolderScanner(plan)
    while let next = take() { perform(next, scanner) }
  }

  private func perform(_ next: Work, _ scanner: FolderScanner) {
    switch next {
    case .folder(let position, let known, let mustRead):
      let result = scanner.scan(path(position), known: known, mustRead: mustRead)
      finish(position, result.scan, result.rest)
    case .rows(let number, let work):
      finish(number, work.scan(plan.table))
    }
  }
}

extension WalkQueue {
  /// Takes the next work, waiting while others may still find some.
  private func take() -> Work? {
    signal.lock()
    defer { signal.unlock() }
    while taken == work.count {
      if finished == work.count { return nil }
      signal.wait()
    }
    defer { taken += 1 }
    return work[taken]
  }

  private func path(_ position: Int) -> [UInt8] {
    signal.lock()
    defer { signal.unlock() }
    return paths[position]
  }

  private func finish(_ position: Int, _ scan: FolderScan, _ rest: [RowWork]) {
    var scan = scan
    signal.lock()
    defer { signal.unlock() }
    for part in rest {
      scan.parts.append(parts.count)
      work.append(.rows(parts.count, part))
      parts.append(nil)
    }
    for number in scan.children.indices {
      scan.children[number].position = enqueue(scan.children[number])
    }
    scans[position] = scan
    finished += 1
    signal.wakeAll()
  }

  private func finish(_ number: Int, _ scan: RowScan) {
    signal.lock()
    defer { signal.unlock() }
    parts[number] = scan
    finished += 1
    signal.wakeAll()
  }

  /// The position of a folder among the scans; it is scanned once.
  private func enqueue(_ folder: FolderScan.Subfolder) -> Int {
    if let known = folder.known, positions[known] >= 0 { return positions[known] }
    let position = scans.count
    if let known = folder.known { positions[known] = position }
    paths.append(folder.path)
    scans.append(nil)
    work.append(.folder(position, known: folder.known, mustRead: false))
    return position
  }

  private func repeatDoubtful() {
    for (position, scan) in scans.enumerated() {
      guard let scan, scan.isUnchanged, scan.parts.contains(where: { parts[$0]?.isDoubtful ?? false }) else {
        continue
      }
      work.append(.folder(position, known: scan.known, mustRead: true))
    }
  }
}

extension RowScan {
  /// Whether not all rows were files that could be looked at.
  var isDoubtful: Bool { !missing.isEmpty || problem != nil }
}
