package import Bytes

/// The files and folders that a walk has found, read in place: usually from a mapped file.
///
/// Rows are files in the order of the bytes of their whole relative paths. Nothing is decoded: `DirectoryWalk`
/// compares each file with the bytes of its row.
///
/// Damaged bytes give wrong names and times, but no access out of bounds and no endless loop. The container
/// checks that they are the written ones, and of this layout.
package struct FileTable: Sendable {
  /// The number of files.
  package let count: Int
  /// The number of folders, the root of the walk included.
  let folderCount: Int
  /// The number of other names.
  let nameCount: Int
  /// The offsets of the file rows, the rows of other names, and the heap of names.
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

  // The slice keeps the bytes for as long as the table; names in them have a NUL behind their end, as system calls need it.
  private var bytes: UnsafeRawBufferPointer { slice.withBytes { $0 } }

  /// Opens a table, or returns nil if the bytes can't be one.
  /// - Complexity: Linear in the number of folders.
  package init?(_ slice: ByteSlice) {
    let bytes = slice.bytes
    guard slice.count >= Layout.header, bytes.little32(at: 0) == Layout.mark else { return nil }
    let counts = [4, 8, 12].map { Int(bytes.little32(at: $0)) }
    (folderCount, count, nameCount) = (counts[0], counts[1], counts[2])
    fileStart = Layout.header + folderCount * Layout.folderRow
    otherStart = fileStart + count * Layout.fileRow
    heapStart = otherStart + nameCount * Layout.fileRow
    // Counts of 32 bits can't overflow these sums.
    guard heapStart <= slice.count, folderCount > 0 else { return nil }
    self.slice = slice
    guard areFoldersSound() else { return nil }
  }
}

extension FileTable {
  /// The layout: offsets and sizes in bytes. Numbers are little-endian, without alignment.
  ///
  /// The header (mark, numbers of folders, files and other names) is followed by the folder rows, the file
  /// rows, the rows of other names, and the heap: names and folder paths, each with a NUL after it.
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

  /// A name or path of the heap with a NUL behind its end; empty if it is not in the heap.
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

  /// Lends the name of a file without its folders to a closure, which must not keep the pointer.
  package func withName<Result>(of row: Int, _ body: (UnsafeRawBufferPointer) -> Result) -> Result {
    defer { withExtendedLifetime(self) {} }
    return body(name(of: row))
  }

  /// The name of a file without its folders, with a NUL behind it; valid for as long as the table.
  func name(of row: Int) -> UnsafeRawBufferPointer {
    heapName(fileNumber(row, .nameOffset), Int(fileNumber(row, .nameLength) as UInt16))
  }

  /// The folder that a file is in.
  func folder(of row: Int) -> Int { Int(fileNumber(row, .folder) as UInt32) }
}

extension FileTable {
  /// The row of a file, or nil if it has none.
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

  /// Negative if the row's path sorts before the other, 0 if they are equal.
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

  /// Compares a part of a path with the beginning of the rest of another. If both are equal, removes that beginning.
  private static func order(
    _ part: UnsafeRawBufferPointer, _ rest: inout Slice<UnsafeRawBufferPointer>
  ) -> Int {
    let length = min(part.count, rest.count)
    if let left = part.baseAddress, let right = UnsafeRawBufferPointer(rebasing: rest).baseAddress {
      let order = CLibrary.compare(left, right, count: length)
      if order != 0 { return order }
    }
    rest = rest.dropFirst(length)
    return part.count - length
  }
}

extension FileTable {
  /// A name in a folder that is not a file of the walk's choice, and yet is to be looked at or reported.
  struct OtherName: Sendable, Equatable {
    enum Kind: UInt16 {
      /// A symbolic link, wherever it leads.
      case link = 1
      /// A temporary file of an interrupted replacement.
      case temporary = 2
      /// A file of git's ignore rules.
      case ignoreFile = 3

      /// Whether a walk would have found such a name.
      func admits(_ name: UnsafeRawBufferPointer) -> Bool {
        switch self {
        case .link: isPlainName(name)
        case .temporary: TemporaryFile.isTemporary(name)
        case .ignoreFile: name.elementsEqual(FileTable.ignoreFileName)
        }
      }
    }

    let kind: Kind
    let name: [UInt8]
    /// The stamp of the found entry; nil if there was none, or if none is searched for.
    var stamp: FileStamp?
    var isRacy = false
  }

  /// `.gitignore`
  static let ignoreFileName: [UInt8] = Array(".gitignore".utf8)

  /// Whether another name, once looked at, could have changed since without a change of its stamp; in the same
  /// place as the flag of files, above the two bits of the kind.
  enum OtherFlag {
    static let kind: UInt16 = 3
    static let isRacy: UInt16 = 4
    static let hasStamp: UInt16 = 8
  }

  /// One of the other names; nil if the row has no such name.
  func otherName(_ row: Int) -> OtherName? {
    let flags: UInt16 = otherNumber(row, .flags)
    let name = heapName(otherNumber(row, .nameOffset), Int(otherNumber(row, .nameLength) as UInt16))
    guard let kind = OtherName.Kind(rawValue: flags & OtherFlag.kind), kind.admits(name) else { return nil }
    let stamp = FileStamp(
      size: otherNumber(row, .size), modified: otherNumber(row, .modified),
      changed: otherNumber(row, .changed), inode: otherNumber(row, .inode))
    return OtherName(
      kind: kind, name: Array(name), stamp: flags & OtherFlag.hasStamp != 0 ? stamp : nil,
      isRacy: flags & OtherFlag.isRacy != 0)
  }
}

extension FileTable {
  /// A file of a table to be.
  package struct File: Sendable, Equatable {
    /// The path relative to the root of the walk.
    package let path: [UInt8]
    package let stamp: FileStamp
    /// Whether the file could change without a change of its stamp: see `RacyWindow`.
    package let isRacy: Bool

    package init(path: [UInt8], stamp: FileStamp, isRacy: Bool) {
      self.path = path
      self.stamp = stamp
      self.isRacy = isRacy
    }
  }

  /// A folder of a table to be, as a walk saw it.
  package struct Folder: Sendable, Equatable {
    /// The path relative to the root of the walk; empty for the root.
    package let path: [UInt8]
    let identity: FolderIdentity
    let others: [OtherName]
  }

  /// The folders, as they may be given to `encode`.
  package var folders: [Folder] {
    (0..<folderCount).map { folder in
      Folder(
        path: Array(folderPath(folder)), identity: identity(of: folder),
        others: otherNames(of: folder).compactMap { otherName($0) })
    }
  }

  /// Writes a table.
  ///
  /// The next walk trusts it with the names of folders that have not changed: all files that the walk found
  /// must be there.
  ///
  /// - Parameter files: In the order of their paths. Those in folders that are not given are left out.
  /// - Parameter folders: In the order of their paths with a slash at the end, the root first.
  package static func encode(files: [File], folders: [Folder]) -> [UInt8] {
    TableContents(base: .empty, kept: [], renewed: [], added: files, folders: folders).encoded()
  }
}

/// A row whose file has another stamp than the table says, or the same one and now reliably.
struct RenewedRow {
  let row: Int
  let stamp: FileStamp
  let isRacy: Bool
}
