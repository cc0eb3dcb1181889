import Bytes
import Platform

/// The hooks of git-commit(1) that run for a commit made here.
package enum CommitHook: String, CaseIterable, Sendable {
  case preCommit = "pre-commit"
  case prepareMessage = "prepare-commit-msg"
  case message = "commit-msg"
  case postCommit = "post-commit"

  /// The exit status and output of a hook.
  package struct Answer: Sendable {
    package let hasAgreed: Bool
    /// The lines of its output and errors; control characters are not yet escaped.
    package let lines: [String]
    package let milliseconds: Int64
  }
}

/// A copy of git's index with a change, as `git commit --only` gives it to hooks.
package struct TemporaryIndex: Sendable {
  package let path: [UInt8]
  /// The tree that the index held when it was made.
  package let tree: ObjectID

  package func remove() {
    RawFile.remove(path)
    RawFile.remove(path + Array(".lock".utf8))
  }
}

/// The hooks of a repository, programs that git runs at certain moments. See githooks(5).
package struct Hooks {
  let repository: Repository

  /// The hooks of commits that are there and can be run.
  package var ofCommits: [CommitHook] { CommitHook.allCases.filter { program(named: $0.rawValue) != nil } }

  /// Makes an index that holds the tree of a commit; entries of the real index keep the statuses of their files.
  ///
  /// Wraps `git read-tree --reset`.
  package func makeTemporaryIndex(of commit: ObjectID) throws(GitError) -> TemporaryIndex {
    let path = repository.gitDirectory / "next-index-slip-\(CurrentProcess.id)"
    let tree = try repository.read(commit).tree
    let index = TemporaryIndex(path: path, tree: tree)
    RawFile.remove(path)
    if let bytes = try RawFile.read(repository.gitDirectory / "index")?.bytes {
      try RawFile.createDurably(path, bytes, mode: 0o600)
    }
    do throws(GitError) {
      _ = try repository.git(["read-tree", "--reset", tree.hex], index: path)
      // 1 says that other files differ.
      _ = try repository.git(["update-index", "-q", "--refresh"], index: path, accepting: [0, 1])
    } catch {
      index.remove()
      throw error
    }
    return index
  }

  /// The paths that a hook has staged in the index, each with its entry; nil for a file that it removed.
  package func staged(in index: TemporaryIndex) throws(GitError) -> [(path: [UInt8], blob: ObjectID?)] {
    let output = try repository.git(
      ["diff-index", "--cached", "--no-renames", "--raw", "--no-abbrev", "-z", index.tree.hex],
      index: index.path)
    let fields = output.split(separator: 0, omittingEmptySubsequences: true)
    return stride(from: 0, to: fields.count - 1, by: 2).map { place in
      let words = GitError.text(Array(fields[place])).split(separator: " ")
      let blob = words.count > 3 ? ObjectID(hex: words[3].utf8) : nil
      return (Array(fields[place + 1]), blob.flatMap { $0 == .zero ? nil : $0 })
    }
  }

  /// Runs a hook in the folder and with the environment of git-commit(1); nil if the clone has no such hook.
  ///
  /// - Parameters:
  ///   - arguments: paths of files in the git directory, and words.
  ///   - adding: variables beside those of git.
  package func run(
    _ hook: CommitHook, _ arguments: [[UInt8]] = [], index: TemporaryIndex?, adding: [String: String]
  ) throws(GitError) -> CommitHook.Answer? {
    guard let path = program(named: hook.rawValue) else { return nil }
    var variables = repository.environment.forChildren
    variables.merge(adding) { $1 }
    variables["GIT_INDEX_FILE"] = index.map { GitError.text($0.path) }
    variables["GIT_EDITOR"] = ":"
    variables["GIT_PREFIX"] = ""
    let folder = repository.workTree ?? repository.gitDirectory
    let start = Waiting.now()
    let ran = try GitError.wrapping("run", path) { [variables] () throws(SystemError) in
      do throws(SystemError) {
        return try ChildProcess.collect([path] + arguments, environment: variables, in: folder)
      } catch {
        // A script without a first line that names its shell.
        guard error.code == SystemError.Code.notExecutable else { throw error }
        return try ChildProcess.collect(
          [Array("/bin/sh".utf8), path] + arguments, environment: variables, in: folder)
      }
    }
    let lines = GitError.text(ran.output + ran.errors).split(separator: "\n").map(String.init)
    return CommitHook.Answer(
      hasAgreed: ran.exit == .code(0), lines: lines, milliseconds: Waiting.now() - start)
  }

  /// The steps of `git commit` that this module leaves out, such as "pre-commit hook" or "commit signing".
  package var skippedByCommit: [String] {
    let isSkipped = areSkipped
    let hooks = [
      "pre-commit", "prepare-commit-msg", "commit-msg", "post-commit", "pre-merge-commit", "post-merge",
      "post-index-change", "reference-transaction",
    ].filter { isSkipped || CommitHook(rawValue: $0) == nil }
    var skipped = hooks.filter { program(named: $0) != nil }.map { "\($0) hook" }
    if repository.settings.isTrue("commit.gpgSign") { skipped.append("commit signing") }
    return skipped
  }

  /// Whether the user wants commits without the hooks of `CommitHook`: `slipbox.hooks` is `skip`.
  package var areSkipped: Bool { repository.settings["slipbox.hooks"]?.lowercased() == "skip" }

  /// A value of `slipbox.hooks` other than `run` and `skip`; nil if it has none.
  package var unknownSetting: String? {
    repository.settings["slipbox.hooks"].flatMap { ["run", "skip"].contains($0.lowercased()) ? nil : $0 }
  }

  /// The program of a hook; nil if the clone has none that can run.
  func program(named name: String) -> [UInt8]? {
    let path = hookFolder / name
    let isThere = RawFile.status(path, followLinks: true)?.kind == .file
    return isThere && Files.isAccessible(path, for: .running) ? path : nil
  }

  /// The folder of hooks; a relative setting counts from the root of the work tree, where git runs them.
  private var hookFolder: [UInt8] {
    guard let path = repository.settings.path("core.hooksPath") else {
      return repository.commonDirectory / "hooks"
    }
    return path.first == UInt8(ascii: "/") ? path : (repository.workTree ?? repository.gitDirectory) / path
  }
}

