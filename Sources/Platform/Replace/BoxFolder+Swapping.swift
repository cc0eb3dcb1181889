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

  /// The bytes of the file at a place, or of the target of a link; nil if there is no file.
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
  /// - Throws: `held` if one has.
  private func quiet(_ name: [UInt8], of place: AnchoredPath) throws(ReplaceError) -> QuietFile {
    let file = try asReplaceError { () throws(SystemError) in try quietFile(name, in: place.folder) }
    guard let file else { throw .held(path: place.path) }
    return file
  }

  /// A rename would replace a file that its owner has protected from writing.
  private func checkWritable(_ place: AnchoredPath) throws(SystemError) {
    try SystemError.check(FolderNames(in: place.folder).checkWritable(place.name), "write", place.path)
  }
}

extension BoxFolder {
  /// Exchanges the names and compares the exchanged file with the expected bytes.
  ///
  /// After a failure `undo` restores the earlier file.
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
    if code == SystemError.Code.exists { throw .changed(found: try found(swap)) }
    guard code == 0 else { throw failure(code, swap) }
    swap.outcome = .made
  }

  private func exchange(_ swap: inout PendingReplacement) throws(ReplaceError) {
    let code = exchangesNames ? swap.rename(.toOwnName, .exchanging) : SystemError.Code.noSuchCall
    if PendingReplacement.isUnsupported(code) { return try overwrite(&swap) }
    if code == SystemError.Code.missing { throw .changed(found: nil) }
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
    if code == SystemError.Code.missing { throw .changed(found: nil) }
    guard code == 0 else { throw failure(code, swap) }
    swap.outcome = .removed
    try confirm(swap)
  }

  /// Compares the old file, if it still has a name, with the expected bytes.
  ///
  /// It runs twice, after the exchange and after the sync: a program may have had the old file open for
  /// writing.
  /// - Returns: the old file if the system can't report whether a program has it open for writing.
  @discardableResult
  func confirm(_ swap: PendingReplacement) throws(ReplaceError) -> FileIdentity? {
    guard let name = swap.oldName else { return nil }
    if swap.oldKind == .symbolicLink, try temporaryIsLink(swap) { return nil }
    let status = try asReplaceError { () throws(SystemError) in
      try FileStatus.of(name, in: swap.place.folder)
    }
    guard let status, status.kind == .file else { throw .changed(found: nil) }
    let file = try quiet(name, of: swap.place)
    let found = try asReplaceError { () throws(SystemError) in try file.read(swap.place.path) }
    guard areEqual(found, swap.expecting) else { throw .changed(found: found) }
    return file.isCertain ? nil : FileIdentity(status)
  }

  /// Refuses old files that another program has open for writing, on file systems without leases. They are compared once
  /// with the open files of all processes that this user may inspect.
  ///
  /// It runs after the exchange: programs that open the name from then on get the new file.
  func refuseHeld(among suspects: [FileIdentity: [UInt8]]) throws(ReplaceError) {
    guard !suspects.isEmpty else { return }
    if let held = ProcessTable.heldForWriting(Set(suspects.keys)).first, let path = suspects[held] {
      throw .held(path: path)
    }
  }

  private func temporaryIsLink(_ swap: PendingReplacement) throws(ReplaceError) -> Bool {
    try asReplaceError { () throws(SystemError) in
      try FileStatus.of(swap.temporaryName, in: swap.place.folder)?.kind == .symbolicLink
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

/// A file, open for reading, that no other program has open for writing.
///
/// While the value lives, a program that opens the file for writing waits in open(2), on file systems with leases. From
/// then on a second value of the same file can't be made, which reveals such a program.
struct QuietFile {
  /// The open file; it guards the file as long as it is open.
  let file: Descriptor
  /// Whether the system knows who has the file open; where not, `ProcessTable` may know.
  let isCertain: Bool

  /// Opens a regular file; nil if another program has it open for writing, or waits to open it so.
  ///
  /// Wraps `F_SETLEASE` of fcntl(2): a read lease is granted only for a file that no process has open for writing. Files
  /// of other users have no leases, and network file systems have none.
  init?(_ name: [UInt8], in folder: Descriptor, takingLease: Bool) throws(SystemError) {
    let file = try Descriptor.reading(name, in: folder)
    guard takingLease else {
      self.file = file
      isCertain = false
      return
    }
    let code = LinuxCalls.takeReadLease(file.number)
    if code == SystemError.Code.wouldBlock { return nil }
    self.file = file
    isCertain = code == 0
  }

  /// The bytes of the file.
  func read(_ path: [UInt8]) throws(SystemError) -> [UInt8] { try file.readAll(path, limit: nil).bytes }
}

extension BoxFolder {
  /// Opens a file that no other program has open for writing; nil if one has.
  func quietFile(_ name: [UInt8], in folder: Descriptor) throws(SystemError) -> QuietFile? {
    try QuietFile(name, in: folder, takingLease: takesLeases)
  }

  /// Waits until no other program has a file open for writing.
  /// - Returns: false if one still has it open after the timeout.
  package func waitUntilClosed(_ relative: [UInt8], milliseconds: Int) -> Bool {
    let deadline = Waiting.now() + Int64(milliseconds)
    var pause = 500
    while true {
      guard let place = try? place(of: relative, for: .reading), (try? place.status()) != nil else {
        return true
      }
      do throws(SystemError) {
        let found = try quietFile(place.name, in: place.folder)
        if let found, found.isCertain || !ProcessTable.hasWriter(of: found.file) { return true }
      } catch {
        // A file that can't be opened is not waited for: the next step reports why.
        return true
      }
      guard Waiting.now() < deadline else { return false }
      Waiting.pause(microseconds: pause)
      pause = min(5_000, pause * 2)
    }
  }
}

/// A replaced file that another program wrote to, or still has open, after its name was given to the new one.
package struct KeptFile: Sendable, Equatable {
  /// The path of the note, relative to the box.
  package let path: [UInt8]
  /// The path of the old file, relative to the box.
  package let temporary: [UInt8]
}

extension BoxFolder {
  /// How long a program is waited for that had the old file open before it was replaced, in milliseconds.
  static let patienceMilliseconds = 1_000

  /// Removes an old file, provided that no program has written to it or can. Otherwise it stays and is recorded.
  ///
  /// No other function removes a file that once had a public name.
  /// - Parameter expecting: the bytes that are also stored elsewhere.
  /// - Returns: whether it was removed.
  @discardableResult
  func letGo(_ name: [UInt8], of place: AnchoredPath, expecting: [UInt8]?) -> Bool {
    let deadline = Waiting.now() + Int64(Self.patienceMilliseconds)
    while true {
      guard let status = (try? FileStatus.of(name, in: place.folder)) ?? nil else { return true }
      guard status.kind == .file else {
        TemporaryFile.remove(name, in: place.folder)
        return true
      }
      // One that can't be opened is kept after the same wait.
      if let found = try? quietFile(name, in: place.folder) {
        guard let bytes = try? found.read(name), bytes == expecting else { break }
        TemporaryFile.remove(name, in: place.folder)
        withExtendedLifetime(found) {}
        return true
      }
      guard Waiting.now() < deadline else { break }
      Waiting.pause(milliseconds: 2)
    }
    let parts = place.parts.dropLast() + [name]
    kept.add(KeptFile(path: place.path, temporary: Array(parts.joined(separator: [UInt8(ascii: "/")]))))
    return false
  }
}
