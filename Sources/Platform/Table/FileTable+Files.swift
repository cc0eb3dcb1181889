import Bytes
import Glibc

extension FileTable {
  /// The fields of the row of a file or of another name, by their offsets.
  enum FileField: Int {
    case size = 0
    case modified = 8
    case changed = 16
    case inode = 24
    case nameOffset = 32
    case folder = 40
    case nameLength = 44
    case flags = 46
  }

  enum FileFlag {
    static let isRacy: UInt16 = 1
  }

  /// The path of a file relative to the root of the walk.
  package func path(of row: Int) -> [UInt8] {
    BytePath.path(of: name(of: row), in: folderPath(folder(of: row)))
  }

  /// The stamp that a file had.
  package func stamp(of row: Int) -> FileStamp {
    FileStamp(
      size: fileNumber(row, .size), modified: fileNumber(row, .modified), changed: fileNumber(row, .changed),
      inode: fileNumber(row, .inode))
  }

  /// Whether a file could have changed since without a change of its stamp.
  package func isRacy(_ row: Int) -> Bool {
    (fileNumber(row, .flags) as UInt16) & FileFlag.isRacy != 0
  }

  /// The name of a file without its folders, with a NUL behind it; valid for as long as the table.
  package func name(of row: Int) -> UnsafeRawBufferPointer {
    heapName(fileNumber(row, .nameOffset), Int(fileNumber(row, .nameLength) as UInt16))
  }

  /// The folder that a file is in.
  func folder(of row: Int) -> Int { Int(fileNumber(row, .folder) as UInt32) }
}

extension FileTable {
  /// The row of a file, or nil where it has none.
  /// - Complexity: Logarithmic in the number of files.
  package func row(of path: [UInt8]) -> Int? {
    let row = position(of: path)
    return row < count && compare(row, path) == 0 ? row : nil
  }

  /// The first row whose path does not sort before a path.
  /// - Complexity: Logarithmic in the number of files.
  package func position(of path: [UInt8]) -> Int {
    var (low, high) = (0, count)
    while low < high {
      let middle = low + (high - low) / 2
      if compare(middle, path) < 0 { low = middle + 1 } else { high = middle }
    }
    return low
  }

  /// Negative where the row's path sorts before the other, 0 where they are equal.
  private func compare(_ row: Int, _ path: [UInt8]) -> Int {
    path.withUnsafeBytes { path in
      var rest = path[...]
      let folder = folderPath(folder(of: row))
      if !folder.isEmpty {
        let order = Self.order(folder, &rest)
        if order != 0 { return order }
        guard let next = rest.popFirst() else { return 1 }
        if next != UInt8(ascii: "/") { return Int(UInt8(ascii: "/")) - Int(next) }
      }
      let order = Self.order(name(of: row), &rest)
      return order != 0 || rest.isEmpty ? order : -1
    }
  }

  /// Compares a part of a path with the beginning of the rest of another, and takes that away where both are
  /// equal.
  private static func order(
    _ part: UnsafeRawBufferPointer, _ rest: inout Slice<UnsafeRawBufferPointer>
  ) -> Int {
    let length = min(part.count, rest.count)
    if let left = part.baseAddress, let right = UnsafeRawBufferPointer(rebasing: rest).baseAddress {
      let order = memcmp(left, right, length)
      if order != 0 { return Int(order) }
    }
    rest = rest.dropFirst(length)
    return part.count - length
  }
}
