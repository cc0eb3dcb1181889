import Foundation
import Testing

/// The page that says which files a change touches: they exist, in at most three folders.
@Suite struct ChangePlacesTests {
  private static let page = "0014-where-changes-go.md"

  @Test func theTableOfChangesIsTrue() throws {
    let pages = try SignpostTests.files(["docs/dev/decisions"])
    let page = try #require(pages.first { $0.file.hasSuffix(Self.page) })
    let rows = page.text.split(separator: "\n").filter { $0.hasPrefix("| ") && $0.contains(".swift`") }
    #expect(rows.count == 13)
    for row in rows {
      let paths = SignpostTests.matches(#"`(\w+/[\w/+]+\.swift)`"#, in: String(row)).compactMap(\.[1])
      for path in paths {
        let file = SignpostTests.root.appendingPathComponent("Sources/" + path).path
        #expect(FileManager.default.fileExists(atPath: file), "\(path)")
      }
      let folders = Set(paths.map { $0.split(separator: "/").dropLast().prefix(2).joined(separator: "/") })
      #expect((1...3).contains(folders.count), "\(row)")
    }
  }
}
