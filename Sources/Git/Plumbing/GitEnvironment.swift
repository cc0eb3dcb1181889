import Bytes
import Platform

/// The variables of a process, in the part that a tool inside a git hook may obey.
///
/// Variables that say who someone is, how to reach a server and where a person's own configuration lies are kept.
/// Those that say which repository, index or object folder is meant (`GIT_DIR`, `GIT_INDEX_FILE`, ...) belong to the
/// git command that surrounds us, and so do settings handed down by `git -c`: they are neither obeyed nor passed on.
package struct GitEnvironment: Sendable {
  private let variables: [String: String]

  package init(_ variables: [String: String]) { self.variables = variables }

  /// The environment of this process as it is now.
  package static var process: GitEnvironment {
    GitEnvironment(environmentVariables())
  }

  subscript(_ name: String) -> String? { variables[name] }

  /// Whether a variable holds what git takes for true.
  func isTrue(_ name: String) -> Bool {
    guard let value = variables[name]?.lowercased() else { return false }
    return !["", "0", "no", "off", "false"].contains(value)
  }

  /// What a git process that we start finds: everything but the `GIT_*` variables that are not on the list.
  package var forChildren: [String: String] {
    variables.filter { name, _ in
      guard name.hasPrefix("GIT_") else { return true }
      return Self.kept.contains(name) || Self.keptPrefixes.contains { name.hasPrefix($0) }
    }
  }

  private static let kept: Set<String> = [
    "GIT_ALLOW_PROTOCOL", "GIT_ASKPASS", "GIT_ATTR_NOSYSTEM", "GIT_CONFIG_GLOBAL", "GIT_CONFIG_NOSYSTEM",
    "GIT_CONFIG_SYSTEM", "GIT_CURL_VERBOSE", "GIT_PROTOCOL_FROM_USER", "GIT_PROXY_COMMAND",
    "GIT_TERMINAL_PROMPT",
  ]
  private static let keptPrefixes = [
    "GIT_AUTHOR_", "GIT_COMMITTER_", "GIT_HTTP_", "GIT_SSH", "GIT_SSL_", "GIT_TRACE",
  ]
}

/// The configuration files that git reads besides the repository's own.
struct ConfigurationFiles {
  /// The machine's; nil where the user refused it.
  let system: [UInt8]?
  /// The one in the folder of configurations; nil where the user names another file.
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
