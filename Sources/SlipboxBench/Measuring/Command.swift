import Glibc
import Synchronization

/// A program as a whole process, its output read to the end through a pipe.
struct Command {
  /// The program by its absolute path, and its words.
  let arguments: [String]
  let folder: String
  var timeoutSeconds = 600.0

  init(_ arguments: [String], in folder: String, timeoutSeconds: Double = 600) {
    self.arguments = arguments
    self.folder = folder
    self.timeoutSeconds = timeoutSeconds
  }

  /// The cost and the output of a run.
  struct Result {
    /// From before its start to after its end.
    let seconds: Double
    /// The largest resident memory; not less than that of the bench itself.
    let peakBytes: Int
    /// As a shell has it: signals are 128 and more.
    let exitCode: Int32
    var output: OutputTally
    /// The first line of standard error.
    let complaint: String
  }

  /// Runs it.
  /// - Parameters:
  ///   - pattern: A text to count in the output.
  ///   - counts: Whether lines and occurrences are counted while it runs.
  /// - Throws: if it can't be started, or has not ended in time.
  func run(counting pattern: String? = nil, counts: Bool = true) throws -> Result {
    try Interruption.check()
    guard chdir(folder) == 0 else { throw BenchError.system(folder) }
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { throw BenchError.system("pipe") }
    defer { close(ends[0]) }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    ErrorStream.clear()
    let start = Clock.now()
    let process: pid_t
    do {
      defer { close(ends[1]) }
      process = try Self.spawn(arguments, output: ends[1])
    }
    return try Clock.ticking {
      try follow(process, from: start, ends[0], OutputTally(counting: pattern), counts: counts)
    }
  }

  /// Reads the output of the process and waits for its end.
  private func follow(
    _ process: pid_t, from start: Double, _ pipe: Int32, _ tally: OutputTally, counts: Bool
  ) throws -> Result {
    var tally = tally
    let deadline = start + timeoutSeconds
    var isLate = false
    read(from: pipe) { bytes in
      if let bytes { return tally.add(bytes, counts: counts) }
      isLate = Self.end(process, ifPast: deadline) || isLate
    }
    var status: Int32 = 0
    var usage = rusage()
    while wait4(process, &status, 0, &usage) < 0, errno == EINTR {
      isLate = Self.end(process, ifPast: deadline) || isLate
    }
    let seconds = Clock.now() - start
    try Interruption.check()
    if isLate { throw BenchError("not done after \(Int(timeoutSeconds)) s") }
    let signal = status & 0x7F
    return Result(
      seconds: seconds, peakBytes: usage.ru_maxrss * 1_024,
      exitCode: signal == 0 ? (status >> 8) & 0xFF : 128 + signal, output: tally,
      complaint: ErrorStream.firstLine())
  }

  /// Runs it, and returns the beginning of its output without the last line end.
  /// - Throws: if it does not exit with 0.
  @discardableResult
  func checked() throws -> String {
    let result = try run()
    guard result.exitCode == 0 else {
      let name = arguments.prefix(3).joined(separator: " ")
      throw BenchError("\(name): exit \(result.exitCode): \(result.complaint)")
    }
    var text = result.output.text
    if text.last == "\n" { text.removeLast() }
    return text
  }

  /// Kills the process with its children after a timeout or an interrupt by the user.
  private static func end(_ process: pid_t, ifPast deadline: Double) -> Bool {
    guard Clock.now() > deadline || Interruption.isRequested else { return false }
    kill(-process, SIGKILL)
    return true
  }

  /// Calls the body with every part, and with nil when a call was interrupted.
  private func read(from pipe: Int32, _ body: (UnsafeRawBufferPointer?) -> Void) {
    withUnsafeTemporaryAllocation(byteCount: 1 << 16, alignment: 16) { buffer in
      while true {
        let count = Glibc.read(pipe, buffer.baseAddress, buffer.count)
        if count > 0 {
          body(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
        } else if count < 0, errno == EINTR {
          body(nil)
        } else {
          return
        }
      }
    }
  }

  /// Starts a program in a process group of its own. Wraps posix_spawn(3).
  /// - Parameter input: the descriptor of standard input; nil for an empty input.
  static func spawn(_ arguments: [String], input: Int32? = nil, output: Int32) throws -> pid_t {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    if let input {
      posix_spawn_file_actions_adddup2(&actions, input, STDIN_FILENO)
    } else {
      posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
    }
    posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO)
    posix_spawn_file_actions_adddup2(&actions, ErrorStream.descriptor, STDERR_FILENO)
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETPGROUP))
    posix_spawnattr_setpgroup(&attributes, 0)
    var words: [UnsafeMutablePointer<CChar>?] = arguments.map { strdup($0) } + [nil]
    defer { for word in words { free(word) } }
    var process = pid_t()
    let code = posix_spawn(&process, arguments[0], &actions, &attributes, &words, environ)
    guard code == 0 else { throw BenchError("\(arguments[0]): \(String(cString: strerror(code)))") }
    return process
  }
}

/// The file that takes the standard error of children.
private enum ErrorStream {
  static let descriptor: Int32 = {
    guard let file = tmpfile() else { return STDERR_FILENO }
    let descriptor = fileno(file)
    _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    return descriptor
  }()

  static func clear() {
    guard descriptor != STDERR_FILENO else { return }
    ftruncate(descriptor, 0)
    lseek(descriptor, 0, SEEK_SET)
  }

  static func firstLine() -> String {
    var bytes = [UInt8](repeating: 0, count: 400)
    let count = pread(descriptor, &bytes, bytes.count, 0)
    let line = bytes.prefix(max(0, count)).prefix { $0 != UInt8(ascii: "\n") }
    return String(decoding: line, as: UTF8.self)
  }
}

