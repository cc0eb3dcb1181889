import SlipboxTesting
import Testing

/// Clones of a box with notes behind the real git-crypt, and conflict markers that a sync pushes.
@Suite struct LockedCloneTests {
  private let shell: Shell

  init() throws { shell = try Shell() }

  @discardableResult
  private func sh(_ line: String, in folder: String) throws -> (status: Int32, output: String) {
    let ran = try shell.sh(line, in: shell.folder.path + "/" + folder, seed: shell.nextSeed())
    return (ran.status, ran.output + ran.errors)
  }

  /// A box "a" with an encrypted note, and a clone "b" of it without the key.
  private func makeBoxes() throws {
    try sh("git init -q --bare -b main hub.git; slip init -q a", in: ".")
    let made = try sh(
      """
      set -e; git-crypt init; git-crypt export-key ../key; mkdir secret
      printf 'secret/** filter=git-crypt diff=git-crypt\\n' >.gitattributes
      printf -- '---\\nid: kqzmvtrp\\ntitle: Hidden\\n---\\none\\n\\ntwo\\n' >secret/kqzmvtrp.md
      git add -A; git commit -qm base; git remote add origin ../hub.git; git push -qu origin main
      cd ..; git clone -q hub.git b
      """, in: "a")
    #expect(made.status == 0, "\(made.output)")
  }

  @Test(.enabled(if: Machine.has("git-crypt"), "needs git-crypt"))
  func `a locked clone names the command that unlocks it, and stays as it is`() throws {
    try makeBoxes()
    let state = "git status --porcelain; git rev-parse HEAD; cksum secret/*"
    let before = try sh(state, in: "b").output
    let status = try sh("slip status", in: "b").output
    #expect(status.contains("secret/kqzmvtrp.md: encrypted by git-crypt"), "\(status)")
    #expect(status.contains("git-crypt unlock"), "\(status)")
    #expect(try sh("slip doctor", in: "b").output.contains("git-crypt unlock"))
    let made = try sh("slip new Words --folder secret/ -b text", in: "b")
    #expect(made.status == 78 && made.output.contains("git-crypt unlock"), "\(made.output)")
    let shown = try sh("slip show kqzmvtrp", in: "b")
    #expect(shown.status != 0, "\(shown.output)")
    #expect(try sh(state, in: "b").output == before)
    // The command that is named.
    let unlocked = try sh("git-crypt unlock ../key && slip show kqzmvtrp && slip status", in: "b").output
    #expect(unlocked.contains("two") && !unlocked.contains("git-crypt unlock"), "\(unlocked)")
  }

  /// git-crypt(1) unlocks no clone in the middle of a merge.
  @Test(.enabled(if: Machine.has("git-crypt"), "needs git-crypt"), arguments: ["merge", "rebase"])
  func `a conflict in a locked clone is dropped, then merged with the key`(operation: String) throws {
    try makeBoxes()
    try sh(
      "git-crypt unlock ../key; sed -i s/one/uno/ secret/*; git commit -qam ours; git-crypt lock", in: "b")
    try sh("sed -i s/one/eins/ secret/*; git commit -qam theirs; git push -q", in: "a")
    let stopped = try sh("git pull -q --\(operation == "merge" ? "no-rebase" : operation)", in: "b")
    #expect(stopped.status != 0 && stopped.output.contains("CONFLICT"), "\(stopped.output)")
    let state = "git rev-parse HEAD; git ls-files -s; cksum secret/*"
    let before = try sh(state, in: "b").output
    for command in ["slip sync --yes", "slip resolve --yes"] {
      let refused = try sh(command, in: "b")
      #expect(refused.status == 78, "\(refused.output)")
      #expect(refused.output.contains("git \(operation) --abort"), "\(refused.output)")
      #expect(refused.output.contains("git-crypt unlock KEY"), "\(refused.output)")
    }
    #expect(try sh(state, in: "b").output == before)
    let status = try sh("slip status", in: "b").output
    #expect(status.contains("git \(operation) --abort") && status.contains("git-crypt unlock"), "\(status)")
    let done = try sh(
      "git \(operation) --abort && git-crypt unlock ../key && slip sync --yes && cat secret/*", in: "b")
    #expect(done.status == 0 && done.output.contains("uno") && done.output.contains("eins"), "\(done.output)")
    #expect(try sh("git status --porcelain", in: "b").output == "")
  }

  @Test(arguments: ["two.md", "kind.yaml", "canvas"])
  func `a sync warns of conflict markers that it pushes`(file: String) throws {
    try sh("git init -q --bare -b main hub.git; slip init -q a", in: ".")
    try sh(
      """
      printf '# One\\n\\ntext\\n' >one.md; printf '{}' >map.canvas
      mkdir -p .slipbox/kinds; printf 'fields: {}\\n' >.slipbox/kinds/kind.yaml
      git add -A; git commit -qm base; git remote add origin ../hub.git; git push -qu origin main
      """, in: "a")
    let path =
      ["two.md": "two.md", "kind.yaml": ".slipbox/kinds/kind.yaml", "canvas": "map.canvas"][file] ?? file
    let marked = "<<<<<<< HEAD\\nours\\n=======\\ntheirs\\n>>>>>>> side\\n"
    try sh("printf '\(marked)' >>\(path); git add -A; git commit -qm marked; echo more >>one.md", in: "a")
    let pushed = try sh("slip sync", in: "a")
    #expect(pushed.output.contains("\(path) has git's conflict markers"), "\(pushed.output)")
    let way = file == "canvas" ? "edit it and commit it" : "slip heal keeps both versions"
    #expect(pushed.output.contains(way), "\(pushed.output)")
    // What was pushed before is not named again.
    let later = try sh("slip new Later -q; slip sync", in: "a")
    #expect(!later.output.contains("has git's conflict markers"), "\(later.output)")
  }
}
