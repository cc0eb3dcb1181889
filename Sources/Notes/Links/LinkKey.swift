import Bytes
import Text

/// A number that two names have in common wherever a link by one of them may mean a note by the other.
///
/// It is made of the letters and digits in the last part of a path, or of a title, without case, diacritics and the ending
/// of a note. A title and its slug have the same number, most names that differ have different ones.
package struct LinkKey: Hashable, Sendable {
  package let number: UInt32

  package init(number: UInt32) { self.number = number }

  /// The key of a name; nil for one that names nothing.
  package init?(_ name: [UInt8]) {
    guard let key = name.withUnsafeBytes({ LinkKey(lent: $0) }) else { return nil }
    self = key
  }

  /// The key of a name in bytes that are lent; nil for one that names nothing.
  package init?(lent name: UnsafeRawBufferPointer) {
    if name.contains(where: { $0 >= 0x80 }) {
      let folded = Folding.fold(Array(name)[...])
      number = folded.withUnsafeBytes(Self.number(ofASCII:))
    } else {
      number = Self.number(ofASCII: name)
    }
    if number == Self.numberOfNothing { return nil }
  }

  private static let numberOfNothing: UInt32 = 2_166_136_261
  /// The letters of a name that count: a slug of 80 bytes has as many of its title.
  private static let mostLetters = 40

  /// The hash of the letters and digits of the last part, of which capital letters of ASCII count as small ones; where
  /// there are none, of all that is not blank.
  ///
  /// Source: Fowler, Noll, Vo: FNV-1a.
  private static func number(ofASCII name: UnsafeRawBufferPointer) -> UInt32 {
    var end = name.count
    while end > 0, name[end - 1] <= 0x20 || name[end - 1] == UInt8(ascii: "/") { end -= 1 }
    while let shorter = withoutEnding(name, end) { end = shorter }
    var start = end
    while start > 0, !isSlash(name, before: start) { start -= 1 }
    let part = UnsafeRawBufferPointer(rebasing: name[start..<end])
    let hash = number(of: part, where: isLetterOrDigit)
    return hash == numberOfNothing ? number(of: part) { $0 > 0x20 } : hash
  }

  /// Whether a slash ends at a place, or its replacement in names of files.
  @inline(__always)
  private static func isSlash(_ name: UnsafeRawBufferPointer, before place: Int) -> Bool {
    if name[place - 1] == UInt8(ascii: "/") { return true }
    let underscore = UInt8(ascii: "_")
    return name[place - 1] == underscore && place >= 3 && name[place - 2] == underscore
      && name[place - 3] == underscore
  }

  @inline(__always)
  private static func number(
    of name: UnsafeRawBufferPointer, where counts: (UInt8) -> Bool
  ) -> UInt32 {
    var hash = numberOfNothing
    var count = 0
    for byte in name where counts(byte) {
      hash = (hash ^ UInt32(lowerCased(byte))) &* 16_777_619
      count += 1
      if count == mostLetters { break }
    }
    return hash
  }

  @inline(__always)
  private static func isLetterOrDigit(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
      || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || byte >= 0x80
  }

  private static func lowerCased(_ byte: UInt8) -> UInt8 {
    byte >= UInt8(ascii: "A") && byte <= UInt8(ascii: "Z") ? byte | 0x20 : byte
  }

  /// The end of a name without the ending of a note and the blanks before it; nil if it has none.
  private static func withoutEnding(_ name: UnsafeRawBufferPointer, _ end: Int) -> Int? {
    for ending in [".md", ".markdown"] as [StaticString] where end > ending.utf8CodeUnitCount {
      var start = end - ending.utf8CodeUnitCount
      let suffix = UnsafeBufferPointer(start: ending.utf8Start, count: ending.utf8CodeUnitCount)
      guard zip(name[start..<end], suffix).allSatisfy({ lowerCased($0) == $1 }) else {
        continue
      }
      while start > 0, name[start - 1] <= 0x20 { start -= 1 }
      return start
    }
    return nil
  }
}

extension LinkName {
  /// The keys of which a note that is meant has one.
  package var keys: [LinkKey] { readings.compactMap { LinkKey($0) } }
}

/// A set of keys that quickly excludes most other keys.
package struct LinkKeySet: Sendable {
  package let keys: Set<LinkKey>
  /// A bit for the lowest bits of each key.
  private let bits: [UInt64]
  private let mask: UInt32

  package init(_ keys: some Sequence<LinkKey>) {
    self.keys = Set(keys)
    var size: UInt32 = 1 << 12
    while size < 1 << 24, size / 16 < self.keys.count { size <<= 1 }
    var bits = [UInt64](repeating: 0, count: Int(size / 64))
    for key in self.keys { bits[Int((key.number & (size - 1)) >> 6)] |= 1 << UInt64(key.number & 63) }
    self.bits = bits
    mask = size - 1
  }

  package func contains(_ key: LinkKey) -> Bool {
    bits[Int((key.number & mask) >> 6)] >> UInt64(key.number & 63) & 1 == 1 && keys.contains(key)
  }
}

