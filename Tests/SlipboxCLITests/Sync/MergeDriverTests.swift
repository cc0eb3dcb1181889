import Foundation
import SlipboxTesting
import Testing

/// Plain `git pull` in clones of a box, with slip's merge driver.
@Suite struct MergeDriverTests {
  private let shell: Shell

  init() throws {
    shell = try Shell()
    try sh(
      "git init -q --bare -b main hub && slip init -q a && cd a && git remote add origin ../hub && git push -qu origin main && cd .. && git clone -q hub b && slip init -q b"
    )
  }

  @discardableResult
  private func sh(_ line: String) throws -> (status: Int32, output: String) {
    let ran = try shell.sh(line)
    return (ran.status, ran.output + ran.errors)
  }

  /// Commits a file, and two versions of it: one in the hub and one in `b`, which then pulls.
  private func pull(_ name: String, _ base: String, _ here: String, _ there: String) throws -> Int32 {
    let write = { (text: String) in
      "printf -- '\(text)' > ./\"$(printf -- '\(name)')\" && git add -A && git commit -qm change"
    }
    try sh(
      "cd a && \(write(base)) && git push -q && cd ../b && git pull -q && cd ../a && \(write(there)) && git push -q"
    )
    return try sh("cd b && \(write(here)) && git pull -q --no-rebase --no-edit").status
  }

  private func text(_ name: String) throws -> String {
    let ran = try sh("cat ./b/\"$(printf -- '\(name)')\"")
    return ran.output
  }

  @Test(arguments: ["plain.md", "caf\\351.md", "--x.md", "-h.md", "a b.md"])
  func `merges a note of any path`(name: String) throws {
    #expect(try pull(name, "one\\ntwo\\n", "one\\ntwo here\\n", "one there\\ntwo\\n") == 0)
    #expect(try text(name) == "one there\ntwo here\n")
  }

  @Test func `leaves the lines of both sides if the note can't be merged by fields`() throws {
    #expect(try pull("a.md", "---\\nx: 1\\n", "---\\nx: here\\n", "---\\nx: there\\n") == 1)
    let merged = try text("a.md")
    #expect(merged.contains("<<<<<<<") && merged.contains("x: here") && merged.contains("x: there"))
  }

  @Test func `a rebase of a series keeps the last version of each side`() throws {
    try sh(
      """
      cd a; printf 'one\\n\\ntwo\\n\\nthree\\n' >n.md; git add -A; git commit -qm n; git push -q
      cd ../b; git pull -q; for n in 1 2 3; do sed -i "s/^two.*/two B$n/" n.md; git commit -qam $n; done
      cd ../a; sed -i 's/^two/two A/' n.md; git commit -qam a; git push -q
      """)
    let pulled = try sh("cd b && git pull -q --rebase")
    let text = try text("n.md")
    #expect(pulled.status == 0 && text.contains("two A\n") && text.contains("two B3\n"), "\(pulled)\(text)")
    #expect(!text.contains("two B1") && !text.contains("two B2"), "\(text)")
  }

  @Test func `stops the merge of binary content`() throws {
    #expect(try pull("a.md", "a\\000\\n", "here\\000\\n", "there\\000\\n") != 0)
    #expect(try sh("cd b && git log -1 --format=%p").output.split(separator: " ").count == 1)
  }
}
