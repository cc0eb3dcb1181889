import Bytes

/// The names that a folder has, held against those that a table says; both in the order of their paths.
struct RowMerge {
  private let table: FileTable
  private var children: ArraySlice<Int>
  private let runs: [Range<Int>]
  /// The run that the next row is in, and that row.
  private var run = 0
  private var row = 0

  /// The rows whose names are there.
  private(set) var present: [Range<Int>] = []
  /// The rows whose names are not.
  private(set) var missing: [Int] = []
  /// The folders that are not there, by their numbers.
  private(set) var lostChildren: [Int] = []

  /// - Parameter folder: The number of the folder in the table; nil: it is new.
  init(_ table: FileTable, _ folder: Int?) {
    self.table = table
    let children = folder.map { table.children(of: $0) } ?? []
    self.children = children[...]
    runs = folder.map { table.ownFiles(of: $0, between: children) } ?? []
    row = runs.first?.lowerBound ?? 0
  }

  /// Whether the next name of a file has a row.
  mutating func takes(_ name: UnsafeRawBufferPointer) -> Bool {
    while let row = nextRow() {
      let known = table.name(of: row)
      if ByteOrder.precedes(name[...], known[...]) { return false }
      self.row += 1
      if known.elementsEqual(name) {
        take(row)
        return true
      }
      missing.append(row)
    }
    return false
  }

  private mutating func nextRow() -> Int? {
    while run < runs.count {
      if row < runs[run].upperBound { return row }
      run += 1
      if run < runs.count { row = runs[run].lowerBound }
    }
    return nil
  }

  private mutating func take(_ row: Int) {
    if let last = present.last, last.upperBound == row {
      present[present.count - 1] = last.lowerBound..<row + 1
    } else {
      present.append(row..<row + 1)
    }
  }

  /// The number of the next folder in the table; nil: it is new.
  mutating func child(_ path: [UInt8], _ name: UnsafeRawBufferPointer) -> Int? {
    let start = path.isEmpty ? 0 : path.count + 1
    while let child = children.first {
      let known = table.folderPath(child).dropFirst(start)
      if Self.folderPrecedes(name[...], known) { return nil }
      children.removeFirst()
      if known.elementsEqual(name) { return child }
      lostChildren.append(child)
    }
    return nil
  }

  /// Whether one name sorts before another when both are followed by a slash.
  private static func folderPrecedes(
    _ left: Slice<UnsafeRawBufferPointer>, _ right: Slice<UnsafeRawBufferPointer>
  ) -> Bool {
    let slash = CollectionOfOne(UInt8(ascii: "/"))
    return (Array(left) + slash).lexicographicallyPrecedes(Array(right) + slash)
  }

  /// Counts what is left as missing.
  mutating func finish() {
    while let row = nextRow() {
      missing.append(row)
      self.row += 1
    }
    lostChildren += children
    children = []
  }
}
