import Bytes
import NoteIndex
import Notes

/// A file that a sync program, or a merge by hand, left beside its original.
struct ConflictCopy {
  /// The path of the file that it is a copy of, according to its name; that file may not exist.
  let original: [UInt8]
  /// Whether the name alone proves that it is a copy: `x 2.md` may also be a note of that title.
  let isCertain: Bool

  /// Parses the name of a file; returns nil if it is not a copy.
  ///
  /// `x.sync-conflict-20260102-101112-ABCDEFG.md` (Syncthing), `x (Anna's conflicted copy 2026-01-02).md` (Dropbox,
  /// Nextcloud,
  /// OneDrive), `x (Case Conflict).md` (Dropbox), `x.md.orig` (merge programs), `x 2.md` and `x (1).md` (iCloud, Google
  /// Drive), `x copy.md` and `x copy 2.md` (macOS).
  init?(_ path: [UInt8]) {
    let folder = Array(path.prefix(path.count - BytePath.name(of: path).count))
    let name = Array(path[folder.count...])
    let dot = name.lastIndex(of: UInt8(ascii: ".")) ?? name.count
    let (stem, ending) = (name[..<dot], name[dot...])
    if ending.elementsEqual(".orig".utf8), !stem.isEmpty {
      original = folder + Array(stem)
      isCertain = false
    } else if let mark = Self.first(".sync-conflict-", in: name), mark > 0 {
      original = folder + Array(name[..<mark]) + (dot > mark ? Array(ending) : [])
      isCertain = true
    } else if let mark = Self.first("conflicted copy", in: name) {
      let open = name[..<mark].lastIndex(of: UInt8(ascii: "("))
      let start = name[..<(open ?? mark)].reversed().drop { $0 == 0x20 }.count
      original = folder + Array(name[..<start]) + Array(ending)
      isCertain = true
    } else if let mark = Self.first(" (Case Conflict", in: Array(stem)), mark > 0,
      stem.last == UInt8(ascii: ")")
    {
      original = folder + Array(stem[..<mark]) + Array(ending)
      isCertain = false
    } else if let length = Self.lengthWithoutCopy(stem) ?? Self.lengthWithoutNumber(stem) {
      original = folder + Array(stem.prefix(length)) + Array(ending)
      isCertain = false
    } else {
      return nil
    }
  }

  /// Returns whether a path may be that of a copy, which is a fast check.
  static func mayBeOne(_ path: [UInt8]) -> Bool {
    guard let dot = path.lastIndex(of: UInt8(ascii: ".")), dot > 0 else { return true }
    let last = path[dot - 1]
    let isNumbered = last == UInt8(ascii: ")") || (UInt8(ascii: "1")...UInt8(ascii: "9")).contains(last)
    let isNamed = isNumbered || path[..<dot].suffix(5).elementsEqual(" copy".utf8)
    return isNamed || first("conflict", in: path) != nil || path[dot...].elementsEqual(".orig".utf8)
  }

  /// Returns whether the name of a file alone proves that it is a copy.
  static func isOne(_ path: [UInt8]) -> Bool { ConflictCopy(path)?.isCertain == true }

  private static func first(_ mark: String, in name: [UInt8]) -> Int? {
    let mark = Array(mark.utf8)
    guard name.count >= mark.count else { return nil }
    return (0...(name.count - mark.count)).first { start in
      name[start] == mark[0] && name[start..<(start + mark.count)].elementsEqual(mark)
    }
  }

  /// Returns the length of a stem before ` copy` or ` copy 2`; nil for a stem without these.
  private static func lengthWithoutCopy(_ stem: ArraySlice<UInt8>) -> Int? {
    let isNumbered = stem.last.map { (UInt8(ascii: "1")...UInt8(ascii: "9")).contains($0) } ?? false
    let rest = isNumbered ? lengthWithoutNumber(stem).map { stem.prefix($0) } ?? stem : stem
    guard rest.count > 5, rest.suffix(5).elementsEqual(" copy".utf8) else { return nil }
    return rest.count - 5
  }

  /// Returns the length of a stem before ` 2` or ` (1)`; nil if it does not end in such a number.
  private static func lengthWithoutNumber(_ stem: ArraySlice<UInt8>) -> Int? {
    var rest = stem
    let isInParentheses = rest.last == UInt8(ascii: ")")
    if isInParentheses { rest.removeLast() }
    guard let digit = rest.popLast(), (UInt8(ascii: "1")...UInt8(ascii: "9")).contains(digit) else {
      return nil
    }
    if isInParentheses, rest.popLast() != UInt8(ascii: "(") { return nil }
    guard rest.popLast() == 0x20, !rest.isEmpty else { return nil }
    return rest.count
  }
}
