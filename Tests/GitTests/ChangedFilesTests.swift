import Bytes
import Git
import SlipboxTesting
import Testing

/// The files that differ between two commits, held against `git diff-tree`.
@Suite struct ChangedFilesTests {
  /// As lines of `git diff-tree -r --raw`: modes, ids and path.
  private func lines(_ files: [FileDifference]) -> [String] {
    files.map { file in
      let modes = [file.old, file.new].map { entry in
        let digits = String(entry?.mode ?? 0, radix: 8)
        return String(repeating: "0", count: 6 - digits.utf8.count) + digits
      }
      let ids = [file.old, file.new].map { ($0?.id ?? .zero).hex }
      return "\(modes[0]) \(modes[1]) \(ids[0]) \(ids[1]) \(String(decoding: file.path, as: UTF8.self))"
    }
  }

  private func lines(ofGit test: TestRepository, _ old: String, _ new: String, _ folder: String) throws
    -> [String]
  {
    let output = try test.git("diff-tree", "-r", "--raw", "--no-renames", old, new, "--", folder)
    return output.split(separator: "\n").map { line in
      // `:100644 100755 ID ID M\tPATH`; a change of kind is one line, as it is here.
      let parts = line.dropFirst().split(separator: "\t")
      return parts[0].split(separator: " ").prefix(4).joined(separator: " ") + " " + parts[1]
    }
  }

  @Test func agreesWithGit() throws {
    let test = try TestRepository([
      "a.md": "one\n", "b/c.md": "two\n", "b/d/e.md": "three\n", "same/f.md": "x\n",
    ])
    var random = SplitMix64(seed: 11)
    let paths = ["a.md", "a", "a/b.md", "b/c.md", "b/d/e.md", "b/d", "b.c", "g/h/i.md", "z.md"]
    for round in 0..<12 {
      for path in paths {
        switch Int.random(in: 0..<6, using: &random) {
        case 0: _ = try? test.git("rm", "-rqf", path)
        case 1:
          _ = try? test.git("rm", "-rqf", path)
          _ = try run("ln", ["-s", "to \(round)", path], in: test.folder.path)
        case 2:
          _ = try? test.git("rm", "-rqf", path)
          try? test.folder.write(path, "\(round % 3)\n")
        case 3: _ = try run("chmod", ["+x", path], in: test.folder.path)
        default: break
        }
      }
      try test.git("add", "-A")
      try test.git("commit", "-q", "--allow-empty", "-m", "Round")
    }
    let repository = try test.reopened()
    for back in 0..<12 {
      for (folder, prefix) in [(".", ""), ("b", "b"), ("g/h", "g/h"), ("none", "none")] {
        let (old, new) = ("HEAD~\(back + 1)", "HEAD~\(back / 2)")
        let files = try repository.changedFiles(
          from: test.id(old), to: test.id(new), under: Array(prefix.utf8))
        // A folder's path is also that of a file of its name, which is not below it.
        let expected = try lines(ofGit: test, old, new, folder).filter {
          prefix.isEmpty || !$0.hasSuffix(" \(prefix)")
        }
        #expect(lines(files).sorted() == expected.sorted(), "\(old) \(new) \(folder)")
      }
    }
  }

  @Test func beforeTheFirstCommitThereAreNoFiles() throws {
    let test = try TestRepository(["a.md": "one\n", "b/c.md": "two\n"])
    let files = try test.repository.changedFiles(from: nil, to: test.id("HEAD"), under: [])
    #expect(files.map(\.path) == [Array("a.md".utf8), Array("b/c.md".utf8)])
    #expect(files.allSatisfy { $0.old == nil && $0.new != nil })
    #expect(try test.repository.changedFiles(from: test.id("HEAD"), to: test.id("HEAD"), under: []).isEmpty)
  }

  @Test func submodulesAreNoFiles() throws {
    let test = try TestRepository()
    let commit = try test.id("HEAD")
    try test.git("update-index", "--add", "--cacheinfo", "160000,\(commit.hex),module")
    try test.git("commit", "-q", "-m", "Module")
    #expect(try test.reopened().changedFiles(from: commit, to: test.id("HEAD"), under: []).isEmpty)
  }
}
