import Bytes
import Git
import Glibc
import Platform

/// The statuses of files whose bytes are known, by path; one that is missing has git look at the file itself.
typealias FileStatuses = [[UInt8]: FileStatus]

extension BoxWriter {
  /// Writes the files of a change; all or none.
  /// - Parameter folders: folders that are removed if they are empty when the files that go are gone.
  func writeFiles(
    _ changes: [FileChange], clearing folders: [[UInt8]] = []
  ) throws(WriteConflict) -> FileStatuses {
    defer { box.rescueKeptFiles(context) }
    let written = changes.filter(\.isWritten)
    return try box.folder.takingFoldersBack { () throws(WriteConflict) in
      try written.count <= Self.batchLimit || !folders.isEmpty || Self.needOrder(written)
        ? writeOneByOne(written, clearing: folders) : writeBatch(written)
    }
  }

  /// Whether changes can't be made as a batch: of symbolic links, and of files that take the place of a folder, or the
  /// reverse.
  private static func needOrder(_ changes: [FileChange]) -> Bool {
    let hasLinks = changes.contains { change in
      if case .link = change.from { return true }
      if case .link = change.to { return true }
      return false
    }
    return hasLinks || needRoom(changes)
  }

  /// Whether a file takes the place of a folder that goes, or a folder the place of a file.
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
    // A note that moves is at its new place before it goes from the old one. Only a file that takes the place of a folder,
    // or the reverse, has to wait until room is made.
    let going = changes.filter { $0.to == .absent }
    let coming = changes.filter { $0.to != .absent }
    let needsRoom = !folders.isEmpty || Self.needRoom(changes)
    let (first, last) = needsRoom ? (going, coming) : (coming, going)
    for (number, change) in (first + last).enumerated() {
      if number == first.count, needsRoom {
        for folder in folders { Files.removeEmptyFolders(box.absolutePath(folder)) }
      }
      // One that can't be looked at can't be removed either.
      let old = change.to == .absent ? (try? box.folder.status(change.path)) ?? nil : nil
      do throws(ReplaceError) {
        statuses[change.path] = try box.folder.write(change)
        back.append(
          FileChange(
            path: change.path, from: change.to, to: change.from,
            permissions: old.map { FilePermissions(like: $0) }))
      } catch {
        // What can't be put back stays written and shows up as an outside change: nothing is lost.
        for change in back.reversed() { _ = try? box.folder.write(change) }
        throw WriteConflict(error, path: change.path)
      }
    }
    return statuses
  }

  /// Refuses changes of read-only files before the first file is written: what was written at a new path, with the same
  /// permissions, could not be removed again.
  private func refuseReadOnly(_ changes: [FileChange]) throws(WriteConflict) {
    for change in changes where change.from.bytes != nil && changes.count > 1 {
      let path = box.absolutePath(change.path)
      // One that is gone is found where it is to be written.
      guard (try? Files.status(path, followLinks: true))??.kind == .file,
        !Files.isAccessible(path, for: .writing)
      else { continue }
      throw WriteConflict(
        .failed(SystemError(operation: "write", path: change.path, code: EACCES)), path: change.path)
    }
  }

  /// Many files at once: all are durable before the first name changes, with one sync instead of one a file.
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
  /// Whether the work tree changes; not if the file is left out of it before and after.
  fileprivate var isWritten: Bool {
    switch (from, to) {
    case (.leftOut, .leftOut), (.leftOut, .absent), (.absent, .leftOut): false
    default: true
    }
  }
}

extension BoxFolder {
  /// Makes a change real, provided that the file still is as it was.
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
    // Nothing is written of a file that is left out of the work tree.
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
  /// A change of a regular file.
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
