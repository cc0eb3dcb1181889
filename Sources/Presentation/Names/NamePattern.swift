import Bytes
import Text

/// What was typed of a name, whatever its case and accents.
package struct NamePattern {
  package let folded: [UInt8]
  /// A bit for each letter that it has.
  package let letters: UInt64

  package init(_ typed: String) {
    folded = Folding.fold(Array(typed.utf8)[...])
    letters = Self.letters(of: folded[...])
  }

  /// A bit for each letter of a folded text: one that lacks a bit of another's does not hold its letters.
  package static func letters(of text: ArraySlice<UInt8>) -> UInt64 {
    var bits: UInt64 = 0
    for byte in text { bits |= 1 << UInt64(byte & 63) }
    return bits
  }

  /// Whether a folded name fits in one way.
  package func fits(_ name: UnsafeBufferPointer<UInt8>, _ fit: NameMatch.Fit) -> Bool {
    folded.withUnsafeBufferPointer { wanted in
      switch fit {
      case .whole: name.count == wanted.count && Self.begins(name, at: 0, with: wanted)
      case .beginning: Self.begins(name, at: 0, with: wanted)
      case .word: Self.beginsWord(in: name, wanted)
      case .letters: Self.isSubsequence(wanted, of: name)
      }
    }
  }

  private static func begins(
    _ name: UnsafeBufferPointer<UInt8>, at place: Int, with wanted: UnsafeBufferPointer<UInt8>
  ) -> Bool {
    guard name.count - place >= wanted.count else { return false }
    for index in 0..<wanted.count where name[place + index] != wanted[index] { return false }
    return true
  }

  /// Whether a word of a name behind the first one begins with a text.
  private static func beginsWord(
    in name: UnsafeBufferPointer<UInt8>, _ wanted: UnsafeBufferPointer<UInt8>
  ) -> Bool {
    guard let first = wanted.first, name.count > wanted.count, isLetter(first) else { return false }
    for place in 1...(name.count - wanted.count)
    where name[place] == first && !isLetter(name[place - 1]) && begins(name, at: place, with: wanted) {
      return true
    }
    return false
  }

  /// Whether letters stand in a name in their order.
  private static func isSubsequence(
    _ wanted: UnsafeBufferPointer<UInt8>, of name: UnsafeBufferPointer<UInt8>
  ) -> Bool {
    var next = 0
    for byte in name where next < wanted.count && byte == wanted[next] { next += 1 }
    return next == wanted.count
  }

  private static func isLetter(_ byte: UInt8) -> Bool { byte >= 0x80 || ASCII.isWord(byte) }
}
