import SlipboxTesting
import Testing

@testable import Notes

/// Merges and checks that exchanging the sides changes nothing.
private func merge(_ base: String, _ one: String, _ other: String) -> (text: String, conflicts: Int) {
  let texts = [base, one, other].map { Array($0.utf8) }
  let merged = LineMerge.merge(base: texts[0], one: texts[1], other: texts[2])
  #expect(LineMerge.merge(base: texts[0], one: texts[2], other: texts[1]) == merged)
  return (String(decoding: merged.bytes, as: UTF8.self), merged.conflicts)
}

@Suite struct LineMergeTests {
  /// Base, the two sides and the result, lines parted by blanks.
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
  func joinsChanges(base: String, one: String, other: String, expected: String) {
    let lines = [base, one, other, expected].map { $0.split(separator: " ").map { "\($0)\n" }.joined() }
    let merged = merge(lines[0], lines[1], lines[2])
    #expect(merged.text == lines[3])
    #expect(merged.conflicts == 0)
  }

  @Test func `a last line without a line end gets the one of the text before other lines`() {
    let (base, one, other) = ("x\r\nb\r\n", "a\r\nx\r\nb", "x\r\nb\r\nc\r\n")
    let lineEnd = Array("\r\n".utf8)
    for sides in [(one, other), (other, one)] {
      let merged = LineMerge.merge(
        base: Array(base.utf8), one: Array(sides.0.utf8), other: Array(sides.1.utf8), lineEnd: lineEnd)
      #expect(merged.bytes == Array("a\r\nx\r\nb\r\nc".utf8))
    }
  }

  /// Lines that both sides added beside a line that one of them changed: base, the two sides and the result.
  @Test(arguments: [
    ("a b c", "a x y b c", "a x y b' c", "a x y b' c"), ("a b", "a b x", "a b' x", "a b' x"),
    ("a b c", "a x y b c", "a x z b' c", "a x y z b' c"), ("a b", "a y x b", "a' x b", "a' y x b"),
    ("a b", "a x b", "a' x z b", "a' x z b"), ("a b", "a x b", "a z x b'", "a z x b'"),
    ("a b", "a x b", "a y b'", "a x y b'"),
  ])
  func `keeps lines once that both sides added beside a changed line`(
    base: String, one: String, other: String, expected: String
  ) {
    let lines = [base, one, other, expected].map { $0.split(separator: " ").map { "\($0)\n" }.joined() }
    let merged = merge(lines[0], lines[1], lines[2])
    #expect(merged.text == lines[3])
    #expect(merged.conflicts == 0)
  }

  /// What both inserted at one place, where one side has all lines of the other.
  @Test(arguments: [
    ("a", "x y z y a", "x z a", "x y z y a"), ("", "x y z", "y", "x y z"),
    ("a b", "a x b", "a z x y b", "a z x y b"),
  ])
  func `keeps an insertion once that holds the other`(
    base: String, one: String, other: String, expected: String
  ) {
    let lines = [base, one, other, expected].map { $0.split(separator: " ").map { "\($0)\n" }.joined() }
    let merged = merge(lines[0], lines[1], lines[2])
    #expect(merged.text == lines[3])
    #expect(merged.conflicts == 0)
  }

  /// Changes beside each other of which both hold the same line: both versions stay, as with git.
  @Test(arguments: [
    ("a b", "a c d", "e c b"), ("a b c", "d b e f c", "a b f f"),
  ])
  func `changes side by side repeat no line`(base: String, one: String, other: String) {
    let lines = [base, one, other].map { $0.split(separator: " ").map { "\($0)\n" }.joined() }
    #expect(merge(lines[0], lines[1], lines[2]).conflicts == 1)
  }

  @Test func `fences and blank lines may be repeated`() {
    let merged = merge("a\nb\n", "a\n```\nc\n```\n", "e\n```\nd\n```\nb\n")
    #expect(merged.text == "e\n```\nd\n```\n```\nc\n```\n")
    #expect(merged.conflicts == 0)
  }

