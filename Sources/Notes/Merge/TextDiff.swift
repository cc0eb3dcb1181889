/// The differences between two texts: the lines that differ, and the words in them.
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
    let (left, right) = (TextLines(old), TextLines(new))
    var numbers = LineNumbers()
    return LineDiff.hunks(numbers.of(left), numbers.of(right)).map { hunk in
      let (removed, added) = (left.text(of: hunk.old), right.text(of: hunk.new))
      return Hunk(oldLines: hunk.old, newLines: hunk.new, pieces: pieces(removed, added))
    }
  }

  /// A stretch of lines of two texts.
  enum Part {
    /// Both have these lines.
    case same([UInt8])
    /// Each has other lines, or only one has lines.
    case different(isReplaced: Bool)
  }

  /// The lines of two texts in order, those that both have, and those that only one has.
  ///
  /// - Complexity: that of `LineDiff.hunks`.
  static func parts(_ old: [UInt8], _ new: [UInt8]) -> [Part] {
    let (left, right) = (TextLines(old), TextLines(new))
    var numbers = LineNumbers()
    var (parts, next): ([Part], Int) = ([], 0)
    let hunks = LineDiff.hunks(numbers.of(left), numbers.of(right))
    for hunk in hunks {
      parts.append(.same(left.text(of: next..<hunk.old.lowerBound)))
      parts.append(.different(isReplaced: !hunk.old.isEmpty && !hunk.new.isEmpty))
      next = hunk.old.upperBound
    }
    parts.append(.same(left.text(of: next..<left.contents.count)))
    return parts
  }

  /// The number of lines that one of two texts has and the other has not.
  ///
  /// - Complexity: that of `LineDiff.hunks`.
  package static func distance(_ old: [UInt8], _ new: [UInt8]) -> Int {
    var numbers = LineNumbers()
    let hunks = LineDiff.hunks(numbers.of(TextLines(old)), numbers.of(TextLines(new)))
    return hunks.reduce(0) { $0 + $1.old.count + $1.new.count }
  }

  private static func pieces(_ old: [UInt8], _ new: [UInt8]) -> [Piece] {
    let whole = [Piece.removed(old), .added(new)].filter { !$0.bytes.isEmpty }
    guard !old.isEmpty, !new.isEmpty else { return whole }
    let (left, right) = (TextWords.ranges(old), TextWords.ranges(new))
    var numbers = WordNumbers()
    let hunks = LineDiff.hunks(numbers.of(left, in: old), numbers.of(right, in: new))
    var pieces: [Piece] = []
    var newNext = 0
    for hunk in hunks + [LineHunk(old: left.count..<left.count, new: right.count..<right.count)] {
      add(.same(bytes(right[newNext..<hunk.new.lowerBound], new)), to: &pieces)
      add(.removed(bytes(left[hunk.old], old)), to: &pieces)
      add(.added(bytes(right[hunk.new], new)), to: &pieces)
      newNext = hunk.new.upperBound
    }
    let shared = pieces.reduce(0) { sum, piece in
      if case .same(let text) = piece { return sum + text.count(where: TextWords.isVisible) }
      return sum
    }
    let largest = max(old.count(where: TextWords.isVisible), new.count(where: TextWords.isVisible))
    return Double(shared) < leastShared * Double(largest) ? whole : joined(pieces)
  }

  /// Takes words that were replaced one after the other together, with the blanks between them.
  private static func joined(_ pieces: [Piece]) -> [Piece] {
    var result: [Piece] = []
    for piece in pieces {
      result.append(piece)
      guard result.count >= 5, case .removed(let gone) = result[result.count - 5],
        case .added(let come) = result[result.count - 4], case .same(let blanks) = result[result.count - 3],
        blanks.allSatisfy({ $0 == 0x20 }), case .removed(let more) = result[result.count - 2],
        case .added(let others) = piece
      else { continue }
      result.removeLast(5)
      result += [.removed(gone + blanks + more), .added(come + blanks + others)]
    }
    return result
  }

  private static func add(_ piece: Piece, to pieces: inout [Piece]) {
    if !piece.bytes.isEmpty { pieces.append(piece) }
  }

  private static func bytes(_ words: ArraySlice<Range<Int>>, _ text: [UInt8]) -> [UInt8] {
    guard let first = words.first, let last = words.last else { return [] }
    return Array(text[first.lowerBound..<last.upperBound])
  }
}

extension TextDiff.Piece {
  /// The bytes of the stretch.
  package var bytes: [UInt8] {
    switch self {
    case .same(let bytes), .removed(let bytes), .added(let bytes): bytes
    }
  }
}

extension TextLines {
  /// Some lines with a line feed after each.
  fileprivate func text(of lines: Range<Int>) -> [UInt8] {
    lines.reduce(into: []) { $0 += bytes[contents[$1]] + [0x0A] }
  }
}
