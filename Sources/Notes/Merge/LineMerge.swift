/// Joins two changed versions of a text, line by line.
package enum LineMerge {
  /// Merges what `ours` and `theirs` made of `base`.
  ///
  /// A change that both made is made once. What both inserted at one place is kept, ours first, and is no conflict.
  /// Where changes overlap, both versions of the lines are kept between comments of HTML. Lines are equal without
  /// regard to their line ends; the result has those of `ours`. No line that a side added is lost.
  ///
  /// - Returns: the text, and how many conflicts it holds.
  /// - Complexity: that of `LineDiff.hunks`.
  package static func merge(
    base: [UInt8], ours: [UInt8], theirs: [UInt8]
  ) -> (bytes: [UInt8], conflicts: Int) {
    var merger = LineMerger(base: LineTable(base), ours: LineTable(ours), theirs: LineTable(theirs))
    return merger.run()
  }

  /// The comment before our version of lines in conflict.
  package static let oursMarker = "<!-- slip: yours -->"
  /// The comment between our version and theirs.
  package static let theirsMarker = "<!-- slip: theirs -->"
  /// The comment after their version.
  package static let endMarker = "<!-- slip: end -->"
}

/// The state of one merge by lines.
private struct LineMerger {
  private let ours: LineTable
  private let theirs: LineTable
  private let ourNumbers: [Int32]
  private let theirNumbers: [Int32]
  private let ourHunks: [LineHunk]
  private let theirHunks: [LineHunk]
  private let lineEnd: [UInt8]
  /// Whether the last line of the result has a line end.
  private let isEnded: Bool
  private var result: [UInt8] = []
  private var conflicts = 0
  /// The next line of ours that is not yet in the result.
  private var ourNext = 0

  init(base: LineTable, ours: LineTable, theirs: LineTable) {
    var numbers = LineNumbers()
    let baseNumbers = numbers.of(base)
    self.ours = ours
    self.theirs = theirs
    ourNumbers = numbers.of(ours)
    theirNumbers = numbers.of(theirs)
    ourHunks = LineDiff.hunks(baseNumbers, ourNumbers)
    theirHunks = LineDiff.hunks(baseNumbers, theirNumbers)
    lineEnd = ours.lineEnd ?? base.lineEnd ?? theirs.lineEnd ?? [0x0A]
    isEnded = ours.isEnded == base.isEnded ? theirs.isEnded : ours.isEnded
  }

  mutating func run() -> (bytes: [UInt8], conflicts: Int) {
    result.reserveCapacity(ours.bytes.count + 256)
    var (ourIndex, theirIndex) = (0, 0)
    while let group = Group(ourHunks, &ourIndex, theirHunks, &theirIndex) {
      addOurs(ourNext..<group.ours.lowerBound)
      add(group)
      ourNext = group.ours.upperBound
    }
    addOurs(ourNext..<ours.contents.count)
    end()
    return (result, conflicts)
  }

  private mutating func add(_ group: Group) {
    if !group.isTheirs { return addOurs(group.ours) }
    if !group.isOurs { return addTheirs(group.theirs) }
    let (first, second) = (ourNumbers[group.ours], theirNumbers[group.theirs])
    if group.isInsertion {
      addInsertions(group)
    } else if first == second {
      addOurs(group.ours)
    } else {
      addConflict(group)
    }
  }

  /// Keeps what both inserted; where one begins or ends with the other, that is enough.
  private mutating func addInsertions(_ group: Group) {
    let (first, second) = (ourNumbers[group.ours], theirNumbers[group.theirs])
    if first.starts(with: second) || first.suffix(second.count) == second { return addOurs(group.ours) }
    if second.starts(with: first) || second.suffix(first.count) == first { return addTheirs(group.theirs) }
    addOurs(group.ours)
    addTheirs(group.theirs)
  }

