import SlipboxTesting
import Testing

@testable import SlipboxLSP

struct SavedTextTests {
  private static let typed = "# Plan\n\nSee [[Rye]].\n"

  /// What the file has, the text of the save, and whether that text is the editor's.
  private static let saves: [(file: String?, saved: String, isOfEditor: Bool)] = [
    (typed, "# Plan\\n\\nSee [[Rye]].\\n", false),
    (typed, "", false),
    ("# Plan\n\nSee [[Ada]].\n", "# Plan\n\nSee [[Ada]].\n", true),
    ("# Plan\r\n\r\nSee [[Ada]].\r\n", "# Plan\n\nSee [[Ada]].\n", true),
    ("\u{FEFF}# Plan\n\nSee [[Ada]].", "# Plan\n\nSee [[Ada]].\n", true),
    ("something else", "# Plan\n", false),
    (nil, "# Plan\n", true),
  ]

  @Test(arguments: saves.indices) func theFileTellsWhichTextIsTheEditors(number: Int) throws {
    let save = Self.saves[number]
    let folder = try TemporaryFolder()
    if let file = save.file { try folder.write("plan.md", file) }
    let path = folder.path + "/plan.md"
    let document = OpenDocument(
      uri: "file://" + path, path: Array(path.utf8), version: 1, bytes: Array(Self.typed.utf8),
      encoding: .utf16)
    #expect(SavedTextOrigin.isOfEditor(save.saved, document) == save.isOfEditor)
  }
}
