import Glibc

extension BoxFolder {
  /// Checks that a file can be replaced or removed, and writes the new one under a temporary name.
  /// - Parameter syncing: Whether the new file, and each new folder, is synced by itself.
  func prepare(_ request: Replacement, syncing: Bool) throws(ReplaceError) -> NameSwap {
    let purpose: Purpose = request.expecting == nil ? .making(syncing: syncing) : .writing
    let place: Place
    do throws(SystemError) {
      place = try self.place(of: request.path, for: purpose, followingLast: request.bytes != nil)
    } catch {
      if error.isMissing, request.expecting != nil { throw .changed(found: nil) }
      throw ReplaceError(error)
    }
    let existing = try asReplaceError { () throws(SystemError) in try place.status() }
    let found = try asReplaceError { () throws(SystemError) in try contents(of: place, existing) }
    guard areEqual(found, request.expecting) else { throw .changed(found: found) }
    return try asReplaceError { () throws(SystemError) in
      if existing?.kind == .file { try checkWritable(place) }
      return try start(request, at: place, existing, syncing: syncing)
    }
  }

  private func start(
    _ request: Replacement, at place: Place, _ existing: FileStatus?, syncing: Bool
  ) throws(SystemError) -> NameSwap {
    var name = TemporaryFile.randomName()
    var written: FileStatus?
    if let bytes = request.bytes {
      let file = try TemporaryFile.make(
        bytes, like: existing, in: place.folder, for: place.path, syncing: syncing)
      name = file.name
      written = file.status
    }
    return NameSwap(
      place: place, bytes: request.bytes, expecting: request.expecting, oldKind: existing?.kind,
      temporaryName: name, written: written)
  }

  /// The bytes of what is at a place, of the target of a link; nil where there is nothing.
  private func contents(of place: Place, _ existing: FileStatus?) throws(SystemError) -> [UInt8]? {
    guard let existing else { return nil }
    guard existing.kind == .symbolicLink else { return try place.read().bytes }
    return try self.place(of: place.path, for: .reading).read().bytes
  }

  /// A rename would replace a file that its owner has protected from writing.
  private func checkWritable(_ place: Place) throws(SystemError) {
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
  func perform(_ swap: inout NameSwap) throws(ReplaceError) {
    switch (swap.bytes, swap.expecting) {
    case (.some, nil): try make(&swap)
    case (.some, .some): try exchange(&swap)
    case (nil, .some): try takeAway(&swap)
    case (nil, nil): break
    }
  }

  private func make(_ swap: inout NameSwap) throws(ReplaceError) {
    let code = swap.claimOwnName(usingRenameAt2: exchangesNames)
    if code == EEXIST { throw .changed(found: try found(swap)) }
    guard code == 0 else { throw failure(code, swap) }
    swap.outcome = .made
  }

  private func exchange(_ swap: inout NameSwap) throws(ReplaceError) {
    let code = exchangesNames ? swap.rename(.toOwnName, LinuxCalls.renameExchange) : ENOSYS
    if NameSwap.isUnsupported(code) { return try overwrite(&swap) }
    if code == ENOENT { throw .changed(found: nil) }
    guard code == 0 else { throw failure(code, swap) }
    swap.outcome = .exchanged
    try confirm(swap)
  }

  private func overwrite(_ swap: inout NameSwap) throws(ReplaceError) {
    let found = try found(swap)
    guard areEqual(found, swap.expecting) else { throw .changed(found: found) }
    let code = swap.rename(.toOwnName)
    guard code == 0 else { throw failure(code, swap) }
    swap.outcome = .overwritten
  }

  private func takeAway(_ swap: inout NameSwap) throws(ReplaceError) {
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
  func confirm(_ swap: NameSwap) throws(ReplaceError) {
    guard swap.outcome == .exchanged || swap.outcome == .removed else { return }
    if swap.oldKind == .symbolicLink, try temporaryIsLink(swap) { return }
    let found = try asReplaceError { () throws(SystemError) in try swap.readTemporary() }
    guard areEqual(found, swap.expecting) else { throw .changed(found: found) }
  }

  private func temporaryIsLink(_ swap: NameSwap) throws(ReplaceError) -> Bool {
    try asReplaceError { () throws(SystemError) in
      try FileStatus.of(swap.temporaryName, in: swap.place.folder.number)?.kind == .symbolicLink
    }
  }

  private func found(_ swap: NameSwap) throws(ReplaceError) -> [UInt8]? {
    try asReplaceError { () throws(SystemError) in try swap.readOwn() }
  }

  private func failure(_ code: Int32, _ swap: NameSwap) -> ReplaceError {
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
