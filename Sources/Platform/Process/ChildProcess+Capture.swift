extension ChildProcess {
  /// Runs a program with an input and captures its output.
  ///
  /// - Parameter inheritsErrors: whether standard error stays that of this process, as pickers that draw on
  /// it need.
  /// - Parameter size: if given, the program writes to a terminal of that size, and has no terminal for questions.
  /// - Returns: the output up to the end of the program. Output of processes that it left behind is not waited for.
  /// - Throws: `ENOENT` and the like if it can't be started.
  package static func capture(
    _ arguments: [[UInt8]], environment: [String: String]? = nil, in folder: [UInt8]? = nil,
    input: [UInt8] = [], inheritsErrors: Bool = false, onTerminal size: (columns: Int, rows: Int)? = nil
  ) throws(SystemError) -> (exit: Exit, output: [UInt8], errors: [UInt8]) {
    // A program may end without reading its input.
    let dispositions = Dispositions(ignoring: [Signals.brokenPipe, Signals.interrupt, Signals.quit])
    defer { dispositions.restore() }
    let exchange = try StreamExchange(input: input, capturesErrors: !inheritsErrors, size)
    let process = try exchange.start(
      arguments, environment, folder, standardSignals: dispositions.changed, inOwnSession: size != nil)
    if let exit = exchange.run(until: process) { return (exit, exchange.output, exchange.errors) }
    return (try wait(for: process, arguments), exchange.output, exchange.errors)
  }

  /// Runs a program that may wait for others, and forwards its standard error as it arrives.
  ///
  /// Signals stay as they are: Ctrl-C ends this process and the program.
  /// - Parameters:
  ///   - patience: how long the program may be silent. After that it is ended by SIGTERM, then SIGKILL.
  ///   - hear: receives the pieces of standard error.
  /// - Returns: the output, and whether the program was ended for its silence.
  /// - Throws: `ENOENT` and the like if it can't be started.
  package static func follow(
    _ arguments: [[UInt8]], environment: [String: String]? = nil, input: [UInt8] = [], patience: Patience,
    hear: (ArraySlice<UInt8>) -> Void
  ) throws(SystemError) -> (exit: Exit, output: [UInt8], errors: [UInt8], wasSilent: Bool) {
    // A program that ends early must not end this process.
    let dispositions = Dispositions(ignoring: input.isEmpty ? [] : [Signals.brokenPipe])
    defer { dispositions.restore() }
    let exchange = try StreamExchange(input: input, capturesErrors: true)
    let process = try exchange.start(
      arguments, environment, nil, standardSignals: dispositions.changed)
    let noticed = exchange.run(until: process, patience, hear)
    let exit: Exit
    if let noticed { exit = noticed } else { exit = try wait(for: process, arguments) }
    return (exit, exchange.output, exchange.errors, exchange.wasSilent)
  }

  /// How long a program may write nothing.
  package struct Patience: Sendable {
    /// After so long without a byte it is ended.
    package let milliseconds: Int64
    /// Whether it is waited for without end until it has written something: it may be asking on the terminal.
    package let beginsWithFirstByte: Bool

    package init(milliseconds: Int64, beginsWithFirstByte: Bool) {
      self.milliseconds = milliseconds
      self.beginsWithFirstByte = beginsWithFirstByte
    }
  }
}

/// The pipes between this process and a child.
private final class StreamExchange {
  private(set) var output: [UInt8] = []
  private(set) var errors: [UInt8] = []
  private var input: ArraySlice<UInt8>
  private var writing: Descriptor?
  private var reading: Descriptor?
  private var readingErrors: Descriptor?
  private var childEnds: [(end: Descriptor, stream: Int32)] = []
  /// Whether the child was ended because it wrote nothing for too long.
  private(set) var wasSilent = false