  /// The other side replaces the line after it by lines with a blank line among them.
  @Test(arguments: ["", " ", "\t"]) func `keeps a blank line that both sides added`(blank: String) {
    let merged = merge("a\nb\n", "a\n\(blank)\nb\n", "a\nx\n\(blank)\ny\n")
    #expect(merged.text == "a\n\(blank)\nx\n\(blank)\ny\n")
    #expect(merged.conflicts == 0)
  }

  private static let first = "<!-- slip: version 1 -->"
  private static let second = "<!-- slip: version 2 -->"
  private static let end = "<!-- slip: end of versions -->"

  private func conflict(_ versions: String...) -> String { conflict(versions) }

  private func conflict(_ versions: [String]) -> String {
    let texts = versions.enumerated().map { "<!-- slip: version \($0 + 1) -->\n\($1)" }
    return texts.joined() + Self.end + "\n"
  }

  @Test func `merges conflicts by their versions`() {
    // The same conflict twice, one more version, and a version that one side is.
    #expect(
      merge("a\n", conflict("x\n", "y\n"), conflict("x\n", "z\n")) == (conflict("x\n", "y\n", "z\n"), 1))
    #expect(merge("a\n", conflict("x\n", "y\n"), "x\n") == (conflict("x\n", "y\n"), 1))
    // A settled conflict, and a version that came to it elsewhere.
    #expect(
      merge(conflict("x\n", "y\n"), "x\n", conflict("x\n", "y\n", "z\n")) == (conflict("x\n", "z\n"), 1))
    // Lines beside the conflict are part of both of its versions.
    let nested = merge("a\n", "k\n" + conflict("x\n", "y\n"), "z\n").text
    #expect(nested == conflict("k\nx\n", "k\ny\n", "z\n"))
  }

  /// A rebase picks each commit of a series onto the merge of the earlier ones.
  @Test func `replaces the version of a conflict that the other side has changed`() {
    #expect(merge("x\n", conflict("x\n", "y\n"), "z\n") == (conflict("y\n", "z\n"), 1))
    #expect(merge("x\n", "z\n", conflict("x\n", "y\n")) == (conflict("y\n", "z\n"), 1))
    // The base is no version of the conflict.
    #expect(merge("a\n", conflict("x\n", "y\n"), "z\n") == (conflict("x\n", "y\n", "z\n"), 1))
  }

  /// Devices that met the versions in different orders write the same bytes.
  @Test(arguments: [["k\nx\n", "k\ny\n"], ["k\ny\n", "k\nx\n"]])
  func `orders versions that begin with the same line`(versions: [String]) {
    #expect(merge("a\n", conflict(versions), "z\n").text == conflict("k\nx\n", "k\ny\n", "z\n"))
  }

  @Test func `names the earlier writer of a version that both sides have`() {
    let conflict = { (label: String) in
      "<!-- slip: version 1, \(label) -->\nx\n<!-- slip: version 2, 2026-11-23, Cy -->\ny\n\(Self.end)\n"
    }
    let (ada, bob) = (conflict("2026-11-21, Ada"), conflict("2026-11-22, Bob"))
    #expect(merge("a\n", ada, bob).text == ada)
  }

  @Test func `combines up to 16 versions with the lines beside them`() {
    let versions = (1...17).map { "v\($0 + 10)\n" }
    let few = Array(versions.prefix(16))
    #expect(
      merge("a\n", "k\n" + conflict(few), "z\n").text == conflict(few.map { "k\n" + $0 } + ["z\n"]))
    let most = merge("a\n", "k\n" + conflict(versions), "z\n").text
    #expect(most == conflict("k\n" + versions.joined(), "z\n"))
  }

  @Test func keepsBothWhereChangesOverlap() {
    let merged = merge("a\nb\nc\n", "a\nx\nc\n", "a\ny\nz\nc\n")
    #expect(merged.text == "a\n\(Self.first)\nx\n\(Self.second)\ny\nz\n\(Self.end)\nc\n")
    #expect(merged.conflicts == 1)
  }

  @Test func whatIsEqualInAConflictStandsOutside() {
    let merged = merge("a\nb\n", "p\nx\nq\n", "p\ny\nq\n")
    #expect(merged.text == "p\n\(Self.first)\nx\n\(Self.second)\ny\n\(Self.end)\nq\n")
    #expect(merged.conflicts == 1)
  }

  @Test func deletionAgainstChangeKeepsTheChange() {
    let merged = merge("a\nb\nc\n", "a\nc\n", "a\nB\nc\n")
    #expect(merged.text == "a\n\(Self.first)\n\(Self.second)\nB\n\(Self.end)\nc\n")
    #expect(merged.conflicts == 1)
  }

  @Test func anInsertionInsideOfWhatWasDeletedIsKept() {
    let merged = merge("a\nb\nc\nd\n", "a\nd\n", "a\nb\nnew\nc\nd\n")
    #expect(merged.text.contains("new\n"))
    #expect(merged.conflicts == 1)
  }

  /// The words of one line, parted by blanks; nil where both versions are kept.
  @Test(arguments: [
    ("the quick brown fox", "the slow brown fox", "the quick brown dog", "the slow brown dog"),
    ("one two three", "zero one two three", "one two three four", "zero one two three four"),
    (
      "a long line of many words", "a line of many words", "a long line of some many words",
      "a line of some many words"
    ),
    ("the quick brown fox", "the slow brown fox", "the slow brown dog", "the slow brown dog"),
    ("the quick brown fox", "the slow brown fox", "the fast brown fox", nil),
    ("one two", "one 2", "1 two", nil),
    ("one two three", "one three", "one 2 three", nil),
    ("a b", "x y", "a b c", nil),
    ("status open", "status done", "status open now", nil),
  ])
  func wordsMergeWhereTheyAreFarApart(base: String, one: String, other: String, expected: String?) {
    let merged = merge("\(base)\n", "\(one)\n", "\(other)\n")
    if let expected {
      #expect(merged.text == "\(expected)\n")
    } else {
      #expect(merged.conflicts == 1)
    }
  }

  @Test func theEarlierComesFirstAndIsNamed() {
    let stamp = { (seconds: Int64, who: String) in
      MergeStamp(seconds: seconds, commit: "", when: "2026-11-2\(seconds)", who: who, device: "phone -->")
    }
    let merged = { (one: Int64, other: Int64, texts: [String]) in
      let bytes = texts.map { Array($0.utf8) }
      let result = LineMerge.merge(
        base: bytes[0], one: bytes[1], other: bytes[2],
        // A label is one line, without the control characters of a name.
        stamps: MergeStamps(one: stamp(one, "Ada"), other: stamp(other, "B\no\u{7F}b")))
      return String(decoding: result.bytes, as: UTF8.self)
    }
    #expect(merged(1, 2, ["a\n", "a\nx\n", "a\ny\n"]) == "a\nx\ny\n")
    #expect(merged(2, 1, ["a\n", "a\nx\n", "a\ny\n"]) == "a\ny\nx\n")
    #expect(
      merged(2, 1, ["a\n", "x\n", "y\n"])
        == "<!-- slip: version 1, 2026-11-21, Bob, phone - -->\ny\n"
        + "<!-- slip: version 2, 2026-11-22, Ada, phone - -->\nx\n\(Self.end)\n")
  }

  @Test(arguments: [
    ("a", "a", "a\n", "a\n"), ("a\n", "a", "a\n", "a"), ("a\n", "a\n", "a", "a"),
    ("a", "a\nb", "c\na", "c\na\nb"),
    ("a", "a\nb", "a\nc", "a\nb\nc"), ("", "x", "y\n", "x\ny"), ("a\n", "a\nb", "a\nc\n", "a\nb\nc"),
    ("a", "a\n", "a\nb", "a\nb\n"), ("x", "", "x", ""), ("\n", "\n\n", "\n", "\n\n"),
    ("a\r\nb\r\n", "a\r\nc\r\n", "x\r\nb\r\n", "x\r\nc\r\n"),
    ("a\r\nb\nc\n", "a\r\nb\nd\n", "a\nb\nc\n", "a\nb\nd\n"),
  ])
  func lineEndsMergeToo(base: String, one: String, other: String, expected: String) {
    #expect(Array(merge(base, one, other).text.utf8) == Array(expected.utf8))
  }
}

