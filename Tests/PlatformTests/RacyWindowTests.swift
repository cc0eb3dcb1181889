import Bytes
import Glibc
import SlipboxTesting
import Testing

@testable import Platform

@Suite struct RacyWindowTests {
  private let second: Int64 = 1_000_000_000

  private func stamp(_ modified: Int64, _ changed: Int64) -> FileStamp {
    FileStamp(size: 1, modified: modified, changed: changed, inode: 2)
  }

  @Test func timesWithinTheGrainAreRacy() {
    let moment = 1_000 * second + 500_000_000
    let racyWindow = RacyWindow(moment: moment, grain: 50_000_000)
    let old = 10 * second + 1
    #expect(!racyWindow.isRacy(stamp(old, old)))
    #expect(!racyWindow.isRacy(stamp(old, moment - 50_000_001)))
    #expect(racyWindow.isRacy(stamp(old, moment - 50_000_000)))
    #expect(racyWindow.isRacy(stamp(moment - 1, old)))
    #expect(racyWindow.isRacy(stamp(old, moment + 1)) && racyWindow.isRacy(stamp(.max, old)))
    #expect(!racyWindow.isRacy(stamp(.min, old)))
  }

  /// A file system that keeps whole seconds has cut the rest off.
  @Test func wholeSecondsMayBeCut() {
    let racyWindow = RacyWindow(moment: 1_000 * second + 500_000_000, grain: 50_000_000)
    let old = 10 * second + 1
    #expect(racyWindow.isRacy(stamp(old, 1_000 * second)))
    #expect(!racyWindow.isRacy(stamp(old, 1_000 * second + 1)))
    #expect(racyWindow.isRacy(stamp(old, 1_000 * second - 1)) == false)
    #expect(!racyWindow.isRacy(stamp(old, 999 * second)))
  }

  @Test func otherFileSystemsNeedMoreRest() {
    let (here, elsewhere) = (RacyWindow(isLocal: true), RacyWindow(isLocal: false))
    #expect(here.grain < elsewhere.grain && elsewhere.grain > 2 * second)
  }

  @Test func timesBeyondTheRangeAreTheNearest() {
    #expect(FileTime(seconds: 1, nanoseconds: 5).sinceEpoch == second + 5)
    #expect(FileTime(seconds: -1, nanoseconds: 5).sinceEpoch == 5 - second)
    #expect(FileTime(seconds: 1 << 40, nanoseconds: 0).sinceEpoch == .max)
    #expect(FileTime(seconds: -1 << 40, nanoseconds: 0).sinceEpoch == .min)
    #expect(FileTime(seconds: Int64.max / second, nanoseconds: 999_999_999).sinceEpoch == .max)
  }

  /// A folder's times can be relied on once they have rested.
  @Test func foldersSettle() throws {
    let folder = try TemporaryFolder()
    func isSettled() -> [Bool] {
      DirectoryWalk.table(under: folder.bytes) { _ in true }.folders(of: .empty).map(\.identity.isSettled)
    }
    try folder.write("d/x", "")
    #expect(isSettled() == [false, false])
    rest()
    #expect(isSettled() == [true, true])
    utimensat(AT_FDCWD, folder.path + "/d", nil, 0)
    #expect(isSettled() == [true, false])
  }

  /// Another file system below the root may tell times apart less finely, and is not relied on.
  @Test(.enabled(if: Machine.mayMount, "needs the right to mount"))
  func otherDevicesBelowTheRootNeedMoreRest() throws {
    let folder = try TemporaryFolder()
    try folder.write("d/below.md", "")
    try #require(mount("tmpfs", folder.path + "/d", "tmpfs", 0, "size=1m") == 0)
    defer { umount2(folder.path + "/d", 2) }
    let tree = WalkedTree(folder.bytes)
    try folder.write("d/x.md", "")
    try folder.write("a.md", "")
    rest()
    try tree.adopt()
    let changes = try tree.check()
    #expect(changes.racyWindow.grain == RacyWindow(isLocal: false).grain)
    #expect(changes.suspect.map { s(tree.paths[$0.row]) } == ["a.md", "d/x.md"])
    #expect(tree.paths.count == 2 && changes.isTableCurrent)
    umount2(folder.path + "/d", 2)
    #expect(try tree.check().added.map { s($0.path) } == ["d/below.md"])
  }

  /// A folder is read where any part of its identity is another one.
  @Test func allOfTheIdentityCounts() throws {
    let folder = try TemporaryFolder()
    try folder.write("x", "")
    rest()
    let walk = DirectoryWalk.table(under: folder.bytes) { _ in true }
    let root = try #require(walk.folders(of: .empty).first)
    #expect(added(folder, root.identity) == 0)
    let changes: [(inout FolderIdentity) -> Void] = [
      { $0.modified += 1 }, { $0.changed -= 1 }, { $0.inode += 1 }, { $0.device += 1 },
      { $0.isSettled = false },
    ]
    for change in changes {
      var identity = root.identity
      change(&identity)
      #expect(added(folder, identity) == 1)
    }
  }

  /// How many files are new to a table that has none of them.
  private func added(_ folder: TemporaryFolder, _ root: FolderIdentity) -> Int {
    let table = FileTable.encode(
      files: [], folders: [FileTable.Folder(path: [], identity: root, others: [])])
    let known = FileTable(ByteSlice(copying: table)) ?? .empty
    return DirectoryWalk.changes(under: folder.bytes, since: known) { _ in true }.added.count
  }
}