  init(
    input: [UInt8], capturesErrors: Bool, _ size: (columns: Int, rows: Int)? = nil
  ) throws(SystemError) {
    self.input = input[...]
    let inputPipe = try Descriptor.pipe()
    writing = inputPipe.write
    childEnds = [(inputPipe.read, StandardStream.input)]
    if let size {
      let terminal = try Pseudoterminal(columns: size.columns, rows: size.rows)
      reading = terminal.ownEnd
      childEnds.append((terminal.otherEnd, StandardStream.output))
    } else {
      let outputPipe = try Descriptor.pipe()
      reading = outputPipe.read
      childEnds.append((outputPipe.write, StandardStream.output))
    }
    if capturesErrors {
      let errorPipe = try Descriptor.pipe()
      readingErrors = errorPipe.read
      childEnds.append((errorPipe.write, StandardStream.errors))
    }
    for own in [writing, reading, readingErrors] { own?.refuseWaiting() }
  }

  func start(
    _ arguments: [[UInt8]], _ environment: [String: String]?, _ folder: [UInt8]?, standardSignals: [Int32],
    inOwnSession: Bool = false
  ) throws(SystemError) -> Int32 {
    var setup = try SpawnSetup(standardSignals: standardSignals)
    setup.startsSession = inOwnSession
    try setup.enter(folder)
    for (end, stream) in childEnds { try setup.pass(end, as: stream) }
    let process = try setup.spawn(arguments, environment)
    childEnds = []
    return process
  }

  /// Moves bytes until the child has closed its streams or has ended.
  /// - Returns: the exit status, if the end was noticed.
  func run(
    until process: Int32, _ patience: ChildProcess.Patience? = nil,
    _ hear: (ArraySlice<UInt8>) -> Void = { _ in }
  ) -> ChildProcess.Exit? {
    var heard = 0
    var last = Waiting.now()
    while reading != nil || readingErrors != nil || writing != nil {
      if input.isEmpty { writing = nil }
      let isQuiet = moveBytes(waitingMilliseconds: 50)
      if errors.count > heard {
        hear(errors[heard...])
        heard = errors.count
      }
      if !isQuiet { last = Waiting.now() }
      guard isQuiet else { continue }
      if let patience, heard > 0 || !patience.beginsWithFirstByte,
        Waiting.now() - last > patience.milliseconds
      {
        Signals.send(wasSilent ? Signals.kill : Signals.terminate, to: process)
        wasSilent = true
        last = Waiting.now()
      }
      if let exit = ChildProcess.endIfOver(of: process) {
        // The last output is still in the pipes, which hold 64 KB each, or 1 MB at most.
        for _ in 0..<64 {
          if moveBytes(waitingMilliseconds: 0) { break }
        }
        return exit
      }
    }
    return nil
  }

  /// Waits until a stream is ready and serves it; returns whether none was.
  private func moveBytes(waitingMilliseconds: Int32) -> Bool {
    var polled = Polled([
      (writing?.number, .writing), (reading?.number, .reading), (readingErrors?.number, .reading),
    ])
    guard polled.wait(milliseconds: waitingMilliseconds) > 0 else { return true }
    if polled.isReady(0) { feed() }
    if polled.isReady(1), Self.drain(reading, into: &output) { reading = nil }
    if polled.isReady(2), Self.drain(readingErrors, into: &errors) { readingErrors = nil }
    return false
  }

  private func feed() {
    guard let writing else { return }
    let (count, code) = input.withUnsafeBytes { Descriptor.writeSome(writing.number, $0) }
    if count > 0 { input = input.dropFirst(count) }
    if code != 0, code != SystemError.Code.wouldBlock, code != SystemError.Code.interrupted {
      input = []
      self.writing = nil
    }
  }

  /// Reads the available bytes; returns whether the stream has ended.
  private static func drain(_ stream: Descriptor?, into bytes: inout [UInt8]) -> Bool {
    guard let stream else { return true }
    let (part, code) = Descriptor.readSome(stream.number, atMost: 1 << 16)
    bytes += part
    return part.isEmpty && code != SystemError.Code.wouldBlock
  }
}
