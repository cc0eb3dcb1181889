import SlipboxTesting
import Testing

/// Check boxes of one list that two devices change before they sync.
@Suite struct CheckBoxSyncTests {
  private let shell: Shell

  init() throws {
    shell = try Shell()
    try sh("git init -q --bare -b main hub && slip init -q a && cd a && git remote add origin ../hub")
  }

  @discardableResult
  private func sh(_ lines: String) throws -> String {
    let ran = try shell.sh("set -e\n" + lines, seed: shell.nextSeed())
    #expect(ran.status == 0, "\(lines)\n\(ran.output)\(ran.errors)")
    return ran.output
  }

  /// Syncs after one change on each device and returns the list, which is the same on both.
  private func synced(_ lines: [String], _ one: String, _ other: String) throws -> [String] {
    try sh(
      "cd a && printf '%s\\n' \(lines.map { "'\($0)'" }.joined(separator: " ")) >list.md && slip commit -q && slip sync -q"
    )
    try sh("git clone -q hub b && slip init -q b")
    try sh("cd a && \(one)")
    try sh("cd b && \(other)")
    try sh("cd a && slip sync -q; cd ../b && slip sync -q; cd ../a && slip sync -q")
    #expect(try sh("cd a && slip list is:conflicted --count") == "0\n")
    let texts = try [sh("cat a/list.md"), sh("cat b/list.md")]
    #expect(texts[0] == texts[1])
    #expect(try sh("cd a && git status --porcelain; cd ../b && git status --porcelain") == "")
    return texts[0].split(separator: "\n", omittingEmptySubsequences: false).dropLast().map(String.init)
  }

  private let list = ["# List", "", "- [ ] milk", "- [ ] eggs", "- [ ] bread"]

  @Test(arguments: [(3, 4), (4, 3), (3, 5), (5, 4)])
  func `merges ticks of different boxes`(one: Int, other: Int) throws {
    var expected = list
    for line in [one, other] { expected[line - 1].replace("[ ]", with: "[x]") }
    #expect(try synced(list, "slip tick list.md:\(one)", "slip tick list.md:\(other)") == expected)
  }

  @Test func `merges ticks of the same box`() throws {
    var expected = list
    expected[3] = "- [x] eggs"
    #expect(try synced(list, "slip tick List eggs", "slip tick List eggs") == expected)
  }

  @Test(arguments: [3, 4, 5], [3, 4, 5])
  func `merges a tick with an edit of a text`(ticked: Int, edited: Int) throws {
    var expected = list
    expected[ticked - 1].replace("[ ]", with: "[x]")
    expected[edited - 1] += " of Ada"
    let edit = "sed -i '\(edited)s/$/ of Ada/' list.md && slip commit -q"
    #expect(try synced(list, "slip tick list.md:\(ticked)", edit) == expected)
  }

  @Test func `merges ticks with dates of completion`() throws {
    let dated = ["# List", "", "- [ ] milk 📅 2026-11-20", "- [ ] eggs 📅 2026-11-21"]
    let merged = try synced(dated, "slip tick list.md:3", "slip tick list.md:4")
    for line in merged.dropFirst(2) { #expect(line.contains(/^- \[x\] .* ✅ 2026-1[12]-\d\d$/), "\(line)") }
  }

  @Test func `merges a tick with a promoted box`() throws {
    let merged = try synced(list, "slip tick list.md:4", "slip promote list.md:3 +shop")
    #expect(merged == ["# List", "", "- [ ] [[milk]]", "- [x] eggs", "- [ ] bread"])
    #expect(try sh("cd a && slip list kind:task +shop --format '{title}'") == "milk\n")
  }
}
