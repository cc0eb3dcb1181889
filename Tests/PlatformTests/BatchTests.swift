import Glibc
import SlipboxTesting
import Testing

@testable import Platform

@Suite struct BatchTests {
  // A sync of the whole file system must not wait for what others are writing to the disk.
  let disk: SmallDisk?
  let folder: TemporaryFolder

  init() throws {
    disk = try SmallDisk(options: "size=256m")
    folder = try disk?.folder ?? TemporaryFolder()
  }

  @Test(arguments: waysOfReplacing) func changesAll(exchanging: Bool) throws {
    for number in 0..<200 { try folder.write("f\(number % 20)/\(number).md", "old \(number)") }
    var batch: [Replacement] = []
    for number in 0..<300 {
      let path = b("f\(number % 20)/\(number).md")
      let old = number < 200 ? b("old \(number)") : nil
      let new = number < 150 || number >= 200 ? b("new \(number)") : nil
      batch.append(Replacement(path: path, bytes: new, expecting: old))
    }
    let statuses = try box(folder, exchanging: exchanging).replaceAll(batch)
    #expect(statuses.count == 300)
    for (number, replacement) in batch.enumerated() {
      let path = "f\(number % 20)/\(number).md"
      #expect(folder.read(path) == replacement.bytes)
      #expect(try Files.status(folder.at(path)) == statuses[number])
    }
    let rest = DirectoryWalk.files(under: folder.bytes) { _ in true }
    #expect(rest.files.count == 250 && rest.temporaries.isEmpty)
  }

  @Test(arguments: waysOfReplacing) func putsAllBackAtAFailure(exchanging: Bool) throws {
    for name in ["a", "b", "c", "d"] { try folder.write("x/\(name).md", name) }
    let batch = [
      Replacement(path: b("x/a.md"), bytes: b("A"), expecting: b("a")),
      Replacement(path: b("x/new.md"), bytes: b("N"), expecting: nil),
      Replacement(path: b("x/b.md"), bytes: nil, expecting: b("b")),
      Replacement(path: b("x/c.md"), bytes: b("C"), expecting: b("other")),
      Replacement(path: b("x/d.md"), bytes: b("D"), expecting: b("d")),
    ]
    let box = try box(folder, exchanging: exchanging)
    let error = failure { () throws(BatchError) in _ = try box.replaceAll(batch) }
    #expect(error?.index == 3)
    #expect(error?.error == .changed(found: b("c")))
    #expect(error?.unrestored == [])
    try expectUntouched()
  }

  /// The same file twice passes the comparison and fails only when the names have begun to change.
  @Test(arguments: waysOfReplacing) func putsExchangesBack(exchanging: Bool) throws {
    for name in ["a", "b", "c", "d"] { try folder.write("x/\(name).md", name) }
    let batch = [
      Replacement(path: b("x/a.md"), bytes: b("A"), expecting: b("a")),
      Replacement(path: b("y/new.md"), bytes: b("N"), expecting: nil),
      Replacement(path: b("x/b.md"), bytes: nil, expecting: b("b")),
      Replacement(path: b("x/d.md"), bytes: b("D"), expecting: b("d")),
      Replacement(path: b("x/d.md"), bytes: b("E"), expecting: b("d")),
    ]
    let box = try box(folder, exchanging: exchanging)
    let error = failure { () throws(BatchError) in _ = try box.replaceAll(batch) }
    #expect(error?.index == 4)
    #expect(error?.error == .changed(found: b("D")))
    #expect(error?.unrestored == [])
    try expectUntouched()
  }

  private func expectUntouched() throws {
    let found = DirectoryWalk.files(under: folder.bytes) { _ in true }
    #expect(found.files.map { s($0.path) } == ["a", "b", "c", "d"].map { "x/\($0).md" })
    #expect(found.temporaries.isEmpty)
    for name in ["a", "b", "c", "d"] { #expect(s(folder.read("x/\(name).md")) == name) }
  }

  private static let maximumOfOpenFiles: rlim_t = {
    var limit = rlimit()
    getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
    return limit.rlim_max
  }()

  @Test(.enabled(if: maximumOfOpenFiles > 3_000, "needs 3,000 open files"))
  func copesWithManyFolders() throws {
    let count = 1_500
    let batch = (0..<count).map { Replacement(path: b("f\($0)/x.md"), bytes: b("\($0)"), expecting: nil) }
    #expect(try box(folder).replaceAll(batch).count == count)
    #expect(DirectoryWalk.files(under: folder.bytes) { _ in true }.files.count == count)
  }

  @Test func doesNothingForNothing() throws {
    #expect(try box(folder).replaceAll([]).isEmpty)
  }
}
