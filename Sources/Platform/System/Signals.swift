#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif
import Synchronization

/// The signals of a process: their numbers, and whether they are held back, ignored or waited for.
package enum Signals {
  package static let hangUp = SIGHUP
  package static let interrupt = SIGINT
  package static let quit = SIGQUIT
  package static let terminate = SIGTERM
  package static let kill = SIGKILL
  package static let brokenPipe = SIGPIPE
  /// Ctrl-Z.
  package static let stop = SIGTSTP
  /// Going on after a stop.
  package static let resume = SIGCONT
  /// The terminal has another size.
  package static let resize = SIGWINCH

  /// Runs a short critical section in which SIGINT, SIGTERM and SIGHUP wait; they are delivered after it.
  ///
  /// SIGPIPE is not held back: a mutation does not write to a pipe, results are printed after it. Only the
  /// calling thread's mask changes; this module's own threads take no signals at all, so in the command the
  /// section is safe.
  package static func deferring<Result, Failure: Error>(
    _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    var before = sigset_t()
    var held = set(of: [SIGINT, SIGTERM, SIGHUP])
    pthread_sigmask(SIG_BLOCK, &held, &before)
    defer { pthread_sigmask(SIG_SETMASK, &before, nil) }
    return try body()
  }

  /// Runs a body when SIGINT, SIGTERM or SIGHUP comes, and then ends the process, with the exit code 0 for SIGINT.
  ///
  /// The signals are held back from the calling thread, and no other thread of this module takes them.
  package static func beforeEnding(_ body: @escaping @Sendable () -> Void) {
    hold([SIGINT, SIGTERM, SIGHUP])
    _ = Threads.detach {
      let number = wait(for: [SIGINT, SIGTERM, SIGHUP]) ?? 0
      body()
      _exit(number == SIGINT ? 0 : 128 + number)
    }
  }

  /// Lets a write beyond the limit of a file's size fail, as one on a full disk does, instead of ending the process.
  ///
  /// Programs that are started get the default again. It is meant for the beginning of a program.
  package static func failWritesBeyondLimit() { replace(SIGXFSZ, by: ignoring) }

  /// Makes a write to a pipe without a reader fail, instead of ending the process.
  package static func failWritesToClosedPipes() { replace(SIGPIPE, by: ignoring) }

  /// Ignores the signals that end or stop a job of the shell.
  static func ignoreThoseOfJobs() {
    for signal in [SIGTTOU, SIGTTIN, SIGTSTP, SIGINT, SIGQUIT, SIGHUP, SIGTERM] {
      replace(signal, by: ignoring)
    }
  }

  /// Sends a signal to this thread. Wraps raise(3).
  package static func raise(_ signal: Int32) { sendToSelf(signal) }

  /// Sends a signal to a process. Wraps kill(2).
  package static func send(_ signal: Int32, to process: Int32) { _ = sendTo(process, signal) }

  /// Holds signals back from this thread, and from those that it starts. Wraps pthread_sigmask(3).
  package static func hold(_ signals: [Int32]) {
    var held = set(of: signals)
    pthread_sigmask(SIG_BLOCK, &held, nil)
  }

  /// Lets signals reach this thread again. Wraps pthread_sigmask(3).
  static func release(_ signals: [Int32]) {
    var held = set(of: signals)
    pthread_sigmask(SIG_UNBLOCK, &held, nil)
  }

  /// Waits for one of the signals, which have to be held back. Wraps sigwait(3).
  /// - Returns: nil if the system refuses to wait.
  @discardableResult
  package static func wait(for signals: [Int32]) -> Int32? {
    var held = set(of: signals)
    var number: Int32 = 0
    return sigwait(&held, &number) == 0 ? number : nil
  }

  /// A set of the given signals.
  static func set(of signals: [Int32]) -> sigset_t {
    var result = sigset_t()
    sigemptyset(&result)
    for signal in signals { sigaddset(&result, signal) }
    return result
  }

  /// Sets the disposition of a signal and returns the one before.
  @discardableResult
  static func replace(_ signal: Int32, by action: sigaction) -> sigaction {
    var new = action
    var old = sigaction()
    sigaction(signal, &new, &old)
    return old
  }

  /// The disposition that ignores a signal.
  static var ignoring: sigaction { calling(SIG_IGN) }

  /// The disposition that calls a function.
  static func calling(_ handler: (@convention(c) (Int32) -> Void)?) -> sigaction {
    var action = sigaction()
    #if canImport(Glibc)
      action.__sigaction_handler.sa_handler = handler
    #elseif canImport(Musl)
      action.__sa_handler.sa_handler = handler
    #else
      action.__sigaction_u.__sa_handler = handler
    #endif
    return action
  }

  /// The function of a disposition as a number: 0 is the default, 1 ignores the signal.
  private static func handler(of action: sigaction) -> Int {
    #if canImport(Glibc)
      unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self)
    #elseif canImport(Musl)
      unsafeBitCast(action.__sa_handler.sa_handler, to: Int.self)
    #else
      unsafeBitCast(action.__sigaction_u.__sa_handler, to: Int.self)
    #endif
  }

  /// The disposition that a program starts with.
  static var standard: sigaction { sigaction() }

  /// Whether a function of this process is called at a signal.
  static func hasHandler(_ signal: Int32) -> Bool {
    var action = sigaction()
    sigaction(signal, nil, &action)
    return handler(of: action) > 1
  }

  /// Whether a disposition ignores its signal.
  static func ignores(_ action: sigaction) -> Bool {
    handler(of: action) == 1
  }
}

