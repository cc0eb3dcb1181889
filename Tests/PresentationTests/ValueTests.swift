import Notes
import Testing

@testable import Presentation
@testable import SlipboxCore

/// Small values that every front end shows.
@Suite struct ValueTests {
  @Test(
    arguments: [
      ("body", [.body]), ("links,body", [.body, .links]), ("body,body", [.body]), ("", nil), ("link", nil),
      ("body,", nil),
    ] as [(String, Set<RequestedPart>?)])
  func partsAreReadByName(_ names: String, _ parts: Set<RequestedPart>?) {
    #expect(RequestedPart.parse(names) == parts)
  }

  @Test func wordsAreListedAsInASentence() {
    #expect(Sentence.list([]) == "")
    #expect(Sentence.list(["a"]) == "a")
    #expect(Sentence.list(["a", "b"], "or") == "a or b")
    #expect(Sentence.list(["a", "b", "c"]) == "a, b and c")
  }

  @Test func membersThatAreNilAreLeftOut() {
    let bytes = JSONDocument.object { writer in
      writer.member("text", "a\"b")
      writer.member("missing", nil as String?)
      writer.member("none", nil as Int?)
      writer.member("number", 7)
      writer.member("flag", false)
      writer.member("path", bytes: [0x61, 0xFF])
      writer.member("list", of: [1, 2]) { $1.integer($0) }
      writer.member("last", "z")
    }
    #expect(
      String(decoding: bytes, as: UTF8.self)
        == #"{"schema":2,"text":"a\"b","number":7,"flag":false,"path":"a\#u{FFFD}","list":[1,2],"last":"z"}"#
        + "\n")
  }

  /// What is written part by part is what is written in one go.
  @Test func aListInPartsIsTheWholeList() {
    let whole = JSONDocument.list("notes", [1, 2]) { $1.integer($0) }
    #expect(
      JSONDocument.opening(.current, ofList: "notes") + Array("1,2".utf8) + JSONDocument.closing == whole)
    let former = JSONDocument.list("notes", [1], schema: .strings) { $1.integer($0) }
    #expect(String(decoding: former, as: UTF8.self) == #"{"schema":1,"notes":[1]}"# + "\n")
  }

  private static let branches = [
    TagBranch(
      tag: TagCount(name: "work", active: 2, all: 3, isDeclared: true), label: "work",
      children: [
        TagBranch(
          tag: TagCount(name: "work/\u{1B}[31m", active: 1, all: 1, isDeclared: false), label: "\u{1B}[31m",
          children: [])
      ])
  ]

  @Test func aTreeOfTagsIsIndentedOnATerminalAlone() {
    let rows = TagRows(tree: Self.branches)
    #expect(rows.lines(Display(style: .plain, width: nil)) == ["work\t2\t3", #"work/\x1b[31m"# + "\t1\t1"])
    let table = rows.lines(Display(style: .plain, width: 40))
    #expect(table.count == 3 && table[2].hasPrefix(#"  \x1b[31m"#), "\(table)")
  }

  @Test func aTreeOfTagsAsJSON() {
    let json = String(decoding: TagJSON.tree(Self.branches), as: UTF8.self)
    #expect(
      json == #"{"schema":2,"tags":[{"tag":"work","active":2,"all":3,"declared":true,"children":["#
        + #"{"tag":"work/\u001b[31m","active":1,"all":1}]}]}"# + "\n")
  }

  @Test func everyFieldOfAKindIsInItsJSON() throws {
    let json = String(decoding: KindJSON.list(Schema.builtIn.kinds), as: UTF8.self)
    for kind in Schema.builtIn.kinds {
      for field in kind.fields { #expect(json.contains(#""name":"\#(field.name)""#)) }
      for action in kind.actions { #expect(json.contains(#""\#(action.name)":["#)) }
    }
  }
}
