import Synchronization

/// A value that is made when it is first asked for, and then kept.
final class Lazy<Value: Sendable>: Sendable {
  private let state = Mutex<Value?>(nil)

  /// Returns the value, making it where it is not there yet; other threads wait meanwhile.
  func value(_ make: () -> Value) -> Value {
    state.withLock { known in
      if let known { return known }
      let made = make()
      known = made
      return made
    }
  }
}
