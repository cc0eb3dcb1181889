import Foundation
import SlipboxTesting
import Testing

/// A command in a state: a row of `GitStateTests`.
struct GitStateCase: Sendable, CustomStringConvertible, CustomTestStringConvertible {
  let state: GitState
  let variant: GitVariant
  let command: String

  var description: String { "\(variant.rawValue) | \(state.name) | \(command)" }
  var testDescription: String { description }

  /// The line of shell.
  var line: String { WritingCommand.named(command)?.line ?? "slip \(command)" }

  /// Runs a test whose faults may be known.
  func expectingKnownFaults(_ body: () throws -> Void) throws {
    let fault = KnownGitFaults.rows["\(state.name) | \(command)"] ?? KnownGitFaults.rows["\(state.name) | *"]
    guard let fault else { return try body() }
    withKnownIssue("\(fault)") { try body() }
  }

  // MARK: The rows of a run

  private static let asked = ProcessInfo.processInfo.environment["GIT_STATES"] ?? ""

  /// The writing commands of a normal run, with the states in which each of them runs.
  static let usual: [(commands: [String], states: [String])] = [
    (
      ["append"],
      [
        "skip-worktree with an edit in the note", "staged content in another file", "sparse cone", "unborn",
        "filter on notes", "filter on notes not configured", "note is a link in the box",
        "executable in history", "ident attribute", "staged content in the note and more in the file",
        "detached", "read-only note", "pre-commit hook that refuses", "working-tree-encoding on the note",
      ]
    ),
    (
      ["retitle"],
      [
        "assume-unchanged with an edit in another note", "staged rename of another file",
        "sparse patterns without another note", "eol=crlf", "moved by hand", "intent to add",
        "box in a larger repository, outside changes",
      ]
    ),
    (
      ["commit"],
      [
        "skip-worktree with an edit in another note", "unstaged edits", "moved by hand and edited",
        "fileMode false", "submodule", "staged rename of the note", "ignored but tracked note",
        "note became a link here", "CRLF in history with autocrlf", "sparse with a file present outside",
      ]
    ),
    (
      ["mv"],
      [
        "fileMode false and executable in history", "sparse index", "sparse index and intent to add",
        "autocrlf with CRLF files",
      ]
    ),
    (["rm"], ["staged deletion of another file", "index version 4", "executable here"]),
    (["undo"], ["split index", "merge attribute binary", "shallow"]),
    (["new"], ["merge under way", "index locked", "no identity", "branch locked"]),
    (["tags rename"], ["skip-worktree with an edit in another note", "staged content in another note"]),
    (["filter save"], ["skip-worktree on the settings"]),
  ]

  /// The states in which a normal run compares sync with git.
  static let usualSyncs = [
    "other side changed", "sparse cone and changes outside", "pre-push hook that records",
    "pre-push hook that refuses", "draft branch without upstream", "filter and the other side changed",
    "filter not configured and the other side changed", "filter that fails and the other side changed",
    "skip-worktree edit and the other side changed it", "shallow and ahead", "shallow and diverged",
    "partial clone diverged", "file became a link", "executable there", "untracked file in the way",
    "untracked folder in the way", "eol=crlf and the other side changed", "submodule moved there",
    "staged files and the other side changed", "renamed there and edited here",
    "changed there and deleted here", "pushRemote elsewhere", "receive denies",
  ]

  static var writing: [GitStateCase] {
    rows(
      usual.flatMap { part in
        part.commands.flatMap { command in part.states.map { ($0, command) } }
      }, WritingCommand.all.map(\.name))
  }

  static var syncing: [GitStateCase] { rows(usualSyncs.map { ($0, "sync") }, ["sync"]) }

  private static func rows(_ usual: [(String, String)], _ commands: [String]) -> [GitStateCase] {
    if asked.isEmpty {
      return usual.compactMap { name, command in
        GitState.named(name).map { GitStateCase(state: $0, variant: .clone, command: command) }
      }
        + GitVariant.allCases.dropFirst().flatMap { variant in
          usual.prefix(3).compactMap { name, command in
            GitState.named(name).map { GitStateCase(state: $0, variant: variant, command: command) }
          }
        }
    }
    let states = GitState.all.filter { asked == "all" || $0.name.contains(asked) }
    return GitVariant.allCases.flatMap { variant in
      states.flatMap { state in
        commands.map { GitStateCase(state: state, variant: variant, command: $0) }
      }
    }
  }
}
