import Synchronization

/// A folder that is opened once, with access to the files below it that no symbolic link leads out of it.
///
/// Paths are relative to it, in bytes. Each folder on the way is opened from the one above without following
/// links; a link among them is refused. A file that is itself a link is resolved by hand, and refused where
/// it leaves the box or leads into a hidden or closed folder of it.
package struct BoxFolder: Sendable {
  /// The path as it was given, without trailing slashes.
  package let path: [UInt8]
  let anchor: Descriptor
  /// The replaced files that another program may still be writing to.
  package let kept = KeptFiles()
  /// The folders that were made for files.
  let made = MadeFolders()
  /// The parts of folders that no link may lead into, whatever they are called.
  let closed: [[[UInt8]]]
  /// Whether files are exchanged with renameat2(2) if the file system supports it; only tests turn it off.
  var exchangesNames = true
  /// Whether files are guarded by leases if the file system has them; only tests turn it off.
  var takesLeases = true

  /// Opens the folder.
  /// - Parameter closed: paths of folders in it that no link may lead into, beside the hidden ones.
  package init(_ path: [UInt8], closed: [[UInt8]] = []) throws(SystemError) {
    var path = path
    while path.count > 1, path.last == UInt8(ascii: "/") { path.removeLast() }
    self.path = path
    self.closed = closed.map { Self.split($0) }
    anchor = try Descriptor.open(path, [.pathOnly, .folder])
  }

  /// Reads a regular file.
  /// - Throws: `ENOENT`; `EFBIG` over `limit` bytes (2 GiB without one); `SystemError.notRegular`;
  /// `SystemError.leavesBox`.
  package func read(
    _ relative: [UInt8], limit: Int? = nil
  ) throws(SystemError) -> (bytes: [UInt8], status: FileStatus) {
    // The usual case in one call; whatever else it is shows below.
    if isPlain(relative), let file = try Descriptor.beneath(anchor, relative) {
      return try file.readAll(relative, limit: limit)
    }
    return try place(of: relative, for: .reading).read(limit: limit)
  }

  /// The status of a file, or of its target if it is a link inside the box; nil if it does not exist.
  /// - Throws: `SystemError.leavesBox`, and other errors of fstatat(2).
  package func status(_ relative: [UInt8]) throws(SystemError) -> FileStatus? {
    do throws(SystemError) {
      return try place(of: relative, for: .reading).status()
    } catch {
      if error.isMissing { return nil }
      throw error
    }
  }
}

extension BoxFolder {
  /// The content of a path of the box.
  package enum Item: Sendable {
    case file([UInt8], FileStatus)
    /// A symbolic link, with its target as it is written.
    case link([UInt8], FileStatus)
    /// A folder, or a FIFO, socket or device.
    case other(FileStatus)
  }

  /// Reads a path without following symbolic links.
  /// - Returns: nil if there is no entry, also if a parent of the path is a file.
  /// - Throws: `EFBIG`; `SystemError.leavesBox` if a symbolic link is among the folders of the path.
  package func item(_ relative: [UInt8]) throws(SystemError) -> Item? {
    do throws(SystemError) {
      // The usual case takes one call.
      if isPlain(relative), let file = try Descriptor.beneath(anchor, relative) {
        let status = try file.status(relative)
        guard status.kind == .file else { return .other(status) }
        let found = try file.readAll(relative, limit: nil, known: status)
        return .file(found.bytes, found.status)
      }
      let place = try place(of: relative, for: .reading, followingLast: false)
      guard let status = try place.status() else { return nil }
      switch status.kind {
      case .file:
        let found = try place.read()
        return .file(found.bytes, found.status)
      case .symbolicLink: return .link(try linkText(of: place), status)
      case .directory, .other: return .other(status)
      }
    } catch {
      if error.isMissing || error.code == SystemError.Code.notFolder { return nil }
      throw error
    }
  }

  /// The path of the file that a symbolic link of the box leads to, through all links; the path itself if it is not a link.
  /// - Throws: `SystemError.leavesBox`; `ELOOP`; `ENOENT` if a folder of the target is missing.
  package func target(of relative: [UInt8]) throws(SystemError) -> [UInt8] {
    try place(of: relative, for: .reading).path
  }
}

/// The reason why a file of the box can't be replaced or removed.
package enum ReplaceError: Error, Sendable, Equatable {
  /// The file does not hold the expected bytes; `found` are its bytes, nil if it does not exist.
  case changed(found: [UInt8]?)
  /// The path, or the link that it is, leads out of the box, or passes through a link to a folder.
  case leavesBox(path: [UInt8])
  /// Another program has the file open for writing: its writes could miss the new file.
  case held(path: [UInt8])
  case failed(SystemError)

  init(_ error: SystemError) {
    self = error.code == SystemError.leavesBox ? .leavesBox(path: error.path) : .failed(error)
  }
}

/// Runs the body with its failure as a `ReplaceError`.
func asReplaceError<Result>(_ body: () throws(SystemError) -> Result) throws(ReplaceError) -> Result {
  do throws(SystemError) { return try body() } catch { throw ReplaceError(error) }
}

