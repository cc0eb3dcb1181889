import SlipboxTesting
import Testing

@testable import Notes

private func merge(_ base: String, _ ours: String, _ theirs: String) -> (text: String, conflicts: Int) {
  let merged = LineMerge.merge(base: Array(base.utf8), ours: Array(ours.utf8), theirs: Array(theirs.utf8))
  return (String(decoding: merged.bytes, as: UTF8.self), merged.conflicts)
}

@Suite struct LineMergeTests {
  /// Base, ours, theirs and the result, lines parted by blanks.
  @Test(arguments: [
    ("a b c", "x b c", "a b y", "x b y"), ("a b c", "a c", "a b c d", "a c d"),
    ("a b c", "x b c", "x b c", "x b c"),
    ("a b", "a x b", "a b", "a x b"), ("a b", "a x b", "a y b", "a x y b"),
    ("a b", "a x b", "a x b", "a x b"),
    ("", "x", "y", "x y"), ("", "x", "x y", "x y"), ("", "x y", "y", "x y"), ("a", "", "a", ""),
    ("a", "a", "", ""),
    ("a b", "x b", "a y", "x y"), ("a b", "a x b", "a z", "a x z"), ("a b c d", "a d", "a b c d e", "a d e"),
    ("a b c", "c", "a b c x", "c x"), ("a a a", "a a", "a a a b", "a a b"),
    ("a b c", "a x c", "a x c y", "a x c y"),
    ("1 2 3 4 5", "1 two 3 4 5", "1 2 3 four 5", "1 two 3 four 5"),
    ("a b c d e", "a c d e f", "x a b c d", "x a c d f"),
  ])
  func joinsChanges(base: String, ours: String, theirs: String, expected: String) {
    let lines = [base, ours, theirs, expected].map { $0.split(separator: " ").map { "\($0)\n" }.joined() }
    let merged = merge(lines[0], lines[1], lines[2])
    #expect(merged.text == lines[3])
    #expect(merged.conflicts == 0)
  }

  @Test func keepsBothWhereChangesOverlap() {
    let merged = merge("a\nb\nc\n", "a\nx\nc\n", "a\ny\nz\nc\n")
    #expect(
      merged.text == "a\n<!-- slip: yours -->\nx\n<!-- slip: theirs -->\ny\nz\n<!-- slip: end -->\nc\n")
    #expect(merged.conflicts == 1)
  }

  @Test func whatIsEqualInAConflictStandsOutside() {
    let merged = merge("a\nb\n", "p\nx\nq\n", "p\ny\nq\n")
    #expect(merged.text == "p\n<!-- slip: yours -->\nx\n<!-- slip: theirs -->\ny\n<!-- slip: end -->\nq\n")
    #expect(merged.conflicts == 1)
  }

  @Test func deletionAgainstChangeKeepsTheChange() {
    let merged = merge("a\nb\nc\n", "a\nc\n", "a\nB\nc\n")
    #expect(merged.text == "a\n<!-- slip: yours -->\n<!-- slip: theirs -->\nB\n<!-- slip: end -->\nc\n")
    #expect(merged.conflicts == 1)
  }

  @Test func anInsertionInsideOfWhatWasDeletedIsKept() {
    let merged = merge("a\nb\nc\nd\n", "a\nd\n", "a\nb\nnew\nc\nd\n")
    #expect(merged.text.contains("new\n"))
    #expect(merged.conflicts == 1)
  }

  @Test(arguments: [
    ("a\r\nb\r\n", "a\r\nb\r\n", "a\nb\nc\n", "a\r\nb\r\nc\r\n"),
    ("a\nb\n", "x\nb\n", "a\r\nb\r\nc\r\n", "x\nb\nc\n"),
    ("a\nb\n", "a\r\nb\n", "a\nb\nc\n", "a\r\nb\nc\r\n"), ("a", "a", "a\r\nb", "a\r\nb"),
    ("a\n", "a\r\n", "a\n", "a\r\n"),
  ])
  func lineEndsAreOurs(base: String, ours: String, theirs: String, expected: String) {
    let merged = merge(base, ours, theirs)
    #expect(Array(merged.text.utf8) == Array(expected.utf8))
    #expect(merged.conflicts == 0)
  }

  @Test(arguments: [
    ("a", "a", "a\n", "a\n"), ("a\n", "a", "a\n", "a"), ("a\n", "a\n", "a", "a"),
    ("a", "a\nb", "c\na", "c\na\nb"),
    ("a", "a\nb", "a\nc", "a\nb\nc"), ("", "x", "y\n", "x\ny"), ("a\n", "a\nb", "a\nc\n", "a\nb\nc"),
    ("a", "a\n", "a\nb", "a\nb\n"), ("x", "", "x", ""), ("\n", "\n\n", "\n", "\n\n"),
  ])
  func theLastLineEndMergesToo(base: String, ours: String, theirs: String, expected: String) {
    #expect(merge(base, ours, theirs).text == expected)
  }
}

@Suite struct LineMergePropertyTests {
  /// A text of a few different lines, and versions of it that were edited here and there.
  private struct Edits {
    var generator: SplitMix64

    mutating func text() -> [String] {
      (0..<Int.random(in: 0...12, using: &generator)).map { _ in word() }
    }

    mutating func word() -> String { String("abcdef ".randomElement(using: &generator) ?? "a") }

    mutating func edited(_ lines: [String], marking mark: String) -> [String] {
      var lines = lines
      for number in 0..<Int.random(in: 0...4, using: &generator) {
        let place = Int.random(in: 0...lines.count, using: &generator)
        let isUnique = Bool.random(using: &generator)
        let new = isUnique ? "\(mark)\(number)" : word()
        switch Int.random(in: 0..<3, using: &generator) {
        case 0: lines.insert(new, at: place)
        case 1 where place < lines.count: lines.remove(at: place)
        case 2 where place < lines.count: lines[place] = new
        default: break
        }
      }
      return lines
    }

