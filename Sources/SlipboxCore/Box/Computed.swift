import Synchronization

/// A value that is worked out when it is first asked for, and then kept. Safe for several threads.
final class Computed<Value: Sendable>: Sendable {
  private let result: Mutex<Result<Value, SlipboxError>?>

  /// - Parameter value: the value, where it is known already.
  init(_ value: Value? = nil) { result = Mutex(value.map { .success($0) }) }

  /// Returns the value, or throws why there is none. Other threads wait while it is worked out.
  ///
  /// - Parameter compute: runs once; it must not ask for this same value.
  func value(_ compute: () throws(SlipboxError) -> Value) throws(SlipboxError) -> Value {
    let result = result.withLock { result in
      if let result { return result }
      let made: Result<Value, SlipboxError>
      do throws(SlipboxError) { made = .success(try compute()) } catch { made = .failure(error) }
      result = made
      return made
    }
    return try result.get()
  }

  /// Why there is no value, where it was asked for before.
  var knownFailure: SlipboxError? {
    result.withLock { result in if case .failure(let error)? = result { error } else { nil } }
  }

  /// The value, where it was worked out before.
  var known: Value? {
    result.withLock { result in if case .success(let value)? = result { value } else { nil } }
  }
}