/// The output of a program: all of it is counted, only the beginning is kept.
///
/// Little is kept because the peak memory of a child is at least the memory that its parent had when it started the
/// child.
struct OutputTally {
  private(set) var byteCount = 0
  private(set) var lineCount = 0
  private(set) var occurrences = 0
  private(set) var head: [UInt8] = []
  private let pattern: [UInt8]
  /// The last bytes that were seen, in which an occurrence may begin.
  private var tail: [UInt8] = []
  private static let headLimit = 1 << 16

  /// - Parameter pattern: The text to count, without overlaps; nil: nothing.
  init(counting pattern: String?) {
    self.pattern = Array((pattern ?? "").utf8)
    head.reserveCapacity(Self.headLimit)
  }

  /// The beginning as text.
  var text: String { String(decoding: head, as: UTF8.self) }

  /// Counts the next bytes of the output.
  /// - Parameter counts: Whether lines and occurrences are counted, which costs time.
  mutating func add(_ bytes: UnsafeRawBufferPointer, counts: Bool) {
    byteCount += bytes.count
    if head.count < Self.headLimit { head.append(contentsOf: bytes.prefix(Self.headLimit - head.count)) }
    guard counts else { return }
    for byte in bytes where byte == UInt8(ascii: "\n") { lineCount += 1 }
    guard !pattern.isEmpty else { return }
    let joined = tail + bytes
    occurrences += Self.count(pattern, in: joined)
    tail = Array(joined.suffix(pattern.count - 1))
  }

  /// Counts in the beginning, after the timing; returns false if that is not all.
  mutating func countHead() -> Bool {
    guard byteCount == head.count else { return false }
    lineCount = head.count { $0 == UInt8(ascii: "\n") }
    occurrences = pattern.isEmpty ? 0 : Self.count(pattern, in: head)
    return true
  }

  private static func count(_ pattern: [UInt8], in bytes: [UInt8]) -> Int {
    bytes.withUnsafeBytes { buffer in
      var count = 0
      var offset = 0
      while offset + pattern.count <= buffer.count, let base = buffer.baseAddress,
        let first = memchr(base + offset, Int32(pattern[0]), buffer.count - offset - pattern.count + 1)
      {
        offset = UnsafeRawPointer(first) - base
        let isHit = memcmp(first, pattern, pattern.count) == 0
        count += isHit ? 1 : 0
        offset += isHit ? pattern.count : 1
      }
      return count
    }
  }
}

/// The clock that figures are taken from.
enum Clock {
  /// Seconds since some point; never set back.
  static func now() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }

  /// Interrupts blocking calls once a second during the body, so that they can look whether their time is up.
  static func ticking<Result>(_ body: () throws -> Result) rethrows -> Result {
    var action = sigaction()
    action.__sigaction_handler.sa_handler = ignoreTick
    // Without SA_RESTART: the calls return EINTR.
    sigaction(SIGALRM, &action, nil)
    setTimer(seconds: 1)
    defer { setTimer(seconds: 0) }
    return try body()
  }

  /// - Parameter seconds: 0 stops it.
  private static func setTimer(seconds: Int) {
    let interval = timeval(tv_sec: seconds, tv_usec: 0)
    var timer = itimerval(it_interval: interval, it_value: interval)
    setitimer(__itimer_which_t(ITIMER_REAL.rawValue), &timer, nil)
  }
}

/// A free function, since a handler written in a main-actor context would trap.
private func ignoreTick(_ signal: Int32) {}

/// A failure of the bench, or of one row of it.
struct BenchError: Error, Equatable {
  /// One line.
  let reason: String

  init(_ reason: String) { self.reason = String(reason.map { $0.isNewline ? " " : $0 }) }

  /// The user has interrupted the bench.
  static let interrupted = BenchError("interrupted")

  /// The failure of the system call that has just set `errno`.
  static func system(_ what: String) -> BenchError {
    BenchError("\(what): \(String(cString: strerror(errno)))")
  }
}

/// Whether the user has interrupted the bench: running programs are killed and temporary boxes removed.
enum Interruption {
  fileprivate static let isRequestedFlag = Atomic<Bool>(false)

  static var isRequested: Bool { isRequestedFlag.load(ordering: .relaxed) }

  /// Takes SIGINT, SIGTERM and SIGHUP as requests to end, which interrupt blocking calls.
  static func watch() {
    var action = sigaction()
    action.__sigaction_handler.sa_handler = noteInterruption
    for signal in [SIGINT, SIGTERM, SIGHUP] { sigaction(signal, &action, nil) }
  }

  /// Lets commands run although the user has interrupted the bench.
  static func cleaningUp(_ body: () throws -> Void) rethrows {
    let wasRequested = isRequestedFlag.exchange(false, ordering: .relaxed)
    defer { if wasRequested { isRequestedFlag.store(true, ordering: .relaxed) } }
    try body()
  }

  /// - Throws: if the user has interrupted the bench.
  static func check() throws {
    if isRequested { throw BenchError.interrupted }
  }
}

/// A free function, since a handler written in a main-actor context would trap.
private func noteInterruption(_ signal: Int32) {
  Interruption.isRequestedFlag.store(true, ordering: .relaxed)
}

/// Lines of progress on standard error.
enum Progress {
  static func say(_ text: String) {
    let line = Array("slipbox-bench: \(text)\n".utf8)
    _ = write(STDERR_FILENO, line, line.count)
  }

  /// Flushes standard output.
  static func flushOutput() { fflush(nil) }
}
