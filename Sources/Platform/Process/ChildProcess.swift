import Glibc
import Synchronization

/// Other programs, started without a shell.
///
/// The first argument is the program, searched in `$PATH` where it holds no slash. Children start with no
/// signal held back and with the dispositions that this process itself was started with.
package enum ChildProcess {
  /// How a program ended.
  package enum Exit: Equatable, Sendable {
    case code(Int32)
    case signal(Int32)
  }

  /// What a program reads.
  package enum Input: Sendable {
    /// What this process reads.
    case inherit
    /// The controlling terminal instead of whatever standard input, and output, is redirected to; where there
    /// is none, as `inherit`.
    case terminal
    /// Nothing.
    case null
    /// These bytes.
    case bytes([UInt8])
  }

  /// Runs a program on the user's terminal and waits for its end.
  ///
  /// It stays in this process group, so an editor owns the terminal. SIGINT and SIGQUIT are ignored here
  /// while it runs, as by system(3).
  /// - Throws: `ENOENT` and the like where it can't be started.
  package static func run(
    _ arguments: [[UInt8]], environment: [String: String]? = nil, in folder: [UInt8]? = nil,
    input: Input = .inherit
  ) throws(SystemError) -> Exit {
    let dispositions = Dispositions(ignoring: [SIGINT, SIGQUIT])
    defer { dispositions.restore() }
    var setup = try SpawnSetup(standardSignals: dispositions.changed)
    try setup.enter(folder)
    switch input {
    case .inherit: break
    case .null: try setup.open(nullDevice, O_RDONLY, as: STDIN_FILENO)
    case .terminal: try useTerminal(&setup)
    case .bytes(let bytes):
      let file = try Descriptor.anonymousFile(holding: bytes)
      try setup.pass(file, as: STDIN_FILENO)
      return try wait(for: try setup.spawn(arguments, environment), arguments)
    }
    return try wait(for: try setup.spawn(arguments, environment), arguments)
  }

  /// Starts a program in a session of its own with all streams on `/dev/null`, and does not wait for it.
  package static func detach(
    _ arguments: [[UInt8]], environment: [String: String]? = nil, in folder: [UInt8]? = nil
  ) throws(SystemError) {
    var setup = try SpawnSetup(standardSignals: [])
    try setup.enter(folder)
    try setup.open(nullDevice, O_RDONLY, as: STDIN_FILENO)
    try setup.open(nullDevice, O_WRONLY, as: STDOUT_FILENO)
    try setup.open(nullDevice, O_WRONLY, as: STDERR_FILENO)
    setup.startsSession = true
    _ = try setup.spawn(arguments, environment)
  }

  private static let nullDevice = Array("/dev/null".utf8)

  private static func useTerminal(_ setup: inout SpawnSetup) throws(SystemError) {
    guard (try? Terminal.openControlling(O_RDWR)) != nil else { return }
    let path = Array("/dev/tty".utf8)
    if !Terminal.isTerminal(STDIN_FILENO) { try setup.open(path, O_RDONLY, as: STDIN_FILENO) }
    if !Terminal.isTerminal(STDOUT_FILENO) { try setup.open(path, O_WRONLY, as: STDOUT_FILENO) }
  }

  /// Waits for the end of a child.
  static func wait(for process: pid_t, _ arguments: [[UInt8]]) throws(SystemError) -> Exit {
    var status: Int32 = 0
    guard retrying({ waitpid(process, &status, 0) }) == process else {
      throw SystemError("wait for", arguments.first ?? [])
    }
    return exit(of: status)
  }

  /// Reads the status of waitpid(2).
  static func exit(of status: Int32) -> Exit {
    let signal = status & 0x7F
    return signal == 0 ? .code((status >> 8) & 0xFF) : .signal(signal)
  }
}

/// Signal dispositions that are other than usual for a while.
///
/// Several threads may wait for children at once: a signal is ignored until the last of them is done.
struct Dispositions {
  private static let ignored = Mutex<[Int32: (users: Int, before: sigaction)]>([:])
  private let signals: [Int32]
  /// What the signals did before any thread ignored them.
  private let before: [(signal: Int32, action: sigaction)]

  /// Ignores the signals, and sees to it that children can be waited for.
  init(ignoring signals: [Int32]) {
    let children = Signals.replace(SIGCHLD, by: Signals.standard)
    if !Signals.ignores(children) { Signals.replace(SIGCHLD, by: children) }
    self.signals = signals
    before = Self.ignored.withLock { ignored in
      signals.map { signal in
        let known = ignored[signal] ?? (0, Signals.replace(signal, by: Signals.ignoring))
        ignored[signal] = (known.users + 1, known.before)
        return (signal, known.before)
      }
    }
  }

  /// The signals that a child must not find ignored, since they were not.
  var changed: [Int32] { before.filter { !Signals.ignores($0.action) }.map(\.signal) }

  func restore() {
    Self.ignored.withLock { ignored in
      for signal in signals {
        guard let known = ignored[signal] else { continue }
        ignored[signal] = known.users > 1 ? (known.users - 1, known.before) : nil
        if known.users == 1 { Signals.replace(signal, by: known.before) }
      }
    }
  }
}
