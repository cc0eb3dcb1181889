/// What changed between two texts: the lines that differ, and in them the words.
package enum TextDiff {
  /// A stretch of text that both have, or one of them.
  package enum Piece: Sendable, Equatable {
    case same([UInt8])
    case removed([UInt8])
    case added([UInt8])
  }

  /// Lines that differ, with those of each text.
  package struct Hunk: Sendable, Equatable {
    /// The places of the lines in the texts, from 0.
    package let oldLines: Range<Int>
    package let newLines: Range<Int>
    /// The lines by their words; where few of these are in both, all of the old and then all of the new.
    package let pieces: [Piece]
  }

  /// The least share of a hunk's bytes that both texts must have to be shown word by word.
  private static let leastShared = 0.3

  /// Returns the lines that differ, in order; line ends alone are no difference.
  ///
  /// - Complexity: that of `LineDiff.hunks`.
  package static func hunks(_ old: [UInt8], _ new: [UInt8]) -> [Hunk] {
    let (left, right) = (LineTable(old), LineTable(new))
    var numbers = LineNumbers()
    return LineDiff.hunks(numbers.of(left), numbers.of(right)).map { hunk in
      let (removed, added) = (left.text(of: hunk.old), right.text(of: hunk.new))
      return Hunk(oldLines: hunk.old, newLines: hunk.new, pieces: pieces(removed, added))
    }
  }

  private static func pieces(_ old: [UInt8], _ new: [UInt8]) -> [Piece] {
    let whole = [Piece.removed(old), .added(new)].filter { !$0.bytes.isEmpty }
    guard !old.isEmpty, !new.isEmpty else { return whole }
    let (left, right) = (words(old), words(new))
    var numbers: [ArraySlice<UInt8>: Int32] = [:]
    let number = { (word: Range<Int>, text: [UInt8]) -> Int32 in
      let next = Int32(truncatingIfNeeded: numbers.count)
      let known = numbers[text[word]] ?? next
      numbers[text[word]] = known
      return known
    }
    let hunks = LineDiff.hunks(left.map { number($0, old) }, right.map { number($0, new) })
    var pieces: [Piece] = []
    var newNext = 0
    for hunk in hunks + [LineHunk(old: left.count..<left.count, new: right.count..<right.count)] {
      add(.same(bytes(right[newNext..<hunk.new.lowerBound], new)), to: &pieces)
      add(.removed(bytes(left[hunk.old], old)), to: &pieces)
      add(.added(bytes(right[hunk.new], new)), to: &pieces)
      newNext = hunk.new.upperBound
    }
    let shared = pieces.reduce(0) { sum, piece in
      if case .same(let text) = piece { return sum + text.count(where: isVisible) }
      return sum
    }
    let largest = max(old.count(where: isVisible), new.count(where: isVisible))
    return Double(shared) < leastShared * Double(largest) ? whole : pieces
  }

  private static func add(_ piece: Piece, to pieces: inout [Piece]) {
    if !piece.bytes.isEmpty { pieces.append(piece) }
  }

  private static func bytes(_ words: ArraySlice<Range<Int>>, _ text: [UInt8]) -> [UInt8] {
    guard let first = words.first, let last = words.last else { return [] }
    return Array(text[first.lowerBound..<last.upperBound])
  }

  /// The words of a text, its blanks, and each other character.
  private static func words(_ text: [UInt8]) -> [Range<Int>] {
    var words: [Range<Int>] = []
    var start = 0
    for place in text.indices {
      let isJoined = place + 1 < text.count && joins(text[place], text[place + 1])
      if isJoined { continue }
      words.append(start..<place + 1)
      start = place + 1
    }
    return words
  }

  private static func joins(_ byte: UInt8, _ next: UInt8) -> Bool {
    (isLetter(byte) && isLetter(next)) || (byte == 0x20 && next == 0x20)
  }

  private static func isLetter(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x80...: true
    default: false
    }
  }

  private static func isVisible(_ byte: UInt8) -> Bool { byte > 0x20 }
}

extension TextDiff.Piece {
  /// The bytes of the stretch.
  package var bytes: [UInt8] {
    switch self {
    case .same(let bytes), .removed(let bytes), .added(let bytes): bytes
    }
  }
}

extension LineTable {
  /// Some lines with a line feed after each.
  fileprivate func text(of lines: Range<Int>) -> [UInt8] {
    lines.reduce(into: []) { $0 += bytes[contents[$1]] + [0x0A] }
  }
}
