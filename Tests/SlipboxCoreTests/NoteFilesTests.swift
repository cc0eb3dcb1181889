import NoteIndex
import Platform
import SlipboxTesting
import Testing

@testable import SlipboxCore

/// A run and a table of files together answer as one table does.
@Suite struct NoteFilesTests {
  private func file(_ name: String, _ size: Int64) -> NoteFile {
    NoteFile(
      noNote: Array(name.utf8), stamp: FileStamp(size: size, modified: 0, changed: 0, inode: 0),
      isRacy: false,
      verdict: .note)
  }

  @Test(arguments: UInt64(1)...40)
  func answersAsATable(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    var (files, table) = (NoteFiles(), [[UInt8]: NoteFile]())
    for number in 0..<20 {
      let new = file("n\(10 + number)", 1)
      files.append(new)
      table[new.path] = new
    }
    for step in 0..<60 {
      let new = file("n\(Int.random(in: 5..<40, using: &random))", Int64(step + 2))
      switch Int.random(in: 0..<8, using: &random) {
      case 0:
        files[new.path] = nil
        table[new.path] = nil
      case 1, 2, 3:
        files[new.path] = new
        table[new.path] = new
      case 4:
        files.merge(NoteFiles([new.path: new]))
        table[new.path] = new
      default:
        files.append(new)
        table[new.path] = new
      }
      let sizes = Dictionary(files.values.map { ($0.path, $0.stamp.size) }, uniquingKeysWith: { _, _ in -1 })
      #expect(sizes == table.mapValues(\.stamp.size))
      for number in 5..<40 {
        let path = Array("n\(number)".utf8)
        #expect(files[path]?.stamp == table[path]?.stamp)
      }
      #expect(Set(files.paths) == Set(table.keys) && files.count >= table.count)
    }
  }
}
