import Foundation
import SlipboxTesting
import Testing

/// Merges of a note that one side moved onto the path of a removed note, which the other side changed.
@Suite struct ReplacedPathTests {
  private let shell: Shell

  init() throws { shell = try Shell() }

  private func synced(start: String, a: String, b: String) throws {
    try shell.output(
      """
      git init -q --bare -b main hub && git init -q -b main a && slip init -q a && cd a && git remote add origin ../hub
      \(start)
      slip commit -q; slip sync -q; git clone -q ../hub ../b
      \(a)
      cd ../b
      \(b)
      slip --box ../a sync -q && slip sync -q && slip --box ../a sync -q
      test -z "$(git status --porcelain)" && git fsck --strict
      """)
  }

  @Test func `a plain note on the path of a removed note does not get its changes`() throws {
    try synced(
      start: "slip new Other -q -b 'secret diary' >/dev/null; printf 'shopping list\\neggs\\n' >list.md",
      a: "slip append Other 'new line of the diary' -q",
      b: "o=$(slip list --paths Other); slip rm Other -q; slip mv list.md \"$o\" -q")
    let list = try shell.output("cd a && grep -l eggs $(git ls-files '*.md')")
    let diary = try shell.output("cd a && grep -l 'secret diary' $(git ls-files '*.md')")
    #expect(list != diary)
    #expect(try shell.output("cd a && cat \(list)").contains("diary") == false)
    #expect(try shell.output("cd a && cat \(diary)").contains("new line of the diary"))
  }

  @Test func `a note on the path of a removed plain note stays one note`() throws {
    try synced(
      start:
        "slip new Keep -q -b 'keep body' >/dev/null; mkdir f; printf 'old plain note\\nits text\\n' >f/p1.md",
      a: "slip append Keep 'FROM A' -q", b: "slip rm f/p1.md -q; slip mv Keep f/p1.md -q")
    #expect(
      try shell.output("cd a && slip list --paths Keep; slip doctor -q; slip list --count") == "f/p1.md\n1\n")
    #expect(try shell.output("cd a && cat f/p1.md").contains("FROM A"))
  }

  @Test func `a change of a removed plain note does not reach the note on its path`() throws {
    try synced(
      start:
        "slip new Keep -q -b 'keep body' >/dev/null; mkdir f; printf 'old plain note\\nits text\\n' >f/p1.md",
      a: "slip append f/p1.md 'FROM A' -q", b: "slip rm f/p1.md -q; slip mv Keep f/p1.md -q")
    #expect(try shell.output("cd a && slip show Keep --raw").contains("FROM A") == false)
    #expect(
      try shell.output("cd a && slip search FROM --format '{title}'; slip list --count")
        .hasSuffix(
          "2\n"))
  }

  @Test func `each refused text is kept in a file of its own`() throws {
    try shell.output(
      "git init -q -b main a && slip init -q a && cd a && slip new A -q && echo '*.md filter=e' >.gitattributes"
    )
    let files = try shell.output(
      """
      cd a
      for number in 1 2 3 4 5 6; do slip append A "text number $number" 2>/dev/null || true; done
      for number in 1 2 3; do slip capture "captured $number" 2>/dev/null || true; done
      find .git/slipbox/recovered -type f -exec cat {} +
      """)
    for number in 1...6 { #expect(files.contains("text number \(number)"), "\(files)") }
    for number in 1...3 { #expect(files.contains("captured \(number)"), "\(files)") }
  }
}
