/// Joins two changed versions of a text, line by line and then word by word.
package enum LineMerge {
  /// A merged text.
  package struct Result: Sendable, Equatable {
    package let bytes: [UInt8]
    /// How many places hold both versions between comments.
    package let conflicts: Int
    /// Whether it mattered which side changed the text later.
    package let usesOrder: Bool
  }

  /// Merges the changes of two sides to `base`; exchanging the sides changes nothing.
  ///
  /// A change that both made is made once. Insertions of both at one place are kept, the earlier first, and are no
  /// conflict. If both changed the same lines, their words are merged if that is safe (`WordMerge`). Otherwise both
  /// versions are kept between HTML comments, the earlier first. Both versions are also kept if adjacent changes
  /// would repeat a line that both sides have once. No line that a side added is lost. Lines keep their line ends;
  /// the comments get `lineEnd`.
  ///
  /// - Parameter stamps: the time of each side's change; if that is unknown, the smaller bytes count as the earlier.
  /// - Complexity: that of `LineDiff.hunks`.
  package static func merge(
    base: [UInt8], one: [UInt8], other: [UInt8], stamps: MergeStamps? = nil, lineEnd: [UInt8] = [0x0A]
  ) -> Result {
    if one == other || other == base { return Result(bytes: one, conflicts: 0, usesOrder: false) }
    if one == base { return Result(bytes: other, conflicts: 0, usesOrder: false) }
    var merger = LineMerger(base, one, other, stamps ?? MergeStamps(one: nil, other: nil), lineEnd: lineEnd)
    return merger.run()
  }

  /// The lines that two texts have in common, in their order: a base for texts that were both made from nothing.
  static func common(_ one: [UInt8], _ other: [UInt8]) -> [UInt8] {
    let texts = one.lexicographicallyPrecedes(other) ? [one, other] : [other, one]
    let tables = texts.map { TextLines($0, returnsAreText: true) }
    var numbers = LineNumbers()
    var lines: [ArraySlice<UInt8>] = []
    var next = 0
    for hunk in LineDiff.hunks(numbers.of(tables[0]), numbers.of(tables[1])) {
      lines += tables[0].contents[next..<hunk.old.lowerBound].map { texts[0][$0] }
      next = hunk.old.upperBound
    }
    lines += tables[0].contents[next...].map { texts[0][$0] }
    return lines.flatMap { $0 + [0x0A] }
  }
}

/// The state of one merge by lines.
private struct LineMerger {
  private let base: TextLines
  private let one: TextLines
  private let other: TextLines
  private let numbers: (base: [Int32], one: [Int32], other: [Int32])
  private let stamps: MergeStamps
  private let conflictLines: CollapsedConflicts
  /// A carriage return, if the lines of the text end in one.
  private let returned: [UInt8]
  /// The lines of the result, without their line feeds.
  private var lines: [ArraySlice<UInt8>] = []
  private var conflicts = 0
  private var usesOrder = false

  init(_ base: [UInt8], _ one: [UInt8], _ other: [UInt8], _ stamps: MergeStamps, lineEnd: [UInt8]) {
    var conflictLines = CollapsedConflicts()
    self.base = TextLines(conflictLines.collapsed(base), returnsAreText: true)
    self.one = TextLines(conflictLines.collapsed(one), returnsAreText: true)
    self.other = TextLines(conflictLines.collapsed(other), returnsAreText: true)
    self.conflictLines = conflictLines
    var lineNumbers = LineNumbers()
    numbers = (lineNumbers.of(self.base), lineNumbers.of(self.one), lineNumbers.of(self.other))
    self.stamps = stamps
    returned = lineEnd.dropLast()
  }

