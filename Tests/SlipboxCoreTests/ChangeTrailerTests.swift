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

  @Test func aBodyHasNoValues() {
    #expect(ChangeTrailer("kqzmvtrp body")?.old == nil)
  }

  @Test(arguments: ["", "one", "a b c", "a b c d", "a b null null more"])
  func leavesOutWhatIsNotOfItsForm(_ line: String) { #expect(ChangeTrailer(line) == nil) }
}
