import Foundation
import Git
import SlipboxTesting
import Testing

/// Some programs rewrite git's index in place and without a lock.
@Suite struct IndexReadingTests {
  private func repository() throws -> TestRepository {
    var files: [String: String] = [:]
    for number in 0..<300 { files["notes/\(number).md"] = "\(number)\n" }
    return try TestRepository(files)
  }

  /// Truncates the index and writes its first half now and the rest a little later, on another thread.
  private func beginRewriting(_ test: TestRepository) throws -> DispatchGroup {
    let path = test.folder.path + "/.git/index"
    let bytes = try Data(contentsOf: URL(fileURLWithPath: path))
    let file = try #require(FileHandle(forWritingAtPath: path))
    try file.truncate(atOffset: 0)
    try file.write(contentsOf: bytes.prefix(bytes.count / 2))
    let group = DispatchGroup()
    group.enter()
    // A queue's threads may all be busy with other tests.
    Thread.detachNewThread {
      usleep(20_000)
      try? file.write(contentsOf: bytes.suffix(from: bytes.count / 2))
      try? file.close()
      group.leave()
    }
    return group
  }

  @Test func `reads the whole index while another program rewrites it in place`() throws {
    let test = try repository()
    let writing = try beginRewriting(test)
    #expect(try test.repository.index.entries().count == 300)
    #expect(test.repository.index.damage == nil)
    writing.wait()
  }

  @Test func `changes the whole index while another program rewrites it in place`() throws {
    let test = try repository()
    let writing = try beginRewriting(test)
    try test.change("new.md", "new\n")
    writing.wait()
    #expect(try test.git("ls-files").split(separator: "\n").count == 301)
    try test.verify()
    let kept = try FileManager.default.contentsOfDirectory(atPath: test.folder.path + "/.git")
    #expect(!kept.contains { $0.hasPrefix("index.bad") })
  }

  @Test func `keeps the entries that it read if another program truncates the index`() throws {
    let test = try repository()
    let entries = try test.repository.index.entries()
    truncate(test.folder.path + "/.git/index", 0)
    #expect(entries.map(\.size).allSatisfy { $0 > 1 })
    #expect(Set(entries.map(\.path)).count == 300)
  }
}
