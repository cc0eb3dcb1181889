import Text

/// A number that two names have in common wherever a link by one of them may mean a note by the other.
///
/// It is made of the last part of a path, or of a title, without case, diacritics, blanks and the ending of a note. Most
/// names that differ have different numbers.
package struct LinkKey: Hashable, Sendable {
  package let number: UInt32

  package init(number: UInt32) { self.number = number }

  /// The key of a name; nil for one that names nothing.
  package init?(_ name: [UInt8]) {
    let number = name.withUnsafeBufferPointer { name in
      name.contains { $0 >= 0x80 } ? nil : Self.number(ofASCII: name)
    }
    if let number {
      self.number = number
    } else {
      let folded = Folding.fold(name[...])
      self.number = folded.withUnsafeBufferPointer(Self.number(ofASCII:))
    }
    if self.number == Self.numberOfNothing { return nil }
  }

  private static let numberOfNothing: UInt32 = 2_166_136_261

  /// The hash of the last part, of which capital letters of ASCII count as small ones.
  ///
  /// Source: Fowler, Noll, Vo: FNV-1a.
  private static func number(ofASCII name: UnsafeBufferPointer<UInt8>) -> UInt32 {
    var end = name.count
    while end > 0, name[end - 1] <= 0x20 || name[end - 1] == UInt8(ascii: "/") { end -= 1 }
    while let shorter = withoutEnding(name, end) { end = shorter }
    var start = end
    while start > 0, name[start - 1] != UInt8(ascii: "/") { start -= 1 }
    var hash = numberOfNothing
    for byte in name[start..<end] where byte > 0x20 {
      hash = (hash ^ UInt32(lowerCased(byte))) &* 16_777_619
    }
    return hash
  }

  private static func lowerCased(_ byte: UInt8) -> UInt8 {
    byte >= UInt8(ascii: "A") && byte <= UInt8(ascii: "Z") ? byte | 0x20 : byte
  }

  /// The end of a name without the ending of a note and the blanks before it; nil where it has none.
  private static func withoutEnding(_ name: UnsafeBufferPointer<UInt8>, _ end: Int) -> Int? {
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

extension Note {
  /// The keys of the names that the note has, whatever its path.
  var ownNameKeys: [LinkKey] {
    let title = hasOwnTitle ? title : heading
    let names = [id?.description, foreignID, title].compactMap { $0 } + aliases
    return names.compactMap { LinkKey(Array($0.utf8)) }
  }

  /// The keys of the names of the note.
  package var nameKeys: [LinkKey] { ownNameKeys + [LinkKey(path)].compactMap { $0 } }

  /// The keys of what the note links to.
  package var linkKeys: [LinkKey] {
    links.flatMap { link -> [LinkKey] in
      if case .name(let name) = LinkAddress(link) { name.keys } else { [] }
    }
  }
}
