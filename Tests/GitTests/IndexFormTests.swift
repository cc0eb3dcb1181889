import Foundation
import Git
import Platform
import SlipboxTesting
import Testing

/// After each change of the index, in every form that git gives it, git finds it sound and all else as it was.
@Suite struct IndexFormTests {
  /// A form of the index: settings, and a command that brings it about.
  struct Form: Sendable, CustomStringConvertible {
    let description: String
    var settings: [String: String] = [:]
    var command: [String] = []
    /// Extensions that the index then has.
    var extensions: [String] = []
  }

  static let forms = [
    Form(description: "plain"),
    Form(description: "trees", command: ["write-tree"], extensions: ["TREE"]),
    Form(
      description: "offsets", settings: ["index.threads": "2"], command: ["reset", "-q", "--mixed"],
      extensions: ["EOIE", "IEOT"]),
    Form(description: "version 3", command: ["add", "-N", "later.md"]),
    Form(description: "version 4", command: ["update-index", "--index-version", "4"]),
    Form(
      description: "split", settings: ["core.splitIndex": "true"],
      command: ["update-index", "--split-index"], extensions: ["link"]),
    Form(
      description: "untracked", settings: ["core.untrackedCache": "true"],
      command: ["update-index", "--untracked-cache"], extensions: ["UNTR"]),
    Form(
      description: "sparse", settings: ["core.sparseCheckout": "true", "core.sparseCheckoutCone": "true"],
      command: ["sparse-checkout", "set", "--sparse-index", "kept", "new"], extensions: ["sdir"]),
    Form(description: "not hashed"),
  ]

  private func repository(_ form: Form) throws -> TestRepository {
    var files: [String: String] = [:]
    for number in 0..<120 {
      files["\(["", "kept/", "left/", "left/deep/"][number % 4])\(number).md"] = "\(number)\n"
    }
    let test = try TestRepository(files, settings: form.settings)
    try test.folder.write("later.md", "later\n")
    try test.git("update-index", "-q", "--refresh")
    if !form.command.isEmpty {
      let result = try run("git", form.command, in: test.folder.path)
      try #require(result.status == 0, "\(result.errors)")
    }
    if form.description == "not hashed" {
      // As index.skipHash leaves it.
      var bytes = try #require(test.folder.read(".git/index"))
      bytes.replaceSubrange((bytes.count - 20)..., with: Array(repeating: 0, count: 20))
      try test.folder.write(".git/index", bytes)
    }
    let index = String(decoding: try #require(test.folder.read(".git/index")), as: Unicode.ASCII.self)
    for name in form.extensions { try #require(index.contains(name)) }
    return test
  }

  /// The entries with all that git knows of them, by their paths, but the ones named.
  private func entries(_ test: TestRepository, except paths: [String]) throws -> [String: String] {
    let stages = try test.git("ls-files", "--stage", "-v").split(separator: "\n")
    var result: [String: String] = [:]
    for line in stages { result[String(line.drop { $0 != "\t" }.dropFirst())] = String(line) }
    var path = ""
    for line in try test.git("ls-files", "--debug").split(separator: "\n") {
      // The flags are those that git holds in memory.
      let fields = line.prefix { $0 != "\t" || !line.hasPrefix("  size") }
      if line.hasPrefix("  ") { result[path, default: ""] += fields } else { path = String(line) }
    }
    return result.filter { !paths.contains($0.key) }
  }

  @Test(arguments: forms) func leavesAllElseAsItWas(form: Form) throws {
    let test = try repository(form)
    let status = try test.git("status", "--porcelain")
    let changes: [[String: String?]] = [
      ["kept/1.md": "changed\n"], ["new/a.md": "new\n"], ["kept/5.md": nil],
      ["0.md": "first\n", "new/b.md": "b\n", "kept/9.md": nil, "zzz.md": "last\n"],
    ]
    for change in changes {
      let paths = Array(change.keys)
      let before = try entries(test, except: paths)
      try test.change(Dictionary(uniqueKeysWithValues: change.map { (Array($0.utf8), $1) }))
      #expect(try entries(test, except: paths) == before)
      try test.verify(status: status)
      if !status.contains(" A ") {
        #expect(try test.line("write-tree") == test.line("rev-parse", "HEAD^{tree}"))
      }
      let path = Array("new/a.md".utf8)
      let staged = try test.repository.index.stagedState(of: [path], at: nil).entries[path]
      #expect(try staged?.id == test.repository.file(path, at: test.id("HEAD"))?.id)
    }
  }

  @Test func makesOfRandomEditsWhatGitMakes() throws {
    var random = SplitMix64(seed: 31)
    let names = [
      "a", "a.md", "a-b", "b", "b/c", "b/c/d", "b.md", "c", "c/a", "c/z.md", "z", "z/long/er/x.md",
    ]
    for _ in 0..<30 {
      let test = try TestRepository([:])
      let blob = try test.repository.conversion.writeBlob(Array("x\n".utf8), path: [65])
      let copy = test.folder.path + "/.git/copy"
      for _ in 0..<8 {
        var input = ""
        var edits: [TreeEdit] = []
        var statuses: [[UInt8]: FileStatus] = [:]
        var taken: [String] = []
        for _ in 0..<Int.random(in: 1...4, using: &random) {
          guard let name = names.randomElement(using: &random),
            !taken.contains(where: { $0 == name || $0.hasPrefix(name + "/") || name.hasPrefix($0 + "/") })
          else { continue }
          taken.append(name)
          let path = Array(name.utf8)
          if Int.random(in: 0..<3, using: &random) > 0 {
            statuses[path] = try status(of: test.folder.bytes)
            edits.append(.put(path: path, blob: blob, mode: 0o100644))
            input += "100644 \(blob)\t\(name)\n"
          } else {
            edits.append(.remove(path: path))
            input += "0 \(ObjectID.zero)\t\(name)\n"
          }
        }
        unlink(copy)
        if let index = test.folder.read(".git/index") { try test.folder.write(".git/copy", index) }
        var environment = testEnvironment
        environment["GIT_INDEX_FILE"] = copy
        let words = ["update-index", "--add", "--replace", "--remove", "--index-info"]
        let result = try run("git", words, in: test.folder.path, environment: environment, input: input)
        try #require(result.status == 0, "\(result.errors)")
        try test.repository.holding { try $0.updateIndex(edits, statuses: statuses) }
        let expected = try run(
          "git", ["ls-files", "--stage"], in: test.folder.path, environment: environment)
        #expect(try test.git("ls-files", "--stage") == expected.output, "\(input)")
        let tree = try run("git", ["write-tree"], in: test.folder.path, environment: environment)
        #expect(try test.git("write-tree") == tree.output)
      }
    }
  }
}
