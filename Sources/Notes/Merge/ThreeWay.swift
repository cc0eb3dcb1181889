/// A stretch of three sequences that share a base: what became of it on each side.
enum ThreeWayStep: Equatable {
  /// Neither side changed it.
  case same(base: Range<Int>)
  /// Only the one side changed it, to this.
  case one(base: Range<Int>, Range<Int>)
  /// Only the other side changed it, to this.
  case other(base: Range<Int>, Range<Int>)
  /// Both made the same of it.
  case agreed(base: Range<Int>, one: Range<Int>)
  /// The sides made different things of it.
  case contested(base: Range<Int>, one: Range<Int>, other: Range<Int>)
}

extension ThreeWayStep {
  /// A step that only one side changed.
  struct SideChange {
    let side: MergeSide
    /// Empty for an insertion.
    let old: Range<Int>
    let new: Range<Int>

    init(_ side: MergeSide, _ old: Range<Int>, _ new: Range<Int>) {
      (self.side, self.old, self.new) = (side, old, new)
    }

    var step: ThreeWayStep { side == .one ? .one(base: old, new) : .other(base: old, new) }

    func dropping(first count: Int) -> SideChange {
      SideChange(side, old, new.lowerBound + count..<new.upperBound)
    }

    func dropping(last count: Int) -> SideChange {
      SideChange(side, old, new.lowerBound..<new.upperBound - count)
    }
  }

  fileprivate var isSame: Bool { if case .same = self { true } else { false } }

  /// How many elements the base and the sides have in the step.
  fileprivate var lengths: (base: Int, one: Int, other: Int) {
    switch self {
    case .same(let base): (base.count, base.count, base.count)
    case .one(let base, let one): (base.count, one.count, base.count)
    case .other(let base, let other): (base.count, base.count, other.count)
    case .agreed(let base, let one): (base.count, one.count, one.count)
    case .contested(let base, let one, let other): (base.count, one.count, other.count)
    }
  }

  /// Nil if both sides changed the step, or neither did.
  var change: SideChange? {
    switch self {
    case .one(let old, let new): SideChange(.one, old, new)
    case .other(let old, let new): SideChange(.other, old, new)
    case .same, .agreed, .contested: nil
    }
  }
}

/// Walks along a base and what two sides made of it; exchanging the sides exchanges them in the steps, no more.
///
/// Changes that touch each other without an element in common are steps of their own.
enum ThreeWay {
  /// Returns the steps in order; elements are equal where their numbers are.
  ///
  /// - Complexity: that of `LineDiff.hunks`.
  static func steps(base: [Int32], one: [Int32], other: [Int32]) -> [ThreeWayStep] {
    let (oneHunks, otherHunks) = (LineDiff.hunks(base, one), LineDiff.hunks(base, other))
    var steps: [ThreeWayStep] = []
    var (next, oneIndex, otherIndex) = (0, 0, 0)
    while let group = HunkGroup(oneHunks, &oneIndex, otherHunks, &otherIndex) {
      if next < group.base.lowerBound { steps.append(.same(base: next..<group.base.lowerBound)) }
      next = group.base.upperBound
      if !group.isOther {
        steps.append(.one(base: group.base, group.one))
      } else if !group.isOne {
        steps.append(.other(base: group.base, group.other))
      } else if one[group.one] == other[group.other] {
        steps.append(.agreed(base: group.base, one: group.one))
      } else {
        steps.append(.contested(base: group.base, one: group.one, other: group.other))
      }
    }
    if next < base.count { steps.append(.same(base: next..<base.count)) }
    return steps
  }

  /// Steps that follow each other without an unchanged element, with their ranges in the three sequences.
  struct Stretch {
    let steps: Range<Int>
    let base: Range<Int>
    let one: Range<Int>
    let other: Range<Int>
  }

  /// The steps as stretches, in order; a step without a change is one of its own.
  ///
  /// - Complexity: O(n) in the steps.
  static func stretches(of steps: [ThreeWayStep]) -> [Stretch] {
    var stretches: [Stretch] = []
    var (start, first) = (0, (base: 0, one: 0, other: 0))
    var next = first
    for (index, step) in steps.enumerated() {
      let lengths = step.lengths
      next = (next.base + lengths.base, next.one + lengths.one, next.other + lengths.other)
      let isLast = index + 1 == steps.count || step.isSame || steps[index + 1].isSame
      guard isLast else { continue }
      stretches.append(
        Stretch(
          steps: start..<index + 1, base: first.base..<next.base, one: first.one..<next.one,
          other: first.other..<next.other))
      (start, first) = (index + 1, next)
    }
    return stretches
  }
}

/// Changes of both sides that touch the same elements of the base, or a change of one side that no other touches.
private struct HunkGroup {
  private(set) var base: Range<Int>
  /// The elements of the one side that replace those of the base, with the unchanged ones between them.
  private(set) var one = 0..<0
  private(set) var other = 0..<0
  /// Whether the one side changed anything here.
  private(set) var isOne = false
  private(set) var isOther = false

  /// Takes the next changes off two lists; nil if both are at their ends.
  init?(_ oneHunks: [LineHunk], _ oneIndex: inout Int, _ otherHunks: [LineHunk], _ otherIndex: inout Int) {
    let (oneFirst, otherFirst) = (oneIndex, otherIndex)
    let heads = [oneHunks[oneFirst...].first, otherHunks[otherFirst...].first].compactMap { $0?.old }
    guard let first = heads.min(by: Self.isBefore) else { return nil }
    base = first
    while true {
      if let old = oneHunks[oneIndex...].first?.old, Self.belongs(old, to: base) {
        oneIndex += 1
        base = base.lowerBound..<max(base.upperBound, old.upperBound)
      } else if let old = otherHunks[otherIndex...].first?.old, Self.belongs(old, to: base) {
        otherIndex += 1
        base = base.lowerBound..<max(base.upperBound, old.upperBound)
      } else {
        break
      }
    }
    isOne = oneIndex > oneFirst
    isOther = otherIndex > otherFirst
    one = Self.elements(for: base, oneHunks, oneFirst..<oneIndex)
    other = Self.elements(for: base, otherHunks, otherFirst..<otherIndex)
  }

  /// Whether a change comes before another: by its first element, insertions first.
  private static func isBefore(_ left: Range<Int>, _ right: Range<Int>) -> Bool {
    (left.lowerBound, left.upperBound) < (right.lowerBound, right.upperBound)
  }

  /// Whether a change that does not begin before a group touches elements of it.
  ///
  /// An insertion touches the group that it is inside of, and other insertions at its place.
  private static func belongs(_ old: Range<Int>, to base: Range<Int>) -> Bool {
    if base.isEmpty { return old == base }
    if old.isEmpty { return old.lowerBound > base.lowerBound && old.lowerBound < base.upperBound }
    return old.lowerBound < base.upperBound
  }

  /// The elements of a side that replace those of the base, given the side's changes that belong to them.
  private static func elements(for base: Range<Int>, _ hunks: [LineHunk], _ own: Range<Int>) -> Range<Int> {
    let before = own.lowerBound > 0 ? shift(after: hunks[own.lowerBound - 1]) : 0
    let after = own.isEmpty ? before : shift(after: hunks[own.upperBound - 1])
    return (base.lowerBound + before)..<(base.upperBound + after)
  }

  private static func shift(after hunk: LineHunk) -> Int { hunk.new.upperBound - hunk.old.upperBound }
}
