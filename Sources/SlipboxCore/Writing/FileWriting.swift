import Bytes
import Git
import Notes
import Platform
import Text

/// The statuses of files whose bytes are known, by path. If a status is missing, git reads the file itself.
typealias FileStatuses = [[UInt8]: FileStatus]

extension BoxWriter {
  /// Writes the files of a change; all or none.
  /// - Parameter folders: folders that are removed if they are empty once the removed files are gone.
  func writeFiles(
    _ changes: [FileChange], clearing folders: [[UInt8]] = []
  ) throws(WriteConflict) -> FileStatuses {
    defer { box.rescueKeptFiles(context) }
    let written = changes.filter(\.isWritten)
    let statuses = try box.folder.takingFoldersBack { () throws(WriteConflict) in
      try written.count <= Self.batchLimit || !folders.isEmpty || Self.needOrder(written)
        ? writeOneByOne(written, clearing: folders) : writeBatch(written)
    }
    return settlingTimes(of: written, statuses)
  }

  /// Sets the times of written files behind filters back, so that git need not filter them again to compare them.
  private func settlingTimes(of changes: [FileChange], _ statuses: FileStatuses) -> FileStatuses {
    var statuses = statuses
    for change in changes {
      guard let bytes = change.after, statuses[change.path]?.kind == .file,
        (try? box.isFiltered(change.path)) == true
      else { continue }
      statuses[change.path] = GitIndex.settleTime(of: box.absolutePath(change.path), holding: bytes)
    }
    return statuses
  }

  /// Returns whether changes can't be written as a batch: changes of symbolic links, and of files that replace a folder,
  /// or the reverse.
  private static func needOrder(_ changes: [FileChange]) -> Bool {
    let hasLinks = changes.contains { change in
      if case .link = change.from { return true }
      if case .link = change.to { return true }
      return false
    }
    return hasLinks || needRoom(changes)
  }

  /// Returns whether a file replaces a removed folder, or a folder replaces a file.
  private static func needRoom(_ changes: [FileChange]) -> Bool {
    var removed: Set<[UInt8]> = []
    var removedFolders: Set<[UInt8]> = []
    for change in changes where change.to == .absent {
      removed.insert(change.path)
      var folder = BytePath.folder(of: change.path)
      while !folder.isEmpty, removedFolders.insert(folder).inserted { folder = BytePath.folder(of: folder) }
    }
    guard !removed.isEmpty else { return false }
    return changes.contains { change in
      guard change.from == .absent else { return false }
      if removedFolders.contains(change.path) { return true }
      var folder = BytePath.folder(of: change.path)
      while !folder.isEmpty {
        if removed.contains(folder) { return true }
        folder = BytePath.folder(of: folder)
      }
      return false
    }
  }

  private func writeOneByOne(
    _ changes: [FileChange], clearing folders: [[UInt8]]
  ) throws(WriteConflict) -> FileStatuses {
    try refuseReadOnly(changes)
    var statuses: FileStatuses = [:]
    var back: [FileChange] = []
    // A moved note is written at its new path before it is removed from the old one. Only a file that replaces a folder,
    // or the reverse, is written after the removals.
    let going = changes.filter { $0.to == .absent }
    let coming = changes.filter { $0.to != .absent }
    let needsRoom = !folders.isEmpty || Self.needRoom(changes)
    let (first, last) = needsRoom ? (going, coming) : (coming, going)
    for (number, change) in (first + last).enumerated() {
      if number == first.count, needsRoom {
        for folder in folders { Files.removeEmptyFolders(box.absolutePath(folder)) }
      }
      // A file whose status can't be read can't be removed either.
      let old = change.to == .absent ? (try? box.folder.status(change.path)) ?? nil : nil
      do throws(ReplaceError) {
        statuses[change.path] = try box.folder.write(change)
        back.append(
          FileChange(
            path: change.path, from: change.to, to: change.from,
            permissions: old.map { FilePermissions(like: $0) }))
      } catch {
        // A file that can't be restored stays written and shows up as an outside change: nothing is lost.
        for change in back.reversed() { _ = try? box.folder.write(change) }
        throw WriteConflict(error, path: change.path)
      }
    }
    return statuses
  }

  /// Refuses changes of read-only files before the first file is written: a file written at a new path, with the same
  /// permissions, could not be removed again.
  private func refuseReadOnly(_ changes: [FileChange]) throws(WriteConflict) {
    for change in changes where change.from.bytes != nil && changes.count > 1 {
      let path = box.absolutePath(change.path)
      // A missing file is found when it is to be written.
      guard (try? Files.status(path, followLinks: true))??.kind == .file,
        !Files.isAccessible(path, for: .writing)
      else { continue }
      throw WriteConflict(
        .failed(SystemError(operation: "write", path: change.path, code: SystemError.Code.noAccess)),
        path: change.path)
    }
  }

