import Glibc
import Platform
import SlipboxTesting
import Testing

@Suite struct TableChangesTests {
  private let folder: TemporaryFolder
  private let tree: WalkedTree

  init() throws {
    folder = try TemporaryFolder()
    for path in ["a.md", "f/b.md", "f/g/c.md", "f/z.md", "h/d.md"] { try folder.write(path, path) }
    tree = WalkedTree(folder.bytes)
  }

  /// What changes after a rest, with the paths of the rows.
  private func changes(_ change: () throws -> Void = {}) throws -> (TableChanges, [String]) {
    rest()
    try tree.adopt()
    rest()
    try change()
    let changes = try tree.check()
    return (changes, tree.paths.compactMap { s($0) })
  }

  @Test func nothingIsNothing() throws {
    let (changes, paths) = try changes()
    #expect(paths == ["a.md", "f/b.md", "f/g/c.md", "f/z.md", "h/d.md"])
    #expect(changes.isTableCurrent && !changes.ignoreFilesMayDiffer && changes.problems.isEmpty)
    #expect(changes.changed.isEmpty && changes.suspect.isEmpty && changes.added.isEmpty)
    #expect(changes.removed.isEmpty)
  }

  @Test func editsInPlaceAreChanges() throws {
    let (changes, paths) = try changes { try folder.write("f/b.md", "F/B.MD") }
    #expect(changes.changed.map { paths[$0.row] } == ["f/b.md"] && !changes.isTableCurrent)
    #expect(changes.added.isEmpty && changes.removed.isEmpty && changes.suspect.isEmpty)
  }

  @Test func timesSetBackAreChanges() throws {
    let path = folder.path + "/f/z.md"
    let (changes, paths) = try changes {
      _ = try run(
        "sh", ["-c", "touch -r \"$0\" \"$0.t\"; printf F/Z.MD > \"$0\"; touch -r \"$0.t\" \"$0\"", path])
      unlink(path + ".t")
    }
    #expect(changes.changed.map { paths[$0.row] } == ["f/z.md"])
  }

  @Test func renamesAreRemovedAndAdded() throws {
    let (changes, paths) = try changes { rename(folder.path + "/f/b.md", folder.path + "/f/y.md") }
    #expect(changes.removed.map { paths[$0] } == ["f/b.md"])
    #expect(changes.added.map { s($0.path) } == ["f/y.md"])
  }

  @Test func aFolderTakesItsFilesWithIt() throws {
    let (changes, paths) = try changes { rename(folder.path + "/f", folder.path + "/i") }
    #expect(changes.removed.map { paths[$0] } == ["f/b.md", "f/g/c.md", "f/z.md"])
    #expect(changes.added.map { s($0.path) } == ["i/b.md", "i/g/c.md", "i/z.md"])
  }

  @Test func aLinkInPlaceOfAFolderIsNotFollowed() throws {
    let (changes, paths) = try changes {
      rename(folder.path + "/f", folder.path + "/.f")
      folder.link("f", to: ".f")
    }
    #expect(changes.removed.map { paths[$0] } == ["f/b.md", "f/g/c.md", "f/z.md"])
    #expect(changes.added.isEmpty)
  }

  @Test func writesJustBeforeTheWalkAreSuspect() throws {
    try tree.adopt()
    try folder.write("a.md", "A.MD")
    try tree.adopt()
    let changes = try tree.check()
    #expect(changes.suspect.map { s(tree.paths[$0.row]) }.contains("a.md"))
    rest()
    // After a rest, one more look makes it reliable.
    try tree.adopt()
    #expect(try tree.check().suspect.isEmpty)
  }

  @Test func timesInTheFutureStaySuspect() throws {
    let (changes, paths) = try changes()
    #expect(changes.suspect.isEmpty)
    _ = try run("touch", ["-d", "2090-01-02", folder.path + "/h/d.md"])
    rest()
    try tree.adopt()
    let later = try tree.check()
    #expect(later.suspect.map { paths[$0.row] } == ["h/d.md"] && later.isTableCurrent)
  }

