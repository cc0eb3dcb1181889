import Glibc

extension BoxFolder {
  /// Replaces or makes a file, provided that it still holds the expected bytes.
  ///
  /// A temporary file is written beside it and synced; then the two exchange their names, and what came out
  /// is compared with `expecting`. What another program saved in between is put back and thrown, never
  /// overwritten. The folder is synced last. The mode of an existing file is kept, owner and group where
  /// permitted; missing folders are made. Of a link inside the box the target is written. On file systems
  /// that cannot exchange, the comparison comes just before a plain rename.
  ///
  /// A program that has the file open would write to the old one, which nobody sees again: the file is replaced only
  /// while no other program has it open for writing. What is written to the old file all the same stays in `kept`.
  ///
  /// - Parameter expecting: The bytes that the file must hold; nil where it must not exist.
  /// - Returns: The status of the file that was written.
  /// - Throws: `changed` with what was found, and the file then holds that; `held`; `failed` also where the file is
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
      throw .failed(SystemError(operation: "stat", path: relative, code: ENOENT))
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
        let path = try? terminated(name, "remove folder"),
        unlinkat(folder.number, path, Int32(AT_REMOVEDIR)) == 0
      else { return }
      try? folder.sync(name)
    }
  }
}
