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

  /// The first row of each slot, and of each row the next one; -1 for none.
  private var slots: [Int32]
  private var following: [Int32] = []
  private var rows: [Row] = []

  /// - Parameter parts: the rows; each part is let go once it is taken in.
  /// - Complexity: O(n).
  init(_ parts: consuming [[Row]]) {
    let count = parts.reduce(0) { $0 + $1.count }
    var size = 16
    while size < count { size *= 2 }
    slots = [Int32](repeating: -1, count: size)
    rows.reserveCapacity(count)
    following.reserveCapacity(count)
    for index in parts.indices {
      let part = parts[index]
      parts[index] = []
      for row in part {
        let slot = row.hash.slot(of: size)
        following.append(slots[slot])
        slots[slot] = Int32(rows.count)
        rows.append(row)
      }
    }
  }

  /// The places of the notes that have a name, ascending, each once.
  func places(_ hash: NameHash) -> [Int] {
    var found: [Int] = []
    var index = slots[hash.slot(of: slots.count)]
    while index >= 0 {
      let row = rows[Int(index)]
      if row.hash == hash { found.append(row.place) }
      index = following[Int(index)]
    }
    guard found.count > 1 else { return found }
    return Set(found).sorted()
  }
}
