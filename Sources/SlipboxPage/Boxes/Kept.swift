import Synchronization

/// A value that is worked out when it is first asked for, and then kept. Safe for several threads.
final class Kept<Value: Sendable>: Sendable {
  private let value = Mutex<Value?>(nil)

  /// The value; other threads wait while it is worked out. Where that fails, the next question tries again.
  func value<Failure: Error>(_ compute: () throws(Failure) -> Value) throws(Failure) -> Value {
    let result = value.withLock { known -> Result<Value, Failure> in
      if let known { return .success(known) }
      do throws(Failure) {
        let made = try compute()
        known = made
        return .success(made)
      } catch {
        return .failure(error)
      }
    }
    return try result.get()
  }
}

/// The last few values that were worked out, by what was asked. Safe for several threads.
final class KeptFew<Key: Equatable & Sendable, Value: Sendable>: Sendable {
  private let most: Int
  private let known = Mutex<[(key: Key, value: Kept<Value>)]>([])

  /// - Parameter most: so many values are kept, those that were asked for last.
  init(_ most: Int) { self.most = most }

  /// The value of a key; threads that ask for the same one wait while it is worked out.
  func value<Failure: Error>(
    _ key: Key, _ compute: () throws(Failure) -> Value
  ) throws(Failure) -> Value {
    let kept = known.withLock { known in
      let place = known.firstIndex { $0.key == key }
      let found = place.map { known.remove(at: $0) } ?? (key: key, value: Kept<Value>())
      known.append(found)
      if known.count > most { known.removeFirst() }
      return found.value
    }
    return try kept.value(compute)
  }
}
