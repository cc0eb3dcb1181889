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
      throw SystemError("wait", arguments.first ?? [])
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

extension ChildProcess {
  /// Puts another program in the place of this one, with the same streams, environment and process.
  ///
  /// Wraps execv(3). Returns only by throwing.
  /// - Parameter arguments: the path of the program, then its arguments.
  package static func become(_ arguments: [[UInt8]]) throws(SystemError) -> Never {
    let path = arguments.first ?? []
    var words: [UnsafeMutablePointer<CChar>?] = []
    for argument in arguments { words.append(strdup(try terminated(argument, "start"))) }
    words.append(nil)
    words.withUnsafeMutableBufferPointer { words in
      if let list = words.baseAddress, let first = list.pointee { _ = execv(first, list) }
    }
    let error = SystemError("start", path)
    for word in words { free(word) }
    throw error
  }
}

extension ChildProcess {
  /// Runs a program that lets the user choose among the lines of its input, and returns those that it prints.
  ///
  /// It draws on the terminal, also where errors are redirected: they go to the controlling terminal then. SIGINT and
  /// SIGQUIT are ignored here while it runs, as by system(3).
  /// - Throws: `ENOENT` and the like where it can't be started.
  package static func choose(
    _ arguments: [[UInt8]], among input: [UInt8]
  ) throws(SystemError) -> (exit: Exit, output: [UInt8]) {
    let dispositions = Dispositions(ignoring: [SIGINT, SIGQUIT])
    defer { dispositions.restore() }
    let lines = try Descriptor.anonymousFile(holding: input)
    let output = try Descriptor.anonymousFile(holding: [])
    var setup = try SpawnSetup(standardSignals: dispositions.changed)
    try setup.pass(lines, as: STDIN_FILENO)
    try setup.pass(output, as: STDOUT_FILENO)
    if !Terminal.isTerminal(STDERR_FILENO), Terminal.isControlled {
      try setup.open(Array("/dev/tty".utf8), O_WRONLY, as: STDERR_FILENO)
    }
    let exit = try wait(for: try setup.spawn(arguments, nil), arguments)
    return (exit, try output.readAll([], limit: nil).bytes)
  }
}

extension ChildProcess {
  /// Runs a program with its input, output and errors in files in memory, which need no thread to serve them.
  ///
  /// Signals stay as they are: Ctrl-C ends this process and the program. Any number of threads may call this at once.
  /// - Parameter startsSession: whether the program has a session of its own, without the terminal and its keys.
  /// - Throws: `ENOENT` and the like where it can't be started.
  package static func collect(
    _ arguments: [[UInt8]], environment: [String: String]? = nil, in folder: [UInt8]? = nil,
    input: [UInt8] = [], startsSession: Bool = false
  ) throws(SystemError) -> (exit: Exit, output: [UInt8], errors: [UInt8]) {
    let input = try Descriptor.anonymousFile(holding: input)
    let output = try Descriptor.anonymousFile(holding: [])
    let errors = try Descriptor.anonymousFile(holding: [])
    var setup = try SpawnSetup(standardSignals: [])
    setup.startsSession = startsSession
    try setup.enter(folder)
    try setup.pass(input, as: STDIN_FILENO)
    try setup.pass(output, as: STDOUT_FILENO)
    try setup.pass(errors, as: STDERR_FILENO)
    let exit = try wait(for: try setup.spawn(arguments, environment), arguments)
    return (exit, try output.readAll([], limit: nil).bytes, try errors.readAll([], limit: nil).bytes)
  }
}

/// What a child does between its start and its program. Wraps posix_spawn(3).
struct SpawnSetup: ~Copyable {
  /// Whether the child leads a new session, without a terminal.
  var startsSession = false
  /// Whether the child leads a process group of its own.
  var startsGroup = false
  private var actions = posix_spawn_file_actions_t()
  private var attributes = posix_spawnattr_t()
  private let standardSignals: [Int32]

