import Foundation

/// A folder that exists as long as its value, with an empty git configuration of its own.
package final class TemporaryFolder: Sendable {
  /// The absolute path, without a trailing slash.
  package let path: String

  /// The path as bytes.
  package var bytes: [UInt8] { Array(path.utf8) }

  /// Makes an empty folder with a unique name.
  package init() throws {
    let base = FileManager.default.temporaryDirectory.resolvingSymlinksInPath()
    // Letters alone: what tests take out of an output, such as times, is no part of the name.
    let name = String((0..<20).map { _ in "abcdefghijklmnopqrstuvwxyz".randomElement() ?? "a" })
    let url = base.appendingPathComponent("slipbox-\(name)")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    path = url.path
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  /// Writes a file, making the folders above it.
  package func write(_ relative: String, _ text: String) throws {
    try write(relative, Array(text.utf8))
  }

  /// Writes a file of raw bytes, making the folders above it.
  package func write(_ relative: String, _ bytes: [UInt8]) throws {
    let url = URL(fileURLWithPath: path).appendingPathComponent(relative)
    try FileManager.default.createDirectory(
      at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(bytes).write(to: url)
  }

  /// The bytes of a file, or nil where there is none.
  package func read(_ relative: String) -> [UInt8]? {
    FileManager.default.contents(atPath: path + "/" + relative).map(Array.init)
  }

  /// Runs git here and returns its output.
  /// - Throws: `CommandFailure` where it exits other than 0.
  @discardableResult
  package func git(_ arguments: String...) throws -> String {
    let result = try run("git", arguments, in: path)
    guard result.status == 0 else {
      throw CommandFailure(command: ["git"] + arguments, status: result.status, errors: result.errors)
    }
    return result.output
  }
}

/// A command that exited other than 0.
package struct CommandFailure: Error {
  package let command: [String]
  package let status: Int32
  package let errors: String

  package init(command: [String], status: Int32, errors: String) {
    self.command = command
    self.status = status
    self.errors = errors
  }
}

/// The environment of commands in tests: a fixed identity, no configuration of the machine's user.
package let testEnvironment: [String: String] = [
  "PATH": ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin",
  "HOME": "/nonexistent", "XDG_CONFIG_HOME": "/nonexistent",
  "GIT_CONFIG_NOSYSTEM": "1", "GIT_CONFIG_GLOBAL": "/dev/null", "LC_ALL": "C.UTF-8", "TZ": "UTC",
  "GIT_AUTHOR_NAME": "Ada", "GIT_AUTHOR_EMAIL": "ada@example.org",
  "GIT_COMMITTER_NAME": "Ada", "GIT_COMMITTER_EMAIL": "ada@example.org",
]

/// Runs a program to its end, its streams captured.
package func run(
  _ program: String, _ arguments: [String], in folder: String? = nil,
  environment: [String: String] = testEnvironment, input: String? = nil
) throws -> (status: Int32, output: String, errors: String) {
  let scratch = FileManager.default.temporaryDirectory.path + "/slipbox-run-\(UUID().uuidString)"
  defer { for end in [".in", ".out", ".err"] { try? FileManager.default.removeItem(atPath: scratch + end) } }
  try Data((input ?? "").utf8).write(to: URL(fileURLWithPath: scratch + ".in"))
  for end in [".out", ".err"] { _ = FileManager.default.createFile(atPath: scratch + end, contents: nil) }
  let process = Process()
  process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
  process.arguments = [program] + arguments
  process.environment = environment
  if let folder { process.currentDirectoryURL = URL(fileURLWithPath: folder) }
  process.standardInput = FileHandle(forReadingAtPath: scratch + ".in")
  process.standardOutput = FileHandle(forWritingAtPath: scratch + ".out")
  process.standardError = FileHandle(forWritingAtPath: scratch + ".err")
  try withNoSignalBlocked { try process.run() }
  process.waitUntilExit()
  func text(_ end: String) -> String {
    String(decoding: FileManager.default.contents(atPath: scratch + end) ?? Data(), as: UTF8.self)
  }
  let status =
    process.terminationReason == .exit ? process.terminationStatus : 128 + process.terminationStatus
  return (status, text(".out"), text(".err"))
}

/// A child inherits the signal mask of the thread that starts it, and worker threads block all signals; a shell would
/// then wait for ever for word of its own children.
private func withNoSignalBlocked(_ body: () throws -> Void) rethrows {
  var none = sigset_t()
  var before = sigset_t()
  sigemptyset(&none)
  pthread_sigmask(SIG_SETMASK, &none, &before)
  defer { pthread_sigmask(SIG_SETMASK, &before, nil) }
  try body()
}

/// The path of a repository of notes that git can clone, or nil if it is not on this machine.
///
/// `small` is made from `Fixtures/corpus` and is always there. The others are bundles of real notes outside of the
/// repository; a test that uses them is enabled if `Machine.hasCorpora`.
package func corpus(_ name: String) -> String? {
  if name == "small" { return smallCorpus?.path }
  let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()
  let path = root.appendingPathComponent("shared/corpora/\(name).bundle").path
  return FileManager.default.fileExists(atPath: path) ? path : nil
}

/// The repository of `Fixtures/corpus`, made once for all tests of a process.
private let smallCorpus: TemporaryFolder? = {
  let script = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().appendingPathComponent("Fixtures/corpus/history.sh").path
  guard let folder = try? TemporaryFolder(),
    (try? run("sh", [script, folder.path]).status) == 0
  else { return nil }
  // Static values are never freed.
  atexit { if let path = smallCorpus?.path { try? FileManager.default.removeItem(atPath: path) } }
  return folder
}()