  mutating func run() -> LineMerge.Result {
    var steps = ThreeWay.steps(base: numbers.base, one: numbers.one, other: numbers.other)
    let stretches = ThreeWay.stretches(of: steps)
    for next in steps.indices.dropFirst() {
      (steps[next - 1], steps[next]) = joined(steps[next - 1], steps[next])
    }
    for stretch in stretches {
      let before = (lines: lines.count, conflicts: conflicts, usesOrder: usesOrder)
      for step in steps[stretch.steps] { add(step) }
      guard stretch.steps.count > 1, conflicts == before.conflicts, !holdsConflict(stretch),
        repeatsLine(from: before.lines, one: stretch.one, other: stretch.other)
      else { continue }
      lines.removeSubrange(before.lines...)
      usesOrder = before.usesOrder
      keepBoth(stretch.base, stretch.one, stretch.other)
    }
    let isEnded = one.isEnded == base.isEnded ? other.isEnded : one.isEnded
    var bytes: [UInt8] = []
    bytes.reserveCapacity(lines.reduce(0) { $0 + $1.count + 1 })
    let unended = [base, one, other].compactMap(\.unendedLine)
    for (index, line) in lines.enumerated() {
      let isLineEnded = index + 1 < lines.count || isEnded
      let hasReturn = !returned.isEmpty && line.last == 0x0D
      bytes += !isLineEnded && hasReturn ? line.dropLast() : line
      guard isLineEnded else { continue }
      // The last line of a side without a line end has a place before other lines now.
      if !hasReturn, unended.contains(line) { bytes += returned }
      bytes.append(0x0A)
    }
    return LineMerge.Result(bytes: bytes, conflicts: conflicts, usesOrder: usesOrder)
  }

  private mutating func add(_ step: ThreeWayStep) {
    switch step {
    case .same(let range): add(range, of: base)
    case .one(_, let range), .agreed(_, let range): add(range, of: one)
    case .other(_, let range): add(range, of: other)
    case .contested(let old, let range, let otherRange): merge(old, range, otherRange)
    }
  }

  private func holdsConflict(_ stretch: ThreeWay.Stretch) -> Bool {
    stretch.one.contains { isConflict($0, of: one) } || stretch.other.contains { isConflict($0, of: other) }
  }

  /// Whether the last lines of the result hold a line more often than the lines of either side do.
  ///
  /// Lines without a letter or digit don't count, such as fences and brackets.
  private func repeatsLine(from start: Int, one: Range<Int>, other: Range<Int>) -> Bool {
    var counts: [ArraySlice<UInt8>: Int] = [:]
    for line in lines[start...] { counts[line, default: 0] += 1 }
    let repeated = counts.filter { $0.value > 1 && $0.key.contains(where: Self.isWordByte) }
    guard !repeated.isEmpty else { return false }
    let sides = [(self.one, one), (self.other, other)].map { table, range in
      range.reduce(into: [ArraySlice<UInt8>: Int]()) {
        $0[table.bytes[table.contents[$1]], default: 0] += 1
      }
    }
    return repeated.contains { line, count in sides.allSatisfy { count > $0[line, default: 0] } }
  }

  private static func isWordByte(_ byte: UInt8) -> Bool {
    byte >= 0x80 || (0x30...0x39).contains(byte) || (0x61...0x7A).contains(byte | 0x20)
  }

  /// Returns two steps without lines that both sides added at the place where the steps meet.
  ///
  /// One side inserted lines, and the other replaced the lines beside them. Lines that both begin or end with are kept
  /// once. An insertion that the replacement contains is dropped, unless all of its lines are blank.
  private func joined(_ step: ThreeWayStep, _ next: ThreeWayStep) -> (ThreeWayStep, ThreeWayStep) {
    guard let first = step.change, let second = next.change, first.side != second.side,
      first.old.isEmpty != second.old.isEmpty
    else { return (step, next) }
    let (earlier, later) = (elements(of: first), elements(of: second))
    if first.old.isEmpty {
      if later.starts(with: earlier) || contains(later, earlier, of: first.side) {
        return (first.dropping(last: earlier.count).step, next)
      }
      return (step, second.dropping(first: zip(earlier, later).prefix { $0 == $1 }.count).step)
    }
    if earlier.suffix(later.count) == later || contains(earlier, later, of: second.side) {
      return (step, second.dropping(last: later.count).step)
    }
    let shared = zip(earlier.reversed(), later.reversed()).prefix { $0 == $1 }.count
    return (first.dropping(last: shared).step, next)
  }

