import Glibc

extension ChildProcess {
  /// Runs a program with its input given and its output captured.
  ///
  /// - Parameter inheritsErrors: Whether standard error stays that of this process, as pickers that draw on
  /// it need.
  /// - Parameter size: where it is given, the program writes to a terminal of that size, and has none to ask on.
  /// - Returns: What it wrote up to its end; what processes write that it left behind is not waited for.
  /// - Throws: `ENOENT` and the like where it can't be started.
  package static func capture(
    _ arguments: [[UInt8]], environment: [String: String]? = nil, in folder: [UInt8]? = nil,
    input: [UInt8] = [], inheritsErrors: Bool = false, onTerminal size: (columns: Int, rows: Int)? = nil
  ) throws(SystemError) -> (exit: Exit, output: [UInt8], errors: [UInt8]) {
    // A program may end without reading its input.
    let dispositions = Dispositions(ignoring: [SIGPIPE, SIGINT, SIGQUIT])
    defer { dispositions.restore() }
    let exchange = try StreamExchange(input: input, capturesErrors: !inheritsErrors, size)
    let process = try exchange.start(
      arguments, environment, folder, standardSignals: dispositions.changed, inOwnSession: size != nil)
    if let exit = exchange.run(until: process) { return (exit, exchange.output, exchange.errors) }
    return (try wait(for: process, arguments), exchange.output, exchange.errors)
  }

  /// Runs a program that may wait for others and hands on its standard error as it comes.
  ///
  /// Signals stay as they are: Ctrl-C ends this process and the program.
  /// - Parameters:
  ///   - patience: how long it may be silent; a program that is ended for its silence has ended by SIGTERM or SIGKILL.
  ///   - hear: receives the pieces of standard error.
  /// - Returns: what it wrote, and whether it was ended for its silence.
  /// - Throws: `ENOENT` and the like where it can't be started.
  package static func follow(
    _ arguments: [[UInt8]], environment: [String: String]? = nil, input: [UInt8] = [], patience: Patience,
    hear: (ArraySlice<UInt8>) -> Void
  ) throws(SystemError) -> (exit: Exit, output: [UInt8], errors: [UInt8], wasSilent: Bool) {
    // A program that ends early must not end this process.
    let dispositions = Dispositions(ignoring: input.isEmpty ? [] : [SIGPIPE])
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
    childEnds = [(inputPipe.read, STDIN_FILENO)]
    if let size {
      let terminal = try Pseudoterminal(columns: size.columns, rows: size.rows)
      reading = terminal.ownEnd
      childEnds.append((terminal.otherEnd, STDOUT_FILENO))
    } else {
      let outputPipe = try Descriptor.pipe()
      reading = outputPipe.read
      childEnds.append((outputPipe.write, STDOUT_FILENO))
    }
    if capturesErrors {
      let errorPipe = try Descriptor.pipe()
      readingErrors = errorPipe.read
      childEnds.append((errorPipe.write, STDERR_FILENO))
    }
    for own in [writing, reading, readingErrors] {
      if let own { _ = fcntl(own.number, F_SETFL, O_NONBLOCK) }
    }
  }

  func start(
    _ arguments: [[UInt8]], _ environment: [String: String]?, _ folder: [UInt8]?, standardSignals: [Int32],
    inOwnSession: Bool = false
  ) throws(SystemError) -> pid_t {
    var setup = try SpawnSetup(standardSignals: standardSignals)
    setup.startsSession = inOwnSession
    try setup.enter(folder)
    for (end, stream) in childEnds { try setup.pass(end, as: stream) }
    let process = try setup.spawn(arguments, environment)
    childEnds = []
    return process
  }

  /// Moves bytes until the child has closed its streams, or has ended.
  /// - Returns: How it ended, where that was noticed.
  func run(
    until process: pid_t, _ patience: ChildProcess.Patience? = nil,
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
        kill(process, wasSilent ? SIGKILL : SIGTERM)
        wasSilent = true
        last = Waiting.now()
      }
      var status: Int32 = 0
      if waitpid(process, &status, WNOHANG) == process {
        // What it wrote last is still in the pipes, which hold 64 KB each, or 1 MB at the most.
        for _ in 0..<64 {
          if moveBytes(waitingMilliseconds: 0) { break }
        }
        return ChildProcess.exit(of: status)
      }
    }
    return nil
  }

  /// Waits until a stream is ready and serves it; returns whether none was.
  private func moveBytes(waitingMilliseconds: Int32) -> Bool {
    let streams = [(writing, POLLOUT), (reading, POLLIN), (readingErrors, POLLIN)]
    // A negative descriptor is passed over by poll(2).
    var polled = streams.map { pollfd(fd: $0.0?.number ?? -1, events: Int16($0.1), revents: 0) }
    guard poll(&polled, nfds_t(polled.count), waitingMilliseconds) > 0 else { return true }
    if polled[0].revents != 0 { feed() }
    if polled[1].revents != 0, Self.drain(reading, into: &output) { reading = nil }
    if polled[2].revents != 0, Self.drain(readingErrors, into: &errors) { readingErrors = nil }
    return false
  }

  private func feed() {
    guard let writing else { return }
    let count = input.withUnsafeBytes { write(writing.number, $0.baseAddress, $0.count) }
    if count > 0 { input = input.dropFirst(count) }
    if count < 0, errno != EAGAIN, errno != EINTR {
      input = []
      self.writing = nil
    }
  }

  /// Reads what is there; returns whether the stream has ended.
  private static func drain(_ stream: Descriptor?, into bytes: inout [UInt8]) -> Bool {
    guard let stream else { return true }
    var count = 0
    let part = [UInt8](unsafeUninitializedCapacity: 1 << 16) { buffer, length in
      count = retrying { read(stream.number, buffer.baseAddress, buffer.count) }
      length = max(0, count)
    }
    bytes += part
    return count == 0 || (count < 0 && errno != EAGAIN)
  }
}

/// A terminal that no window shows: what one end writes the other reads, byte for byte.
package final class Pseudoterminal: Sendable {
  let ownEnd: Descriptor
  let otherEnd: Descriptor

  /// The descriptor of who plays the window.
  package var own: Int32 { ownEnd.number }
  /// The descriptor of the program that runs in it.
  package var other: Int32 { otherEnd.number }

  /// `TIOCSPTLCK`, `TIOCGPTN`. Source: ioctl_tty(2).
  private static let (setLock, getNumber): (UInt, UInt) = (0x4004_5431, 0x8004_5430)

  /// - Throws: where the system gives none.
  package init(columns: Int, rows: Int) throws(SystemError) {
    ownEnd = try Descriptor.open(Array("/dev/ptmx".utf8), O_RDWR | O_NOCTTY | O_CLOEXEC)
    var lock: Int32 = 0
    var number: Int32 = 0
    guard ioctl(ownEnd.number, Self.setLock, &lock) == 0, ioctl(ownEnd.number, Self.getNumber, &number) == 0
    else {
      throw SystemError("open terminal", [])
    }
    otherEnd = try Descriptor.open(Array("/dev/pts/\(number)".utf8), O_RDWR | O_NOCTTY | O_CLOEXEC)
    var settings = termios()
    tcgetattr(otherEnd.number, &settings)
    cfmakeraw(&settings)
    tcsetattr(otherEnd.number, TCSANOW, &settings)
    var size = winsize()
    size.ws_col = UInt16(clamping: columns)
    size.ws_row = UInt16(clamping: rows)
    _ = ioctl(otherEnd.number, UInt(TIOCSWINSZ), &size)
  }
}
