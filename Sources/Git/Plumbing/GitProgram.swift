import Platform

/// Running the user's own git: for the network, and for what has no short way of our own.
package enum GitProgram {
  /// How a git process ended, with what it wrote.
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

  /// Settings by which git runs no program of a repository's: whoever made the repository wrote its configuration.
  ///
  /// They stand on the command line, so they win over every file. Filters have names of their own: see
  /// `Repository.filterSettings`.
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

  /// Runs git to its end, with messages in English and its input, output and errors in memory.
  /// - Parameter adding: variables that are set on top of the cleaned environment.
  /// - Throws: `io` where git cannot be started.
  package static func capture(
    _ words: [String], in folder: [UInt8], environment: GitEnvironment = .process,
    adding: [String: String] = [:], input: [UInt8] = []
  ) throws(GitError) -> Answer {
    var variables = environment.forChildren
    variables["LC_ALL"] = "C"
    variables["GIT_TERMINAL_PROMPT"] = "0"
    variables.merge(adding) { $1 }
    let (exit, output, errors) = try GitError.wrapping("run", Array("git".utf8)) {
      [variables] () throws(SystemError) in
      try ChildProcess.collect(arguments(words, in: folder), environment: variables, input: input)
    }
    let status: Int32 =
      switch exit {
      case .code(let code): code
      case .signal(let signal): 128 + signal
      }
    return Answer(status: status, output: output, errors: errors)
  }
}