  private func elements(of change: ThreeWayStep.SideChange) -> ArraySlice<Int32> {
    change.side == .one ? numbers.one[change.new] : numbers.other[change.new]
  }

  /// Whether lines contain an insertion of a side in one piece that is not blank.
  private func contains(
    _ lines: ArraySlice<Int32>, _ inserted: ArraySlice<Int32>, of side: MergeSide
  ) -> Bool {
    let table = side == .one ? one : other
    let isBlank = inserted.indices.allSatisfy { index in
      table.bytes[table.contents[index]].allSatisfy { $0 == 0x20 || $0 == 0x09 || $0 == 0x0D }
    }
    guard !isBlank, inserted.count <= lines.count else { return false }
    return (lines.startIndex...lines.endIndex - inserted.count).contains {
      lines[$0...].starts(with: inserted)
    }
  }

  private mutating func merge(_ old: Range<Int>, _ first: Range<Int>, _ second: Range<Int>) {
    let conflicts = (
      first.contains { isConflict($0, of: one) }, second.contains { isConflict($0, of: other) }
    )
    if conflicts.0 || conflicts.1 {
      let values = (value(of: first, .one), value(of: second, .other))
      let isShared = values.0.versions.contains { values.1.contains($0) }
      if !old.isEmpty || (conflicts.0 && conflicts.1) || isShared { return keepBoth(old, first, second) }
    }
    if old.isEmpty { return mergeInsertions(first, second) }
    let texts = [text(old, of: base), text(first, of: one), text(second, of: other)]
    if let words = WordMerge.merge(base: texts[0], one: texts[1], other: texts[2]) {
      var merged = words.split(separator: 0x0A, omittingEmptySubsequences: false)
      // Each line was given with its line feed.
      merged.removeLast()
      lines += merged
    } else {
      keepBoth(old, first, second)
    }
  }

  /// Keeps what both inserted; if one has all lines of the other in their order, that is enough.
  private mutating func mergeInsertions(_ first: Range<Int>, _ second: Range<Int>) {
    let (own, others) = (numbers.one[first], numbers.other[second])
    if Self.holds(own, others) { return add(first, of: one) }
    if Self.holds(others, own) { return add(second, of: other) }
    if isFirst(first, before: second) {
      add(first, of: one)
      add(second, of: other)
    } else {
      add(second, of: other)
      add(first, of: one)
    }
  }

  /// Whether lines contain others in their order, with any lines between them.
  private static func holds(_ lines: ArraySlice<Int32>, _ others: ArraySlice<Int32>) -> Bool {
    var rest = others
    for line in lines where line == rest.first { rest.removeFirst() }
    return rest.isEmpty
  }

  /// Keeps both versions between comments, without the equal lines at their beginnings and ends.
  private mutating func keepBoth(_ old: Range<Int>, _ first: Range<Int>, _ second: Range<Int>) {
    let own = numbers.one[first]
    let others = numbers.other[second]
    let start = zip(own, others).prefix { $0 == $1 }.count
    let end = min(
      zip(own.reversed(), others.reversed()).prefix { $0 == $1 }.count, min(own.count, others.count) - start)
    let inner = first.lowerBound + start..<first.upperBound - end
    let otherInner = second.lowerBound + start..<second.upperBound - end
    add(first.lowerBound..<inner.lowerBound, of: one)
    usesOrder = true
    let merged = ConflictValue.merged(
      base: knownValue(of: old, first, second), one: value(of: inner, .one),
      other: value(of: otherInner, .other))
    if merged.versions.count > 1 { conflicts += 1 }
    lines += merged.lines(returned: returned)
    add(inner.upperBound..<first.upperBound, of: one)
  }

  /// The versions of the base that a side may have replaced: those of a conflict, or its lines if one side has them as one
  /// version of a conflict and the other side has changed them. Nil if both sides wrote new versions.
  private func knownValue(
    of old: Range<Int>, _ first: Range<Int>, _ second: Range<Int>
  ) -> ConflictValue? {
    let lines = ConflictValue(of: expanded(old, of: base), label: "")
    if old.count == 1, isConflict(old.lowerBound, of: base) { return lines }
    guard !old.isEmpty, lines.versions.count == 1 else { return nil }
    let conflicts = (
      first.contains { isConflict($0, of: one) }, second.contains { isConflict($0, of: other) }
    )
    guard conflicts.0 != conflicts.1 else { return nil }
    let marked = conflicts.0 ? value(of: first, .one) : value(of: second, .other)
    return marked.contains(lines.versions[0]) ? lines : nil
  }

