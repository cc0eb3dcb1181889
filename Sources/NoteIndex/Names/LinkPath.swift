import Notes

/// Paths as links write them.
package enum LinkPath {
  /// The path with `.`, `..` and doubled slashes resolved, from a folder on; nil where it leads out of the box or to a
  /// folder.
  static func normalised(_ path: [UInt8], from folder: ArraySlice<UInt8> = []) -> [UInt8]? {
    let slash = UInt8(ascii: "/")
    var parts = folder.split(separator: slash)
    for part in path.split(separator: slash) where !part.elementsEqual(".".utf8) {
      if part.elementsEqual("..".utf8) {
        guard parts.popLast() != nil else { return nil }
      } else {
        parts.append(part)
      }
    }
    let last = path.split(separator: slash).last
    guard let last, !last.elementsEqual(".".utf8), !last.elementsEqual("..".utf8) else { return nil }
    return Array(parts.joined(separator: [slash]))
  }

  /// A path from the root as it is written from a folder on.
  package static func relative(_ path: [UInt8], from folder: ArraySlice<UInt8>) -> [UInt8] {
    let slash = UInt8(ascii: "/")
    let (parts, above) = (path.split(separator: slash), folder.split(separator: slash))
    let common = zip(parts.dropLast(), above).prefix { $0.elementsEqual($1) }.count
    let up = [ArraySlice<UInt8>](repeating: Array("..".utf8)[...], count: above.count - common)
    return Array((up + parts[common...]).joined(separator: [slash]))
  }

  /// The folder of a note.
  package static func folder(of path: [UInt8]) -> ArraySlice<UInt8> {
    path[..<(path.lastIndex(of: UInt8(ascii: "/")) ?? 0)]
  }

  /// A path without the ending of a note, where it has one.
  static func withoutEnding(_ path: [UInt8]) -> ArraySlice<UInt8> {
    path.dropLast(FileName.lastPart(of: path).count - FileName.stem(of: path).count)
  }

  /// The ends of a path that begin with one of its parts, the whole first.
  static func ends(of path: ArraySlice<UInt8>) -> [ArraySlice<UInt8>] {
    var ends = [path]
    for index in path.indices where path[index] == UInt8(ascii: "/") { ends.append(path[(index + 1)...]) }
    return ends
  }

  /// Whether a path is another one, or ends with it from one of its parts on.
  static func hasEnd(_ path: ArraySlice<UInt8>, _ end: some Collection<UInt8>) -> Bool {
    guard path.suffix(end.count).elementsEqual(end) else { return false }
    return path.count == end.count || path[path.endIndex - end.count - 1] == UInt8(ascii: "/")
  }
}
