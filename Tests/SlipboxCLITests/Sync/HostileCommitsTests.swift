import Foundation
import SlipboxTesting
import Testing

/// Commits of a remote that git would not check out, or that only git can check out.
@Suite struct HostileCommitsTests {
  private let shell: Shell

  init() throws {
    shell = try Shell()
    try shell.output(
      """
      git init -q --bare -b main hub && git init -q -b main a && slip init -q a && cd a && git remote add origin ../hub
      slip new A -q -b start && slip sync -q && cd .. && git clone -q hub e
      """)
  }

  /// Pushes a commit with one more file, whose path is made of raw tree entries.
  private func push(path: [String]) throws {
    let blob = try shell.output("printf '#!/bin/sh\\ntouch PWNED\\n' | git hash-object -w --stdin", in: "e")
      .trimmingCharacters(in: .newlines)
    var entry = (mode: "100755", id: blob)
    for (index, name) in path.reversed().enumerated() {
      let isTop = index == path.count - 1
      let rest = isTop ? "git cat-file tree HEAD^{tree};" : ""
      let octal = name.utf8.map { "\\" + String($0, radix: 8).leftPadded(to: 3) }.joined()
      let tree = try shell.output(
        """
        (\(rest) printf '\(entry.mode) \(octal)\\0'; perl -e 'print pack("H*", "\(entry.id)")') |
          git hash-object -w -t tree --literally --stdin
        """, in: "e")
      entry = ("40000", tree.trimmingCharacters(in: .newlines))
    }
    try shell.output(
      "git push -q origin $(git commit-tree -p HEAD -m nice \(entry.id)):refs/heads/main", in: "e")
  }

  @Test(
    arguments: [
      [".git", "hooks", "post-index-change"], [".git", "x.md"], [".GIT", "config"],
      ["sub", ".git", "config"],
      ["git~1", "hooks", "pre-push"], [".g\u{200C}it", "config"], [".git ", "config"], [".git.", "config"],
      [".git::$INDEX_ALLOCATION", "config"], ["..", "up.md"], [".", "here.md"], ["/absolute.md"], ["a//b.md"],
    ], [true, false])
  func `a path that git refuses is not written`(path: [String], isMerge: Bool) throws {
    try push(path: path)
    if isMerge { try shell.output("slip new Own -q", in: "a") }
    let before = try shell.output(
      "find . -not -path './.git/objects*' -type f | sort; git rev-parse HEAD", in: "a")
    let ran = try run(
      "sh", ["-c", "timeout 60 slip sync"], in: shell.folder.path + "/a", environment: shell.environment)
    #expect(ran.status == 77, "\(ran.errors)")
    #expect(ran.errors.contains("a file with a path that git refuses"), "\(ran.errors)")
    let after = try shell.output(
      "find . -not -path './.git/objects*' -type f | sort; git rev-parse HEAD", in: "a")
    let fetched = ["./.git/FETCH_HEAD", "./.git/slipbox/sync-lock"]
    #expect(
      after.split(separator: "\n").filter { line in
        !before.contains(line) && !fetched.contains(String(line)) && !line.hasPrefix("./.git/refs/remotes")
          && !line.hasPrefix("./.git/logs/refs/remotes")
      } == [])
    // The box is still usable.
    try shell.output(
      "slip append A more -q && slip undo -q && test -z \"$(git status --porcelain)\"", in: "a")
  }

  @Test(
    arguments: [
      "git -c protocol.file.allow=always submodule add -q ../other sub && git commit -qm sub",
      "git rm -q cur && mkdir cur && echo y >cur/d.md && git add -A && git commit -qm folder",
    ], [true, false])
  func `what only git can check out is left to git pull`(change: String, isMerge: Bool) throws {
    try shell.output(
      """
      git init -q other && git -C other commit -q --allow-empty -m o
      cd e && mkdir docs && echo x >docs/d.md && ln -s docs cur && git add -A && git commit -qm link && git push -q
      cd ../a && slip sync -q && cd ../e && \(change) && git push -q
      """)
    if isMerge { try shell.output("slip new Own -q", in: "a") }
    let head = try shell.output("git rev-parse HEAD", in: "a")
    let ran = try run("slip", ["sync"], in: shell.folder.path + "/a", environment: shell.environment)
    #expect(ran.status == 78 && ran.errors.contains("git pull"), "\(ran.errors)")
    #expect(try shell.output("git rev-parse HEAD; git status --porcelain", in: "a") == head)
    try shell.output(
      "git pull -q --no-edit --no-rebase && slip sync -q && test -z \"$(git status --porcelain)\"", in: "a")
  }
}

extension String {
  fileprivate func leftPadded(to count: Int) -> String {
    String(repeating: "0", count: max(0, count - self.count)) + self
  }
}
