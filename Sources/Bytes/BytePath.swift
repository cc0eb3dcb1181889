/// Operations on paths as bytes: a path of a file system is not text.
public enum BytePath {
  /// Joins `folder` and `name` with one slash; returns `name` alone if it is absolute or `folder` is empty.
  package static func join(_ folder: [UInt8], _ name: [UInt8]) -> [UInt8] {
    if name.first == UInt8(ascii: "/") || folder.isEmpty { return name }
    if name.isEmpty { return folder }
    return folder.last == UInt8(ascii: "/") ? folder + name : folder + [UInt8(ascii: "/")] + name
  }

  /// The path of a name in a folder whose path is relative, and empty for the root.
  @inlinable
  public static func path(
    of name: some Collection<UInt8>, in folder: some Collection<UInt8>
  ) -> [UInt8] {
    var path: [UInt8] = []
    path.reserveCapacity(folder.count + 1 + name.count)
    path.append(contentsOf: folder)
    if !folder.isEmpty { path.append(UInt8(ascii: "/")) }
    path.append(contentsOf: name)
    return path
  }

  /// The folder of a path: the bytes before its last slash, `/` for a name in the root, empty without a slash and for the
  /// root itself. So the folder of a folder of any path ends up empty.
  package static func folder(of path: [UInt8]) -> [UInt8] {
    guard path.count > 1, let slash = path.lastIndex(of: UInt8(ascii: "/")) else { return [] }
    return slash == 0 ? [UInt8(ascii: "/")] : Array(path[..<slash])
  }

  /// The last part of a path.
  package static func name(of path: [UInt8]) -> [UInt8] {
    guard let slash = path.lastIndex(of: UInt8(ascii: "/")) else { return path }
    return Array(path[(slash + 1)...])
  }

  /// Whether the last parts of a path equal those of another one, without its `.`, `..` and leading slashes.
  package static func ends(_ path: [UInt8], with end: [UInt8]) -> Bool {
    let marks = [[UInt8](), Array(".".utf8), Array("..".utf8)]
    let parts = end.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
      .drop { part in marks.contains { part.elementsEqual($0) } }
    let rest = Array(parts.joined(separator: [UInt8(ascii: "/")]))
    guard !rest.isEmpty, path.count >= rest.count, path.suffix(rest.count).elementsEqual(rest) else {
      return false
    }
    return path.count == rest.count || path[path.count - rest.count - 1] == UInt8(ascii: "/")
  }

  /// The path with `.`, `..` and doubled slashes resolved by its text alone; nil where `..` leads out of a
  /// relative path.
  package static func normalised(_ path: [UInt8]) -> [UInt8]? {
    let isAbsolute = path.first == UInt8(ascii: "/")
    var parts: [ArraySlice<UInt8>] = []
    for part in path.split(separator: UInt8(ascii: "/")) where !part.elementsEqual([UInt8(ascii: ".")]) {
      if part.elementsEqual([UInt8(ascii: "."), UInt8(ascii: ".")]) {
        guard parts.popLast() != nil || isAbsolute else { return nil }
      } else {
        parts.append(part)
      }
    }
    let joined = Array(parts.joined(separator: [UInt8(ascii: "/")]))
    return isAbsolute ? [UInt8(ascii: "/")] + joined : joined
  }

  /// Returns the rest of `path` below `folder`, both absolute; nil if `path` is not below `folder`.
  package static func relative(_ path: [UInt8], to folder: [UInt8]) -> [UInt8]? {
    if path == folder { return [] }
    let prefix = folder.last == UInt8(ascii: "/") ? folder : folder + [UInt8(ascii: "/")]
    return path.starts(with: prefix) ? Array(path.dropFirst(prefix.count)) : nil
  }
}

extension [UInt8] {
  /// The path of a name in a folder, as `BytePath.join` makes it; an empty name leaves the slash behind the folder.
  package static func / (folder: [UInt8], name: String) -> [UInt8] { folder / Array(name.utf8) }

  /// The path of a name in a folder, as `BytePath.join` makes it; an empty name leaves the slash behind the folder.
  package static func / (folder: [UInt8], name: [UInt8]) -> [UInt8] {
    let path = BytePath.join(folder, name)
    return name.isEmpty && !path.isEmpty && path.last != UInt8(ascii: "/") ? path + [UInt8(ascii: "/")] : path
  }

  /// Lends the path as a C string; a NUL byte ends it.
  package func withCPath<Result>(_ body: (UnsafePointer<CChar>) -> Result) -> Result {
    (self + [0]).withUnsafeBytes { buffer in
      // The buffer holds at least the NUL byte, so it has an address.
      body(buffer.bindMemory(to: CChar.self).baseAddress.unsafelyUnwrapped)
    }
  }
}
