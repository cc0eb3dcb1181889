import Bytes
import Text

/// What was typed of a name, whatever its case and accents.
struct NamePattern {
  let folded: [UInt8]
  /// A bit for each letter that it has.
  let letters: UInt64

  init(_ typed: String) {
    folded = Folding.fold(Array(typed.utf8)[...])
    letters = Self.letters(of: folded[...])
  }

  /// A bit for each letter of a folded text: one that lacks a bit of another's does not hold its letters.
  static func letters(of text: ArraySlice<UInt8>) -> UInt64 {
    var bits: UInt64 = 0
    for byte in text { bits |= 1 << UInt64(byte & 63) }
    return bits
  }

  /// Whether a folded name fits in one way.
  func fits(_ name: UnsafeBufferPointer<UInt8>, _ fit: NameMatch.Fit) -> Bool {
    switch fit {
    case .whole: name.elementsEqual(folded)
    case .beginning: name.starts(with: folded)
    case .word: beginsWord(in: name)
    case .letters: isSubsequence(of: name)
    }
  }

  /// Whether a word of a name behind the first one begins with the pattern.
  private func beginsWord(in name: UnsafeBufferPointer<UInt8>) -> Bool {
    guard let first = folded.first, name.count > folded.count else { return false }
    for place in 1...(name.count - folded.count)
    where name[place] == first && !Self.isLetter(name[place - 1]) && Self.isLetter(first) {
      if name[place..<place + folded.count].elementsEqual(folded) { return true }
    }
    return false
  }

  private static func isLetter(_ byte: UInt8) -> Bool { byte >= 0x80 || ASCII.isWord(byte) }

  /// Whether the letters of the pattern stand in a name in their order.
  func isSubsequence(of name: UnsafeBufferPointer<UInt8>) -> Bool {
    var next = 0
    for byte in name where next < folded.count && byte == folded[next] { next += 1 }
    return next == folded.count
  }
}
