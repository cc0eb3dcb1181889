import Testing

@testable import SlipboxScreen

/// A line that is typed.
struct LineEditorTests {
  @Test func keysOfALine() {
    var line = LineEditor("kind:task due:today")
    line = line.after(.ctrl("w"))
    #expect(line.text == "kind:task ")
    line = line.after(.ctrl("w"))
    #expect(line.text == "")
    line = line.after(.paste("a\nb\tc"))
    #expect(line.text == "a b c")
    line = line.after(.home).after(.text("é")).after(.right).after(.backspace)
    #expect(line.text == "é b c")
    line = line.after(.end).after(.left).after(.ctrl("k"))
    #expect(line.text == "é b ")
    line = line.after(.ctrl("u"))
    #expect(line.text == "" && line.cursor == 0)
    line = line.after(.backspace).after(.delete).after(.left).after(.ctrl("w"))
    let isTaken = line.take(.up)
    #expect(!isTaken)
  }

  @Test func aMarkJoinsTheLetterBeforeIt() {
    var line = LineEditor()
    for scalar in "e\u{301}👩\u{200D}👧".unicodeScalars { line = line.after(.text(String(scalar))) }
    #expect(line.characters.count == 2 && line.cursor == 2)
    line = line.after(.backspace)
    #expect(line.text == "e\u{301}")
  }

  @Test(arguments: [
    ("set @ due:friday", ["set", "@", "due:friday"]), (#"new "Call Ada" +x"#, ["new", "Call Ada", "+x"]),
    (#"retitle @ "a \"b\" c""#, ["retitle", "@", #"a "b" c"#]), ("new 'it''s' ''", ["new", "its", ""]),
    ("  ", []), (#"a\ b"#, ["a b"]), (#""a"b"#, ["ab"]),
  ])
  func wordsOfACommand(_ line: String, _ words: [String]) { #expect(CommandRun.words(of: line) == words) }

  @Test(arguments: [#"new "no end"#, "it's", #"end\"#])
  func aQuoteHasAnEnd(_ line: String) { #expect(CommandRun.words(of: line) == nil) }

  @Test func oneNoteIsNamedInTheWordsAndManyGoByStandardInput() {
    #expect(CommandRun(["rm", "@"], on: ["abc"]).words == ["rm", "abc"])
    let many = CommandRun(["rm", "@"], on: ["abc", "def"])
    #expect(many.words == ["rm", "-"] && many.lines == Array("abc\ndef\n".utf8))
    #expect(CommandRun(["rm", "@"], on: ["-x.md"]).words == ["rm", "-"])
    #expect(CommandRun(["undo"], on: ["abc", "def"]).input.isEmpty)
  }
}

extension LineEditor {
  /// The line after a key.
  fileprivate func after(_ key: Key) -> LineEditor {
    var line = self
    _ = line.take(key)
    return line
  }
}
