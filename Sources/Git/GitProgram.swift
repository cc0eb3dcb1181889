import CLibgit2
import Glibc

/// Running the user's own git: for the network, and for what has no short way of our own.
package enum GitProgram {
  /// How a git process ended, with what it wrote.
  package struct Answer: Sendable {
    /// The exit code, or 128 and the number of the signal that ended it.
    package let status: Int32
    package let output: [UInt8]
    package let errors: [UInt8]
  }

  /// The words of a command line that runs git in a folder.
  package static func arguments(_ arguments: [String], in folder: [UInt8]) -> [[UInt8]] {
    [Array("git".utf8), Array("-C".utf8), folder] + arguments.map { Array($0.utf8) }
  }

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
    let streams = [try MemoryFile(), try MemoryFile(), try MemoryFile()]
    guard streams[0].fill(input) else { throw GitError.system("write to", Array("git".utf8)) }
    var variables = environment.forChildren
    variables["LC_ALL"] = "C"
    variables["GIT_TERMINAL_PROMPT"] = "0"
    variables.merge(adding) { $1 }
    let process = try start(
      arguments(words, in: folder), variables, streams: streams.map(\.descriptor), flags: 0)
    var state: Int32 = 0
    while waitpid(process, &state, 0) < 0 {
      guard errno == EINTR else { throw .system("wait for", Array("git".utf8)) }
    }
    let signal = state & 0x7F
    return Answer(
      status: signal == 0 ? state >> 8 & 0xFF : 128 + signal, output: streams[1].contents,
      errors: streams[2].contents)
  }

  /// Starts a process with the user's signals and no streams but those given.
  static func start(
    _ words: [[UInt8]], _ variables: [String: String], streams: [Int32], flags: Int32
  ) throws(GitError) -> pid_t {
    var actions = posix_spawn_file_actions_t()
    var attributes = posix_spawnattr_t()
    posix_spawn_file_actions_init(&actions)
    posix_spawnattr_init(&attributes)
    defer {
      posix_spawn_file_actions_destroy(&actions)
      posix_spawnattr_destroy(&attributes)
    }
    for (number, stream) in streams.enumerated() {
      posix_spawn_file_actions_adddup2(&actions, stream, Int32(number))
    }
    var mask = sigset_t()
    sigemptyset(&mask)
    posix_spawnattr_setsigmask(&attributes, &mask)
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK | flags))
    var arguments = words.map { word in word.withCPath { strdup($0) } } + [nil]
    var environment = variables.map { name, value in strdup("\(name)=\(value)") } + [nil]
    defer { for string in arguments + environment { free(string) } }
    guard let program = arguments.first ?? nil else { throw .system("start", [], code: EINVAL) }
    var process: pid_t = 0
    let code = posix_spawnp(&process, program, &actions, &attributes, &arguments, &environment)
    guard code == 0 else { throw .system("start", words[0], code: code) }
    return process
  }
}
