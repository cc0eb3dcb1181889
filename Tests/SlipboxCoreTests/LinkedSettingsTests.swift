import Foundation
import Notes
import SlipboxTesting
import Testing

@testable import SlipboxCore

/// Settings and other files of the box that are symbolic links.
struct LinkedSettingsTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    try folder.git("init", "-q", "-b", "main")
    try giveIdentity(folder.path)
    try folder.write(".slipbox/none", "")
  }

  private func link(_ path: String, to target: String) throws {
    try FileManager.default.createSymbolicLink(
      atPath: folder.path + "/" + path, withDestinationPath: target)
  }

  private func committed() throws -> BoxInTest {
    try folder.git("add", "-A")
    try folder.git("commit", "-q", "-m", "as found")
    return try BoxInTest(at: folder.bytes, context(in: folder.path))
  }

  @Test func `changes a setting in the target of a link`() throws {
    try folder.write("conf/real.yaml", "# mine\n")
    try link(".slipbox/config.yaml", to: "../conf/real.yaml")
    let box = try committed()
    let result = try box.record(try Configure(in: box.now).plan(try Settings.key("editor"), to: "vi"))
    #expect(result.changes.map(\.path) == [Array("conf/real.yaml".utf8)])
    #expect(try folder.git("ls-tree", "HEAD", ".slipbox/config.yaml").hasPrefix("120000 "))
    #expect(try folder.git("show", "HEAD:.slipbox/config.yaml") == "../conf/real.yaml")
    #expect(try folder.git("show", "HEAD:conf/real.yaml").contains("editor: vi"))
    #expect(try folder.git("status", "--porcelain").isEmpty)
    #expect(try folder.git("show", "--name-only", "--format=", "HEAD") == "conf/real.yaml\n")
  }

  @Test func `reads linked settings and kinds of a commit`() throws {
    try folder.write("conf/real.yaml", "editor: vi\n")
    try folder.write("conf/thing.yaml", "fields:\n  title:\n    type: text\n")
    try folder.write(".slipbox/kinds/none", "")
    try link(".slipbox/config.yaml", to: "../conf/real.yaml")
    try link(".slipbox/kinds/thing.yaml", to: "../../conf/thing.yaml")
    let box = try committed()
    let tip = try #require(try box.box.tip())
    let snapshot = try CommitReader(box.box, box.context).snapshot(of: tip)
    #expect(snapshot.schema().kind(named: "thing") != nil)
    #expect(try snapshot.bytes(at: Settings.boxFile) == Array("editor: vi\n".utf8))
  }

  @Test func `makes the missing target of a link`() throws {
    try folder.write("conf/other.yaml", "")
    try link(".slipbox/config.yaml", to: "../conf/real.yaml")
    let box = try committed()
    _ = try box.record(try Configure(in: box.now).plan(try Settings.key("editor"), to: "vi"))
    #expect(try folder.git("ls-tree", "HEAD", ".slipbox/config.yaml").hasPrefix("120000 "))
    #expect(try folder.git("show", "HEAD:conf/real.yaml").contains("editor: vi"))
    #expect(try folder.git("status", "--porcelain").isEmpty)
  }

  @Test func `refuses a link that leads out of the box`() throws {
    let other = try TemporaryFolder()
    try other.write("config.yaml", "")
    try link(".slipbox/config.yaml", to: other.path + "/config.yaml")
    let box = try committed()
    #expect(throws: SlipboxError.self) {
      _ = try box.record(try Configure(in: box.now).plan(try Settings.key("editor"), to: "vi"))
    }
    #expect(other.read("config.yaml") == [])
    #expect(try folder.git("rev-list", "--count", "HEAD") == "1\n")
  }

  @Test func `applies the edits of a link and of its target one after the other`() throws {
    try folder.write("a.md", "one\n")
    try link("b.md", to: "a.md")
    let box = try committed()
    let add = { (path: String) in
      FileEdit(path: Array(path.utf8)) { ($0 ?? []) + Array("\(path)\n".utf8) }
    }
    _ = try box.record(Plan(command: "set", edits: [add("a.md"), add("b.md")]) { _ in "Add" })
    #expect(try folder.git("show", "HEAD:a.md") == "one\na.md\nb.md\n")
    #expect(try folder.git("ls-tree", "HEAD", "b.md").hasPrefix("120000 "))
    #expect(try folder.git("status", "--porcelain").isEmpty)
  }
}