    mutating func bytes(_ lines: [String]) -> [UInt8] {
      let isEnded = Int.random(in: 0..<4, using: &generator) > 0
      return Array((lines.joined(separator: "\n") + (isEnded && !lines.isEmpty ? "\n" : "")).utf8)
    }
  }

  private static func lines(_ bytes: [UInt8]) -> [String] {
    bytes.split(separator: 0x0A, omittingEmptySubsequences: false).map { String(decoding: $0, as: UTF8.self) }
  }

  @Test func identitiesHoldAndNoAddedLineIsLost() {
    var edits = Edits(generator: SplitMix64(seed: 42))
    for _ in 0..<4000 {
      let base = edits.text()
      let (ours, theirs) = (edits.edited(base, marking: "O"), edits.edited(base, marking: "T"))
      let (b, o, t) = (edits.bytes(base), edits.bytes(ours), edits.bytes(theirs))
      #expect(LineMerge.merge(base: b, ours: o, theirs: b).bytes == o)
      #expect(LineMerge.merge(base: b, ours: b, theirs: t).bytes == t)
      #expect(LineMerge.merge(base: b, ours: o, theirs: o) == (o, 0))
      let merged = LineMerge.merge(base: b, ours: o, theirs: t)
      let result = Self.lines(merged.bytes)
      for line in Set(ours + theirs) where !line.isEmpty && !base.contains(line) {
        #expect(result.contains(line), "\(line) is lost: \(base) \(ours) \(theirs) \(result)")
      }
      for side in [ours, theirs] {
        for line in Set(side) where !line.isEmpty {
          let added = side.count { $0 == line } - base.count { $0 == line }
          if added > 0, base.count(where: { $0 == line }) == 0 {
            #expect(result.count { $0 == line } >= added)
          }
        }
      }
      let hasMarkers = result.contains(LineMerge.oursMarker)
      #expect(hasMarkers == (merged.conflicts > 0))
    }
  }

  @Test func withoutOverlapTheOrderOfTheSidesDoesNotMatter() {
    var edits = Edits(generator: SplitMix64(seed: 43))
    for _ in 0..<2000 {
      let base = (0..<20).map { "line \($0)" }
      var (ours, theirs) = (base, base)
      for index in 0..<10 where Bool.random(using: &edits.generator) { ours[index] = "our \(index)" }
      for index in 10..<20 where Bool.random(using: &edits.generator) { theirs[index] = "their \(index)" }
      let expected = Array((ours[..<10] + theirs[10...]).joined(separator: "\n").utf8)
      let texts = [base, ours, theirs].map { Array($0.joined(separator: "\n").utf8) }
      #expect(LineMerge.merge(base: texts[0], ours: texts[1], theirs: texts[2]) == (expected, 0))
      #expect(LineMerge.merge(base: texts[0], ours: texts[2], theirs: texts[1]) == (expected, 0))
    }
  }
}

@Suite struct LineDiffTests {
  /// Applies the changes to the old lines.
  private func apply(_ hunks: [LineHunk], _ old: [Int32], _ new: [Int32]) -> [Int32] {
    var result: [Int32] = []
    var position = 0
    for hunk in hunks {
      result += old[position..<hunk.old.lowerBound]
      result += new[hunk.new]
      position = hunk.old.upperBound
    }
    return result + old[position...]
  }

  /// The length of the longest common subsequence, by the book.
  private func commonLength(_ a: [Int32], _ b: [Int32]) -> Int {
    var row = [Int](repeating: 0, count: b.count + 1)
    for x in a {
      var diagonal = 0
      for (index, y) in b.enumerated() {
        (diagonal, row[index + 1]) = (row[index + 1], x == y ? diagonal + 1 : max(row[index + 1], row[index]))
      }
    }
    return row[b.count]
  }

  @Test func changesAreRightAndShortest() {
    var generator = SplitMix64(seed: 5)
    for round in 0..<3000 {
      let letters = Int32(round % 5 + 1)
      let (old, new) = (
        (0..<Int.random(in: 0...15, using: &generator)).map { _ in
          Int32.random(in: 0...letters, using: &generator)
        },
        (0..<Int.random(in: 0...15, using: &generator)).map { _ in
          Int32.random(in: 0...letters, using: &generator)
        }
      )
      let hunks = LineDiff.hunks(old, new)
      #expect(apply(hunks, old, new) == new)
      let kept = old.count - hunks.reduce(0) { $0 + $1.old.count }
      #expect(kept == commonLength(old, new))
      #expect(zip(hunks, hunks.dropFirst()).allSatisfy { $0.old.upperBound < $1.old.lowerBound })
    }
  }

  @Test(.timeLimit(.minutes(1))) func farApartTextsTakeBoundedTime() {
    var generator = SplitMix64(seed: 6)
    let few = (0..<6000).map { _ in Int32.random(in: 0...3, using: &generator) }
    let other = (0..<6000).map { _ in Int32.random(in: 0...3, using: &generator) }
    #expect(apply(LineDiff.hunks(few, other), few, other) == other)
    let moved = (0..<8000).map { Int32($0) }
    let shuffled = moved.shuffled(using: &generator)
    #expect(apply(LineDiff.hunks(moved, shuffled), moved, shuffled) == shuffled)
    let sparse = moved.map { $0 % 3 == 0 ? -$0 - 1 : $0 }
    let hunks = LineDiff.hunks(moved, sparse)
    #expect(apply(hunks, moved, sparse) == sparse)
    #expect(hunks.reduce(0) { $0 + $1.old.count } == 2667)
  }
}
