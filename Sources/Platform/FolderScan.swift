import Glibc

/// What one folder of a walk holds.
struct FolderScan {
  /// The files in the order of their paths.
  var files: [DirectoryWalk.Found] = []
  /// The folders in the order of their paths.
  var folders: [Subfolder] = []
  var links: [DirectoryWalk.Found] = []
  var temporaries: [[UInt8]] = []
  /// The names, where the next walk can rely on them.
  var listing: FolderListing?
  var problem: SystemError?
  /// Whether it was skipped because it holds a repository of its own.
  var isNestedRepository = false

  struct Subfolder {
    /// The path relative to the root of the walk, with a slash at its end.
    let path: [UInt8]
    /// How many of `files` sort before what it holds.
    let filesBefore: Int
    /// Its position in the queue, once it has one.
    var position = -1
  }
}

/// The choices of a walk, and what all of its folders need.
struct WalkPlan: Sendable {
  let root: Descriptor
  let descend: (@Sendable (ArraySlice<UInt8>) -> Bool)?
  let include: @Sendable (ArraySlice<UInt8>) -> Bool
  let known: (@Sendable (ArraySlice<UInt8>) -> FolderListing?)?
  /// The device whose folders' times can be relied on; nil: none.
  let reliableDevice: UInt64?
  /// The time before which a folder must have changed last, so that any later change shows in its time.
  let settled: FileTime
}

/// Reads one folder after another for a walk.
final class FolderScanner {
  private let plan: WalkPlan
  private let reader = FolderReader()
  private var name: [UInt8] = []

  init(_ plan: WalkPlan) { self.plan = plan }

  /// Reads a folder.
  /// - Parameter path: Relative to the root, with a slash at its end; empty for the root itself.
  func scan(_ path: [UInt8]) -> FolderScan {
    var scan = FolderScan()
    do throws(SystemError) {
      let folder = path.isEmpty ? plan.root : try open(path)
      let status = try folder.status(path)
      if let listing = plan.known?(path.dropLast()), isReliable(status), listing.isCurrent(status) {
        scan.listing = listing
        if look(at: listing.entries, in: folder, path, &scan) { return scan }
        // A file is gone although the folder's time says otherwise: the folder is read.
        scan = FolderScan()
      }
      let entries = try read(folder, path, &scan)
      if scan.isNestedRepository { return scan }
      if isReliable(status) {
        scan.listing = FolderListing(
          path: Array(path.dropLast()), modified: status.modified, inode: status.inode, device: status.device,
          entries: entries)
      }
      _ = look(at: entries, in: folder, path, &scan)
    } catch {
      // A folder that went away meanwhile is no problem.
      if error.code != ENOENT || path.isEmpty { scan.problem = error }
    }
    return scan
  }

  private func open(_ path: [UInt8]) throws(SystemError) -> Descriptor {
    try Descriptor.open(
      path.dropLast(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_NONBLOCK, in: plan.root.number)
  }

  private func isReliable(_ status: FileStatus) -> Bool {
    status.device == plan.reliableDevice && status.modified < plan.settled && status.modified.seconds > 0
  }
}

extension FolderScanner {
  /// Reads the names of a folder, and chooses among them.
  private func read(
    _ folder: Descriptor, _ path: [UInt8], _ scan: inout FolderScan
  ) throws(SystemError) -> [UInt8] {
    var builder = ListingBuilder()
    try reader.forEach(in: folder, path) { name, hint in
      guard name.first != UInt8(ascii: ".") else {
        addHidden(name, path, to: &scan)
        return
      }
      guard let kind = kind(of: name, hint, in: folder), isWanted(name, kind, path) else { return }
      builder.add(kind, name)
    }
    return builder.finish()
  }

  private func kind(
    of name: UnsafeRawBufferPointer, _ hint: FolderReader.Hint, in folder: Descriptor
  ) -> FolderListing.Kind? {
    switch hint {
    case .file: return .file
    case .directory: return .folder
    case .symbolicLink: return .link
    case .other: return nil
    case .unknown: break
    }
    switch status(of: name, in: folder, followLinks: false)?.kind {
    case .file: return .file
    case .directory: return .folder
    case .symbolicLink: return .link
    case .other, nil: return nil
    }
  }

  private func isWanted(
    _ name: UnsafeRawBufferPointer, _ kind: FolderListing.Kind, _ path: [UInt8]
  ) -> Bool {
    // One buffer for all names: an array for each would cost more than the look at the file.
    self.name.removeAll(keepingCapacity: true)
    self.name.append(contentsOf: name)
    if kind != .folder { return plan.include(self.name[...]) }
    guard let descend = plan.descend else { return true }
    return descend((path + name)[...])
  }

  private func addHidden(_ name: UnsafeRawBufferPointer, _ path: [UInt8], to scan: inout FolderScan) {
    if name.elementsEqual([0x2E, 0x67, 0x69, 0x74]) {  // .git
      scan.isNestedRepository = !path.isEmpty
    } else if TemporaryFile.isTemporary(name) {
      scan.temporaries.append(path + name)
    }
  }
}

extension FolderScanner {
  /// Looks at the files that a listing names.
  /// - Returns: Whether all of them exist.
  private func look(
    at entries: [UInt8], in folder: Descriptor, _ path: [UInt8], _ scan: inout FolderScan
  ) -> Bool {
    var areAllThere = true
    FolderListing.forEach(in: entries) { kind, name in
      let slash: [UInt8] = kind == .folder ? [UInt8(ascii: "/")] : []
      var full: [UInt8] = []
      full.reserveCapacity(path.count + name.count + slash.count)
      full.append(contentsOf: path)
      full.append(contentsOf: name)
      guard kind != .folder else {
        full.append(contentsOf: slash)
        scan.folders.append(FolderScan.Subfolder(path: full, filesBefore: scan.files.count))
        return true
      }
      guard let status = status(of: name, in: folder, followLinks: kind == .link) else {
        note(errno, kind, full, &scan)
        if errno == ENOENT, kind == .file { areAllThere = false }
        return true
      }
      guard status.kind == .file else { return true }
      let found = DirectoryWalk.Found(path: full, status: status)
      if kind == .link { scan.links.append(found) } else { scan.files.append(found) }
      return true
    }
    return areAllThere
  }

  private func status(
    of name: UnsafeRawBufferPointer, in folder: Descriptor, followLinks: Bool
  ) -> FileStatus? {
    guard let start = name.baseAddress?.assumingMemoryBound(to: CChar.self) else { return nil }
    var status = stat()
    let flags = followLinks ? 0 : AT_SYMLINK_NOFOLLOW
    return fstatat(folder.number, start, &status, flags) == 0 ? FileStatus(status) : nil
  }

  /// Notes the first problem of a folder. Links that lead nowhere, and files that went away meanwhile, are
  /// none.
  private func note(
    _ code: Int32, _ kind: FolderListing.Kind, _ path: [UInt8], _ scan: inout FolderScan
  ) {
    guard scan.problem == nil, kind == .file, code != ENOENT else { return }
    scan.problem = SystemError(operation: "stat", path: path, code: code)
  }
}
