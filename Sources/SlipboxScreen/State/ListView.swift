/// A list on the screen: what is listed, where the cursor stands, and what is marked.
struct ListView: Sendable {
  var request: ListRequest
  /// Nil until the list was read.
  var listing: Listing?
  /// The row of the cursor, from 0.
  var cursor = 0
  /// The first row that is shown.
  var top = 0
  /// The paths of the notes that are marked.
  var marked: Set<[UInt8]> = []
  /// The row where a range begins; nil where none is being marked.
  var anchor: Int?

  var count: Int { listing?.matches.count ?? 0 }

  /// The rows of the range that is being marked.
  var range: ClosedRange<Int>? { anchor.map { min($0, cursor)...max($0, cursor) } }

  /// Moves the cursor by some rows, as far as there are any.
  mutating func move(_ rows: Int) { moveTo(cursor + rows) }

  mutating func moveTo(_ row: Int) { cursor = max(0, min(row, count - 1)) }

  /// Takes the range for marked.
  mutating func endRange() {
    if let range, let listing {
      for row in range { if let path = listing.path(row) { marked.insert(path) } }
    }
    anchor = nil
  }

  mutating func toggleMark() {
    guard let path = listing?.path(cursor) else { return }
    if marked.remove(path) == nil { marked.insert(path) }
  }

  func isMarked(_ row: Int) -> Bool {
    if let range, range.contains(row) { return true }
    guard !marked.isEmpty, let path = listing?.path(row) else { return false }
    return marked.contains(path)
  }

  /// Keeps the cursor in the list and among the rows that are shown.
  mutating func settle(height: Int) {
    moveTo(cursor)
    if let place = anchor { anchor = min(place, max(0, count - 1)) }
    let height = max(1, height)
    // The last rows stay at the bottom, as long as there are enough above them.
    top = max(0, min(top, count - height))
    if cursor < top { top = cursor }
    if cursor >= top + height { top = cursor - height + 1 }
  }
}
