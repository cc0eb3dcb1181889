import Bytes
import Glibc
import Platform
import SlipboxTesting
import Testing

/// A folder with the table of an earlier walk, and the contents that its files had then.
final class WalkedTree {
  private let root: [UInt8]
  private(set) var table: [UInt8] = []
  /// The paths of the rows.
  private(set) var paths: [[UInt8]] = []
  private var contents: [[UInt8]: [UInt8]] = [:]

  init(_ root: [UInt8]) { self.root = root }

  static func isNote(_ name: some Collection<UInt8>) -> Bool { name.suffix(3).elementsEqual(".md".utf8) }

  private func withTable<Value>(_ body: (FileTable) throws -> Value) rethrows -> Value {
    try body(FileTable(ByteSlice(copying: table)) ?? .empty)
  }

  func changes(under root: [UInt8]) -> TableChanges {
    withTable { DirectoryWalk.changes(under: root, since: $0) { Self.isNote($0) } }
  }

  /// Takes the table of the present state.
  func adopt() throws {
    let changes = changes(under: root)
    let next = withTable { $0.applying(changes) }
    contents = try contents(after: changes)
    table = next
    let isEmpty = try #require(FileTable(ByteSlice(copying: next))).count == 0
    paths = withTable { table in (0..<table.count).map(table.path(of:)) }
    #expect(isEmpty == paths.isEmpty)
    try checkTable()
  }

  /// The table says what there is.
  private func checkTable() throws {
    let reference = try ReferenceWalk(root) { Self.isNote($0) }
    #expect(paths == sorted(reference.files.keys))
    withTable { table in
      for (row, path) in paths.enumerated() {
        #expect(reference.files[path].map { FileStamp($0) } == table.stamp(of: row))
        #expect(table.row(of: path) == row)
      }
    }
  }

  /// Walks, and checks that what it says leads from the table to what there is.
  @discardableResult func check() throws -> TableChanges {
    let changes = changes(under: root)
    let reference = try ReferenceWalk(root) { Self.isNote($0) }
    let found = try contents(after: changes)
    #expect(sorted(found.keys) == sorted(reference.files.keys))
    for (path, bytes) in found { #expect(try Files.read(root + b("/") + path) == bytes, "\(s(path) ?? "")") }
    for row in changes.changed + changes.suspect { #expect(reference.files[paths[row.row]] == row.status) }
    let known = Set(paths)
    expect(changes.added, reference.files.filter { !known.contains($0.key) })
    expect(changes.links, reference.links)
    expect(changes.ignoreFiles, reference.ignoreFiles)
    #expect(changes.nestedRepositories == sorted(reference.nestedRepositories))
    #expect(changes.temporaries == sorted(reference.temporaries))
    #expect(changes.problems.isEmpty)
    let plain = DirectoryWalk.files(under: root) { Self.isNote($0) }
    expect(plain.files, reference.files)
    expect(plain.links, reference.links)
    return changes
  }

  private func expect(_ found: [DirectoryWalk.Found], _ reference: [[UInt8]: FileStatus]) {
    #expect(found.map(\.path) == sorted(reference.keys))
    #expect(found.map(\.status) == found.map { reference[$0.path] })
  }

  /// The contents as one knows them who reads only what the walk names.
  private func contents(after changes: TableChanges) throws -> [[UInt8]: [UInt8]] {
    var contents = contents
    for row in changes.removed { #expect(contents.removeValue(forKey: paths[row]) != nil) }
    let toRead = (changes.changed + changes.suspect).map { paths[$0.row] } + changes.added.map(\.path)
    for path in toRead { contents[path] = try Files.read(root + b("/") + path) }
    return contents
  }
}

extension WalkedTree {
  /// Lets the table lack a file.
  func forget(_ path: String) throws { try rewrite { $0.filter { $0.path != b(path) } } }

  /// Lets the table have another name for a file.
  func replace(_ path: String, by other: String) throws {
    try rewrite { files in
      files.map { file in
        guard file.path == b(path) else { return file }
        return FileTable.File(path: b(other), stamp: file.stamp, isRacy: file.isRacy)
      }
    }
  }

  private func rewrite(_ change: ([FileTable.File]) -> [FileTable.File]) throws {
    let other = withTable { table in
      let files = (0..<table.count).map {
        FileTable.File(path: table.path(of: $0), stamp: table.stamp(of: $0), isRacy: table.isRacy($0))
      }
      return FileTable.encode(files: change(files), folders: table.folders)
    }
    table = other
    paths = withTable { table in (0..<table.count).map(table.path(of:)) }
  }
}

/// Lets enough time pass that the times of files can be relied on.
func rest() { usleep(100_000) }
