import Glibc

/// A file to be replaced, made or removed.
package struct Replacement: Sendable {
  /// The path in the box.
  package let path: [UInt8]
  /// The new contents, or nil to remove the file.
  package let bytes: [UInt8]?
  /// The bytes that the file must hold, or nil where it must not exist.
  package let expecting: [UInt8]?
  /// Those of a file that is made; one that is there keeps its own.
  package let permissions: FilePermissions
  /// Whether a file that is there becomes executable, or no longer is; nil leaves that as it is.
  package let makesExecutable: Bool?

  package init(
    path: [UInt8], bytes: [UInt8]?, expecting: [UInt8]?, permissions: FilePermissions = .plain,
    makesExecutable: Bool? = nil
  ) {
    self.permissions = permissions
    self.makesExecutable = makesExecutable
    self.path = path
    self.bytes = bytes
    self.expecting = expecting
  }
}

/// The failure of a batch, all of which has been put back as far as possible.
package struct BatchError: Error, Sendable {
  /// The position of the replacement that failed; nil where the failure was one of all together.
  package let index: Int?
  package let error: ReplaceError
  /// The paths that could not be put back; they hold the new contents, or something later.
  package let unrestored: [[UInt8]]
}

extension BoxFolder {
  /// Replaces, makes and removes many files with one sync of the file system and one of each folder.
  ///
  /// Every file is treated as by `replace` and `remove`. All new files are written and durable before the
  /// first name changes; at the first failure the names that have changed are changed back.
  /// - Returns: The status of each file, in order; nil for those removed.
  package func replaceAll(_ replacements: [Replacement]) throws(BatchError) -> [FileStatus?] {
    let restoringLimit = allowDescriptors(for: replacements)
    defer { restoringLimit() }
    var batch = Batch(box: self)
    do throws(ReplaceError) {
      try batch.prepare(replacements)
      try batch.perform()
      try batch.confirm()
    } catch {
      throw BatchError(index: batch.position, error: error, unrestored: batch.undo())
    }
    return batch.finish()
  }

  /// Lets the process open as many folders as the batch touches, until the returned function is called.
  private func allowDescriptors(for replacements: [Replacement]) -> () -> Void {
    let folders = Set(replacements.map { Files.split($0.path).folder }).count
    var before = rlimit()
    let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
    guard folders > 128, getrlimit(resource, &before) == 0 else { return {} }
    var raised = before
    raised.rlim_cur = min(before.rlim_max, max(before.rlim_cur, rlim_t(folders + 1024)))
    setrlimit(resource, &raised)
    return { setrlimit(resource, &before) }
  }
}

/// The swaps of a batch and how far they are.
private struct Batch {
  let box: BoxFolder
  var swaps: [PendingReplacement] = []
  var folders: [[UInt8]: Descriptor] = [:]
  /// Where the batch is, while it deals with one replacement.
  var position: Int?

  init(box: BoxFolder) { self.box = box }

  mutating func prepare(_ replacements: [Replacement]) throws(ReplaceError) {
    for (index, replacement) in replacements.enumerated() {
      position = index
      let swap = try box.prepare(replacement, syncing: false)
      swaps.append(sharingFolder(swap))
    }
    position = nil
    try asReplaceError { () throws(SystemError) in try sync() }
  }

  /// The same swap with the descriptor that others in its folder use.
  private mutating func sharingFolder(_ swap: PendingReplacement) -> PendingReplacement {
    let path = Files.split(swap.place.path).folder
    guard let folder = folders[path] else {
      folders[path] = swap.place.folder
      return swap
    }
    return swap.moved(to: folder)
  }

  /// Makes the new files durable: all of the file system at once, or one by one where it can't.
  private func sync() throws(SystemError) {
    let root = try box.readable(box.anchor)
    if let syncFS = LinuxCalls.syncFS {
      if retrying({ syncFS(root.number) }) == 0 { return }
      // Any other failure may be the loss of what was written, which a second sync need not report.
      guard PendingReplacement.isUnsupported(errno) else { throw SystemError("syncfs", box.path) }
    }
    for swap in swaps where swap.bytes != nil {
      try Descriptor.reading(swap.temporaryName, in: swap.place.folder.number).sync(swap.place.path)
    }
  }

  mutating func perform() throws(ReplaceError) {
    for index in swaps.indices {
      position = index
      try box.perform(&swaps[index])
    }
    position = nil
    for (path, folder) in folders {
      try asReplaceError { () throws(SystemError) in try folder.sync(path) }
    }
  }

  mutating func confirm() throws(ReplaceError) {
    var suspects: [FileIdentity: [UInt8]] = [:]
    for index in swaps.indices {
      position = index
      if let suspect = try box.confirm(swaps[index]) { suspects[suspect] = swaps[index].place.path }
    }
    position = nil
    try box.refuseHeld(among: suspects)
  }

  /// Puts everything back, the last first, and returns what could not be.
  func undo() -> [[UInt8]] {
    var unrestored: [[UInt8]] = []
    for swap in swaps.reversed() where !box.undo(swap) { unrestored.append(swap.place.path) }
    for (path, folder) in folders { try? folder.sync(path) }
    return unrestored.reversed()
  }

  func finish() -> [FileStatus?] {
    for swap in swaps { box.letGoOld(swap) }
    for swap in swaps where swap.outcome == .removed { box.removeEmptyFolders(above: swap.place.parts) }
    return swaps.map(\.finalStatus)
  }
}
