import Glibc

/// A name in an open folder of the box.
struct AnchoredPath {
  let folder: Descriptor
  let name: [UInt8]
  /// The parts of the path after all links, the name last.
  let parts: [[UInt8]]

  /// The path relative to the box.
  var path: [UInt8] { Array(parts.joined(separator: [UInt8(ascii: "/")])) }

  func read(limit: Int? = nil) throws(SystemError) -> (bytes: [UInt8], status: FileStatus) {
    try Descriptor.reading(name, in: folder.number).readAll(path, limit: limit)
  }

  func status() throws(SystemError) -> FileStatus? { try FileStatus.of(name, in: folder.number) }
}

extension BoxFolder {
  /// What a place is wanted for.
  enum Purpose {
    case reading
    /// The folder can be synced.
    case writing
    /// The folder can be synced; those that are missing are made, and synced one by one where asked.
    case making(syncing: Bool)
  }

  /// Finds the open folder and the name that a path stands for, through links that stay in the box.
  /// - Parameter followingLast: Whether a link that the path itself is stands for its target.
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
    throw SystemError(operation: "resolve", path: relative, code: ELOOP)
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
    guard isPlain(relative) else { throw SystemError(operation: "resolve", path: relative, code: EINVAL) }
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
        guard case .making = purpose, error.code == ENOENT, attempts > 0 else { throw error }
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
    try Descriptor.open(dot, O_RDONLY | O_DIRECTORY, in: folder.number)
  }

  private func openPart(
    _ part: [UInt8], in folder: Descriptor, _ relative: [UInt8], for purpose: Purpose, onMaking: () -> Void
  ) throws(SystemError) -> Descriptor {
    let flags = LinuxCalls.pathOnly | O_DIRECTORY | O_NOFOLLOW
    do throws(SystemError) {
      return try Descriptor.open(part, flags, in: folder.number)
    } catch {
      var code = error.code
      if code == ENOTDIR || code == ELOOP, try FileStatus.of(part, in: folder.number)?.kind == .symbolicLink {
        code = SystemError.leavesBox
      }
      guard code == ENOENT, case .making(let syncing) = purpose else {
        throw SystemError(operation: "open", path: relative, code: code)
      }
      let name = try terminated(part, "make folder")
      if mkdirat(folder.number, name, 0o777) == 0 {
        onMaking()
      } else if errno != EEXIST {
        throw SystemError("make folder", relative)
      }
      if syncing { try readable(folder).sync(relative) }
      return try Descriptor.open(part, flags, in: folder.number)
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
    let name = try terminated(place.name, "resolve")
    var buffer = [CChar](repeating: 0, count: 4096)
    let count = readlinkat(place.folder.number, name, &buffer, buffer.count)
    guard count >= 0 else { throw SystemError("resolve", place.path) }
    return buffer.prefix(count).map { UInt8(bitPattern: $0) }
  }

  static func split(_ path: [UInt8]) -> [[UInt8]] {
    path.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false).map(Array.init)
  }

  private var dot: [UInt8] { [UInt8(ascii: ".")] }
  private var dotDot: [UInt8] { [UInt8(ascii: "."), UInt8(ascii: ".")] }
}
