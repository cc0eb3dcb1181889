/// Names by their hashes, each with the places of the notes that have it: a hash table whose rows never move.
struct NameRows: Sendable {
  /// 16 bytes, for a large box has millions of them.
  struct Row: Sendable {
    let hash: NameHash
    private let number: UInt32

    init(hash: NameHash, place: Int) {
      self.hash = hash
      number = UInt32(place)
    }

    var place: Int { Int(number) }
  }

  /// A row and the next one of its slot, side by side, for a look-up needs both; -1 for none.
  private struct LinkedRow: Sendable {
    let row: Row
    let next: Int32
  }

  /// The first row of each slot; -1 for none.
  private var slots: [Int32]
  private var rows: [LinkedRow] = []

  /// - Parameter parts: the rows; each part is let go once it is taken in.
  /// - Complexity: O(n).
  init(_ parts: consuming [[Row]]) {
    let count = parts.reduce(0) { $0 + $1.count }
    var size = 16
    while size < count { size *= 2 }
    slots = [Int32](repeating: -1, count: size)
    rows.reserveCapacity(count)
    for index in parts.indices {
      let part = parts[index]
      parts[index] = []
      for row in part {
        let slot = row.hash.slot(of: size)
        rows.append(LinkedRow(row: row, next: slots[slot]))
        slots[slot] = Int32(rows.count - 1)
      }
    }
  }

  /// The places of the notes that have a name, ascending, each once.
  func places(_ hash: NameHash) -> [Int] {
    var found: [Int] = []
    var index = slots[hash.slot(of: slots.count)]
    while index >= 0 {
      let linked = rows[Int(index)]
      if linked.row.hash == hash { found.append(linked.row.place) }
      index = linked.next
    }
    guard found.count > 1 else { return found }
    return Set(found).sorted()
  }
}
