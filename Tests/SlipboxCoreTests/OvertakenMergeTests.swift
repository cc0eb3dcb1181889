import Foundation
import SlipboxTesting
import Testing

@testable import SlipboxCore
import Text

/// A `git merge` that loses its race for the branch leaves itself behind; what slip says then leads out of it.
@Suite struct OvertakenMergeTests {
  /// Commits a line in a note while git is between its index and its HEAD, as a command of slip would.
  ///
  /// - Parameter isStale: whether git had read the index before.
  private func hook(_ path: String, isStale: Bool) -> String {
    """
    #!/bin/sh
    unset GIT_INDEX_FILE
    for path in \(path); do
      echo Salt. >> $path
      blob=$(git hash-object -w $path)
      \(isStale ? ":" : "git update-index --cacheinfo 100644,$blob,$path")
      tree=$(GIT_INDEX_FILE=.git/own sh -c "git read-tree HEAD; git update-index --add --cacheinfo 100644,$blob,$path; git write-tree")
      git update-ref refs/heads/main $(git commit-tree $tree -p HEAD -m "Append")
    done
    """
  }

  private func overtaken(_ path: String, isStale: Bool) throws -> WritingBox {
    let notes = (1...7).map { ("n\($0).md", "# Note \($0)\n") }
    let box = try WritingBox(Dictionary(uniqueKeysWithValues: notes + [("far.md", "# Far\n")]))
    try box.folder.git("branch", "far")
    try box.set("n7.md", "rating", "1")
    try box.folder.git("switch", "-q", "far")
    try box.folder.write("far.md", "# Far\n\nAway.\n")
    try box.folder.write("new.md", "# New\n")
    try box.folder.git("add", "-A")
    try box.folder.git("commit", "-q", "-m", "far")
    try box.folder.git("switch", "-q", "main")
    let file = box.folder.path + "/.git/hooks/pre-merge-commit"
    try box.folder.write(".git/hooks/pre-merge-commit", hook(path, isStale: isStale))
    chmod(file, 0o755)
    let merge = try run("git", ["merge", "-q", "--no-edit", "far"], in: box.folder.path)
    #expect(merge.status != 0)
    #expect(box.exists(".git/MERGE_HEAD"))
    unlink(file)
    return box
  }

  @Test(arguments: [("n1.md", true), ("n1.md", false), ("n1.md n2.md n3.md n4.md n5.md n6.md", true)])
  func theWayOutKeepsEveryText(paths: String, isStale: Bool) throws {
    let box = try overtaken(paths, isStale: isStale)
    try box.folder.write("n7.md", try #require(box.text("n7.md")) + "By hand.\n")
    let error = #expect(throws: SlipboxError.self) { try box.set("n2.md", "rating", "2") }
    #expect(error?.kind == .busy)
    #expect(error?.message == "another commit was made during the merge in this repository")
    let reset = try #require(error?.hints.first?.description.split(separator: ": ", maxSplits: 1).last)
    #expect(error?.hints.last == "then drop the merge with: git merge --abort, and merge again")
    #expect(try !box.append("n1.md", "Yeast.").isCommitted)
    let done = try run("sh", ["-c", "\(reset) && git merge --abort"], in: box.folder.path)
    #expect(done.status == 0, "\(done.errors)")
    #expect(!box.exists("new.md"))
    #expect(box.text("n7.md")?.hasSuffix("By hand.\n") == true)
    // The next command commits what was saved, and the merge can be made.
    _ = try box.titles()
    #expect(try box.status() == [" M n7.md"])
    try box.folder.git("merge", "-q", "--no-edit", "far")
    #expect(
      box.text("n1.md") == "# Note 1\nSalt.\n\nYeast.\n" || box.text("n1.md") == "# Note 1\nSalt.\nYeast.\n")
    let log = try box.folder.git("log", "-p", "-m", "--first-parent", "--format=")
    for text in ["Salt.", "Yeast."] {
      let added = log.split(separator: "\n").count { $0 == "+\(text)" }
      #expect(added == (text == "Salt." ? paths.split(separator: " ").count : 1), "\(text)")
    }
  }

  /// A merge that has read HEAD and not yet the lock of the index would take a commit made now off the disk again.
  @Test func aMergeThatHasReadTheBranchIsWaitedFor() throws {
    let box = try WritingBox(["a.md": "# A\n", "far.md": "# Far\n"])
    try box.folder.write("slow.txt", "one\n")
    try box.folder.git("add", "-A")
    try box.folder.git("commit", "-q", "-m", "slow")
    try box.folder.git("switch", "-q", "-c", "far")
    try box.folder.write("far.md", "# Far\n\nAway.\n")
    try box.folder.git("commit", "-q", "-a", "-m", "far")
    try box.folder.git("switch", "-q", "main")
    try box.set("a.md", "rating", "1")
    // Git keeps what is changed and not committed aside, through this filter, before it merges.
    try box.folder.write(".git/info/attributes", "slow.txt filter=slow\n")
    try box.folder.git("config", "filter.slow.clean", "sleep 0.5; cat")
    try box.folder.write("slow.txt", "two and more\n")
    _ = try run(
      "sh", ["-c", "(git merge -q --no-edit far; echo $? > .git/over) > .git/said 2>&1 &"],
      in: box.folder.path)
    let copies = { try FileManager.default.contentsOfDirectory(atPath: box.folder.path + "/.git") }
    while try !copies().contains(where: { $0.hasPrefix("index.stash") || $0 == "over" }) { usleep(5_000) }
    #expect(try box.append("a.md", "Salt.").isCommitted)
    #expect(try box.write(["new.md": "# New\n"]).isCommitted)
    while !box.exists(".git/over") { usleep(5_000) }
    #expect(box.text(".git/over") == "0\n", "\(box.text(".git/said") ?? "")")
    #expect(!box.exists(".git/MERGE_HEAD"))
    #expect(box.exists("new.md"))
    #expect(try box.folder.git("show", "HEAD:a.md") == box.text("a.md"))
    #expect(box.text("a.md")?.hasSuffix("Salt.\n") == true)
    #expect(try box.status() == [" M slow.txt"])
  }

  @Test func aMergeWithConflictsIsOneAsBefore() throws {
    let box = try WritingBox(["a.md": "# A\n\none\n"])
    try box.folder.git("switch", "-q", "-c", "far")
    try box.folder.write("a.md", "# A\n\ntwo\n")
    try box.folder.git("commit", "-q", "-a", "-m", "far")
    try box.folder.git("switch", "-q", "main")
    try box.folder.write("a.md", "# A\n\nthree\n")
    try box.folder.git("commit", "-q", "-a", "-m", "near")
    _ = try run("git", ["merge", "-q", "far"], in: box.folder.path)
    let error = #expect(throws: SlipboxError.self) { try box.write(["b.md": "# B\n"]) }
    #expect(error?.message == "a merge is in progress in this repository")
  }
}