/// The keys of a note's own names and of its links, in the bytes of a record.
///
/// They show whether a link may lead to a note, or a note may link to another one, without decoding the note.
package struct LinkKeys: ~Escapable {
  private let names: RawSpan
  private let links: RawSpan

  @_lifetime(copy run)
  init?(run: RawSpan) {
    var unpacker = ByteUnpacker(run)
    guard let names = unpacker.bytes(), let links = unpacker.bytes(), unpacker.isAtEnd else { return nil }
    self.names = names
    self.links = links
  }

  static func bytes(names: [LinkKey], links: [LinkKey]) -> [UInt8] {
    var packer = BytePacker()
    packer.append(packed(names))
    packer.append(packed(links))
    return packer.bytes
  }

  private static func packed(_ keys: [LinkKey]) -> [UInt8] {
    Set(keys.map(\.number)).sorted().flatMap { number in
      (0..<4).map { UInt8(truncatingIfNeeded: number >> (8 * UInt32($0))) }
    }
  }

  /// Whether the note has no links to notes or files.
  package var areWithoutLinks: Bool { links.byteCount < 4 }

  /// Whether one of its own names has one of some keys; its path may have one too.
  package func haveName(in wanted: LinkKeySet) -> Bool { Self.any(of: names, in: wanted) }

  /// Whether one of its links has one of some keys.
  package func haveLink(in wanted: LinkKeySet) -> Bool { Self.any(of: links, in: wanted) }

  /// The keys of its own names.
  package var ofNames: [LinkKey] { (0..<names.byteCount / 4).map { Self.key($0, of: names) } }

  /// The keys of its links.
  package var ofLinks: [LinkKey] { (0..<links.byteCount / 4).map { Self.key($0, of: links) } }

  private static func any(of keys: RawSpan, in wanted: LinkKeySet) -> Bool {
    for index in 0..<keys.byteCount / 4 where wanted.contains(key(index, of: keys)) { return true }
    return false
  }

  @inline(__always)
  private static func key(_ index: Int, of keys: RawSpan) -> LinkKey {
    LinkKey(number: keys.little32(at: index * 4))
  }
}

/// Which file a link means if it fits the names of several.
package enum SameNameRule: Sendable {
  /// None of them: the link is ambiguous.
  case ambiguous
  /// The one that Obsidian opens: see `SameNames`.
  case obsidian
}

/// The files that a link in an Obsidian vault may mean.
///
/// A link is the end of a path, whatever its case. The file at the whole path precedes all others, then one in the folder
/// of the note with the link, then the shortest path. Of paths of one length the alphabetically first is taken.
/// Source: `MetadataCache.getFirstLinkpathDest` of Obsidian 1.13, by its observed answers; its documentation calls the
/// result "the best match" without the rule.
package struct SameNames<File: Sendable>: Sendable {
  /// The files that may be meant, the best first without regard to folders.
  private let files: [(file: File, path: [UInt8])]
  /// Whether the link is the whole path of these files.
  private let isWhole: Bool

  /// - Parameters:
  ///   - files: those whose paths may end with the name.
  ///   - name: without `.` and `..`; the ending `.md` may be missing.
  package init(_ files: [(file: File, path: [UInt8])], named name: [UInt8]) {
    let wanted = Self.lowercased(name)
    var (whole, ends): ([(file: File, path: [UInt8])], [(file: File, path: [UInt8])]) = ([], [])
    for file in files {
      let path = Self.lowercased(file.path)
      let ending = [".md", ".markdown"].first { path.hasSuffix($0) } ?? ""
      let lower = [path, String(path.dropLast(ending.count))]
      if lower.contains(wanted) {
        whole.append(file)
      } else if lower.contains(where: { $0.hasSuffix("/" + wanted) }) {
        ends.append(file)
      }
    }
    isWhole = !whole.isEmpty
    self.files = (isWhole ? whole : ends).sorted { left, right in
      let lengths = (Self.length(left.path), Self.length(right.path))
      return lengths.0 == lengths.1 ? left.path.lexicographicallyPrecedes(right.path) : lengths.0 < lengths.1
    }
  }

  /// Whether one file alone has the name.
  package var isUnique: Bool { files.count == 1 }

  /// The file that a link means in a note of a folder; nil if none fits.
  package func file(from folder: ArraySlice<UInt8>) -> File? {
    let near = isWhole ? nil : files.first { Self.folder(of: $0.path).elementsEqual(folder) }
    return (near ?? files.first)?.file
  }

  private static func folder(of path: [UInt8]) -> ArraySlice<UInt8> {
    path[..<(path.lastIndex(of: UInt8(ascii: "/")) ?? 0)]
  }

  private static func lowercased(_ path: [UInt8]) -> String {
    String(decoding: path, as: UTF8.self).lowercased()
  }

  /// The length of a path as JavaScript counts it.
  private static func length(_ path: [UInt8]) -> Int { String(decoding: path, as: UTF8.self).utf16.count }
}
