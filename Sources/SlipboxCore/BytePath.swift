/// Paths are bytes; these are the few things the core does with them.
package enum BytePath {
  /// `folder` and `name` with one slash between them; `name` alone where it is absolute.
  package static func join(_ folder: [UInt8], _ name: [UInt8]) -> [UInt8] {
    if name.first == UInt8(ascii: "/") || folder.isEmpty { return name }
    if name.isEmpty { return folder }
    return folder.last == UInt8(ascii: "/") ? folder + name : folder + [UInt8(ascii: "/")] + name
  }

  /// The folder of a path: what stands before its last slash, or nothing.
  package static func folder(of path: [UInt8]) -> [UInt8] {
    guard let slash = path.lastIndex(of: UInt8(ascii: "/")) else { return [] }
    return slash == 0 ? [UInt8(ascii: "/")] : Array(path[..<slash])
  }

  /// The last part of a path.
  package static func name(of path: [UInt8]) -> [UInt8] {
    guard let slash = path.lastIndex(of: UInt8(ascii: "/")) else { return path }
    return Array(path[(slash + 1)...])
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

  /// What is left of `path` below `folder`, or nil where it is not below it. Both are absolute.
  package static func relative(_ path: [UInt8], to folder: [UInt8]) -> [UInt8]? {
    if path == folder { return [] }
    let prefix = folder.last == UInt8(ascii: "/") ? folder : folder + [UInt8(ascii: "/")]
    return path.starts(with: prefix) ? Array(path.dropFirst(prefix.count)) : nil
  }
}
