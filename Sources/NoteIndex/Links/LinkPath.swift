import Notes
import Text

/// Paths as links write them.
package enum LinkPath {
  private static let slash = UInt8(ascii: "/")

  /// Resolves `.`, `..` and doubled slashes in a path relative to a folder; nil if the path leaves the box or leads to a
  /// folder.
  static func normalised(_ path: [UInt8], from folder: ArraySlice<UInt8> = []) -> [UInt8]? {
    var whole: [UInt8] = []
    whole.reserveCapacity(folder.count + 1 + path.count)
    forEachPart(of: folder) { whole.append(part: $0) }
    var (isFile, isOutside) = (false, false)
    forEachPart(of: path[...]) { part in
      let isAbove = part.elementsEqual("..".utf8)
      isFile = !isAbove && !part.elementsEqual(".".utf8)
      if isFile { whole.append(part: part) }
      if isAbove, !whole.removeLastPart() { isOutside = true }
    }
    return isFile && !isOutside ? whole : nil
  }

  private static func forEachPart(of path: ArraySlice<UInt8>, _ body: (ArraySlice<UInt8>) -> Void) {
    var rest = path
    while let start = rest.firstIndex(where: { $0 != slash }) {
      rest = rest[start...]
      let end = rest.firstIndex(of: slash) ?? rest.endIndex
      body(rest[..<end])
      rest = rest[end...]
    }
  }

  /// A path from the root as it is written from a folder on.
  package static func relative(_ path: [UInt8], from folder: ArraySlice<UInt8>) -> [UInt8] {
    let slash = UInt8(ascii: "/")
    let (parts, above) = (path.split(separator: slash), folder.split(separator: slash))
    let common = zip(parts.dropLast(), above).prefix { $0.elementsEqual($1) }.count
    let up = [ArraySlice<UInt8>](repeating: Array("..".utf8)[...], count: above.count - common)
    return Array((up + parts[common...]).joined(separator: [slash]))
  }

  /// A path as a site serves it from a folder of the box: `/img/a.png` for `static/img/a.png`. The folder is that of a file
  /// whose path is the folder and a name without its slash; nil if that is the whole path, and in another folder.
  static func served(_ path: [UInt8], as name: [UInt8], of file: [UInt8]) -> [UInt8]? {
    let whole = ([file[...]] + withoutEndings(file)).first { $0.count > name.count && hasEnd($0, name) }
    guard let folder = whole?.dropLast(name.count), path.starts(with: folder) else { return nil }
    return [slash] + path[folder.count...]
  }

  /// The folder of a note.
  package static func folder(of path: [UInt8]) -> ArraySlice<UInt8> {
    path[..<(path.lastIndex(of: UInt8(ascii: "/")) ?? 0)]
  }

  /// Whether two paths are the same, or differ in case and diacritics alone.
  static func isAlike(_ one: some Collection<UInt8>, _ other: some Collection<UInt8>) -> Bool {
    one.elementsEqual(other) || Folding.fold(Array(one)[...]) == Folding.fold(Array(other)[...])
  }

  /// Returns a path without the ending of a note, if it has one.
  static func withoutEnding(_ path: [UInt8]) -> ArraySlice<UInt8> {
    path.dropLast(FileName.lastPart(of: path).count - FileName.stem(of: path).count)
  }

  /// The paths without an ending by which links name a file: its own, and that of the folder that a site serves it as.
  static func withoutEndings(_ path: [UInt8]) -> [ArraySlice<UInt8>] {
    [withoutEnding(path)] + [FileName.bundle(of: path)].compactMap { $0 }
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

extension [UInt8] {
  /// Appends a part to a path without slashes at its ends.
  fileprivate mutating func append(part: ArraySlice<UInt8>) {
    if !isEmpty { append(UInt8(ascii: "/")) }
    append(contentsOf: part)
  }

  /// Removes the last part of such a path; returns false if the path is empty.
  fileprivate mutating func removeLastPart() -> Bool {
    if isEmpty { return false }
    removeSubrange((lastIndex(of: UInt8(ascii: "/")) ?? 0)...)
    return true
  }
}
