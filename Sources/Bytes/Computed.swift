public import Synchronization

/// A value that is computed at the first request and then cached. Safe for several threads.
///
/// A failure is not cached: a lock or a lack of descriptors may be gone at the next request.
public final class Computed<Value: Sendable, Failure: Error>: Sendable {
  @usableFromInline
  struct State {
    @usableFromInline var value: Value?
    /// The last failure.
    @usableFromInline var failure: Failure?
  }

  @usableFromInline let state: Mutex<State>
  @usableFromInline let failures = Atomic(0)

  /// - Parameter value: the value, if it is known already.
  package init(_ value: Value? = nil) { state = Mutex(State(value: value, failure: nil)) }

  /// Returns the value, or throws why there is none. Other threads wait while it is computed, and get the same failure.
  ///
  /// - Parameter compute: must not request this same value.
  @inlinable
  public func value(
    _ compute: () throws(Failure) -> Value
  ) throws(Failure) -> Value {
    let before = failureCount
    let result = state.withLock { state -> Result<Value, Failure> in
      if let value = state.value { return .success(value) }
      if let failure = state.failure, failureCount != before { return .failure(failure) }
      do throws(Failure) {
        let value = try compute()
        state.value = value
        return .success(value)
      } catch {
        state.failure = error
        failures.wrappingAdd(1, ordering: .sequentiallyConsistent)
        return .failure(error)
      }
    }
    return try result.get()
  }

  /// The number of failures of the computation.
  @inlinable public var failureCount: Int { failures.load(ordering: .sequentiallyConsistent) }

  /// - Throws: the last failure, if the computation failed since an earlier count.
  package func refuseFailures(since count: Int) throws(Failure) {
    guard failureCount != count else { return }
    if let failure = state.withLock({ $0.failure }) { throw failure }
  }

  /// The value, if it was computed before.
  package var known: Value? { state.withLock { $0.value } }
}
