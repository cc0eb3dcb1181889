#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// The setup of a child between its start and its program. Wraps posix_spawn(3).
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
  mutating func open(_ path: [UInt8], _ mode: Descriptor.Mode, as stream: Int32) throws(SystemError) {
    let name = try terminated(path, "open")
    try check(posix_spawn_file_actions_addopen(&actions, stream, name, mode.rawValue, 0), "open", path)
  }

  /// Makes one of this process's descriptors a stream of the child.
  mutating func pass(_ descriptor: Descriptor, as stream: Int32) throws(SystemError) {
    try check(posix_spawn_file_actions_adddup2(&actions, descriptor.number, stream), "open", [])
  }

  /// Starts the program.
  /// - Throws: `ENOENT`, `EACCES` and the like, also if the folder to enter is missing.
  mutating func spawn(
    _ arguments: [[UInt8]], _ environment: [String: String]?
  ) throws(SystemError) -> Int32 {
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
    if startsSession { flags |= LinuxCalls.Flag.spawnInNewSession }
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

  /// - Throws: `EINVAL` if a string holds a NUL.
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

/// Other programs, started without a shell.
///
/// The first argument is the program, searched in `$PATH` if it contains no slash. Children start with no
/// blocked signals, and with the signal dispositions that this process itself was started with.
package enum ChildProcess {
  /// How a program ended.
  package enum Exit: Equatable, Sendable {
    case code(Int32)
    case signal(Int32)
  }

  /// Waits for the end of a child.
  static func wait(for process: Int32, _ arguments: [[UInt8]]) throws(SystemError) -> Exit {
    var status: Int32 = 0
    guard retrying({ waitpid(process, &status, 0) }) == process else {
      throw SystemError("wait", arguments.first ?? [])
    }
    return exit(of: status)
  }

  /// Reads the status of waitpid(2).
  private static func exit(of status: Int32) -> Exit {
    let signal = status & 0x7F
    return signal == 0 ? .code((status >> 8) & 0xFF) : .signal(signal)
  }

  /// How a child has ended; nil if it has not. Does not wait.
  static func endIfOver(of process: Int32) -> Exit? {
    var status: Int32 = 0
    return waitpid(process, &status, WNOHANG) == process ? exit(of: status) : nil
  }

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
