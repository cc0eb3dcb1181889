/// Joins two changed versions of a few lines word by word, where that is safe.
enum WordMerge {
  /// The most bytes of a version that are looked at.
  private static let most = 20_000

  /// Returns the merged text, or nil where a person should look.
  ///
  /// It is safe where the sides changed different words, an unchanged word stands between any two changes of different
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