/// A name in an open folder of the box.
struct AnchoredPath {
  let folder: Descriptor
  let name: [UInt8]
  /// The parts of the path after all links, the name last.
  let parts: [[UInt8]]

  /// The path relative to the box.
  var path: [UInt8] { Array(parts.joined(separator: [UInt8(ascii: "/")])) }

  func read(limit: Int? = nil) throws(SystemError) -> (bytes: [UInt8], status: FileStatus) {
    try Descriptor.reading(name, in: folder).readAll(path, limit: limit)
  }

  func status() throws(SystemError) -> FileStatus? { try FileStatus.of(name, in: folder) }
}

extension BoxFolder {
  /// The intended use of a place.
  enum Purpose {
    case reading
    /// The folder can be synced.
    case writing
    /// The folder can be synced; those that are missing are made, and synced one by one where asked.
    case making(syncing: Bool)
  }

  /// Finds the open folder and the name that a path leads to, through links that stay in the box.
  /// - Parameter followingLast: Whether a path that is a link means the target of the link.
  /// - Throws: `SystemError.leavesBox`; `EINVAL` for paths that are absolute or hold "", "." or "..";
  /// `ELOOP`.
  func place(
    of relative: [UInt8], for purpose: Purpose, followingLast: Bool = true
  ) throws(SystemError) -> AnchoredPath {
    var parts = try plainParts(of: relative)
    for _ in 0..<40 {
      let place = try unresolvedPlace(parts, relative, for: purpose)
      guard followingLast, try place.status()?.kind == .symbolicLink else { return place }
      parts = try target(of: place, relative)
      guard isOpen(parts, from: relative) else {
        throw SystemError(operation: "resolve", path: relative, code: SystemError.leavesBox)
      }
    }
    throw SystemError(operation: "resolve", path: relative, code: SystemError.Code.tooManyLinksFollowed)
  }

  private func unresolvedPlace(
    _ parts: [[UInt8]], _ relative: [UInt8], for purpose: Purpose
  ) throws(SystemError) -> AnchoredPath {
    guard let name = parts.last else {
      throw SystemError(operation: "resolve", path: relative, code: SystemError.notRegular)
    }
    let folder = try openFolder(parts.dropLast(), relative, for: purpose)
    return AnchoredPath(folder: folder, name: name, parts: parts)
  }

  /// Whether a link may lead to a place: not into a hidden folder such as `.git`, unless it lies there itself, and
  /// not into a closed one.
  private func isOpen(_ parts: [[UInt8]], from relative: [UInt8]) -> Bool {
    let own = Self.split(relative).first.flatMap { Self.isHidden($0) ? $0 : nil }
    let rest = own != nil && parts.first == own ? parts.dropFirst() : parts[...]
    return isOpen(rest) && !closed.contains { parts.starts(with: $0) }
  }

  /// Whether a path, after all links, may be that of a note: in no hidden and no closed folder.
  package func isOpen(_ path: [UInt8]) -> Bool {
    let parts = Self.split(path)
    return isOpen(parts[...]) && !closed.contains { parts.starts(with: $0) }
  }

  private func isOpen(_ parts: ArraySlice<[UInt8]>) -> Bool { !parts.contains { Self.isHidden($0) } }

  private static func isHidden(_ part: [UInt8]) -> Bool { part.first == UInt8(ascii: ".") }

  /// The parts of a path without tricks.
  private func plainParts(of relative: [UInt8]) throws(SystemError) -> [[UInt8]] {
    guard isPlain(relative) else {
      throw SystemError(operation: "resolve", path: relative, code: SystemError.Code.invalid)
    }
    return Self.split(relative)
  }

