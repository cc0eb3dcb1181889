import Foundation
import SlipboxTesting
import Testing

/// A state in which a user of git may leave a box, as shell commands of `Fixtures/git-states.sh`.
struct GitState: Sendable, CustomTestStringConvertible {
  let name: String
  let script: String

  var testDescription: String { name }

  /// The functions that all states share.
  static let library = parts[0]

  static let all = parts.dropFirst().map { part in
    let lines = part.split(separator: "\n", maxSplits: 1, omittingEmptySubsequences: false)
    return GitState(name: String(lines[0]), script: lines.count > 1 ? String(lines[1]) : "")
  }

  static func named(_ name: String) -> GitState? { all.first { $0.name == name } }

  private static let parts: [String] = {
    let file = TranscriptTests.folder.deletingLastPathComponent().appendingPathComponent("git-states.sh")
    let text = (try? String(contentsOf: file, encoding: .utf8)) ?? ""
    return ("\n" + text).components(separatedBy: "\n## ")
  }()
}

/// A way in which a box exists: as a clone, as a linked worktree, or as the clone of a user who is not root.
enum GitVariant: String, CaseIterable, Sendable { case clone, worktree, user }

/// A command that writes, as one line of shell.
struct WritingCommand: Sendable {
  let name: String
  let line: String

  static let all = [
    WritingCommand("new", "slip new 'Fresh note' -b body"),
    WritingCommand("append", "slip append notes/one.md 'more text'"),
    WritingCommand("set", "slip set notes/one.md status:open"),
    WritingCommand("set --body", "echo 'new body' | slip set notes/one.md --body -"),
    WritingCommand("edit", "slip edit notes/one.md"),
    WritingCommand("retitle", "slip retitle notes/one.md Uno"),
    WritingCommand("mv", "slip mv notes/one.md moved/uno.md"),
    WritingCommand("rm", "slip rm notes/one.md"),
    WritingCommand("capture", "slip capture 'a thought'"),
    WritingCommand("daily", "slip daily 2026-11-25 --append text"),
    WritingCommand("tags rename", "slip tags rename idea thought --yes"),
    WritingCommand("undo", "slip undo"),
    WritingCommand("restore", "slip restore notes/gone.md"),
    WritingCommand("restore --at", "slip restore notes/one.md --at HEAD~1"),
    WritingCommand("commit", "slip commit"),
    WritingCommand("commit REF", "slip commit notes/one.md"),
    WritingCommand("import", "slip import \"$W/vault\""),
    WritingCommand("filter save", "slip filter save mine kind:task"),
    WritingCommand("config", "slip config inbox Eingang"),
    WritingCommand("finish", "slip finish notes/task.md"),
    WritingCommand("close", "slip close notes/issue.md"),
    WritingCommand("do", "slip do finish notes/task.md"),
  ]

  static func named(_ name: String) -> WritingCommand? { all.first { $0.name == name } }

  private init(_ name: String, _ line: String) { (self.name, self.line) = (name, line) }
}