/// Wraps raise(3), whose name `Signals.raise` hides.
private func sendToSelf(_ signal: Int32) { raise(signal) }

/// Wraps kill(2), whose name `Signals.kill` hides.
private func sendTo(_ process: Int32, _ signal: Int32) -> Int32 { kill(process, signal) }

extension Signals {
  /// The signals after which a screen is drawn again.
  static let redrawing = [SIGWINCH, SIGCONT]

  /// From here on a change of the terminal's size, and going on after a stop, end a wait of `FolderWatch`; at other
  /// times they are held back.
  package static func endWaitsForRedrawing() {
    hold(redrawing)
    for signal in redrawing { replace(signal, by: calling(ignoreSignal)) }
  }
}

/// Does nothing but end a wait. A free function: a callback written in a main-actor context would trap.
private func ignoreSignal(_ signal: Int32) {}

/// Signal dispositions that are other than usual for a while.
///
/// Several threads may wait for children at once: a signal is ignored until the last of them is done.
struct Dispositions {
  private static let ignored = Mutex<[Int32: (users: Int, before: sigaction)]>([:])
  private let signals: [Int32]
  /// The actions of the signals before any thread ignored them.
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

/// Descriptors that are waited for together. Wraps poll(2).
struct Polled {
  private var streams: [pollfd]

  /// The event that a poll of a descriptor waits for. A closed other end is always reported.
  enum Event { case reading, writing, closing }

  /// - Parameter streams: nil in place of a descriptor is passed over, so that the others keep their positions.
  init(_ streams: [(descriptor: Int32?, event: Event)]) {
    self.streams = streams.map { stream in
      let events: Int16 =
        switch stream.event {
        case .reading: Int16(POLLIN)
        case .writing: Int16(POLLOUT)
        case .closing: 0
        }
      return pollfd(fd: stream.descriptor ?? -1, events: events, revents: 0)
    }
  }

  /// Waits until one is ready.
  /// - Parameter milliseconds: the longest wait; negative: without end.
  /// - Returns: how many are ready; 0 after the time; negative after a signal or a failure.
  mutating func wait(milliseconds: Int32) -> Int { Int(poll(&streams, nfds_t(streams.count), milliseconds)) }

  /// Waits until one is ready, also after signals.
  mutating func waitOn(milliseconds: Int32) -> Int {
    retrying { Int(poll(&streams, nfds_t(streams.count), milliseconds)) }
  }

  /// Waits until one is ready, or until one of the signals comes that are held back at other times.
  ///
  /// Portable form: the signals do not end the wait.
  mutating func wait(milliseconds: Int64, orFor signals: [Int32]) -> Int {
    var time = timespec(tv_sec: Int(milliseconds / 1_000), tv_nsec: Int(milliseconds % 1_000) * 1_000_000)
    var mask = sigset_t()
    pthread_sigmask(SIG_BLOCK, nil, &mask)
    for signal in signals { sigdelset(&mask, signal) }
    guard let poll = LinuxCalls.poll else { return wait(milliseconds: Int32(clamping: milliseconds)) }
    return Int(poll(&streams, UInt(streams.count), &time, &mask))
  }

  /// Whether something was reported of a descriptor, by its position.
  func isReady(_ position: Int) -> Bool { streams[position].revents != 0 }

  /// Whether the other end is closed or the descriptor is broken.
  func isClosed(_ position: Int) -> Bool {
    streams[position].revents & Int16(POLLERR | POLLHUP | POLLNVAL) != 0
  }
}
