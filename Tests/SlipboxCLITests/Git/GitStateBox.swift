import Foundation
import SlipboxTesting

/// A folder with a shared repository and two clones, in which a box is in a state of `GitState`.
final class GitStateBox {
  private let shell: Shell
  private let variant: GitVariant
  /// The folder `$W` of the states.
  let folder: String

  private init(empty variant: GitVariant) throws {
    shell = try Shell()
    self.variant = variant
    folder = shell.folder.path + "/w"
  }

  /// Makes the clones and leaves the box in a state.
  init(_ state: GitState, _ variant: GitVariant) throws {
    shell = try Shell()
    self.variant = variant
    folder = shell.folder.path + "/w"
    _ = try SlipboxTesting.run("cp", ["-a", try Self.template(variant), folder])
    try prepare()
    let made = try sh("moved\n\(state.script)", firstSeed: 200)
    guard made.status == 0 else {
      throw CommandFailure(command: [state.name], status: made.status, errors: made.errors)
    }
    // A user of git runs status: the index then has the file times of this copy.
    _ = try git("status", locks: true)
  }

  /// The repository's work tree.
  var tree: String { folder + "/a" }

  /// The box, which may be a folder inside the work tree.
  var box: String {
    let name = (try? String(contentsOfFile: folder + "/.box", encoding: .utf8)) ?? "a"
    return folder + "/" + name.trimmingCharacters(in: .newlines)
  }

  /// Runs shell commands, with the functions of the states.
  /// - Parameter folder: the folder of the states if it is nil.
  func sh(
    _ script: String, in place: String? = nil, firstSeed: Int = 300
  ) throws -> (status: Int32, output: String, errors: String) {
    let text = "seed=\(firstSeed)\n\(GitState.library)\nset -e\n\(script)"
    return try run(["bash", "-c", text], in: place ?? folder)
  }

  /// Runs git in the work tree; without locks unless it is a step of the user.
  func git(
    _ arguments: String..., place: String? = nil, locks: Bool = false, input: String? = nil
  ) throws -> (status: Int32, output: String, errors: String) {
    try run(
      ["git"] + arguments, in: place ?? tree, adding: ["GIT_OPTIONAL_LOCKS": locks ? "1" : "0"], input: input)
  }

  private func run(
    _ command: [String], in place: String, adding: [String: String] = [:], input: String? = nil
  ) throws -> (status: Int32, output: String, errors: String) {
    let words = Self.isOther(variant) ? Self.asUser + command : command
    return try SlipboxTesting.run(
      "timeout", ["120"] + words, in: place, environment: environment.merging(adding) { $1 }, input: input)
  }

  private var environment: [String: String] {
    var result = shell.environment
    for name in ["GIT_AUTHOR_NAME", "GIT_AUTHOR_EMAIL", "GIT_COMMITTER_NAME", "GIT_COMMITTER_EMAIL"] {
      result[name] = nil
    }
    result["HOME"] = shell.folder.path + "/home"
    result["XDG_CONFIG_HOME"] = shell.folder.path + "/home/.config"
    result["GIT_CONFIG_GLOBAL"] = shell.folder.path + "/home/.gitconfig"
    result["EDITOR"] = shell.folder.path + "/editor"
    result["VARIANT"] = variant.rawValue
    result["W"] = folder
    return result
  }

  /// Writes what every command needs beside the clones, and gives it all to the user of the variant.
  private func prepare() throws {
    try shell.folder.write(
      "home/.gitconfig",
      """
      [user]
        name = Ada
        email = ada@example.org
      [init]
        defaultBranch = main
      [protocol "file"]
        allow = always

      """)
    try shell.folder.write("editor", "#!/bin/sh\necho edited >>\"$1\"\n")
    try shell.folder.write("w/vault/imported.md", "# Imported\n\nSee [[Second]].\n")
    try shell.folder.write("w/vault/second.md", "# Second\n")
    _ = try SlipboxTesting.run("chmod", ["+x", shell.folder.path + "/editor"])
    if Self.isOther(variant) {
      _ = try SlipboxTesting.run("chown", ["-R", "65534:65534", shell.folder.path])
    }
  }

  deinit {
    // A state may have taken write permission away.
    _ = try? SlipboxTesting.run("chmod", ["-R", "u+rwX", shell.folder.path])
  }

  // MARK: The template

  private static let asUser = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"]

  private static func isOther(_ variant: GitVariant) -> Bool { variant == .user && geteuid() == 0 }

  private static let cloneTemplate = Result { try GitStateBox(templateOf: .clone).shell.folder }
  private static let worktreeTemplate = Result { try GitStateBox(templateOf: .worktree).shell.folder }

  /// The path of clones that are in no particular state.
  private static func template(_ variant: GitVariant) throws -> String {
    try (variant == .worktree ? worktreeTemplate : cloneTemplate).get().path + "/w"
  }

  private convenience init(templateOf variant: GitVariant) throws {
    try self.init(empty: variant)
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    try prepare()
    let made = try sh("base", firstSeed: 100)
    guard made.status == 0 else {
      throw CommandFailure(command: ["base"], status: made.status, errors: made.errors)
    }
    // Static values are never freed.
    atexit {
      for case .success(let folder) in [GitStateBox.cloneTemplate, GitStateBox.worktreeTemplate] {
        try? FileManager.default.removeItem(atPath: folder.path)
      }
    }
  }
}
