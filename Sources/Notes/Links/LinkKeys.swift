import Bytes

/// The keys of a note's own names and of its links, in the bytes of a record.
///
/// A look at them tells whether a note may be meant by a link, or may link to another one, without making the note.
package struct LinkKeys {
  private let names: UnsafeRawBufferPointer
  private let links: UnsafeRawBufferPointer

  /// - Parameter run: has to outlive the keys.
  init?(run: UnsafeRawBufferPointer) {
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
  package var areWithoutLinks: Bool { links.count < 4 }

  /// Whether one of its own names has one of some keys; its path may have one too.
  package func haveName(in wanted: LinkKeySet) -> Bool { Self.any(of: names, in: wanted) }

  /// Whether one of its links has one of some keys.
  package func haveLink(in wanted: LinkKeySet) -> Bool { Self.any(of: links, in: wanted) }

  /// The keys of its own names.
  package var ofNames: [LinkKey] { (0..<names.count / 4).map { Self.key($0, of: names) } }

  /// The keys of its links.
  package var ofLinks: [LinkKey] { (0..<links.count / 4).map { Self.key($0, of: links) } }

  private static func any(of keys: UnsafeRawBufferPointer, in wanted: LinkKeySet) -> Bool {
    for index in 0..<keys.count / 4 where wanted.contains(key(index, of: keys)) { return true }
    return false
  }

  @inline(__always)
  private static func key(_ index: Int, of keys: UnsafeRawBufferPointer) -> LinkKey {
    LinkKey(number: UInt32(littleEndian: keys.loadUnaligned(fromByteOffset: index * 4, as: UInt32.self)))
  }
}
