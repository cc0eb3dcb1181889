import Synchronization

/// The records that names in fields mean, each worked out once: many records refer to few. Safe for several threads.
final class ReferenceMemo: Sendable {
  private let known = Mutex<[String: [[UInt8]: [Int]]]>([:])

  /// The places of the records of a kind that a name means.
  func places(of kind: String, named name: String, _ find: () -> [Int]) -> [Int] {
    let name = Array(name.utf8)
    if let places = known.withLock({ $0[kind]?[name] }) { return places }
    let places = find()
    known.withLock { $0[kind, default: [:]][name] = places }
    return places
  }
}
