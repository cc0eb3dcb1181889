import Bytes

/// The name of a note for life: eight letters of an alphabet without vowels.
///
/// Without vowels no id is a word, and none is a number, a date or a boolean to any reader of YAML. Ids are
/// ordered as their texts are.
package struct NoteID: Hashable, Comparable, Sendable, CustomStringConvertible {
  /// The letters an id is made of, in alphabetical order.
  package static let alphabet = "bcdfghjklmnpqrstvwxz"

  /// How many letters an id has.
  package static let length = 8

  /// How many different ids there are.
  package static let count: UInt64 = 25_600_000_000

  /// The letters as ASCII, the first one in the highest byte.
  private let packed: UInt64

  /// Reads an id that is spelled exactly: eight letters of the alphabet in lower case, nothing around them.
  package init?(_ text: String) {
    self.init(bytes: text.utf8)
  }

  /// Reads an id from its bytes, as exactly as from a text.
  package init?(bytes: some Collection<UInt8>) {
    var packed: UInt64 = 0
    var length = 0
    for byte in bytes {
      guard length < Self.length, Self.isLetter(byte) else { return nil }
      packed = packed << 8 | UInt64(byte)
      length += 1
    }
    guard length == Self.length else { return nil }
    self.packed = packed
  }

  /// Reads an id from the eight bytes at an offset of stored bytes, as exactly as from a text.
  package init?(stored bytes: RawSpan, at offset: Int) {
    let packed = bytes.little64(at: offset).byteSwapped
    for shift in stride(from: 0, to: UInt64(64), by: 8) {
      guard Self.isLetter(UInt8(truncatingIfNeeded: packed >> shift)) else { return nil }
    }
    self.packed = packed
  }

  /// Makes the id with a place in the alphabetical order of all ids; numbers beyond the last begin again.
  package init(number: UInt64) {
    let letters = Array(Self.alphabet.utf8)
    var rest = number % Self.count
    var packed: UInt64 = 0
    for position in 0..<Self.length {
      packed |= UInt64(letters[Int(rest % 20)]) << UInt64(8 * position)
      rest /= 20
    }
    self.packed = packed
  }

  /// Draws an id; all are equally likely.
  package static func random(using generator: inout some RandomNumberGenerator) -> NoteID {
    NoteID(number: UInt64.random(in: 0..<count, using: &generator))
  }

  /// Says whether a byte is a letter of the alphabet.
  package static func isLetter(_ byte: UInt8) -> Bool {
    guard byte >= UInt8(ascii: "b"), byte <= UInt8(ascii: "z") else { return false }
    switch byte {
    case UInt8(ascii: "e"), UInt8(ascii: "i"), UInt8(ascii: "o"), UInt8(ascii: "u"), UInt8(ascii: "y"):
      return false
    default: return true
    }
  }

  /// The letters as ASCII.
  package var bytes: [UInt8] {
    (0..<Self.length).map { UInt8(truncatingIfNeeded: packed >> UInt64(8 * (Self.length - 1 - $0))) }
  }

  package var description: String { String(decoding: bytes, as: UTF8.self) }

  package static func < (left: NoteID, right: NoteID) -> Bool { left.packed < right.packed }
}

extension NoteID {
  /// The id that follows from a name alone, so that two devices which make the same note give it the same id.
  ///
  /// It must never change, for notes have it: the checksum of the name's UTF-8 bytes, XXH64 with seed 0, modulo the number
  /// of all ids.
  package static func computed(from name: String) -> NoteID {
    Array(name.utf8).withUnsafeBytes { NoteID(number: Checksum.of($0)) }
  }

  /// The id of the note of a day.
  package static func computed(fromDay day: CivilDate) -> NoteID { computed(from: "daily \(day)") }
}

extension NoteID {
  /// The id of the record that comes next after one, by the id or the path of that.
  package static func next(after name: String) -> NoteID { computed(from: "next \(name)") }
}

/// Stable names of notes for other programs, derived from the note's permanent name.
///
/// Source: RFC 9562, section 5.8 (version 8: the bits are ours, here those of SHA-256).
package enum NoteUUID {
  /// The value of the note's field `uuid`, else one derived from its id, else one from its path.
  ///
  /// - Parameter space: a name that distinguishes paths of one box from those of another.
  package static func of(_ note: Note, in space: String = "") -> String {
    if let own = note.frontMatter["uuid"]?.text?.lowercased(), isUUID(own) { return own }
    if let id = note.id { return named("note \(id)") }
    return named("path \(space) \(String(decoding: note.path, as: UTF8.self))")
  }

  /// The id in a text.
  package static func named(_ text: String) -> String {
    var bytes = Array(SHA256.digest(of: Array("slip \(text)".utf8)).prefix(16))
    bytes[6] = bytes[6] & 0x0F | 0x80
    bytes[8] = bytes[8] & 0x3F | 0x80
    return [0..<4, 4..<6, 6..<8, 8..<10, 10..<16].map { Hexadecimal.text(bytes[$0]) }.joined(separator: "-")
  }

  private static func isUUID(_ text: String) -> Bool {
    let lengths = text.split(separator: "-", omittingEmptySubsequences: false).map(\.utf8.count)
    return lengths == [8, 4, 4, 4, 12]
      && text.utf8.allSatisfy { Hexadecimal.value(of: $0) != nil || $0 == UInt8(ascii: "-") }
  }
}