  private func isConflict(_ line: Int, of table: TextLines) -> Bool {
    conflictLines.isConflict(table.bytes[table.contents[line]])
  }

  /// The versions of some lines of a side.
  private func value(of range: Range<Int>, _ side: MergeSide) -> ConflictValue {
    ConflictValue(
      of: expanded(range, of: side == .one ? one : other), label: ConflictMark.label(stamps[side]))
  }

  private func expanded(_ range: Range<Int>, of table: TextLines) -> [ArraySlice<UInt8>] {
    range.flatMap { conflictLines.expanded(table.bytes[table.contents[$0]], returned: returned) }
  }

  /// Whether lines of the one side come before those of the other.
  private mutating func isFirst(_ first: Range<Int>, before second: Range<Int>) -> Bool {
    usesOrder = true
    if let later = stamps.later { return later == .other }
    return text(first, of: one).lexicographicallyPrecedes(text(second, of: other))
  }

  private mutating func add(_ range: Range<Int>, of table: TextLines) {
    lines += expanded(range, of: table)
  }

  /// Some lines with a line feed after each.
  private func text(_ range: Range<Int>, of table: TextLines) -> [UInt8] {
    range.reduce(into: []) { $0 += table.bytes[table.contents[$1]] + [0x0A] }
  }
}

/// Joins two changed versions of a few lines word by word, if that is safe.
enum WordMerge {
  /// The most bytes of a version that are looked at.
  private static let most = 20_000

  /// Returns the merged text, or nil if a person should look.
  ///
  /// It is safe if the sides changed different words, an unchanged word is between any two changes of different
  /// sides, and each side left at least half of the words alone.
  static func merge(base: [UInt8], one: [UInt8], other: [UInt8]) -> [UInt8]? {
    guard !base.isEmpty, max(base.count, one.count, other.count) <= most else { return nil }
    var numbers = WordNumbers()
    let texts = [base, one, other].map { (text: $0, words: TextWords.ranges($0)) }
    let sequences = texts.map { numbers.of($0.words, in: $0.text) }
    let steps = ThreeWay.steps(base: sequences[0], one: sequences[1], other: sequences[2])
    guard isSafe(steps, words: texts[0].words, in: base) else { return nil }
    var result: [UInt8] = []
    for step in steps {
      switch step {
      case .same(let range): result += bytes(range, texts[0].words, base)
      case .one(_, let range), .agreed(_, let range): result += bytes(range, texts[1].words, one)
      case .other(_, let range): result += bytes(range, texts[2].words, other)
      case .contested: return nil
      }
    }
    return result
  }

  private static func isSafe(_ steps: [ThreeWayStep], words: [Range<Int>], in base: [UInt8]) -> Bool {
    let visible = { (range: Range<Int>) in range.count { TextWords.isVisible(base[words[$0].lowerBound]) } }
    var (changedByOne, changedByOther) = (0, 0)
    var last: MergeSide?
    for step in steps {
      switch step {
      case .same(let range): if visible(range) > 0 { last = nil }
      case .one(let range, _):
        if last == .other { return false }
        (last, changedByOne) = (.one, changedByOne + visible(range))
      case .other(let range, _):
        if last == .one { return false }
        (last, changedByOther) = (.other, changedByOther + visible(range))
      case .agreed: if last != nil { return false }
      case .contested: return false
      }
    }
    return 2 * max(changedByOne, changedByOther) <= visible(words.indices)
  }

  private static func bytes(_ range: Range<Int>, _ words: [Range<Int>], _ text: [UInt8]) -> ArraySlice<UInt8>
  {
    guard let first = words[range].first, let last = words[range].last else { return [] }
    return text[first.lowerBound..<last.upperBound]
  }
}
