import Glibc

extension FolderWatch {
  /// What ended a wait.
  package enum Awakening: Sendable {
    /// Something has changed: see `events()`.
    case changes
    /// The terminal has another size, or the command goes on after it was stopped.
    case resized
    /// Nobody reads the output any more.
    case outputClosed
    case timeout
  }

  /// Waits until something happens.
  ///
  /// - Parameters:
  ///   - watch: nil where nothing is watched.
  ///   - output: a descriptor whose reader may go away.
  ///   - milliseconds: how long at most.
  package static func wait(_ watch: FolderWatch?, output: Int32, atMost milliseconds: Int64) -> Awakening {
    var streams = [
      pollfd(fd: output, events: 0, revents: 0),
      pollfd(fd: watch?.descriptor.number ?? -1, events: Int16(POLLIN), revents: 0),
    ]
    var time = timespec(tv_sec: Int(milliseconds / 1_000), tv_nsec: Int(milliseconds % 1_000) * 1_000_000)
    var mask = sigset_t()
    pthread_sigmask(SIG_BLOCK, nil, &mask)
    // Without `endWaitsForRedrawing` these are for other threads, which would not hear of them.
    for signal in Signals.redrawing where Signals.hasHandler(signal) { sigdelset(&mask, signal) }
    guard let poll = LinuxCalls.poll else { return .timeout }
    let count = poll(&streams, UInt(streams.count), &time, &mask)
    if count < 0 { return .resized }
    if streams[0].revents & Int16(POLLERR | POLLHUP | POLLNVAL) != 0 { return .outputClosed }
    return streams[1].revents != 0 ? .changes : .timeout
  }
}

extension Signals {
  /// The signals after which a screen is drawn again.
  static let redrawing = [SIGWINCH, SIGCONT]

  /// From here on a change of the terminal's size, and going on after a stop, end a wait of `FolderWatch`; at other
  /// times they are held back.
  package static func endWaitsForRedrawing() {
    var held = set(of: redrawing)
    pthread_sigmask(SIG_BLOCK, &held, nil)
    var action = sigaction()
    action.__sigaction_handler.sa_handler = ignoreSignal
    for signal in redrawing { replace(signal, by: action) }
  }
}

/// Does nothing but end a wait. A free function: a callback written in a main-actor context would trap.
private func ignoreSignal(_ signal: Int32) {}
