import NoteIndex
import Notes
import SlipboxTesting
import Testing

@testable import SlipboxCore

@Suite struct ChangeTrailerTests {
  @Test(arguments: [
    (#"kqzmvtrp status "open" "closed""#, "kqzmvtrp", "status", #""open""#, #""closed""#),
    (#""a b.md" tags null ["x y","z\"]"]"#, #""a b.md""#, "tags", "null", #"["x y","z\"]"]"#),
    (
      #"kqzmvtrp "creation date" "" {"a":["b c"]}"#, "kqzmvtrp", #""creation date""#, #""""#,
      #"{"a":["b c"]}"#
    ),
  ])
  func reads(_ line: String, _ note: String, _ field: String, _ old: String, _ new: String) throws {
    let trailer = try #require(ChangeTrailer(line))
    #expect(trailer.note == note)
    #expect(trailer.field == field)
    #expect(trailer.old == old)
    #expect(trailer.new == new)
  }

  /// Boxes have commits of the time when it had none.
  @Test func aBodyMayHaveNoValues() {
    #expect(ChangeTrailer("kqzmvtrp body")?.field == "body")
    #expect(ChangeTrailer("kqzmvtrp body")?.old == nil)
  }

  @Test func aBodyIsNamedByItsBlobs() throws {
    let folder = try TemporaryFolder()
    let box = try makeBox(in: folder)
    let id = try box.freeID()
    let text = try box.text(of: Draft(title: "Bread", body: Array("Flour.\n".utf8)), id: id)
    _ = try box.create(text, id: id)
    for command in ["set", "commit"] {
      let entry = try #require(try box.catalogue().entry(id: id))
      let path = String(decoding: entry.note.path, as: UTF8.self)
      if command == "set" {
        _ = try box.record(try box.changing([entry], [], body: Array("Water.\n".utf8)))
      } else {
        try folder.write(path, "\(String(decoding: text.bytes, as: UTF8.self))More.\n")
        _ = try box.commitAsFound([entry.note.path], reason: nil)
      }
      let line = try folder.git("log", "-1", "--format=%(trailers:key=Slip-Change,valueonly)")
      let trailer = try #require(ChangeTrailer(line.split(separator: "\n").map(String.init).first ?? ""))
      let (old, new) = (
        try folder.git("rev-parse", "HEAD~1:\(path)"), try folder.git("rev-parse", "HEAD:\(path)")
      )
      #expect(trailer.note == id.description && trailer.field == "body", "\(command)")
      #expect(trailer.old == "\"\(old.dropLast())\"" && trailer.new == "\"\(new.dropLast())\"", "\(line)")
    }
  }

  @Test(arguments: ["", "one", "a b c", "a b c d", "a b null null more"])
  func leavesOutWhatIsNotOfItsForm(_ line: String) { #expect(ChangeTrailer(line) == nil) }
}
