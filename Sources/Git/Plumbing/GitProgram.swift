import Bytes
import Platform

/// Runs the user's own git: for the network, and for functions that slip does not implement.
package enum GitProgram {
  /// The exit status and output of a git process.
  package struct Answer: Sendable {
    /// The exit code, or 128 and the number of the signal that ended it.
    package let status: Int32
    package let output: [UInt8]
    package let errors: [UInt8]
  }

  /// The words of a command line that runs git in a folder, with nothing that the folder's own configuration names.
  package static func arguments(_ arguments: [String], in folder: [UInt8]) -> [[UInt8]] {
    let guards = quietSettings.flatMap { ["-c", $0] }
    return [Array("git".utf8), Array("-C".utf8), folder] + (guards + arguments).map { Array($0.utf8) }
  }

  /// Settings that keep git from running programs of a repository's configuration, which its creator wrote.
  ///
  /// They are on the command line, so they override every file. Filters have names of their own: see
  /// `Repository.filterSettings`. Commands that use the network have a list of their own, in `overNetwork`.
  private static let quietSettings = [
    "core.fsmonitor=false", "core.hooksPath=/dev/null", "core.alternateRefsCommand=", "core.askPass=",
    "core.editor=false", "core.gitProxy=", "core.pager=cat", "core.sshCommand=false", "credential.helper=",
    "diff.external=", "gpg.program=false", "log.showSignature=false", "protocol.ext.allow=never",
    "sequence.editor=false", "submodule.recurse=false",
  ]

  /// The environment for such a command; see `GitEnvironment.forChildren`.
  package static func environment(_ environment: GitEnvironment = .process) -> [String: String] {
    environment.forChildren
  }

  /// Has git list all settings that it finds in a folder: scope, key, line feed, value, each pair ended by 0.
  ///
  /// Without the guards of `arguments`, which would be listed too: git-config(1) runs no program.
  /// - Throws: `io` if git cannot be started.
  static func listSettings(in folder: [UInt8], environment: GitEnvironment) throws(GitError) -> Answer {
    let words = ["config", "--list", "--includes", "--show-scope", "--null"].map { Array($0.utf8) }
    return try run([Array("git".utf8), Array("-C".utf8), folder] + words, environment: environment)
  }

  /// Runs git to its end, with messages in English and its input, output and errors in memory.
  /// - Parameter adding: variables that are set on top of the cleaned environment.
  /// - Throws: `io` if git cannot be started.
  package static func capture(
    _ words: [String], in folder: [UInt8], environment: GitEnvironment = .process,
    adding: [String: String] = [:], input: [UInt8] = [], startsSession: Bool = false
  ) throws(GitError) -> Answer {
    try run(
      arguments(words, in: folder), environment: environment, adding: adding, input: input,
      startsSession: startsSession)
  }

  private static func run(
    _ line: [[UInt8]], environment: GitEnvironment, adding: [String: String] = [:], input: [UInt8] = [],
    startsSession: Bool = false
  ) throws(GitError) -> Answer {
    var variables = environment.forChildren
    variables["LC_ALL"] = "C"
    variables["GIT_TERMINAL_PROMPT"] = "0"
    variables.merge(adding) { $1 }
    let (exit, output, errors) = try GitError.wrapping("run", Array("git".utf8)) {
      [variables] () throws(SystemError) in
      try ChildProcess.collect(line, environment: variables, input: input, startsSession: startsSession)
    }
    let status: Int32 =
      switch exit {
      case .code(let code): code
      case .signal(let signal): 128 + signal
      }
    return Answer(status: status, output: output, errors: errors)
  }
}

/// The environment of a process, as far as a tool inside a git hook may obey it.
///
/// Variables about identity, access to servers and the location of a person's own configuration are kept, and
/// so are the settings of `git -c` and `GIT_CONFIG_COUNT`. Variables that select the repository, index or object folder
/// (`GIT_DIR`, `GIT_INDEX_FILE`, ...) belong to the git command that runs us: they are neither obeyed nor
/// passed on.
package struct GitEnvironment: Sendable {
  private let variables: [String: String]

  package init(_ variables: [String: String]) { self.variables = variables }

  /// The environment of this process as it is now.
  package static var process: GitEnvironment {
    GitEnvironment(environmentVariables())
  }

  subscript(_ name: String) -> String? { variables[name] }

  /// Whether the value of a variable is true for git.
  func isTrue(_ name: String) -> Bool {
    guard let value = variables[name]?.lowercased() else { return false }
    return !["", "0", "no", "off", "false"].contains(value)
  }

  /// The environment of git processes that we start: everything but the `GIT_*` variables that are not on the list.
  package var forChildren: [String: String] {
    variables.filter { name, _ in
      guard name.hasPrefix("GIT_") else { return true }
      return Self.kept.contains(name) || Self.keptPrefixes.contains { name.hasPrefix($0) }
    }
  }

  private static let kept: Set<String> = [
    "GIT_ALLOW_PROTOCOL", "GIT_ASKPASS", "GIT_ATTR_NOSYSTEM", "GIT_CONFIG_COUNT", "GIT_CONFIG_GLOBAL",
    "GIT_CONFIG_NOSYSTEM", "GIT_CONFIG_PARAMETERS", "GIT_CONFIG_SYSTEM", "GIT_CURL_VERBOSE",
    "GIT_PROTOCOL_FROM_USER", "GIT_PROXY_COMMAND",
    "GIT_TERMINAL_PROMPT",
  ]
  private static let keptPrefixes = [
    "GIT_AUTHOR_", "GIT_COMMITTER_", "GIT_CONFIG_KEY_", "GIT_CONFIG_VALUE_", "GIT_HTTP_", "GIT_SSH",
    "GIT_SSL_", "GIT_TRACE",
  ]
}

/// The configuration files that git reads besides the repository's own.
struct ConfigurationFiles {
  /// The machine's; nil if the user refused it.
  let system: [UInt8]?
  /// The one in the folder of configurations; nil if the user names another file.
  let shared: [UInt8]?
  /// The user's own.
  let user: [UInt8]?
  /// The rules that hold where `core.excludesFile` is not set.
  let defaultExcludes: [UInt8]?

  init(_ environment: GitEnvironment) {
    let named = environment["GIT_CONFIG_SYSTEM"].map { Array($0.utf8) }
    let home = environment["HOME"].flatMap { $0.isEmpty ? nil : Array($0.utf8) }
    let folder = environment["XDG_CONFIG_HOME"].flatMap { $0.isEmpty ? nil : Array($0.utf8) }
    let configuration = folder ?? home.map { $0 / ".config" }
    defaultExcludes = configuration.map { $0 / "git/ignore" }
    system = environment.isTrue("GIT_CONFIG_NOSYSTEM") ? nil : named ?? Array("/etc/gitconfig".utf8)
    if let file = environment["GIT_CONFIG_GLOBAL"] {
      shared = nil
      user = Array(file.utf8)
      return
    }
    shared = configuration.map { $0 / "git/config" }
    user = home.map { $0 / ".gitconfig" }
  }
}
