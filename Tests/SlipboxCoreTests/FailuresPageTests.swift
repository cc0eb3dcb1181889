import Foundation
import Testing

/// The page of failures names the tests that show each of its rows; all of them have to be there.
@Suite struct FailuresPageTests {
  private static let package = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()

  private static let page = "docs/dev/failures.md"

  @Test func everyTestThatIsNamedExists() throws {
    let page = try text(Self.page)
    let rows = page.split(separator: "\n").filter { $0.hasPrefix("| ") }.dropFirst()
    #expect(rows.count > 50)
    let tests = try everything(in: "Tests")
    var missing: [String] = []
    for row in rows {
      let cells = row.split(separator: "|", omittingEmptySubsequences: false).map(String.init)
      let names = cells[cells.count - 2].split(separator: "`").enumerated().filter { $0.offset % 2 == 1 }
      if names.isEmpty, !row.contains("no test") { missing.append("a test in: \(row)") }
      for name in names.map(\.element) {
        let isFile = name.contains("/") || name.contains(".")
        let exists =
          isFile
          ? FileManager.default.fileExists(atPath: Self.package.appendingPathComponent(String(name)).path)
          : tests.contains(name)
        if !exists { missing.append(String(name)) }
      }
    }
    #expect(missing == [])
  }

  private func text(_ path: String) throws -> String {
    try String(contentsOf: Self.package.appendingPathComponent(path), encoding: .utf8)
  }

  /// The texts of all Swift files below a folder.
  private func everything(in folder: String) throws -> String {
    let root = Self.package.appendingPathComponent(folder)
    let files = FileManager.default.enumerator(at: root, includingPropertiesForKeys: nil)
    var all = ""
    while let file = files?.nextObject() as? URL {
      if file.pathExtension == "swift" { all += try String(contentsOf: file, encoding: .utf8) }
    }
    return all
  }
}
