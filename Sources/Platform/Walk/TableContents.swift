/// The content of a new table: rows of another table, and files and folders beside them.
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

  /// The folder of each added file, -1 if it is not given.
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

/// Writes the parts of a table into a buffer of their very size.
struct TableWriter {
  private typealias Layout = FileTable.Layout

  private let buffer: UnsafeMutableRawBufferPointer
  private let size: TableSize
  private var files = 0
  private var others = 0
  /// The length of the heap so far.
  private var heap = 0
  private var folders: [FolderRow] = []
  /// For each folder the rows of the files in it: the first, and the one after the last.
  private var ownFiles: [Range<Int>?]

  private struct FolderRow {
    let identity: FolderIdentity
    let path: [UInt8]
    let pathOffset: Int
    let others: Range<Int>
    var end: Int
  }

  init(_ buffer: UnsafeMutableRawBufferPointer, _ size: TableSize) {
    self.buffer = buffer
    self.size = size
    ownFiles = Array(repeating: nil, count: size.folders)
    folders.reserveCapacity(size.folders)
    put(Layout.mark, 0)
    put(UInt32(truncatingIfNeeded: size.folders), 4)
    put(UInt32(truncatingIfNeeded: size.files), 8)
    put(UInt32(truncatingIfNeeded: size.others), 12)
  }

  private func put(_ number: some FixedWidthInteger, _ offset: Int) {
    buffer.storeBytes(of: number.littleEndian, toByteOffset: offset, as: type(of: number))
  }

  /// Appends a name to the heap, and returns its offset there.
  private mutating func append(_ name: UnsafeRawBufferPointer) -> Int {
    let offset = heap
    let start = size.total - size.heap + offset
    UnsafeMutableRawBufferPointer(rebasing: buffer[start...]).copyMemory(from: name)
    buffer[start + name.count] = 0
    heap += name.count + 1
    return offset
  }

  /// Adds the file that sorts next.
  mutating func add(
    _ name: UnsafeRawBufferPointer, in folder: Int, _ stamp: FileStamp, isRacy: Bool
  ) {
    let start = Layout.header + size.folders * Layout.folderRow + files * Layout.fileRow
    putRow(start, name, folder, stamp, isRacy ? FileTable.FileFlag.isRacy : 0)
    ownFiles[folder] = (ownFiles[folder]?.lowerBound ?? files)..<(files + 1)
    files += 1
  }

  private mutating func add(_ other: FileTable.OtherName, in folder: Int) {
    let start =
      Layout.header + size.folders * Layout.folderRow + (size.files + others) * Layout.fileRow
    var flags = other.kind.rawValue
    if other.isRacy { flags |= FileTable.OtherFlag.isRacy }
    if other.stamp != nil { flags |= FileTable.OtherFlag.hasStamp }
    let stamp = other.stamp ?? FileStamp(size: 0, modified: 0, changed: 0, inode: 0)
    other.name.withUnsafeBytes { putRow(start, $0, folder, stamp, flags) }
    others += 1
  }

  private mutating func putRow(
    _ start: Int, _ name: UnsafeRawBufferPointer, _ folder: Int, _ stamp: FileStamp, _ flags: UInt16
  ) {
    typealias Field = FileTable.FileField
    put(stamp.size, start + Field.size.rawValue)
    put(stamp.modified, start + Field.modified.rawValue)
    put(stamp.changed, start + Field.changed.rawValue)
    put(stamp.inode, start + Field.inode.rawValue)
    put(UInt64(append(name)), start + Field.nameOffset.rawValue)
    put(UInt32(truncatingIfNeeded: folder), start + Field.folder.rawValue)
    // Names in a file system are at most a few hundred bytes long.
    put(UInt16(truncatingIfNeeded: name.count), start + Field.nameLength.rawValue)
    put(flags, start + Field.flags.rawValue)
  }
}

extension TableWriter {
  /// Adds the folder that sorts next; all files have been added.
  mutating func open(_ folder: FileTable.Folder) {
    let offset = folder.path.withUnsafeBytes { append($0) }
    let first = others
    for other in folder.others { add(other, in: folders.count) }
    folders.append(
      FolderRow(
        identity: folder.identity, path: folder.path, pathOffset: offset, others: first..<others,
        end: folders.count + 1))
  }

  /// Writes the folder rows.
  mutating func finish() {
    closeFolders()
    let ranges = filesBelow()
    for (number, row) in folders.enumerated() { put(row, ranges[number], number) }
  }

  /// Finds the end of each folder: those that follow it are in it while their paths begin with its own.
  private mutating func closeFolders() {
    var above: [Int] = []
    for number in folders.indices {
      while let last = above.last, !isInside(folders[number].path, folders[last].path) {
        folders[last].end = number
        above.removeLast()
      }
      above.append(number)
    }
    for last in above { folders[last].end = folders.count }
  }

  private func isInside(_ path: [UInt8], _ above: [UInt8]) -> Bool {
    above.isEmpty || (path.starts(with: above) && path.dropFirst(above.count).first == UInt8(ascii: "/"))
  }

  /// The files below each folder at any depth.
  private func filesBelow() -> [Range<Int>] {
    var below = ownFiles
    for number in folders.indices.reversed() {
      var child = number + 1
      while child < folders[number].end {
        if let files = below[child] {
          let own = below[number] ?? files
          below[number] =
            min(own.lowerBound, files.lowerBound)..<max(own.upperBound, files.upperBound)
        }
        child = folders[child].end
      }
    }
    return placed(below)
  }

  /// Gives a folder without files a place behind the folders before it, inside the one above.
  private func placed(_ below: [Range<Int>?]) -> [Range<Int>] {
    var result: [Range<Int>] = []
    var above: [Int] = []
    var first = 0
    for (number, files) in below.enumerated() {
      while let last = above.last, folders[last].end <= number {
        first = result[last].upperBound
        above.removeLast()
      }
      let place = max(first, above.last.map { result[$0].lowerBound } ?? 0)
      result.append(files ?? place..<place)
      above.append(number)
    }
    return result
  }

  private func put(_ row: FolderRow, _ below: Range<Int>, _ number: Int) {
    typealias Field = FileTable.FolderField
    let start = Layout.header + number * Layout.folderRow
    var flags: UInt32 = row.identity.isSettled ? FileTable.FolderFlag.isSettled : 0
    if row.identity.isNestedRepository { flags |= FileTable.FolderFlag.isNestedRepository }
    put(row.identity.modified, start + Field.modified.rawValue)
    put(row.identity.changed, start + Field.changed.rawValue)
    put(row.identity.inode, start + Field.inode.rawValue)
    put(row.identity.device, start + Field.device.rawValue)
    put(UInt64(row.pathOffset), start + Field.pathOffset.rawValue)
    put(UInt32(truncatingIfNeeded: row.path.count), start + Field.pathLength.rawValue)
    put(UInt32(truncatingIfNeeded: row.end), start + Field.lastFolder.rawValue)
    put(UInt32(truncatingIfNeeded: below.lowerBound), start + Field.firstFile.rawValue)
    put(UInt32(truncatingIfNeeded: below.upperBound), start + Field.lastFile.rawValue)
    put(UInt32(truncatingIfNeeded: row.others.lowerBound), start + Field.firstOther.rawValue)
    put(UInt32(truncatingIfNeeded: row.others.upperBound), start + Field.lastOther.rawValue)
    put(flags, start + Field.flags.rawValue)
  }
}
