extension ChildProcess {
  /// The standard input of a program.
  package enum Input: Sendable {
    /// The standard input of this process.
    case inherit
    /// The controlling terminal, even if standard input and output are redirected; `inherit` if there is no controlling
    /// terminal.
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
  /// - Throws: `ENOENT` and the like if it can't be started.
  package static func run(
    _ arguments: [[UInt8]], environment: [String: String]? = nil, in folder: [UInt8]? = nil,
    input: Input = .inherit
  ) throws(SystemError) -> Exit {
    let dispositions = Dispositions(ignoring: [Signals.interrupt, Signals.quit])
    defer { dispositions.restore() }
    var setup = try SpawnSetup(standardSignals: dispositions.changed)
    try setup.enter(folder)
    switch input {
    case .inherit: break
    case .null: try setup.open(nullDevice, .reading, as: StandardStream.input)
    case .terminal: try useTerminal(&setup)
    case .bytes(let bytes):
      let file = try Descriptor.anonymousFile(holding: bytes)
      try setup.pass(file, as: StandardStream.input)
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
    try setup.open(nullDevice, .reading, as: StandardStream.input)
    try setup.open(nullDevice, .writing, as: StandardStream.output)
    try setup.open(nullDevice, .writing, as: StandardStream.errors)
    setup.startsSession = true
    _ = try setup.spawn(arguments, environment)
  }

  private static let nullDevice = Array("/dev/null".utf8)

  private static func useTerminal(_ setup: inout SpawnSetup) throws(SystemError) {
    guard (try? Terminal.openControlling(.both)) != nil else { return }
    let path = Array("/dev/tty".utf8)
    if !Terminal.isTerminal(StandardStream.input) { try setup.open(path, .reading, as: StandardStream.input) }
    if !Terminal.isTerminal(StandardStream.output) {
      try setup.open(path, .writing, as: StandardStream.output)
    }
  }
}

extension ChildProcess {
  /// Runs a program that lets the user choose among the lines of its input, and returns those that it prints.
  ///
  /// It draws on the terminal, also where errors are redirected: they go to the controlling terminal then. SIGINT and
  /// SIGQUIT are ignored here while it runs, as by system(3).
  /// - Throws: `ENOENT` and the like if it can't be started.
  package static func choose(
    _ arguments: [[UInt8]], among input: [UInt8]
  ) throws(SystemError) -> (exit: Exit, output: [UInt8]) {
    let dispositions = Dispositions(ignoring: [Signals.interrupt, Signals.quit])
    defer { dispositions.restore() }
    let lines = try Descriptor.anonymousFile(holding: input)
    let output = try Descriptor.anonymousFile(holding: [])
    var setup = try SpawnSetup(standardSignals: dispositions.changed)
    try setup.pass(lines, as: StandardStream.input)
    try setup.pass(output, as: StandardStream.output)
    if !Terminal.isTerminal(StandardStream.errors), Terminal.isControlled {
      try setup.open(Array("/dev/tty".utf8), .writing, as: StandardStream.errors)
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
  /// - Throws: `ENOENT` and the like if it can't be started.
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
    try setup.pass(input, as: StandardStream.input)
    try setup.pass(output, as: StandardStream.output)
    try setup.pass(errors, as: StandardStream.errors)
    let exit = try wait(for: try setup.spawn(arguments, environment), arguments)
    return (exit, try output.readAll([], limit: nil).bytes, try errors.readAll([], limit: nil).bytes)
  }
}
