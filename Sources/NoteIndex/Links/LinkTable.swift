/// The hash of a name in one of its uses, long enough to stand for the name.
struct NameHash: Hashable, Sendable {
  /// What a name is used as.
  enum Use: UInt8 {
    case id, foreignID
    /// The whole path without the ending of a note.
    case path
    /// A title or an alias, folded.
    case title
    /// The end of a path from one of its parts on, folded, without the ending of a note.
    case pathEnd
  }

  private let first: Int
  private let second: Int

  init(_ use: Use, _ name: ArraySlice<UInt8>) {
    self = name.withUnsafeBytes { bytes in NameHash(use, bytes) }
  }

  private init(_ use: Use, _ bytes: UnsafeRawBufferPointer) {
    var (first, second) = (Hasher(), Hasher())
    first.combine(use.rawValue)
    first.combine(bytes: bytes)
    second.combine(bytes: bytes)
    second.combine(use.rawValue)
    self.first = first.finalize()
    self.second = second.finalize()
  }

  /// The slot of a table with a power of two of them.
  func slot(of count: Int) -> Int { first & (count - 1) }
}

/// Names by their hashes, with the places of the notes that bear them.
struct LinkTable: Sendable {
  struct Row: Sendable {
    let hash: NameHash
    let place: Int
  }

  /// The first row of each slot, and of each row the next one; -1 for none.
  private var slots: [Int32]
  private var following: [Int32] = []
  private var rows: [Row] = []

  /// - Complexity: O(n).
  init(_ parts: [[Row]]) {
    let count = parts.reduce(0) { $0 + $1.count }
    var size = 16
    while size < count * 2 { size *= 2 }
    slots = [Int32](repeating: -1, count: size)
    rows.reserveCapacity(count)
    following.reserveCapacity(count)
    for part in parts {
      for row in part {
        let slot = row.hash.slot(of: size)
        following.append(slots[slot])
        slots[slot] = Int32(rows.count)
        rows.append(row)
      }
    }
  }

  /// The places of the notes that bear a name, ascending, each once.
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
