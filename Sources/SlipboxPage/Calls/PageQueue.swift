import Platform

/// Where a request waits for its turn: those that take long hold no others up.
package enum PageQueue: Sendable, CaseIterable {
  /// Questions that are answered at once.
  case questions
  /// Questions about the past, which may have to walk through all commits.
  case past
  /// Changes, one after the other.
  case changes

  /// How many requests are worked on at a time.
  package var threads: Int {
    switch self {
    case .questions: max(4, Threads.processors)
    case .past: 2
    case .changes: 1
    }
  }

  /// Whether a request that came whole is carried out although nobody waits for the answer: a page that is closed sends its
  /// last change so.
  var outlivesCaller: Bool { self == .changes }
}