@Suite struct LineMergePropertyTests {
  /// A text of a few different lines, and versions of it that were edited here and there.
  private struct Edits {
    var generator: SplitMix64

    mutating func text() -> [String] {
      (0..<Int.random(in: 0...12, using: &generator)).map { _ in word() }
    }

    mutating func word() -> String {
      let words = (0..<Int.random(in: 1...4, using: &generator)).map { _ in
        String("abcdef ".randomElement(using: &generator) ?? "a")
      }
      return words.joined(separator: " ")
    }

    mutating func edited(_ lines: [String], marking mark: String) -> [String] {
      var lines = lines
      for number in 0..<Int.random(in: 0...4, using: &generator) {
        let place = Int.random(in: 0...lines.count, using: &generator)
        let isUnique = Bool.random(using: &generator)
        let new = isUnique ? "\(mark)\(number)" : word()
        switch Int.random(in: 0..<4, using: &generator) {
        case 0: lines.insert(new, at: place)
        case 1 where place < lines.count: lines.remove(at: place)
        case 2 where place < lines.count: lines[place] = new
        case 3 where place < lines.count: lines[place] += " \(new)"
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

  private static func words(_ bytes: [UInt8]) -> [Substring] {
    String(decoding: bytes, as: UTF8.self).split(whereSeparator: { $0 == " " || $0 == "\n" })
  }

  @Test func identitiesHoldAndNoAddedWordIsLost() {
    var edits = Edits(generator: SplitMix64(seed: 42))
    for _ in 0..<4000 {
      let base = edits.text()
      let (one, other) = (edits.edited(base, marking: "O"), edits.edited(base, marking: "T"))
      let (b, o, t) = (edits.bytes(base), edits.bytes(one), edits.bytes(other))
      #expect(LineMerge.merge(base: b, one: o, other: b).bytes == o)
      #expect(LineMerge.merge(base: b, one: b, other: t).bytes == t)
      #expect(LineMerge.merge(base: b, one: o, other: o).bytes == o)
      let merged = LineMerge.merge(base: b, one: o, other: t)
      #expect(LineMerge.merge(base: b, one: t, other: o) == merged)
      // What is merged already is not merged again.
      #expect(
        LineMerge.merge(base: o, one: merged.bytes, other: o)
          == .init(bytes: merged.bytes, conflicts: 0, usesOrder: false))
      let result = Self.words(merged.bytes)
      for word in Set(Self.words(o) + Self.words(t)) where word.first == "O" || word.first == "T" {
        #expect(result.contains(word), "\(word) is lost: \(base) \(one) \(other)")
      }
      let hasMarkers = String(decoding: merged.bytes, as: UTF8.self).contains(ConflictMark.end)
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
      let wanted = LineMerge.Result(bytes: expected, conflicts: 0, usesOrder: false)
      #expect(LineMerge.merge(base: texts[0], one: texts[1], other: texts[2]) == wanted)
      #expect(LineMerge.merge(base: texts[0], one: texts[2], other: texts[1]) == wanted)
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

  /// Lines that only one of the texts has, before a line that occurs once in both.
  private func headed(_ head: ClosedRange<Int32>, _ rest: [Int32]) -> [Int32] { Array(head) + [0] + rest }

  @Test func `matches the only line that two far apart texts share`() {
    let (old, new) = (headed(1000...1999, Array(2000...2999)), headed(3000...3999, Array(4000...4999)))
    let parts = [LineHunk(old: 0..<1000, new: 0..<1000), LineHunk(old: 1001..<2001, new: 1001..<2001)]
    #expect(LineDiff.hunks(old, new) == parts)
  }

  @Test func `finds the shortest changes after a line that two far apart texts share`() {
    // 300 changes between lines that occur many times.
    let rest = { (line: Int32) in (0..<150).flatMap { _ -> [Int32] in [7, 7, line] } }
    let hunks = LineDiff.hunks(headed(1000...1999, rest(8)), headed(3000...3999, rest(9)))
    let changed = (0..<150).map { 1003 + 3 * $0 }.map { LineHunk(old: $0..<$0 + 1, new: $0..<$0 + 1) }
    #expect(hunks == [LineHunk(old: 0..<1000, new: 0..<1000)] + changed)
  }
}