  /// Whether a path is relative and without empty parts, "." and "..".
  func isPlain(_ relative: [UInt8]) -> Bool {
    relative.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false).allSatisfy { part in
      !part.isEmpty && !part.elementsEqual(dot) && !part.elementsEqual(dotDot)
    }
  }

  /// Opens a folder of the box, each part from the one above.
  ///
  /// Another program may take an empty folder away while one is made in it, as a checkout does: it is tried again then.
  func openFolder(
    _ parts: ArraySlice<[UInt8]>, _ relative: [UInt8], for purpose: Purpose
  ) throws(SystemError) -> Descriptor {
    var attempts = 10
    while true {
      do throws(SystemError) {
        return try openFolderOnce(parts, relative, for: purpose)
      } catch {
        attempts -= 1
        guard case .making = purpose, error.code == SystemError.Code.missing, attempts > 0 else {
          throw error
        }
      }
    }
  }

  private func openFolderOnce(
    _ parts: ArraySlice<[UInt8]>, _ relative: [UInt8], for purpose: Purpose
  ) throws(SystemError) -> Descriptor {
    var folder = anchor
    for index in parts.indices {
      folder = try openPart(parts[index], in: folder, relative, for: purpose) {
        made.add(Array(parts[...index]))
      }
    }
    if case .reading = purpose { return folder }
    return try readable(folder)
  }

  /// The same folder with a descriptor that can be synced, unlike one of `O_PATH`.
  func readable(_ folder: Descriptor) throws(SystemError) -> Descriptor {
    try Descriptor.open(dot, [.reading, .folder], in: folder)
  }

  private func openPart(
    _ part: [UInt8], in folder: Descriptor, _ relative: [UInt8], for purpose: Purpose, onMaking: () -> Void
  ) throws(SystemError) -> Descriptor {
    let flags: Descriptor.Mode = [.pathOnly, .folder, .withoutLink]
    do throws(SystemError) {
      return try Descriptor.open(part, flags, in: folder)
    } catch {
      var code = error.code
      if code == SystemError.Code.notFolder || code == SystemError.Code.tooManyLinksFollowed,
        try FileStatus.of(part, in: folder)?.kind == .symbolicLink
      {
        code = SystemError.leavesBox
      }
      guard code == SystemError.Code.missing, case .making(let syncing) = purpose else {
        throw SystemError(operation: "open", path: relative, code: code)
      }
      let made = FolderNames(in: folder).makeFolder(part)
      if made == 0 {
        onMaking()
      } else if made != SystemError.Code.exists {
        throw SystemError(operation: "make folder", path: relative, code: made)
      }
      if syncing { try readable(folder).sync(relative) }
      return try Descriptor.open(part, flags, in: folder)
    }
  }

  /// The parts of the path in the box that a link points to.
  private func target(of place: AnchoredPath, _ relative: [UInt8]) throws(SystemError) -> [[UInt8]] {
    let refusal = SystemError(operation: "resolve", path: relative, code: SystemError.leavesBox)
    let link = try linkText(of: place)
    var parts = Array(place.parts.dropLast())
    var rest = Self.split(link)[...]
    if link.first == UInt8(ascii: "/") {
      guard let below = partsBelowBox(of: link) else { throw refusal }
      parts = []
      rest = below
    }
    for part in rest where !part.isEmpty && part != dot {
      guard part == dotDot else {
        parts.append(part)
        continue
      }
      // The part that ".." undoes must itself be a folder: the one above a link's target is another one.
      _ = try openFolder(parts[...], relative, for: .reading)
      guard parts.popLast() != nil else { throw refusal }
    }
    return parts
  }

  private func partsBelowBox(of absolute: [UInt8]) -> ArraySlice<[UInt8]>? {
    let target = Self.split(absolute)
    for root in [path, Files.realPath(path) ?? path] where root.first == UInt8(ascii: "/") {
      let above = Self.split(root)
      if target.starts(with: above) { return target.dropFirst(above.count) }
    }
    return nil
  }

  func linkText(of place: AnchoredPath) throws(SystemError) -> [UInt8] {
    do throws(SystemError) {
      return try FolderNames(in: place.folder).linkTarget(place.name, "resolve")
    } catch {
      throw SystemError(operation: "resolve", path: place.path, code: error.code)
    }
  }

  static func split(_ path: [UInt8]) -> [[UInt8]] {
    path.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false).map(Array.init)
  }

  private var dot: [UInt8] { [UInt8(ascii: ".")] }
  private var dotDot: [UInt8] { [UInt8(ascii: "."), UInt8(ascii: ".")] }
}

extension BoxFolder {
  /// The result of reading a file.
  package typealias Reading = Result<(bytes: [UInt8], status: FileStatus), SystemError>

  /// Reads many files on several threads, and transforms each on the thread that has read it.
  ///
  /// Each file is read as by `read`.
  ///
  /// - Parameter transform: called with the index of the path and the file, or the error of its read.
  /// - Returns: the values in the order of the paths.
  package func readAll<Value: Sendable>(
    _ paths: [[UInt8]], limit: Int? = nil, _ transform: @escaping @Sendable (Int, Reading) -> Value
  ) -> [Value] {
    concurrentMap(Array(paths.indices), threads: Self.readingThreads) { index in
      do throws(SystemError) {
        return transform(index, .success(try read(paths[index], limit: limit)))
      } catch {
        return transform(index, .failure(error))
      }
    }
  }

  /// Enough to keep a disk busy; files in memory are read as fast by many threads as by few.
  private static let readingThreads = 16
}

/// The replaced files that could not be let go, until somebody finds a place for them.
package final class KeptFiles: Sendable {
  private let files = Mutex<[KeptFile]>([])

  func add(_ file: KeptFile) { files.withLock { $0.append(file) } }

  /// Takes all files out.
  package func takeAll() -> [KeptFile] {
    files.withLock { files in
      defer { files = [] }
      return files
    }
  }
}

/// The folders that were made for files, until somebody says that these stay or go.
final class MadeFolders: Sendable {
  private let paths = Mutex<[[[UInt8]]]>([])

  /// - Parameter parts: those of the folder's path.
  func add(_ parts: [[UInt8]]) { paths.withLock { $0.append(parts) } }

  /// Takes all out, in the order in which they were made.
  func takeAll() -> [[[UInt8]]] {
    paths.withLock { paths in
      defer { paths = [] }
      return paths
    }
  }
}
