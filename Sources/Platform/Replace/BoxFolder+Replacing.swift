extension BoxFolder {
  /// Replaces or creates a file, provided that it still holds the expected bytes.
  ///
  /// A temporary file is written beside it and synced. Then the two exchange their names, and the exchanged file
  /// is compared with `expecting`. If another program saved in between, its version is put back and thrown, never
  /// overwritten. The folder is synced last. The mode of an existing file is kept, owner and group if
  /// permitted; missing folders are created. If the path is a link inside the box, its target is written. On file systems
  /// that cannot exchange, the comparison comes just before a plain rename.
  ///
  /// A program that has the file open would write to the old, unlinked one. Therefore the file is replaced only
  /// while no other program has it open for writing. Bytes still written to the old file stay in `kept`.
  ///
  /// - Parameter expecting: the bytes that the file must hold; nil if it must not exist.
  /// - Returns: the status of the file that was written.
  /// - Throws: `changed` with the found bytes, which the file then holds; `held`; `failed` also if the file is
  /// write-protected.
  @discardableResult
  package func replace(
    _ relative: [UInt8], with bytes: [UInt8], expecting: [UInt8]?, permissions: FilePermissions = .plain,
    makesExecutable: Bool? = nil
  ) throws(ReplaceError) -> FileStatus {
    let swap = try carryOut(
      Replacement(
        path: relative, bytes: bytes, expecting: expecting, permissions: permissions,
        makesExecutable: makesExecutable))
    guard let status = swap.finalStatus else {
      throw .failed(SystemError(operation: "stat", path: relative, code: SystemError.Code.missing))
    }
    return status
  }

  /// Removes a file, provided that it still holds the expected bytes; a link is removed, its target kept.
  ///
  /// It is renamed first, then compared, so that what another program saved in between is put back and
  /// thrown. Folders above it that are left empty are removed, except the box itself.
  package func remove(_ relative: [UInt8], expecting: [UInt8]) throws(ReplaceError) {
    let swap = try carryOut(Replacement(path: relative, bytes: nil, expecting: expecting))
    removeEmptyFolders(above: swap.place.parts)
  }

  private func carryOut(_ request: Replacement) throws(ReplaceError) -> PendingReplacement {
    var swap = try prepare(request, syncing: true)
    do throws(ReplaceError) {
      try perform(&swap)
      try asReplaceError { () throws(SystemError) in try swap.place.folder.sync(request.path) }
      if let suspect = try confirm(swap) { try refuseHeld(among: [suspect: swap.place.path]) }
    } catch {
      undo(swap)
      throw error
    }
    letGoOld(swap)
    return swap
  }

  /// Removes the old file after a swap.
  func letGoOld(_ swap: PendingReplacement) {
    if let name = swap.oldName { letGo(name, of: swap.place, expecting: swap.expecting) }
  }

  /// Removes the folders above a path that are empty, the nearest first.
  func removeEmptyFolders(above parts: [[UInt8]]) {
    var parts = parts.dropLast()
    while let name = parts.popLast() {
      guard let folder = try? openFolder(parts, name, for: .writing),
        FolderNames(in: folder).removeFolder(name) == 0
      else { return }
      try? folder.sync(name)
    }
  }
}

/// A file to be replaced, made or removed.
package struct Replacement: Sendable {
  /// The path in the box.
  package let path: [UInt8]
  /// The new contents, or nil to remove the file.
  package let bytes: [UInt8]?
  /// The bytes that the file must hold, or nil if it must not exist.
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
  /// The position of the replacement that failed; nil if the failure was one of all together.
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
    return folders > 128 ? CurrentProcess.allowOpenFiles(folders + 1024) : {}
  }
}

/// The swaps of a batch and how far they are.
private struct Batch {
  let box: BoxFolder
  var swaps: [PendingReplacement] = []
  var folders: [[UInt8]: Descriptor] = [:]
  /// The position in the batch during one replacement.
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

  /// Makes the new files durable: syncs the whole file system, or each file if it can't.
  private func sync() throws(SystemError) {
    let root = try box.readable(box.anchor)
    let code = root.syncFileSystem()
    if code == 0 { return }
    // Any other failure may have lost written bytes, and a second sync need not report it.
    guard PendingReplacement.isUnsupported(code) else {
      throw SystemError(operation: "syncfs", path: box.path, code: code)
    }
    for swap in swaps where swap.bytes != nil {
      try Descriptor.reading(swap.temporaryName, in: swap.place.folder).sync(swap.place.path)
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

  /// Puts everything back in reverse order, and returns the paths that could not be put back.
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

extension BoxFolder {
  /// Puts back the file that a swap has moved, and removes the temporary file if nothing is lost with it.
  /// - Returns: whether the path has its earlier file again, or a later one.
  @discardableResult
  func undo(_ swap: PendingReplacement) -> Bool {
    switch swap.outcome {
    case nil:
      swap.removeTemporary()
      return true
    case .made: return undoMaking(swap)
    case .exchanged: return undoExchange(swap)
    case .removed: return undoRemoval(swap)
    case .overwritten: return undoOverwriting(swap)
    }
  }

  /// Takes the new file away, unless somebody has written to it.
  private func undoMaking(_ swap: PendingReplacement) -> Bool {
    guard swap.rename(.toTemporaryName) == 0 else { return false }
    guard let now = try? swap.readTemporary(), now == swap.bytes else {
      _ = swap.claimOwnName(usingRenameAt2: exchangesNames)
      return false
    }
    letGo(swap.temporaryName, of: swap.place, expecting: swap.bytes)
    return true
  }

  /// Exchanges again until the exchanged file is the one put in last: any other file was saved in between, and is
  /// later.
  private func undoExchange(_ swap: PendingReplacement) -> Bool {
    var lastPutIn = swap.written
    var lastBytes = swap.bytes
    for _ in 0..<16 {
      guard let puttingIn = swap.temporaryStatus else { return false }
      let bytesPuttingIn = try? swap.readTemporary()
      let code = swap.rename(.toOwnName, .exchanging)
      // Another program removed the file: its earlier version is better than none.
      if code == SystemError.Code.missing { return swap.claimOwnName(usingRenameAt2: exchangesNames) == 0 }
      guard code == 0 else { return false }
      if let out = swap.temporaryStatus, let lastPutIn, out.hasSameContents(as: lastPutIn) {
        letGo(swap.temporaryName, of: swap.place, expecting: lastBytes)
        return true
      }
      lastPutIn = puttingIn
      lastBytes = bytesPuttingIn
    }
    return false
  }

  /// Gives the old file its name again; where another has the name, that one stays.
  private func undoRemoval(_ swap: PendingReplacement) -> Bool {
    guard swap.claimOwnName(usingRenameAt2: exchangesNames) != 0 else { return true }
    // Contents that no reader has seen stay under the temporary name.
    letGo(swap.temporaryName, of: swap.place, expecting: swap.expecting)
    return false
  }

  private func undoOverwriting(_ swap: PendingReplacement) -> Bool {
    if let kept = swap.keptName {
      guard let now = try? swap.place.status(), let written = swap.written, now.hasSameContents(as: written)
      else {
        letGo(kept, of: swap.place, expecting: swap.expecting)
        return false
      }
      return swap.renameKept(kept) == 0
    }
    let back = Replacement(path: swap.place.path, bytes: swap.expecting, expecting: swap.bytes)
    guard var reverse = try? prepare(back, syncing: true) else { return false }
    let isDone = (try? perform(&reverse)) != nil
    reverse.removeTemporary()
    return isDone
  }
}
