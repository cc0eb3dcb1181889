import Foreign
import Testing

@Suite struct ZkSettingsTests {
  @Test(arguments: [
    ("[note]\nexclude = [\"a/*\", 'b.md']\n", ["a/*", "b.md"]), ("[note]\nignore=[\"a\"]", ["a"]),
    ("[ note ] # x\nexclude = [ # first\n  \"a#b\", # c\n  \"d\"\n]\nignore = [\"e\"]\n", ["a#b", "d", "e"]),
    ("exclude = [\"a\"]\n[extra]\nexclude = [\"b\"]\n", []), ("[note]\n# exclude = [\"a\"]\n", []),
    ("[note]\nexclude = \"a\"\n", []), ("[note]\nexclude = [\"a", []), ("", []),
    ("[note]\r\nexclude = [\"a\"]\r\n", ["a"]), ("[[note]]\nexclude = [\"a\"]\n", []),
  ])
  func excludedGlobsAreRead(text: String, globs: [String]) {
    #expect(ZkSettings(Array(text.utf8)).excluded == globs)
  }

  @Test(arguments: [
    ("[format.markdown]\ncolon-tags = true\n", true), ("[format.markdown]\ncolon-tags = false", false),
    ("colon-tags = true", false), ("", false),
  ])
  func colonTagsAreRead(text: String, expected: Bool) {
    #expect(ZkSettings(Array(text.utf8)).hasColonTags == expected)
  }
}
