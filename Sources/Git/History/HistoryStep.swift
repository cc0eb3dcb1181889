import Bytes
/// A commit that a walk over history came to.
struct HistoryStep<Value> {
  let id: ObjectID
  /// The commits that the walk goes on to from here.
  let followed: [ObjectID]
  /// What is shown of it; nil where it is passed over.
  let shown: Value?
}

extension HistoryStep {
  /// What is shown of the commits of one date: children before parents, the higher name first where neither is the other's.
  ///
  /// So the order follows from history alone, and not from the way a walk took through it.
  /// - Complexity: O(n log n).
  static func childrenFirst(_ steps: [HistoryStep]) -> [Value] {
    guard steps.count > 1 else { return steps.compactMap(\.shown) }
    let numbers = Dictionary(steps.enumerated().map { ($1.id, $0) }, uniquingKeysWith: { first, _ in first })
    var children = [Int](repeating: 0, count: steps.count)
    for step in steps {
      for parent in step.followed { if let number = numbers[parent] { children[number] += 1 } }
    }
    var passed: [Int] = []
    var ready = PriorityQueue<ObjectID, Int>()
    func release(_ number: Int) {
      if steps[number].shown == nil { passed.append(number) } else { ready.push(number, steps[number].id) }
    }
    for number in steps.indices where children[number] == 0 { release(number) }
    var result: [Value] = []
    while let number = passed.popLast() ?? ready.pop() {
      if let shown = steps[number].shown { result.append(shown) }
      for parent in steps[number].followed {
        guard let number = numbers[parent] else { continue }
        children[number] -= 1
        if children[number] == 0 { release(number) }
      }
    }
    return result
  }
}
