/// The search for a shortest list of changes between two sequences, given up when it is long.
///
/// Source: Eugene W. Myers, "An O(ND) Difference Algorithm and Its Variations", 1986.
struct MyersSearch {
  private let old: ArraySlice<Int32>
  private let new: ArraySlice<Int32>
  private let furthest: Int
  /// How far each diagonal reaches in `old`, for 0, 1, 2 … changes one after another: 1, 3, 5 … numbers.
  private var reached: [Int32] = []

  init(_ old: ArraySlice<Int32>, _ new: ArraySlice<Int32>, furthest: Int) {
    self.old = old
    self.new = new
    self.furthest = furthest
  }

  /// Looks for the changes and enters the lines that stay, as indices into the whole sequences.
  ///
  /// - Returns: false, with nothing entered, where there are more than `furthest` changes.
  mutating func run(into matches: inout [Int]) -> Bool {
    for changes in 0...furthest {
      for diagonal in stride(from: -changes, through: changes, by: 2) {
        let end = slide(from: start(of: diagonal, after: changes)?.end, along: diagonal)
        reached.append(Int32(truncatingIfNeeded: end ?? -1))
        if changes > 0, diagonal < changes { reached.append(-1) }
        if end == old.count, diagonal == old.count - new.count {
          enter(changes, diagonal, into: &matches)
          return true
        }
      }
    }
    return false
  }

  /// The best beginning on a diagonal after one more change; nil where none is inside of both sequences.
  private func start(of diagonal: Int, after changes: Int) -> (end: Int, from: Int)? {
    if changes == 0 { return (0, 0) }
    let below = reach(of: diagonal - 1, after: changes - 1).flatMap { $0 < old.count ? $0 + 1 : nil }
    let above = reach(of: diagonal + 1, after: changes - 1).flatMap { $0 - diagonal <= new.count ? $0 : nil }
    if let above, above > below ?? -1 { return (above, diagonal + 1) }
    return below.map { ($0, diagonal - 1) }
  }

  private func reach(of diagonal: Int, after changes: Int) -> Int? {
    guard abs(diagonal) <= changes else { return nil }
    let end = reached[changes * changes + diagonal + changes]
    return end < 0 ? nil : Int(end)
  }

  private func slide(from start: Int?, along diagonal: Int) -> Int? {
    guard var position = start else { return nil }
    var other = position - diagonal
    guard other >= 0 else { return nil }
    let (oldStart, newStart) = (old.startIndex, new.startIndex)
    while position < old.count, other < new.count, old[oldStart + position] == new[newStart + other] {
      position += 1
      other += 1
    }
    return position
  }

  /// Goes back from the end and enters the lines that were passed without change.
  private func enter(_ changes: Int, _ diagonal: Int, into matches: inout [Int]) {
    var (end, diagonal) = (old.count, diagonal)
    for change in stride(from: changes, through: 0, by: -1) {
      guard let begin = start(of: diagonal, after: change) else { return }
      for position in begin.end..<end {
        matches[old.startIndex + position] = new.startIndex + position - diagonal
      }
      guard change > 0, let before = reach(of: begin.from, after: change - 1) else { return }
      (end, diagonal) = (before, begin.from)
    }
  }
}
