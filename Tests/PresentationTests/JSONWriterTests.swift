import Foundation
import Presentation
import Testing

@Suite struct JSONWriterTests {
  @Test func putsSeparatorsWhereTheyBelong() {
    var json = JSONWriter()
    json.beginObject()
    json.key("a")
    json.integer(-1)
    json.key("b")
    json.beginArray()
    json.string("x")
    json.beginObject()
    json.endObject()
    json.beginArray()
    json.endArray()
    json.boolean(true)
    json.null()
    json.endArray()
    json.key("c")
    json.double(1.5)
    json.key("d")
    json.double(.nan)
    json.endObject()
    #expect(
      String(decoding: json.bytes, as: UTF8.self) == #"{"a":-1,"b":["x",{},[],true,null],"c":1.5,"d":null}"#)
  }

  @Test func writesLinesAndHandsOutBytes() {
    var json = JSONWriter()
    json.beginArray()
    json.integer(1)
    #expect(json.takeBytes() == Array("[1".utf8))
    json.integer(2)
    json.endArray()
    json.newLine()
    json.string("x")
    #expect(String(decoding: json.takeBytes(), as: UTF8.self) == ",2]\n\"x\"")
    #expect(json.bytes.isEmpty)
  }

  @Test(arguments: [
    ("", #""""#), ("a\"b\\c/d", #""a\"b\\c/d""#), ("\n\r\t\u{8}\u{C}", #""\n\r\t\b\f""#),
    ("\u{0}\u{1F}\u{7F}\u{85}", #""\u0000\u001f\u007f\u0085""#),
    ("\u{2028}x\u{2029}", #""\u2028x\u2029""#), ("żółw 日本 😀", #""żółw 日本 😀""#),
    ("</script>", #""</script>""#),
  ])
  func escapes(text: String, expected: String) {
    var json = JSONWriter()
    json.string(text)
    json.newLine()
    json.string(bytes: Array(text.utf8)[...])
    #expect(String(decoding: json.bytes, as: UTF8.self) == expected + "\n" + expected)
  }

  @Test func anyTextReadsBackAsItWas() throws {
    var samples = Samples(seed: 31)
    for round in 0..<2000 {
      let bytes = round % 2 == 0 ? samples.bytes(40) : samples.markdown(20)
      let text = String(decoding: bytes, as: UTF8.self)
      var json = JSONWriter()
      json.beginObject()
      json.key(text)
      json.beginArray()
      json.string(text)
      json.string(bytes: bytes)
      json.string(bytes: AnyCollection(bytes))
      json.double(Double(round) / 8)
      json.endArray()
      json.endObject()
      let read = try JSONSerialization.jsonObject(with: Data(json.bytes)) as? [String: [Any]]
      let values = try #require(read?.values.first)
      for value in values.prefix(3) {
        let string = try #require(value as? String)
        #expect(Array(string.utf8) == Array(text.utf8), "\(bytes)")
      }
      #expect((values.last as? NSNumber)?.doubleValue == Double(round) / 8)
    }
  }
}

@Suite struct CSVWriterTests {
  @Test(
    arguments: [
      ([], "\n"), ([""], "\"\"\n"), (["a", "", "b"], "a,,b\n"), (["a,b", "c\"d"], "\"a,b\",\"c\"\"d\"\n"),
      (["a\nb", "c\r\nd"], "\"a\nb\",\"c\r\nd\"\n"),
      ([" a", "b "], "\" a\",\"b \"\n"), (["żółw"], "żółw\n"),
    ] as [([String], String)])
  func quotesWhereItHasTo(cells: [String], row: String) {
    #expect(Array(CSVWriter.row(cells)) == Array(row.utf8))
  }
}