  /// Writes many files at once: all are durable before the first name changes, with one sync instead of one per file.
  private func writeBatch(_ changes: [FileChange]) throws(WriteConflict) -> FileStatuses {
    context.reporter.report(.writing, 0, of: changes.count)
    let changes = changes.filter { $0.to != .absent } + changes.filter { $0.to == .absent }
    do throws(BatchError) {
      let written = try box.folder.replaceAll(changes.map { Replacement($0) })
      return Dictionary(
        zip(changes, written).compactMap { change, status in status.map { (change.path, $0) } }
      ) {
        $1
      }
    } catch {
      throw WriteConflict(error.error, path: error.index.map { changes[$0].path } ?? box.root)
    }
  }
}

extension FileChange {
  /// Whether the work tree changes; false if the file is left out of it before and after.
  fileprivate var isWritten: Bool {
    switch (from, to) {
    case (.leftOut, .leftOut), (.leftOut, .absent), (.absent, .leftOut): false
    default: true
    }
  }
}

extension BoxFolder {
  /// Applies a change, provided that the file is still in its former state.
  /// - Returns: the status of the file that was written.
  @discardableResult
  func write(_ change: FileChange) throws(ReplaceError) -> FileStatus? {
    switch (change.from, change.to) {
    case (.link, .link), (.absent, .link), (.link, .absent), (.file, .link), (.link, .file):
      try replaceEntry(
        change.path, with: Self.entry(change.to, change.permissions),
        expecting: Self.entry(change.from, change.permissions))
    case (.file, .file), (.absent, .file), (.file, .absent): try write(Replacement(change))
    case (.file, .leftOut): try write(Replacement(change))
    // A file that is left out of the work tree is not written.
    case (.absent, .absent), (.leftOut, _), (_, .leftOut): nil
    }
  }

  private static func entry(_ state: FileState, _ permissions: FilePermissions) -> Entry? {
    switch state {
    case .absent, .leftOut: nil
    case .link(let target): .link(target)
    case .file(let bytes, _): .file(bytes, permissions)
    }
  }

  private func write(_ replacement: Replacement) throws(ReplaceError) -> FileStatus? {
    guard let bytes = replacement.bytes else {
      try remove(replacement.path, expecting: replacement.expecting ?? [])
      return nil
    }
    return try replace(
      replacement.path, with: bytes, expecting: replacement.expecting, permissions: replacement.permissions,
      makesExecutable: replacement.makesExecutable)
  }
}

extension Replacement {
  /// Creates the replacement of a regular file from a change.
  init(_ change: FileChange) {
    var makesExecutable: Bool?
    if case .file(_, let before) = change.from, case .file(_, let after) = change.to, before != after {
      makesExecutable = after
    }
    self.init(
      path: change.path, bytes: change.after, expecting: change.before, permissions: change.permissions,
      makesExecutable: makesExecutable)
  }
}

/// The reason for the failure of an attempt to write.
enum WriteConflict: Error {
  /// The file has changed since it was read: compute the change again.
  case changedMeanwhile([UInt8])
  /// Another program has the file open for writing: wait, then compute the change again.
  case heldOpen([UInt8])
  /// The branch has moved since the commit was prepared; nothing was written.
  case movedMeanwhile
  /// Git may be about to move HEAD; nothing was written.
  case unsettled
  /// A commit is temporarily not possible; nothing was written.
  case notNow(SlipboxError)
  /// The files are written, but a later step failed; the next command finishes it from the intent record.
  case begun(SlipboxError)
  case refused(SlipboxError)
  /// A git hook refused the commit; the files are as in the draft.
  case hook(SlipboxError)

  init(_ error: ReplaceError, path: [UInt8]) {
    switch error {
    case .changed: self = .changedMeanwhile(path)
    case .held(let path): self = .heldOpen(path)
    case .leavesBox(let path):
      self = .refused(
        SlipboxError(.notPermitted, "\(path) is outside the box (through a symbolic link)"))
    case .failed(let error): self = .refused(SlipboxError(error))
    }
  }

  /// The error for the user if nothing more is tried.
  var refusal: SlipboxError {
    switch self {
    case .changedMeanwhile(let path):
      SlipboxError(
        .busy, "\(path) keeps changing during the write", retry: "try again")
    case .heldOpen(let path): HeldFiles.refusal(path, program: nil)
    case .movedMeanwhile: SlipboxError(.busy, "the branch keeps changing", retry: "try again")
    case .unsettled:
      SlipboxError(.busy, "another git command is running in this repository", retry: "try again later")
    case .begun(let error):
      SlipboxError(
        error.kind, error.message,
        hints: error.hints + ["the files are written; the next slip command commits them"])
    case .notNow(let error), .refused(let error), .hook(let error): error
    }
  }
}

