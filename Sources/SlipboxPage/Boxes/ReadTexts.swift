import Git
import Synchronization

/// The texts of notes that pages were given last, by the ids of their bytes.
final class ReadTexts: Sendable {
  /// So many bytes are kept in all.
  private static let mostBytes = 32 << 20

  private let kept = Mutex<(order: [ObjectID], texts: [ObjectID: [UInt8]], count: Int)>(([], [:], 0))

  /// Keeps a text; those that were added first go where there are too many.
  func add(_ bytes: [UInt8]) {
    let id = ObjectID(ofBlob: bytes)
    kept.withLock { kept in
      guard kept.texts[id] == nil else { return }
      kept.texts[id] = bytes
      kept.order.append(id)
      kept.count += bytes.count
      while kept.count > Self.mostBytes, kept.order.count > 1 {
        kept.count -= kept.texts.removeValue(forKey: kept.order.removeFirst())?.count ?? 0
      }
    }
  }

  subscript(_ id: ObjectID) -> [UInt8]? { kept.withLock { $0.texts[id] } }
}
