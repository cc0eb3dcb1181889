import Testing

@testable import Notes

@Suite struct FieldPlaceTests {
  @Test(arguments: [
    ("a: b\n", "a=b"), ("a: 'b' # c\nd: \"e f\"\n", "a=b/d=e f"), ("a: ''\nb: \"\"\n", "a=/b="),
    ("a: [b, 'c', \"\", ~]\n", "a=b|c|"), ("a:\n  - b\n  - \"c\"\n", "a=b|c"),
    ("a: |\n  b\n  c\n\nd: e\n", "a=|\n  b\n  c/d=e"), ("a:\nb: ~\n", "a=/b="),
    ("a : b\n", "a=b"), ("  a: b\n", "a=b"), ("'a b': c\n", "'a b'=c"), ("a: {b: c}\n", "a="),
  ])
  func `places are names and values without quotes`(_ block: String, _ expected: String) {
    let text = note(block)
    let shown = FieldPlace.all(in: text).map { place in
      string(text, place.name) + "=" + place.values.map { string(text, $0.range) }.joined(separator: "|")
    }
    #expect(shown.joined(separator: "/") == expected)
  }

  @Test func `quoted text is verbatim unless it has escapes`() {
    let text = note("a: [b, 'c', 'it''s', \"\\\"\"]\n")
    let values = FieldPlace.all(in: text).flatMap(\.values)
    #expect(values.map(\.text) == ["b", "c", "it's", "\""])
    #expect(values.map { $0.isVerbatim(in: text.bytes) } == [true, true, false, false])
  }

  @Test func `values of TOML have no places`() {
    let text = NoteText("+++\na = 1\nb-c = 'd'\n+++\n")
    let places = FieldPlace.all(in: text)
    #expect(places.map { string(text, $0.name) } == ["a", "b-c"])
    #expect(places.map(\.values.count) == [0, 0])
  }

  private func string(_ text: NoteText, _ range: Range<Int>) -> String {
    String(decoding: text.bytes[range], as: UTF8.self)
  }
}
