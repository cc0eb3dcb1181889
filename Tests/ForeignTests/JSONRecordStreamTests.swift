import Bytes
import Testing

@testable import Foreign

/// JSON in the forms that programs print records in, and as damage leaves it.
@Suite struct JSONRecordStreamTests {
  private func read(_ text: String) -> (titles: [String], faults: [String]) {
    var (titles, faults): ([String], [String]) = ([], [])
    JSONRecordStream.read(Array(text.utf8)) {
      titles.append("\($0.line) \($0["t"]?.text ?? "-")")
    } fault: {
      faults.append("\($0.line): \($0.message)")
    }
    return (titles, faults)
  }

  @Test(arguments: [
    #"[{"t":"a"},{"t":"b"}]"#, #"{"t":"a"} {"t":"b"}"#, #"{"notes":[{"t":"a"},{"t":"b"}]}"#,
    #"{"schema":1,"notes":[{"t":"a"},{"t":"b"}]}"#, "\u{FEFF}[{\"t\":\"a\"},{\"t\":\"b\"}]",
    #" [ { "t" : "a" , "u" : [ 1 , -2.5e3 , null , true ] } , {"t":"b"} ] "#, #"{"t":"a"},{"t":"b"},"#,
  ])
  func everyFormHasItsRecords(_ text: String) {
    #expect(read(text).titles == ["1 a", "1 b"])
    #expect(read(text).faults.isEmpty)
  }

  @Test func linesAreCounted() {
    #expect(read("[\n{\"t\":\"a\"},\r\n\n{\n\"t\":\"b\"}\n]\n").titles == ["2 a", "4 b"])
  }

  @Test(arguments: [
    (#""\u00e9\n\t\"\\\/""#, "é\n\t\"\\/"), (#""\ud83d\ude00""#, "😀"), ("12.50", "12.50"), ("-0", "-0"),
    ("true", "true"),
  ])
  func values(_ json: String, _ expected: String) {
    #expect(read("{\"t\":\(json)}").titles == ["1 \(expected)"])
  }

  @Test func whatIsDamagedIsNamedAndTheRestRead() {
    let text = "{\"t\":\"a\"}\n{\"t\":\"b\n{\"t\":\"c\"}\n{\"t\":}\n\n{\"t\":\"d\"}\n{\"t\":\"e"
    let read = read(text)
    #expect(read.titles == ["1 a", "3 c", "6 d"])
    #expect(
      read.faults == [
        "2: a string has no closing quote", "4: a value is missing",
        "7: a string has no closing quote",
      ])
  }

  @Test(arguments: [
    ("[{\"t\":\"a\"},\n{\"t\":\"b\"},\n", ["1 a", "2 b"], "3: unexpected end of text inside a list"),
    ("[", [], "1: unexpected end of text inside a list"),
    ("[[[{\"t\":\"a\"}]]", ["1 a"], "1: unexpected end of text inside a list"),
    // The broken line takes nothing of the next one.
    ("{\"t\":\"a\"}\n{\"t\":\n{\"t\":\"c\"}\n", ["1 a", "3 c"], "2: no comma or closing brace after t"),
  ])
  func `a list that is cut off is named`(text: String, titles: [String], fault: String) {
    let read = read(text)
    #expect(read.titles == titles)
    #expect(read.faults == [fault])
  }

  @Test(arguments: [
    (#""\ud83dx""#, "1: unpaired surrogate: \\ud83d"), (#""\udc00""#, "1: unpaired surrogate: \\udc00"),
    (#""\ud83d\u0041""#, "1: unpaired surrogate: \\ud83d"), (#""a","t":"b""#, "1: the name t occurs twice"),
  ])
  func `a value that would be changed is refused`(json: String, fault: String) {
    let read = read("{\"t\":\(json)}\n{\"t\":\"next\"}")
    #expect(read.faults == [fault])
    #expect(read.titles == ["2 next"])
  }

  @Test func deepListsAreRefused() {
    #expect(read(String(repeating: "{\"t\":[", count: 5_000)).titles.isEmpty)
  }
}