/// Runs calls whose failures are final.
func refusing<Result>(_ body: () throws(SlipboxError) -> Result) throws(WriteConflict) -> Result {
  do throws(SlipboxError) { return try body() } catch { throw .refused(error) }
}

/// Runs calls whose failures mean that a commit is temporarily not possible.
func postponing(_ body: () throws(SlipboxError) -> Void) throws(WriteConflict) {
  do throws(SlipboxError) { try body() } catch { throw .notNow(error) }
}

/// Files that another program has open for writing when they are to be replaced.
///
/// Such a program continues to write to the file that it opened, not to the new file of the same name. So slip waits for
/// the program. If the program still writes in the moment in which a file changes its name, its output is saved apart and
/// reported. See Decisions/0016.
struct HeldFiles {
  /// The total time that one command waits for programs, in milliseconds.
  private static let timeoutMilliseconds = 5_000

  private let box: Box
  private let reporter: Reporter
  private var leftMilliseconds = HeldFiles.timeoutMilliseconds
  private var hasTold = false

  init(_ box: Box, _ reporter: Reporter) {
    self.box = box
    self.reporter = reporter
  }

  /// Waits until no program has a file open for writing.
  /// - Throws: `.busy` if a program still has the file open at the timeout.
  mutating func wait(for path: [UInt8]) throws(SlipboxError) {
    while leftMilliseconds > 0 {
      let step = hasTold ? leftMilliseconds : 500
      let start = Waiting.now()
      if box.folder.waitUntilClosed(path, milliseconds: step) {
        // Each wait costs at least 1 ms, so that a program that opens the file repeatedly does not block forever.
        leftMilliseconds -= 1 + Int(Waiting.now() - start)
        return
      }
      leftMilliseconds -= step
      if !hasTold { reporter.warn("waiting for another program to finish writing \(path)") }
      hasTold = true
    }
    throw Self.refusal(path, program: ProcessTable.writer(of: box.absolutePath(path)))
  }

  /// Returns the error for a change to a file that a program has open.
  static func refusal(_ path: [UInt8], program: [UInt8]?) -> SlipboxError {
    let name = program.map { " (\($0))" as Phrase } ?? ""
    return SlipboxError(
      .busy, "\(path) is open for writing in another program\(name)",
      hints: ["nothing was changed; save and close it there, then try again"])
  }
}

/// Files that are committed as they are while another program may be writing them.
///
/// Nothing is replaced, so nothing can be lost. The wait is short, and only prevents that history gets an incomplete
/// text.
struct UnfinishedFiles {
  /// The total time that one command waits for programs, in milliseconds.
  private static let timeoutMilliseconds = 1_000

  private let box: Box
  private let reporter: Reporter
  private var leftMilliseconds = UnfinishedFiles.timeoutMilliseconds

  init(_ box: Box, _ reporter: Reporter) {
    self.box = box
    self.reporter = reporter
  }

  /// Waits until no program has a file open for writing, at most for the remaining time.
  mutating func wait(for path: [UInt8]) {
    guard leftMilliseconds > 0 else { return }
    let start = Waiting.now()
    let isClosed = box.folder.waitUntilClosed(path, milliseconds: leftMilliseconds)
    leftMilliseconds -= Int(Waiting.now() - start)
    guard !isClosed else { return }
    let program = ProcessTable.writer(of: box.absolutePath(path)).map { " (\($0))" as Phrase } ?? ""
    reporter.warnOnce(
      "\(path) is open for writing in another program\(program); it is committed in its present state"
    )
  }
}

extension Box {
  /// Moves the replaced files that another program wrote to, or may still write to, into the state folder, and reports
  /// them.
  ///
  /// A file is moved, not copied: later writes of the program reach it too.
  func rescueKeptFiles(_ context: CommandContext) {
    let seconds = context.clock.now.seconds
    for kept in folder.kept.takeAll() {
      let name = BytePath.name(of: kept.path)
      let target = BytePath.join(privateFolder, Array("recovered/\(seconds)-".utf8) + name)
      let place = move(kept.temporary, to: target) ?? absolutePath(kept.temporary)
      context.reporter.warn(
        "\(kept.path) was written by another program while slip replaced it; "
          + "the other version is kept at \(place)")
    }
  }

  /// Moves a file to a free name; returns nil if that is not possible, as to another file system.
  private func move(_ path: [UInt8], to target: [UInt8]) -> [UInt8]? {
    guard (try? Files.makeDirectory(BytePath.folder(of: target))) != nil else { return nil }
    for number in 0..<1_000 {
      let free = number == 0 ? target : target + Array(".\(number)".utf8)
      do throws(SystemError) {
        try Files.link(absolutePath(path), as: free)
        // Two names of one file are harmless.
        try? Files.remove(absolutePath(path))
        return free
      } catch {
        guard error.isOccupied else { return nil }
      }
    }
    return nil
  }
}
