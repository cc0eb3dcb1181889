import Glibc

/// The folders of a walk that are to be read, and what was found in those that have been.
final class WalkQueue: SharedWork, @unchecked Sendable {
  private let plan: WalkPlan

  // Under the lock: the paths of all folders in the order of their discovery, what they held, and two counts.
  private var paths: [[UInt8]] = [[]]
  private var scans: [FolderScan?] = [nil]
  private var taken = 0
  private var finished = 0
  private let lock = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
  private let changed = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)

  init(_ plan: WalkPlan) {
    self.plan = plan
    pthread_mutex_init(lock, nil)
    pthread_cond_init(changed, nil)
  }

  deinit {
    pthread_cond_destroy(changed)
    pthread_mutex_destroy(lock)
    changed.deallocate()
    lock.deallocate()
  }

  /// Whether every folder that is known has been read. Only for use while no other thread works.
  var isDone: Bool { finished == paths.count }

  /// Reads the root on the calling thread.
  func scanFirst() {
    guard let (index, path) = take() else { return }
    finish(index, FolderScanner(plan).scan(path))
  }

  /// Reads folders until none is left.
  override func run() {
    let scanner = FolderScanner(plan)
    while let (index, path) = take() { finish(index, scanner.scan(path)) }
  }

  /// Takes the next folder, waiting while others may still find some.
  private func take() -> (index: Int, path: [UInt8])? {
    pthread_mutex_lock(lock)
    defer { pthread_mutex_unlock(lock) }
    while taken == paths.count {
      if finished == paths.count { return nil }
      pthread_cond_wait(changed, lock)
    }
    defer { taken += 1 }
    return (taken, paths[taken])
  }

  private func finish(_ index: Int, _ scan: FolderScan) {
    var scan = scan
    pthread_mutex_lock(lock)
    defer { pthread_mutex_unlock(lock) }
    for number in scan.folders.indices {
      scan.folders[number].position = paths.count
      paths.append(scan.folders[number].path)
      scans.append(nil)
    }
    scans[index] = scan
    finished += 1
    pthread_cond_broadcast(changed)
  }
}

extension WalkQueue {
  /// Everything that was found, once all threads have returned.
  func result(root: [UInt8]) -> DirectoryWalk.Result {
    var result = DirectoryWalk.Result()
    result.files.reserveCapacity(scans.reduce(0) { $0 + ($1?.files.count ?? 0) })
    collectFiles(into: &result)
    for (path, scan) in zip(paths, scans) {
      guard let scan else { continue }
      result.links += scan.links
      result.temporaries += scan.temporaries
      if scan.isNestedRepository { result.nestedRepositories.append(path.dropLast()) }
      if let listing = scan.listing { result.listings.append(listing) }
      if let problem = scan.problem { result.problems.append(Self.named(problem, root)) }
    }
    result.links.sort { precedes($0.path, $1.path) }
    result.nestedRepositories.sort { precedes($0, $1) }
    result.temporaries.sort { precedes($0, $1) }
    result.listings.sort { precedes($0.path, $1.path) }
    result.problems.sort { precedes($0.path, $1.path) }
    return result
  }

  /// Collects the files folder by folder, each where its path sorts. With a stack of its own: folders nest
  /// deeper than calls may.
  private func collectFiles(into result: inout DirectoryWalk.Result) {
    var stack: [(scan: Int, file: Int, folder: Int)] = [(0, 0, 0)]
    while let (index, file, folder) = stack.popLast() {
      guard let scan = scans[index] else { continue }
      guard folder < scan.folders.count else {
        result.files.append(contentsOf: scan.files[file...])
        continue
      }
      let next = scan.folders[folder]
      result.files.append(contentsOf: scan.files[file..<next.filesBefore])
      stack.append((index, next.filesBefore, folder + 1))
      stack.append((next.position, 0, 0))
    }
  }

  /// The problem with a path without a slash at its end; that of the root is the root's own.
  private static func named(_ problem: SystemError, _ root: [UInt8]) -> SystemError {
    var path = problem.path
    if path.last == UInt8(ascii: "/") { path.removeLast() }
    return SystemError(operation: problem.operation, path: path.isEmpty ? root : path, code: problem.code)
  }
}