/// A folder of hooks for one run of `git commit`, which holds those of `CommitHook`.
///
/// Each hook is called by its own path, so that it finds the files beside it. A mark in the folder names the one that
/// refused. The hooks do not see the settings with which slip runs git.
struct CommitHookFolder {
  private let scratch: ScratchFolder

  /// The folder, for `core.hooksPath`.
  var path: [UInt8] { scratch.path }

  init(of hooks: Hooks) throws(GitError) {
    let repository = hooks.repository
    scratch = try ScratchFolder(in: repository.gitDirectory)
    let mark = ShellWord.quoted(scratch.path / "refused")
    do throws(GitError) {
      for hook in hooks.ofCommits {
        guard let program = hooks.program(named: hook.rawValue) else { continue }
        let script = """
          #!/bin/sh
          \(HandedSettings.shellLines(repository.environment))
          \(ShellWord.quoted(program)) "$@" && exit
          code=$?
          echo \(hook.rawValue) >\(mark)
          exit $code

          """
        try RawFile.createDurably(scratch.path / hook.rawValue, Array(script.utf8), mode: 0o755)
      }
    } catch {
      scratch.remove()
      throw error
    }
  }

  /// The hook that refused the commit; nil if none did.
  var refusal: CommitHook? {
    let name = try? RawFile.read(scratch.path / "refused")?.bytes.split(separator: 0x0A).first
    return name.flatMap { CommitHook(rawValue: String(decoding: $0, as: UTF8.self)) }
  }

  func remove() { scratch.remove() }
}
