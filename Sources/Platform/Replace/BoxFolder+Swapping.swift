import Glibc

extension BoxFolder {
  /// Checks that a file can be replaced or removed, and writes the new one under a temporary name.
  /// - Parameter syncing: Whether the new file, and each new folder, is synced by itself.
  func prepare(_ request: Replacement, syncing: Bool) throws(ReplaceError) -> PendingReplacement {
    let purpose: Purpose = request.expecting == nil ? .making(syncing: syncing) : .writing
    let place: AnchoredPath
    do throws(SystemError) {
      place = try self.place(of: request.path, for: purpose, followingLast: request.bytes != nil)
    } catch {
      if error.isMissing, request.expecting != nil { throw .changed(found: nil) }
      throw ReplaceError(error)
    }
    let existing = try asReplaceError { () throws(SystemError) in try place.status() }
    let found = try contents(of: place, existing)
    guard areEqual(found, request.expecting) else { throw .changed(found: found) }
    return try asReplaceError { () throws(SystemError) in
      if existing?.kind == .file { try checkWritable(place) }
      return try start(request, at: place, existing, syncing: syncing)
    }
  }

  private func start(
    _ request: Replacement, at place: AnchoredPath, _ existing: FileStatus?, syncing: Bool
  ) throws(SystemError) -> PendingReplacement {
    var name = TemporaryFile.randomName()
    var written: FileStatus?
    if let bytes = request.bytes {
      let file = try TemporaryFile.make(
        bytes, like: existing, permissions: request.permissions, makesExecutable: request.makesExecutable,
        in: place.folder, for: place.path, syncing: syncing)
      name = file.name
      written = file.status
    }
    return PendingReplacement(
      place: place, bytes: request.bytes, expecting: request.expecting, oldKind: existing?.kind,
      temporaryName: name, written: written)
  }

  /// The bytes of what is at a place, of the target of a link; nil where there is nothing.
  private func contents(of place: AnchoredPath, _ existing: FileStatus?) throws(ReplaceError) -> [UInt8]? {
    guard let existing else { return nil }
    if existing.kind == .file {
      let file = try quiet(place.name, of: place)
      return try asReplaceError { () throws(SystemError) in try file.read(place.path) }
    }
    return try asReplaceError { () throws(SystemError) in
      guard existing.kind == .symbolicLink else { return try place.read().bytes }
      return try self.place(of: place.path, for: .reading).read().bytes
    }
  }

  /// Opens a file that no other program has open for writing.
  /// - Throws: `held` where one has.
  private func quiet(_ name: [UInt8], of place: AnchoredPath) throws(ReplaceError) -> QuietFile {
    let file = try asReplaceError { () throws(SystemError) in try quietFile(name, in: place.folder) }
    guard let file else { throw .held(path: place.path) }
    return file
  }

  /// A rename would replace a file that its owner has protected from writing.
  private func checkWritable(_ place: AnchoredPath) throws(SystemError) {
    let name = try terminated(place.name, "write")
    guard faccessat(place.folder.number, name, W_OK, LinuxCalls.effectiveAccess) == 0 else {
      throw SystemError("write", place.path)
    }
  }
}

extension BoxFolder {
  /// Lets the names change places and compares what came out.
  ///
  /// After a failure `undo` puts back what was there.
  func perform(_ swap: inout PendingReplacement) throws(ReplaceError) {
    switch (swap.bytes, swap.expecting) {
    case (.some, nil): try make(&swap)
    case (.some, .some): try exchange(&swap)
    case (nil, .some): try takeAway(&swap)
    case (nil, nil): break
    }
  }

  private func make(_ swap: inout PendingReplacement) throws(ReplaceError) {
    let code = swap.claimOwnName(usingRenameAt2: exchangesNames)
    if code == EEXIST { throw .changed(found: try found(swap)) }
    guard code == 0 else { throw failure(code, swap) }
    swap.outcome = .made
  }

  private func exchange(_ swap: inout PendingReplacement) throws(ReplaceError) {
    let code = exchangesNames ? swap.rename(.toOwnName, LinuxCalls.renameExchange) : ENOSYS
    if PendingReplacement.isUnsupported(code) { return try overwrite(&swap) }
    if code == ENOENT { throw .changed(found: nil) }
    guard code == 0 else { throw failure(code, swap) }
    swap.outcome = .exchanged
    try confirm(swap)
  }

  private func overwrite(_ swap: inout PendingReplacement) throws(ReplaceError) {
    let kept = swap.keepOld()
    do throws(ReplaceError) {
      let found = try found(swap)
      guard areEqual(found, swap.expecting) else { throw .changed(found: found) }
      let code = swap.rename(.toOwnName)
      guard code == 0 else { throw failure(code, swap) }
    } catch {
      // The old file still has its own name.
      if let kept { TemporaryFile.remove(kept, in: swap.place.folder) }
      throw error
    }
    swap.keptName = kept
    swap.outcome = .overwritten
    try confirm(swap)
  }

  private func takeAway(_ swap: inout PendingReplacement) throws(ReplaceError) {
    let code = swap.rename(.toTemporaryName)
    if code == ENOENT { throw .changed(found: nil) }
    guard code == 0 else { throw failure(code, swap) }
    swap.outcome = .removed
    try confirm(swap)
  }

  /// Compares the old file, where it still has a name, with what was expected.
  ///
  /// It is done twice, after the exchange and after the sync: a program may have had the old file open for
  /// writing.
  /// - Returns: The old file where the system can't tell whether a program has it open for writing.
  @discardableResult
  func confirm(_ swap: PendingReplacement) throws(ReplaceError) -> FileIdentity? {
    guard let name = swap.oldName else { return nil }
    if swap.oldKind == .symbolicLink, try temporaryIsLink(swap) { return nil }
    let status = try asReplaceError { () throws(SystemError) in
      try FileStatus.of(name, in: swap.place.folder.number)
    }
    guard let status, status.kind == .file else { throw .changed(found: nil) }
    let file = try quiet(name, of: swap.place)
    let found = try asReplaceError { () throws(SystemError) in try file.read(swap.place.path) }
    guard areEqual(found, swap.expecting) else { throw .changed(found: found) }
    return file.isCertain ? nil : FileIdentity(status)
  }

  /// Refuses old files that another program has open for writing, on file systems that have no leases: the open files
  /// of all processes that may be looked at are held against them, once.
  ///
  /// It comes after the exchange: whoever opens the name from then on has the new file.
  func refuseHeld(among suspects: [FileIdentity: [UInt8]]) throws(ReplaceError) {
    guard !suspects.isEmpty else { return }
    if let held = ProcessTable.heldForWriting(Set(suspects.keys)).first, let path = suspects[held] {
      throw .held(path: path)
    }
  }

  private func temporaryIsLink(_ swap: PendingReplacement) throws(ReplaceError) -> Bool {
    try asReplaceError { () throws(SystemError) in
      try FileStatus.of(swap.temporaryName, in: swap.place.folder.number)?.kind == .symbolicLink
    }
  }

  private func found(_ swap: PendingReplacement) throws(ReplaceError) -> [UInt8]? {
    try asReplaceError { () throws(SystemError) in try swap.readOwn() }
  }

  private func failure(_ code: Int32, _ swap: PendingReplacement) -> ReplaceError {
    .failed(SystemError(operation: "rename", path: swap.place.path, code: code))
  }
}

/// Whether two contents, or two absences, are the same.
func areEqual(_ left: [UInt8]?, _ right: [UInt8]?) -> Bool {
  switch (left, right) {
  case (let left?, let right?): left == right
  case (nil, nil): true
  default: false
  }
}
