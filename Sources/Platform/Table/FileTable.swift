package import Bytes

/// The files and folders that a walk has found, read where their bytes lie: usually in a mapped file.
///
/// Rows are files in the order of the bytes of their whole relative paths. Nothing is decoded: `DirectoryWalk`
/// holds each file against its row where it lies.
///
/// Damaged bytes give wrong names and times, but no access outside of them and no endless work. That they are
/// what was written, and of this layout, is for the container to know.
package struct FileTable: Sendable {
  /// The number of files.
  package let count: Int
  /// The number of folders, that which was walked among them.
  let folderCount: Int
  /// The number of other names.
  let nameCount: Int
  /// Where the file rows, the rows of other names, and the heap of names begin.
  private let fileStart: Int
  private let otherStart: Int
  private let heapStart: Int
  private let slice: ByteSlice

  /// The table of a walk that has not been made: everything is new to it.
  package static let empty = FileTable()

  private init() {
    (count, folderCount, nameCount) = (0, 0, 0)
    (fileStart, otherStart, heapStart) = (0, 0, 0)
    slice = ByteSlice()
  }

  private var bytes: UnsafeRawBufferPointer { slice.memory }

  /// Opens a table, or returns nil where the bytes can't be one.
  /// - Complexity: Linear in the number of folders.
  package init?(_ slice: ByteSlice) {
    let bytes = slice.memory
    guard bytes.count >= Layout.header, Self.load(bytes, 0) as UInt32 == Layout.mark else { return nil }
    let counts = (1...3).map { Int(Self.load(bytes, 4 * $0) as UInt32) }
    (folderCount, count, nameCount) = (counts[0], counts[1], counts[2])
    fileStart = Layout.header + folderCount * Layout.folderRow
    otherStart = fileStart + count * Layout.fileRow
    heapStart = otherStart + nameCount * Layout.fileRow
    // Counts of 32 bits can't overflow these sums.
    guard heapStart <= bytes.count, folderCount > 0 else { return nil }
    self.slice = slice
    guard areFoldersSound() else { return nil }
  }
}

extension FileTable {
  /// Where things are, in bytes. Numbers are little-endian, without regard to alignment.
  ///
  /// The header (mark, numbers of folders, files and other names) is followed by the folder rows, the file
  /// rows, the rows of other names, and the heap: names and folder paths, each with a NUL behind it.
  enum Layout {
    static let mark: UInt32 = 0x3142_5446  // "FTB1"
    static let header = 16
    static let folderRow = 72
    static let fileRow = 48
  }

  /// A number at an offset that is known to be inside.
  private static func load<Number: FixedWidthInteger>(
    _ bytes: UnsafeRawBufferPointer, _ offset: Int
  ) -> Number {
    Number(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: Number.self))
  }

  /// A number of a folder row.
  func folderNumber<Number: FixedWidthInteger>(_ folder: Int, _ field: FolderField) -> Number {
    guard folder >= 0, folder < folderCount else { return 0 }
    return Self.load(bytes, Layout.header + folder * Layout.folderRow + field.rawValue)
  }

  /// A number of a file row.
  func fileNumber<Number: FixedWidthInteger>(_ row: Int, _ field: FileField) -> Number {
    guard row >= 0, row < count else { return 0 }
    return Self.load(bytes, fileStart + row * Layout.fileRow + field.rawValue)
  }

  /// A number of a row of other names.
  func otherNumber<Number: FixedWidthInteger>(_ row: Int, _ field: FileField) -> Number {
    guard row >= 0, row < nameCount else { return 0 }
    return Self.load(bytes, otherStart + row * Layout.fileRow + field.rawValue)
  }

  /// A name or path of the heap with a NUL behind its end; empty where it is not in the heap.
  func heapName(_ offset: UInt64, _ length: Int) -> UnsafeRawBufferPointer {
    let heap = bytes.count - heapStart
    guard let base = bytes.baseAddress, offset < UInt64(heap), length >= 0, length < heap - Int(offset) else {
      return UnsafeRawBufferPointer(start: nil, count: 0)
    }
    let start = base + heapStart + Int(offset)
    guard start.load(fromByteOffset: length, as: UInt8.self) == 0 else {
      return UnsafeRawBufferPointer(start: nil, count: 0)
    }
    return UnsafeRawBufferPointer(start: start, count: length)
  }
}
