import SlipboxTesting
import Testing

@testable import Notes

@Suite struct LabelDefinitionsTests {
  @Test(
    arguments: [
      ("# A\nx[^1]\n\n# B\n\n[^1]: one\n", "# A\nx[^1]\n\n[^1]: one\n\n# B\n"),
      (
        "# A\nx[^1]\n\n# B\ny\n\n[^1]: one\n    more\n\n[^2]: two\n",
        "# A\nx[^1]\n\n[^1]: one\n    more\n\n# B\ny\n\n[^2]: two\n"
      ),
      ("# A\nx[^1] [s]\n\n# B\n\n[^1]: one\n[s]: u\n", "# A\nx[^1] [s]\n\n[^1]: one\n\n[s]: u\n\n# B\n"),
      ("# A\n[s]\n\n# B\n[s]\n\n[s]: u\n", "# A\n[s]\n\n[s]: u\n\n# B\n[s]\n\n[s]: u\n"),
      ("# A\nx[^1]\n\n# B\ny[^1]\n\n[^1]: one\n", "# A\nx[^1]\n\n# B\ny[^1]\n\n[^1]: one\n"),
      ("# A\nx[^1]\n\n# B\n```\n[^1]: code\n```\n", "# A\nx[^1]\n\n# B\n```\n[^1]: code\n```\n"),
      ("# A\r\nx[^1]\r\n\r\n# B\r\n\r\n[^1]: one", "# A\r\nx[^1]\r\n\r\n[^1]: one\r\n\r\n# B\r\n"),
    ])
  func `definitions that a section needs are gathered at its end`(text: String, expected: String) throws {
    let note = NoteText(Array(text.utf8))
    let part = try note.span(of: .heading("A")).whole
    #expect(String(decoding: note.gatheringDefinitions(into: part).bytes, as: UTF8.self) == expected)
  }
}
