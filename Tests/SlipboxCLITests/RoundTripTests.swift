import Foundation
import SlipboxTesting
import Testing

/// What slip exports, slip imports: the same records, with ids, dates, fields and texts.
@Suite struct RoundTripTests {
  private let shell: Shell

  init() throws {
    shell = try Shell()
    try shell.slip("init", "-q", "old")
    try shell.slip("sample", "--box", "old", "-q")
    // Texts that are hard to carry: line ends, quotes, separators, what reads like front-matter.
    let texts = [
      "", "no line end", "---\na: b\n---\n", "a,\"b\";\tc\r\nd\n", "x\n\n\n", "  indented\n`code`\n",
      "ż 🜁 \u{2028}\n", "one\r\ntwo\r\n", "\r\n", "lone\rcr\n", "mixed\r\nends\n",
    ]
    for (number, text) in texts.enumerated() {
      try shell.folder.write("text", text)
      let made = try sh(
        "slip new --box old 'Text \(number)' +tx 'remark:a; b, c' -b - -q <text", seed: 900 + number)
      #expect(made.status == 0, "\(made.errors)")
    }
    try addFields()
  }

  /// Lists and texts that look like them, in fields that no kind declares.
  private func addFields() throws {
    let fields = [
      "list: [a, \"b, c\"]", "one: [a]", "text: a, b", "looks: \"[a, b]\"", "link: \"[[Text 1]]\"",
      "links: [\"[[Text 1]]\", \"[[Text 2]]\"]", "quoted: '\"x\"'", "aliases: [A1, B1]", "number: 012",
    ]
    try shell.folder.write(
      "old/fields.md", "---\nid: bbbbbbbb\ntitle: Fields\n\(fields.joined(separator: "\n"))\n---\nText.\n")
    let committed = try sh("slip commit --box old -q")
    #expect(committed.status == 0, "\(committed.errors)")
  }

  private func sh(_ script: String, seed: Int = 4_711) throws -> (
    status: Int32, output: String, errors: String
  ) {
    try shell.sh(script, seed: seed)
  }

  private static let forms = ["json", "jsonl", "csv"]

  @Test(arguments: forms) func theSameRecordsComeBack(_ form: String) throws {
    let listing = "list --jsonl --with body sort:created,id"
    let old = try sh("slip \(listing) --box old").output
    #expect(try sh("slip export \(form) --box old > all.\(form)").status == 0)
    let imported = try sh("slip init -q new-\(form) && cd new-\(form) && slip import ../all.\(form)")
    #expect(imported.status == 0, "\(imported.errors)")
    let new = try sh("slip \(listing) --box new-\(form)").output
    let lines = (Self.records(old), Self.records(new))
    #expect(lines.0.count > 100 && lines.0.count == lines.1.count)
    for (before, after) in zip(lines.0, lines.1) where before != after {
      let keys = Set((before.allKeys + after.allKeys).compactMap { $0 as? String })
      for key in keys.sorted() where (before[key] as? NSObject) != (after[key] as? NSObject) {
        Issue.record("\(form) \(key) was: \(before[key] ?? "none") is: \(after[key] ?? "none")")
      }
    }
    let again = try sh("cd new-\(form) && slip import ../all.\(form) && git log --format=%s | wc -l")
    #expect(
      again.status == 0 && again.output.trimmingCharacters(in: .whitespacesAndNewlines) == "2", "\(again)")
    #expect(try sh("cd new-\(form) && git status --porcelain && git fsck --strict").output == "")
  }

  /// The records, without when their files were changed and where they lie, which are those of the box.
  private static func records(_ text: String) -> [NSDictionary] {
    text.split(separator: "\n").compactMap { line in
      guard var object = try? JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any] else {
        return nil
      }
      object["modified"] = nil
      object["path"] = nil
      return object as NSDictionary
    }
  }
}
