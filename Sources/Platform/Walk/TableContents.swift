/// What a table to be holds: rows of another table, and files and folders beside them.
struct TableContents {
  let base: FileTable
  /// Rows of the base, ascending.
  let kept: [Range<Int>]
  /// Rows among those whose stamp is replaced, ascending.
  let renewed: [RenewedRow]
  /// Files in the order of their paths.
  let added: [FileTable.File]
  /// All folders, in the order of their paths with a slash at the end.
  let folders: [FileTable.Folder]

  /// The table in bytes.
  func encoded() -> [UInt8] {
    let numbers = numbersOfFolders()
    var ofBase: [Int] = []
    for folder in 0..<base.folderCount { ofBase.append(numbers[Array(base.folderPath(folder))] ?? -1) }
    let ofAdded = foldersOfAdded(numbers)
    let size = size(ofBase, ofAdded)
    return [UInt8](unsafeUninitializedCapacity: size.total) { buffer, count in
      var writer = TableWriter(UnsafeMutableRawBufferPointer(buffer), size)
      write(ofBase, ofAdded, to: &writer)
      for folder in folders { writer.open(folder) }
      writer.finish()
      count = size.total
    }
  }

  private func numbersOfFolders() -> [[UInt8]: Int] {
    var numbers: [[UInt8]: Int] = [:]
    numbers.reserveCapacity(folders.count)
    for (number, folder) in folders.enumerated() { numbers[folder.path] = number }
    return numbers
  }

  /// The folder of each added file, -1 where it is not given.
  private func foldersOfAdded(_ numbers: [[UInt8]: Int]) -> [Int] {
    var result: [Int] = []
    result.reserveCapacity(added.count)
    // Files of one folder mostly follow one another.
    var last: (path: ArraySlice<UInt8>, number: Int) = ([], numbers[[]] ?? -1)
    for file in added {
      let slash = file.path.lastIndex(of: UInt8(ascii: "/"))
      let path = file.path[..<(slash ?? 0)]
      if path != last.path { last = (path, numbers[Array(path)] ?? -1) }
      result.append(last.number)
    }
    return result
  }

  private func size(_ ofBase: [Int], _ ofAdded: [Int]) -> TableSize {
    var size = TableSize(folders: folders.count, files: 0, others: 0, heap: 0)
    for run in kept {
      for row in run where newFolder(of: row, ofBase) != nil { size.addFile(base.name(of: row).count) }
    }
    for (file, folder) in zip(added, ofAdded) where folder >= 0 {
      size.addFile(file.path.count - Self.nameStart(file.path))
    }
    for folder in folders {
      size.heap += folder.path.count + 1
      for other in folder.others { size.addOther(other.name.count) }
    }
    return size
  }

  private func newFolder(of row: Int, _ ofBase: [Int]) -> Int? {
    let folder = base.folder(of: row)
    guard folder < ofBase.count, ofBase[folder] >= 0 else { return nil }
    return ofBase[folder]
  }

  private static func nameStart(_ path: [UInt8]) -> Int {
    path.lastIndex(of: UInt8(ascii: "/")).map { $0 + 1 } ?? 0
  }
}

extension TableContents {
  /// Writes the files in the order of their paths.
  private func write(_ ofBase: [Int], _ ofAdded: [Int], to writer: inout TableWriter) {
    var next = 0
    var renewed = renewed[...]
    for run in kept {
      var row = run.lowerBound
      while row < run.upperBound {
        // Up to where the next added file sorts, rows follow rows.
        while next < added.count, base.position(of: added[next].path) <= row {
          write(next, ofAdded, to: &writer)
          next += 1
        }
        let end = next < added.count ? base.position(of: added[next].path) : run.upperBound
        for row in row..<min(end, run.upperBound) {
          guard let folder = newFolder(of: row, ofBase) else { continue }
          while let first = renewed.first, first.row < row { renewed = renewed.dropFirst() }
          let change = renewed.first.flatMap { $0.row == row ? $0 : nil }
          writer.add(
            base.name(of: row), in: folder, change?.stamp ?? base.stamp(of: row),
            isRacy: change?.isRacy ?? base.isRacy(row))
        }
        row = min(end, run.upperBound)
      }
    }
    while next < added.count {
      write(next, ofAdded, to: &writer)
      next += 1
    }
  }

  private func write(_ number: Int, _ ofAdded: [Int], to writer: inout TableWriter) {
    guard ofAdded[number] >= 0 else { return }
    let file = added[number]
    file.path.withUnsafeBytes { path in
      let name = UnsafeRawBufferPointer(rebasing: path[Self.nameStart(file.path)...])
      writer.add(name, in: ofAdded[number], file.stamp, isRacy: file.isRacy)
    }
  }
}

/// The parts of a table by their numbers, and the bytes of its heap.
struct TableSize {
  var folders: Int
  var files: Int
  var others: Int
  var heap: Int

  var total: Int {
    FileTable.Layout.header + folders * FileTable.Layout.folderRow
      + (files + others) * FileTable.Layout.fileRow + heap
  }

  mutating func addFile(_ nameLength: Int) {
    files += 1
    heap += nameLength + 1
  }

  mutating func addOther(_ nameLength: Int) {
    others += 1
    heap += nameLength + 1
  }
}
