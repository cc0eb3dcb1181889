import Foundation
import SlipboxTesting
import Testing

/// Undo in a history that `git revert` and commits of other programs are part of.
@Suite struct UndoAmongGitTests {
  private let shell: Shell

  init() throws {
    shell = try Shell()
    try sh("slip init -q . && printf 'one\\n' > a.md && slip commit -q")
    try sh("slip append a.md two -q")
    try sh("slip append a.md three -q")
  }

  @discardableResult
  private func sh(_ line: String) throws -> (status: Int32, output: String) {
    let ran = try shell.sh(line, seed: shell.nextSeed())
    return (ran.status, ran.output + ran.errors)
  }

  private var text: String { shell.folder.read("a.md").map { String(decoding: $0, as: UTF8.self) } ?? "" }

  @Test func `goes on past an operation that git reverted`() throws {
    try sh("slip new First -q")
    try sh("git revert --no-edit HEAD~1")
    #expect(text == "one\ntwo\n")
    #expect(try sh("slip undo").output.contains("Undo: New note: First"))
    let second = try sh("slip undo")
    #expect(second.output.contains("skipped, because nothing would change: Append to: a"), "\(second.output)")
    #expect(text == "one\n")
    let third = try sh("slip undo")
    #expect(third.status == 66 && third.output.contains("nothing to undo"), "\(third.output)")
    #expect(try sh("slip redo").status == 0)
    #expect(text == "one\ntwo\n")
    #expect(try sh("slip redo").status == 0)
    #expect(try sh("slip redo").status == 66)
  }

  @Test func `partial undo goes on past an operation whose lines came to be others`() throws {
    try sh("sed -i 's/three/3/' a.md && git commit -qam Own")
    let refused = try sh("slip undo")
    #expect(
      refused.status == 65 && refused.output.contains("slip undo --partial skips it"), "\(refused.output)")
    let undone = try sh("slip undo --partial")
    #expect(undone.status == 0 && undone.output.contains("skipped: Append to: a"), "\(undone.output)")
    #expect(text == "one\n3\n")
    #expect(try sh("slip undo").status == 66)
  }

  @Test func `a refusal names the notes of one reason together`() throws {
    try sh("for n in 1 2 3 4 5 6 7; do FIXED_SEED=50$n slip new \"Note $n\" +many -q; done")
    try sh("slip set --where +many --yes lot:8")
    try sh("sed -i 's/^lot: 8/lot: 9/' $(git ls-files '*.md') && git commit -qam Own")
    let refused = try sh("slip undo")
    let lines = refused.output.split(separator: "\n")
    #expect(refused.status == 65, "\(refused.output)")
    #expect(lines.count { $0.contains("lot was changed again") } == 1, "\(refused.output)")
    #expect(lines.contains { $0.hasSuffix("7 notes: lot was changed again") }, "\(refused.output)")
    #expect(lines.count { $0.contains("  Note ") } == 5, "\(refused.output)")
    #expect(lines.contains { $0.hasSuffix("and 2 more") }, "\(refused.output)")
    #expect(lines.count { $0.contains("  by ") && $0.hasSuffix("Own") } == 1, "\(refused.output)")
    try sh("slip set \"Note 1\" lot:10")
    let left = try sh("slip undo --partial --op $(slip undo --list | sed -n '2s/\\t.*//p')")
    #expect(left.output.contains("left as they are: 7 notes: lot was changed again"), "\(left.output)")
  }
}
