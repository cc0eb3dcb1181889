/// The best names that a search has found so far, of each note one.
struct FoundNames {
  /// A name of a stock.
  struct Row {
    let stock: Int
    let name: Int
    let fit: NameMatch.Fit
    let use: UInt8
    let note: Int
    let created: Int64

    /// Whether it stands before another: newer notes first.
    func precedes(_ other: Row) -> Bool {
      if (fit.rawValue, use) != (other.fit.rawValue, other.use) {
        return (fit.rawValue, use) < (other.fit.rawValue, other.use)
      }
      if created != other.created { return created > other.created }
      return (stock, note) < (other.stock, other.note)
    }
  }

  private struct Note: Hashable {
    let stock: Int
    let number: Int
  }

  private let most: Int
  private var rows: [Note: Row] = [:]
  /// The worst that still is among the best, once there are enough.
  private var bound: Row?

  init(most: Int) { self.most = most }

  var count: Int { rows.count }
  var best: [Row] { Array(rows.values.sorted { $0.precedes($1) }.prefix(most)) }

  /// Whether a name would be among the best.
  func mayTake(_ row: Row) -> Bool {
    if let bound, !row.precedes(bound) { return false }
    return rows[Note(stock: row.stock, number: row.note)].map { row.precedes($0) } ?? true
  }

  /// Takes a name; the worst are dropped from time to time.
  mutating func take(_ row: Row) {
    rows[Note(stock: row.stock, number: row.note)] = row
    guard rows.count >= 4 * most else { return }
    let kept = best
    rows = Dictionary(
      kept.map { (Note(stock: $0.stock, number: $0.note), $0) }, uniquingKeysWith: { first, _ in first })
    bound = kept.last
  }
}
