import Glibc
import Platform
import SlipboxTesting
import Testing

@Suite struct DirectoryWalkTests {
  private func walk(_ folder: TemporaryFolder) -> DirectoryWalk.Result {
    DirectoryWalk.files(under: folder.bytes) { $0.suffix(3).elementsEqual(".md".utf8) }
  }

  private func paths(_ found: [DirectoryWalk.Found]) -> [String] { found.compactMap { s($0.path) } }

  @Test func findsNotesSortedByBytes() throws {
    let folder = try TemporaryFolder()
    let all = ["a-b/x.md", "a.md", "a/b/c.md", "a/x.md", "a0.md", "b/y.md", "é.md", "Z.md"]
    for path in all + ["a/x.txt", "c/readme"] { try folder.write(path, path) }
    let result = walk(folder)
    #expect(paths(result.files) == all.sorted { Array($0.utf8).lexicographicallyPrecedes(Array($1.utf8)) })
    #expect(result.problems.isEmpty && result.links.isEmpty)
    #expect(result.files.allSatisfy { $0.status.size == Int64($0.path.count) && $0.status.kind == .file })
  }

  @Test func keepsStrangeNames() throws {
    let folder = try TemporaryFolder()
    let names: [[UInt8]] = [
      b("new\nline.md"), [0xFF, 0xFE] + b(".md"), b("-rf.md"), b("tab\t.md"), b("\u{301}.md"),
      b(String(repeating: "n", count: 252) + ".md"), b("e\u{301}.md"), b("\u{e9}.md"), b("X.md"), b("x.md"),
    ]
    for name in names { try Files.write([1], to: folder.bytes + b("/") + name) }
    #expect(walk(folder).files.map(\.path) == names.sorted { $0.lexicographicallyPrecedes($1) })
  }

  @Test func skipsWhatIsNoNote() throws {
    let folder = try TemporaryFolder()
    try folder.write("note.md", "")
    try folder.write(".hidden.md", "")
    try folder.write(".obsidian/x.md", "")
    try folder.write("folder.md/inside.md", "")
    mkfifo(folder.path + "/fifo.md", 0o600)
    try makeSocket(folder.path + "/socket.md")
    #expect(paths(walk(folder).files) == ["folder.md/inside.md", "note.md"])
  }

  private func makeSocket(_ path: String) throws {
    let result = try run(
      "python3", ["-c", "import socket,sys; socket.socket(socket.AF_UNIX).bind(sys.argv[1])", path])
    #expect(result.status == 0)
  }

  @Test func skipsNestedRepositories() throws {
    let folder = try TemporaryFolder()
    try folder.write(".git/HEAD", "")
    try folder.write("a.md", "")
    try folder.write("sub/.git", "gitdir: elsewhere")
    try folder.write("sub/b.md", "")
    try folder.write("sub/deeper/c.md", "")
    try folder.write("x/clone/.git/HEAD", "")
    try folder.write("x/clone/d.md", "")
    try folder.write("x/e.md", "")
    let result = walk(folder)
    #expect(paths(result.files) == ["a.md", "x/e.md"])
    #expect(result.nestedRepositories.map { s($0) } == ["sub", "x/clone"])
  }

  @Test func reportsLinksApart() throws {
    let folder = try TemporaryFolder()
    let outside = try TemporaryFolder()
    try outside.write("secret.md", "12345")
    try folder.write("d/real.md", "123")
    folder.link("inside.md", to: "d/real.md")
    folder.link("outside.md", to: outside.path + "/secret.md")
    folder.link("dangling.md", to: "nowhere")
    folder.link("loop.md", to: "loop.md")
    folder.link("folder", to: "d")
    folder.link("d/up", to: "..")
    folder.link("folder.md", to: "d")
    let result = walk(folder)
    #expect(paths(result.files) == ["d/real.md"])
    #expect(paths(result.links) == ["inside.md", "outside.md"])
    #expect(result.links.map(\.status.size) == [3, 5])
    #expect(result.problems.isEmpty)
  }

  @Test func descendsWhereAsked() throws {
    let folder = try TemporaryFolder()
    for path in ["a/x.md", "a/node_modules/y.md", "b/z.md"] { try folder.write(path, "") }
    let result = DirectoryWalk.files(
      under: folder.bytes, descend: { !$0.elementsEqual("a/node_modules".utf8) }, include: { _ in true })
    #expect(paths(result.files) == ["a/x.md", "b/z.md"])
  }

  @Test func reportsAMissingRoot() throws {
    let folder = try TemporaryFolder()
    #expect(DirectoryWalk.files(under: folder.at("none")) { _ in true }.problems.first?.code == ENOENT)
  }

  /// Root may read everything.
  @Test(.enabled(if: !Machine.isRoot, "needs an account other than root"))
  func reportsProblemsAndGoesOn() throws {
    let folder = try TemporaryFolder()
    try folder.write("locked/x.md", "")
    try folder.write("open/y.md", "")
    folder.setMode("locked", 0)
    defer { folder.setMode("locked", 0o755) }
    let result = walk(folder)
    #expect(paths(result.files) == ["open/y.md"])
    #expect(result.problems == [SystemError(operation: "open", path: b("locked"), code: EACCES)])
  }

  @Test func findsTemporaries() throws {
    let folder = try TemporaryFolder()
    for path in ["x/.slip-0011223344556677.tmp", ".slip-0.tmp", ".slipbox/config.yaml", "x/.slip-note.md"] {
      try folder.write(path, "")
    }
    #expect(walk(folder).temporaries.map { s($0) } == [".slip-0.tmp", "x/.slip-0011223344556677.tmp"])
    #expect(walk(folder).files.isEmpty)
  }

  @Test func goesAsDeepAsPathsGo() throws {
    let folder = try TemporaryFolder()
    var path = folder.path
    for _ in 0..<1_500 {
      path += "/d"
      try #require(mkdir(path, 0o777) == 0)
    }
    close(creat(path + "/x.md", 0o666))
    #expect(walk(folder).files.count == 1)
  }

  @Test func agreesWithFindOnRandomTrees() throws {
    var random = SplitMix64(seed: 3)
    for _ in 0..<5 {
      let folder = try TemporaryFolder()
      var folders = [""]
      for number in 0..<300 {
        let parent = folders.randomElement(using: &random) ?? ""
        let name = ["a", "b.md", "-", "a.b", "ab", "B", "~", "é"].randomElement(using: &random) ?? ""
        if Bool.random(using: &random) {
          let path = parent + name + "\(number % 40)/"
          mkdir(folder.path + "/" + path, 0o777)
          folders.append(path)
        } else {
          close(creat(folder.path + "/" + parent + name, 0o666))
        }
      }
      let found = try run("sh", ["-c", "find . -type f -printf '%P\\n' | LC_ALL=C sort"], in: folder.path)
        .output
      let result = DirectoryWalk.files(under: folder.bytes) { _ in true }
      #expect(paths(result.files).map { $0 + "\n" }.joined() == found)
    }
  }
}
