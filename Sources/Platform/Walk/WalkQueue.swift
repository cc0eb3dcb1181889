import Glibc

/// The work of a walk that is still to be done, and what was found so far.
final class WalkQueue: SharedWork, @unchecked Sendable {
  let plan: WalkPlan

  // Under the lock: all work in the order of its discovery, what it has found, and two counts.
  private var work: [Work] = [.folder(0, known: nil, mustRead: false)]
  private var paths: [[UInt8]] = [[]]
  private(set) var scans: [FolderScan?] = [nil]
  private(set) var parts: [RowScan?] = []
  private var taken = 0
  private var finished = 0
  /// For each folder of the table its position among the scans, -1 where it has none.
  private var positions: [Int]
  private let lock = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
  private let changed = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)

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
    pthread_mutex_init(lock, nil)
    pthread_cond_init(changed, nil)
  }

  deinit {
    pthread_cond_destroy(changed)
    pthread_mutex_destroy(lock)
    changed.deallocate()
    lock.deallocate()
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
    pthread_mutex_lock(lock)
    defer { pthread_mutex_unlock(lock) }
    while taken == work.count {
      if finished == work.count { return nil }
      pthread_cond_wait(changed, lock)
    }
    defer { taken += 1 }
    return work[taken]
  }

  private func path(_ position: Int) -> [UInt8] {
    pthread_mutex_lock(lock)
    defer { pthread_mutex_unlock(lock) }
    return paths[position]
  }

  private func finish(_ position: Int, _ scan: FolderScan, _ rest: [RowWork]) {
    var scan = scan
    pthread_mutex_lock(lock)
    defer { pthread_mutex_unlock(lock) }
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
    pthread_cond_broadcast(changed)
  }

  private func finish(_ number: Int, _ scan: RowScan) {
    pthread_mutex_lock(lock)
    defer { pthread_mutex_unlock(lock) }
    parts[number] = scan
    finished += 1
    pthread_cond_broadcast(changed)
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
