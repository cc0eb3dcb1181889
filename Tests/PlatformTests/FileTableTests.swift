import Bytes
import SlipboxTesting
import Testing

@testable import Platform

@Suite struct FileTableTests {
  /// The table of a folder with files of many depths, and their paths in order.
  private func sample() throws -> (folder: TemporaryFolder, bytes: [UInt8], paths: [[UInt8]]) {
    let folder = try TemporaryFolder()
    let names = [
      "a-b/x.md", "a.md", "a/b/c.md", "a/b.md", "a/x.md", "a0.md", "b/c/d/e.md", "z.md", "a b/c.md", "é/ü.md",
    ]
    for name in names { try folder.write(name, name) }
    try folder.write("empty/none.txt", "")
    try folder.write("a/.gitignore", "*.txt")
    folder.link("link.md", to: "a.md")
    let walk = DirectoryWalk.table(under: folder.bytes) { $0.suffix(3).elementsEqual(".md".utf8) }
    #expect(walk.added.map(\.path) == sorted(names.map(b)))
    return (folder, FileTable.empty.applying(walk), sorted(names.map(b)))
  }

  @Test func givesBackWhatItWasMadeOf() throws {
    let (folder, bytes, paths) = try sample()
    let table = try #require(FileTable(ByteSlice(copying: bytes)))
    #expect((0..<table.count).map(table.path(of:)) == paths)
    for (row, path) in paths.enumerated() {
      #expect(table.row(of: path) == row && table.position(of: path) == row)
      let status = try #require(try Files.status(folder.bytes + b("/") + path))
      #expect(table.stamp(of: row) == FileStamp(status))
    }
  }

  @Test func findsPositionsOfOtherPaths() throws {
    let (_, bytes, paths) = try sample()
    let others = [
      "", "a", "a/", "a-b", "a/b", "a/b/", "a/b/c.m", "a/b/c.md0", "a/b/c.md/d", "zz", "\u{1}", "a.", "é/v",
    ]
    let table = try #require(FileTable(ByteSlice(copying: bytes)))
    for other in others.map(b) {
      #expect(table.row(of: other) == nil)
      #expect(table.position(of: other) == paths.filter { $0.lexicographicallyPrecedes(other) }.count)
    }
  }

  @Test func needsNoAlignment() throws {
    let (_, bytes, paths) = try sample()
    for shift in 0..<9 {
      let shifted = ByteSlice(copying: Array(repeating: 0xFF, count: shift) + bytes)
      let table = try #require(FileTable(shifted[shift..<shifted.count]))
      #expect((0..<table.count).map(table.path(of:)) == paths)
    }
  }

  @Test func encodesFilesAndFolders() throws {
    let (_, bytes, _) = try sample()
    let table = try #require(FileTable(ByteSlice(copying: bytes)))
    let files = (0..<table.count).map {
      FileTable.File(path: table.path(of: $0), stamp: table.stamp(of: $0), isRacy: $0 % 2 == 0)
    }
    let copy = FileTable.encode(files: files, folders: table.folders)
    let second = try #require(FileTable(ByteSlice(copying: copy)))
    #expect(second.folders == table.folders)
    #expect((0..<second.count).map(second.path(of:)) == files.map(\.path))
    #expect((0..<second.count).map(second.stamp(of:)) == files.map(\.stamp))
    #expect((0..<second.count).map(second.isRacy) == files.map(\.isRacy))
  }

  @Test func refusesOtherBytes() throws {
    let (_, bytes, _) = try sample()
    func opens(_ bytes: [UInt8]) -> Bool { FileTable(ByteSlice(copying: bytes)) != nil }
    #expect(opens(bytes))
    #expect(!opens([]) && !opens([1, 2, 3]) && !opens(Array(repeating: 0, count: 64)))
    #expect(!opens(FileTable.encode(files: [], folders: [])))
    // Without its heap, a table has no folder paths.
    for length in 0..<200 { #expect(!opens(Array(bytes[..<length]))) }
  }

  /// Folders beside one another can't hold the same file.
  @Test func refusesFoldersThatShareFiles() throws {
    let folder = try TemporaryFolder()
    for path in ["a/x.md", "b/x.md"] { try folder.write(path, "") }
    var bytes = FileTable.empty.applying(DirectoryWalk.table(under: folder.bytes) { _ in true })
    #expect(FileTable(ByteSlice(copying: bytes)) != nil)
    let field =
      FileTable.Layout.header + 2 * FileTable.Layout.folderRow + FileTable.FolderField.firstFile.rawValue
    #expect(bytes[field] == 1)
    bytes[field] = 0
    #expect(FileTable(ByteSlice(copying: bytes)) == nil)
  }

  /// A name with a slash, as only damage makes one, is not looked at: it may lead anywhere.
  @Test func namesWithSlashesAreMissing() throws {
    let folder = try TemporaryFolder()
    for path in ["d/a.md", "d+a.md"] { try folder.write(path, "") }
    rest()
    var bytes = FileTable.empty.applying(DirectoryWalk.table(under: folder.bytes) { _ in true })
    let plus = try #require(bytes.lastIndex(of: UInt8(ascii: "+")))
    bytes[plus] = UInt8(ascii: "/")
    let table = FileTable(ByteSlice(copying: bytes)) ?? .empty
    let changes = DirectoryWalk.changes(under: folder.bytes, since: table) { _ in true }
    #expect(changes.changed.isEmpty && changes.removed == [0])
    #expect(changes.added.map { s($0.path) } == ["d+a.md"])
  }

  @Test func anEmptyTableKnowsNothing() {
    #expect(FileTable.empty.count == 0 && FileTable.empty.row(of: b("a.md")) == nil)
    #expect(FileTable.empty.position(of: b("a.md")) == 0 && FileTable.empty.path(of: 0).isEmpty)
  }
}
