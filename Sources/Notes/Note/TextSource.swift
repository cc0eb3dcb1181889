import Synchronization

/// Where the text of a note can be read. The text is cached, a failure is not.
package final class TextSource: Sendable {
  private let read: @Sendable () -> [UInt8]?
  private let known = Mutex<[UInt8]?>(nil)

  /// - Parameter read: returns the bytes of the file; nil if it can't be read, which then counts as an empty text.
  package init(_ read: @escaping @Sendable () -> [UInt8]?) { self.read = read }

  func bytes() -> [UInt8] {
    known.withLock { known in
      if let known { return known }
      known = read()
      return known ?? []
    }
  }
}