  /// Keeps both versions between comments, without what is equal at their beginnings and ends.
  private mutating func addConflict(_ group: Group) {
    var (first, second) = (group.ours, group.theirs)
    while let one = first.first, let other = second.first, ourNumbers[one] == theirNumbers[other] {
      addOurs(one..<one + 1)
      (first, second) = (one + 1..<first.upperBound, other + 1..<second.upperBound)
    }
    let ends = (first.upperBound, second.upperBound)
    while let one = first.last, let other = second.last, ourNumbers[one] == theirNumbers[other] {
      (first, second) = (first.lowerBound..<one, second.lowerBound..<other)
    }
    conflicts += 1
    add(line: Array(LineMerge.oursMarker.utf8)[...])
    addOurs(first)
    add(line: Array(LineMerge.theirsMarker.utf8)[...])
    addTheirs(second)
    add(line: Array(LineMerge.endMarker.utf8)[...])
    addOurs(first.upperBound..<ends.0)
  }

  private mutating func addOurs(_ lines: Range<Int>) {
    for line in lines {
      separate()
      result.append(contentsOf: ours.whole(line))
    }
  }

  private mutating func addTheirs(_ lines: Range<Int>) {
    for line in lines { add(line: theirs.bytes[theirs.contents[line]]) }
  }

  private mutating func add(line: ArraySlice<UInt8>) {
    separate()
    result.append(contentsOf: line)
    result.append(contentsOf: lineEnd)
  }

  /// Ends the line before, which may have been the last of its text.
  private mutating func separate() {
    if let last = result.last, last != 0x0A { result.append(contentsOf: lineEnd) }
  }

  private mutating func end() {
    if isEnded { return separate() }
    guard result.last == 0x0A else { return }
    result.removeLast()
    if result.last == 0x0D { result.removeLast() }
  }
}

/// Changes of both sides that touch the same lines of the base, or a change of one side that no other touches.
private struct Group {
  private(set) var base: Range<Int>
  /// The lines of ours that stand for those of the base, with the unchanged ones between them.
  private(set) var ours = 0..<0
  private(set) var theirs = 0..<0
  /// Whether our side changed anything here.
  private(set) var isOurs = false
  private(set) var isTheirs = false

  var isInsertion: Bool { base.isEmpty }

  /// Takes the next changes off two lists; nil where both are at their ends.
  init?(_ ourHunks: [LineHunk], _ ourIndex: inout Int, _ theirHunks: [LineHunk], _ theirIndex: inout Int) {
    let (ourFirst, theirFirst) = (ourIndex, theirIndex)
    let heads = [ourHunks[ourFirst...].first, theirHunks[theirFirst...].first].compactMap { $0?.old }
    guard let first = heads.min(by: Self.isBefore) else { return nil }
    base = first
    while true {
      if let old = ourHunks[ourIndex...].first?.old, Self.belongs(old, to: base) {
        ourIndex += 1
        base = base.lowerBound..<max(base.upperBound, old.upperBound)
      } else if let old = theirHunks[theirIndex...].first?.old, Self.belongs(old, to: base) {
        theirIndex += 1
        base = base.lowerBound..<max(base.upperBound, old.upperBound)
      } else {
        break
      }
    }
    isOurs = ourIndex > ourFirst
    isTheirs = theirIndex > theirFirst
    ours = Self.lines(for: base, ourHunks, ourFirst..<ourIndex)
    theirs = Self.lines(for: base, theirHunks, theirFirst..<theirIndex)
  }

  /// Whether a change comes before another: by its first line, insertions first.
  private static func isBefore(_ one: Range<Int>, _ other: Range<Int>) -> Bool {
    (one.lowerBound, one.upperBound) < (other.lowerBound, other.upperBound)
  }

  /// Whether a change that does not begin before a group touches lines of it.
  ///
  /// An insertion touches what it is inside of, and other insertions at its place.
  private static func belongs(_ old: Range<Int>, to base: Range<Int>) -> Bool {
    if base.isEmpty { return old == base }
    if old.isEmpty { return old.lowerBound > base.lowerBound && old.lowerBound < base.upperBound }
    return old.lowerBound < base.upperBound
  }

  /// The lines of a side that stand for those of the base, given the side's changes that belong to them.
  private static func lines(for base: Range<Int>, _ hunks: [LineHunk], _ own: Range<Int>) -> Range<Int> {
    let before = own.lowerBound > 0 ? shift(after: hunks[own.lowerBound - 1]) : 0
    let after = own.isEmpty ? before : shift(after: hunks[own.upperBound - 1])
    return (base.lowerBound + before)..<(base.upperBound + after)
  }

  private static func shift(after hunk: LineHunk) -> Int { hunk.new.upperBound - hunk.old.upperBound }
}