  @Test func ignoreFilesAreLookedAt() throws {
    #expect(try changes { try folder.write("f/.gitignore", "x") }.0.ignoreFilesMayDiffer)
    #expect(try !changes().0.ignoreFilesMayDiffer)
    let edited = try changes { try folder.write("f/.gitignore", "y") }.0
    #expect(edited.ignoreFilesMayDiffer && !edited.isTableCurrent)
    #expect(edited.ignoreFiles.map { s($0.path) } == ["f/.gitignore"])
    #expect(try changes { unlink(folder.path + "/f/.gitignore") }.0.ignoreFilesMayDiffer)
    #expect(try !changes().0.ignoreFilesMayDiffer)
  }

  @Test func linksAreLookedAtWhereverTheyLead() throws {
    let outside = try TemporaryFolder()
    try outside.write("x.md", "1")
    folder.link("f/out.md", to: outside.path + "/x.md")
    folder.link("f/dangling.md", to: outside.path + "/y.md")
    #expect(try changes().0.links.map { s($0.path) } == ["f/out.md"])
    let (changes, _) = try changes {
      try outside.write("x.md", "12")
      try outside.write("y.md", "1234")
    }
    #expect(changes.links.map(\.status.size) == [4, 2] && changes.isTableCurrent)
  }

  @Test func missingRootsAreProblems() throws {
    try tree.adopt()
    let changes = tree.changes(under: folder.bytes + b("/none"))
    #expect(changes.removed == Array(tree.paths.indices) && changes.problems.map(\.code) == [ENOENT])
  }

  /// In a folder whose times are unchanged only the names of the table are looked at.
  @Test func unchangedFoldersAreNotRead() throws {
    rest()
    try tree.adopt()
    try tree.forget("f/b.md")
    let changes = tree.changes(under: folder.bytes)
    #expect(changes.added.isEmpty && changes.removed.isEmpty)
    // Any entry made there has it read.
    try folder.write("f/.hidden", "")
    #expect(tree.changes(under: folder.bytes).added.map { s($0.path) } == ["f/b.md"])
  }

  /// A name that the table says and the folder has not: the folder is read although its times are unchanged.
  @Test func foldersThatBelieTheirTimesAreRead() throws {
    rest()
    try tree.adopt()
    try tree.replace("f/b.md", by: "f/bb.md")
    let changes = tree.changes(under: folder.bytes)
    #expect(changes.added.map { s($0.path) } == ["f/b.md"])
    #expect(changes.removed.map { s(tree.paths[$0]) } == ["f/bb.md"])
  }

  /// Folders so large that their rows are looked at in parts.
  @Test func largeFoldersAreSharedOut() throws {
    for number in 0..<9_000 { close(creat(folder.path + "/h/n\(number).md", 0o666)) }
    let (changes, paths) = try changes {
      try folder.write("h/n17.md", "x")
      try folder.write("h/n8999.md", "x")
    }
    #expect(changes.changed.map { paths[$0.row] } == ["h/n17.md", "h/n8999.md"])
    let (more, later) = try self.changes {
      unlink(folder.path + "/h/n3000.md")
      try folder.write("h/m.md", "")
      try folder.write("h/n44.md", "y")
    }
    #expect(more.removed.map { later[$0] } == ["h/n3000.md"])
    #expect(more.added.map { s($0.path) } == ["h/m.md"] && more.changed.map { later[$0.row] } == ["h/n44.md"])
    try tree.adopt()
    rest()
    try tree.adopt()
    try tree.replace("h/n44.md", by: "h/n44.mdd")
    #expect(tree.changes(under: folder.bytes).added.map { s($0.path) } == ["h/n44.md"])
  }

  /// Root may read everything.
  @Test(.enabled(if: !Machine.isRoot, "needs an account other than root"))
  func unreadableFoldersAreRemoved() throws {
    rest()
    try tree.adopt()
    folder.setMode("f", 0)
    let changes = tree.changes(under: folder.bytes)
    folder.setMode("f", 0o755)
    #expect(changes.removed.map { s(tree.paths[$0]) } == ["f/b.md", "f/g/c.md", "f/z.md"])
    #expect(changes.problems.map { s($0.path) } == ["f"])
  }
}