  /// - Parameter standardSignals: The signals that have their default action in the child.
  init(standardSignals: [Int32]) throws(SystemError) {
    self.standardSignals = standardSignals
    let code = posix_spawn_file_actions_init(&actions)
    guard code == 0 else { throw SystemError(operation: "start", path: [], code: code) }
    posix_spawnattr_init(&attributes)
  }

  deinit {
    var actions = actions
    var attributes = attributes
    posix_spawn_file_actions_destroy(&actions)
    posix_spawnattr_destroy(&attributes)
  }

  /// Starts the child in a folder; nil: in that of this process.
  mutating func enter(_ folder: [UInt8]?) throws(SystemError) {
    guard let folder else { return }
    guard let call = LinuxCalls.addChangeDirectory else {
      throw SystemError(operation: "enter", path: folder, code: ENOSYS)
    }
    let path = try terminated(folder, "enter")
    try check(call(&actions, path), "enter", folder)
  }

  /// Opens a file as one of the child's streams.
  mutating func open(_ path: [UInt8], _ flags: Int32, as stream: Int32) throws(SystemError) {
    let name = try terminated(path, "open")
    try check(posix_spawn_file_actions_addopen(&actions, stream, name, flags, 0), "open", path)
  }

  /// Makes one of this process's descriptors a stream of the child.
  mutating func pass(_ descriptor: Descriptor, as stream: Int32) throws(SystemError) {
    try check(posix_spawn_file_actions_adddup2(&actions, descriptor.number, stream), "open", [])
  }

  /// Starts the program.
  /// - Throws: `ENOENT`, `EACCES` and the like, also where the folder to enter is missing.
  mutating func spawn(
    _ arguments: [[UInt8]], _ environment: [String: String]?
  ) throws(SystemError) -> pid_t {
    guard let program = arguments.first else { throw SystemError(operation: "start", path: [], code: EINVAL) }
    setSignals()
    let name = try terminated(program, "start")
    let vector = try StringVector(arguments)
    let variables = try environment.map { (set) throws(SystemError) in
      try StringVector(set.sorted { $0.key < $1.key }.map { Array("\($0.key)=\($0.value)".utf8) })
    }
    var process = pid_t()
    let variablePointers = variables?.pointers ?? environ
    let code = posix_spawnp(&process, name, &actions, &attributes, vector.pointers, variablePointers)
    withExtendedLifetime((vector, variables)) {}
    try check(code, "start", program)
    return process
  }

  private mutating func setSignals() {
    var none = sigset_t()
    sigemptyset(&none)
    var standard = Signals.set(of: standardSignals + [SIGXFSZ])
    posix_spawnattr_setsigmask(&attributes, &none)
    posix_spawnattr_setsigdefault(&attributes, &standard)
    var flags = Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF)
    if startsSession { flags |= LinuxCalls.spawnInNewSession }
    if startsGroup { flags |= Int16(POSIX_SPAWN_SETPGROUP) }
    posix_spawnattr_setflags(&attributes, flags)
  }

  private func check(_ code: Int32, _ operation: String, _ path: [UInt8]) throws(SystemError) {
    guard code == 0 else { throw SystemError(operation: operation, path: path, code: code) }
  }
}

/// A NULL-terminated vector of C strings, as execve(2) takes them.
private final class StringVector {
  let pointers: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>
  private let count: Int

  /// - Throws: `EINVAL` where a string holds a NUL.
  init(_ strings: [[UInt8]]) throws(SystemError) {
    for string in strings where string.contains(0) {
      throw SystemError(operation: "start", path: string, code: EINVAL)
    }
    count = strings.count
    pointers = .allocate(capacity: count + 1)
    pointers.initialize(repeating: nil, count: count + 1)
    for (index, string) in strings.enumerated() {
      pointers[index] = strdup(string.map { CChar(bitPattern: $0) } + [0])
    }
  }

  deinit {
    for index in 0..<count { free(pointers[index]) }
    pointers.deallocate()
  }
}
