import Bytes
import Platform

/// A folder of hooks for one run of git, which holds the pre-push hook alone.
///
/// The hook is called by its own path, so that it finds what lies beside it. Marks in the folder tell whether it ran and
/// whether it agreed.
struct HookFolder {
  private let scratch: ScratchFolder

  /// The folder, for `core.hooksPath`.
  var path: [UInt8] { scratch.path }

  init(holding hook: [UInt8], in gitDirectory: [UInt8]) throws(GitError) {
    scratch = try ScratchFolder(in: gitDirectory)
    let (begun, passed) = (
      ShellWord.quoted(scratch.path / "begun"), ShellWord.quoted(scratch.path / "passed")
    )
    let script = """
      #!/bin/sh
      : >\(begun)
      \(ShellWord.quoted(hook)) "$@" || exit
      : >\(passed)

      """
    do throws(GitError) {
      try RawFile.createDurably(scratch.path / "pre-push", Array(script.utf8), mode: 0o755)
    } catch {
      scratch.remove()
      throw error
    }
  }

  /// Whether git has run the hook.
  var hasRun: Bool { RawFile.status(scratch.path / "begun") != nil }

  /// Whether the hook has ended with 0.
  var hasPassed: Bool { RawFile.status(scratch.path / "passed") != nil }

  func remove() { scratch.remove() }
}
