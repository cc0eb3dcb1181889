import Synchronization

/// Where the text of a note can be read; what was read is kept.
package final class TextSource: Sendable {
  private let read: @Sendable () -> [UInt8]
  private let known = Mutex<[UInt8]?>(nil)

  /// - Parameter read: returns the bytes of the file, none where it is gone.
  package init(_ read: @escaping @Sendable () -> [UInt8]) { self.read = read }

  func bytes() -> [UInt8] {
    known.withLock { known in
      if let known { return known }
      let bytes = read()
      known = bytes
      return bytes
    }
  }
}
