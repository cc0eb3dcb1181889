import Bytes
import NoteIndex
import Notes
import Text

/// A file that a sync program, or a merge by hand, left beside its original.
struct ConflictCopy {
  /// The path of the file that it is a copy of, according to its name; that file may not exist.
  let original: [UInt8]
  /// Whether the name alone proves that it is a copy: `x 2.md` may also be a note of that title.
  let isCertain: Bool
  /// When, by whom and on which device the copy was made, as far as its name tells. The zone of the time is not known.
  let stamp: MergeStamp?

  /// Parses the name of a file; returns nil if it is not a copy.
  ///
  /// `x.sync-conflict-20260102-101112-ABCDEFG.md` (Syncthing), `x (Anna's conflicted copy 2026-01-02).md` (Dropbox,
  /// Nextcloud, OneDrive), `x (Case Conflict).md` and the same in other languages (Dropbox), `x.md.orig` (merge programs), `x 2.md` and `x (1).md` (iCloud, Google
  /// Drive), `x copy.md` and `x copy 2.md` (macOS).
  init?(_ path: [UInt8]) {
    let folder = Array(path.prefix(path.count - BytePath.name(of: path).count))
    let name = Array(path[folder.count...])
    let dot = name.lastIndex(of: UInt8(ascii: ".")) ?? name.count
    let (stem, ending) = (name[..<dot], name[dot...])
    if ending.elementsEqual(".orig".utf8), !stem.isEmpty {
      original = folder + Array(stem)
      (isCertain, stamp) = (false, nil)
    } else if let mark = Self.first(Self.syncthingMark, in: name), mark > 0 {
      original = folder + Array(name[..<mark]) + (dot > mark ? Array(ending) : [])
      isCertain = true
      let words = (dot > mark ? stem : name[...]).dropFirst(mark + Self.syncthingMark.utf8.count)
        .split(separator: UInt8(ascii: "-"))
      stamp = Self.stamp(
        time: words.prefix(2).joined(), who: [], device: words.count == 3 ? Array(words[2]) : [])
    } else if let mark = Self.first("conflicted copy", in: name) {
      let open = name[..<mark].lastIndex(of: UInt8(ascii: "("))
      let start = name[..<(open ?? mark)].reversed().drop { $0 == 0x20 }.count
      original = folder + Array(name[..<start]) + Array(ending)
      isCertain = true
      var who = open.map { String(decoding: name[($0 + 1)..<mark], as: UTF8.self) } ?? ""
      who = String(who.reversed().drop { $0 == " " }.reversed())
      for ending in ["'s", "\u{2019}s", "'", "\u{2019}"] where who.hasSuffix(ending) {
        who.removeLast(ending.count)
        break
      }
      let time = stem.dropFirst(mark + "conflicted copy".utf8.count).prefix { $0 != UInt8(ascii: ")") }
      stamp = Self.stamp(time: time, who: Array(who.utf8), device: [])
    } else if let mark = Self.first(" (Case Conflict", in: Array(stem)), mark > 0,
      stem.last == UInt8(ascii: ")")
    {
      original = folder + Array(stem[..<mark]) + Array(ending)
      (isCertain, stamp) = (false, nil)
    } else if let length = Self.lengthWithoutCopy(stem) ?? Self.lengthWithoutNumber(stem) {
      original = folder + Array(stem.prefix(length)) + Array(ending)
      (isCertain, stamp) = (false, nil)
    } else if stem.last == UInt8(ascii: ")"), let mark = Self.first(" (", in: Array(stem)), mark > 0 {
      // The words of programs in other languages are not known.
      original = folder + Array(stem[..<mark]) + Array(ending)
      (isCertain, stamp) = (false, nil)
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

  private static let syncthingMark = ".sync-conflict-"

  /// - Parameter time: a date with or without a time, of whose characters only the digits count.
  /// - Returns: nil if nothing is known. Copies have no order: programs write the time at which they found the conflict.
  private static func stamp(time: some Sequence<UInt8>, who: [UInt8], device: [UInt8]) -> MergeStamp? {
    let digits = time.filter(ASCII.isDigit).map { String(UnicodeScalar($0)) }
    let part = { (range: Range<Int>) in digits[range].joined() }
    var when = ""
    if [8, 12, 14].contains(digits.count) {
      when = "\(part(0..<4))-\(part(4..<6))-\(part(6..<8))"
      if digits.count > 8 { when += "T\(part(8..<10)):\(part(10..<12))" }
      if digits.count > 12 { when += ":\(part(12..<14))" }
    }
    guard !when.isEmpty || !who.isEmpty || !device.isEmpty else { return nil }
    return MergeStamp(
      seconds: 0, commit: "", when: when, who: String(decoding: who, as: UTF8.self),
      device: String(decoding: device, as: UTF8.self))
  }

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

extension ConflictCopy {
  /// The warning about a new note with the name of a copy by a sync program, but without the id of the original; nil for
  /// another file.
  static func warningOfOtherID(_ change: FileChange, in box: Box) -> Phrase? {
    guard FileName.isNote(change.path), let copy = ConflictCopy(change.path), copy.isCertain,
      let id = change.after.flatMap({ Note(path: change.path, text: NoteText($0)).id }),
      let original = (try? box.bytes(at: copy.original)) ?? nil,
      let other = Note(path: copy.original, text: NoteText(original)).id, other != id
    else { return nil }
    return
      "\(change.path) has the name of a copy of \(copy.original), but another id, so it is a note of its own"
  }
}
