import Bytes
/// A queue that gives the element of the highest priority first, among equals the one that came first.
struct PriorityQueue<Priority: Comparable, Element> {
  private struct Item {
    let priority: Priority
    let number: Int
    let element: Element
  }

  private var heap: [Item] = []
  private var pushed = 0

  var topPriority: Priority? { heap.first?.priority }

  /// Adds an element. Complexity: O(log n).
  mutating func push(_ element: Element, _ priority: Priority) {
    heap.append(Item(priority: priority, number: pushed, element: element))
    pushed += 1
    var child = heap.count - 1
    while child > 0, Self.isBefore(heap[child], heap[(child - 1) / 2]) {
      heap.swapAt(child, (child - 1) / 2)
      child = (child - 1) / 2
    }
  }

  /// Takes the first element out. Complexity: O(log n).
  mutating func pop() -> Element? {
    guard let first = heap.first else { return nil }
    let last = heap.removeLast()
    if !heap.isEmpty {
      heap[0] = last
      sink()
    }
    return first.element
  }

  private mutating func sink() {
    var parent = 0
    while true {
      var best = parent
      for child in [2 * parent + 1, 2 * parent + 2]
      where child < heap.count && Self.isBefore(heap[child], heap[best]) {
        best = child
      }
      if best == parent { return }
      heap.swapAt(parent, best)
      parent = best
    }
  }

  private static func isBefore(_ left: Item, _ right: Item) -> Bool {
    left.priority != right.priority ? left.priority > right.priority : left.number < right.number
  }
}
