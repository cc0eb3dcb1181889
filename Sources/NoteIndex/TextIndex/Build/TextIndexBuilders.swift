import Synchronization

/// The builders of the threads that make one index together.
package final class TextIndexBuilders: Sendable {
  private struct Idle: @unchecked Sendable {
    /// Each is used by the thread that took it out, and by no other before it is back.
    var builders: [TextIndexBuilder] = []
    /// Builders that are used by one thread at a time each, as the caller sees to.
    var lanes: [TextIndexBuilder] = []
  }

  private let idle = Mutex(Idle())

  /// - Parameter lanes: how many builders `fill(lane:)` lends.
  package init(lanes: Int = 0) {
    let builders = Idle(lanes: (0..<lanes).map { _ in TextIndexBuilder() })
    idle.withLock { $0 = builders }
  }

  /// Lends the builder of a lane, which the caller uses on one thread at a time and with ascending documents.
  ///
  /// A few builders take less memory than one for each thread that reads.
  package func fill(lane: Int, _ body: (TextIndexBuilder) -> Void) {
    let lent = idle.withLock { Idle(lanes: [$0.lanes[lane]]) }
    body(lent.lanes[0])
  }

  /// Lends a builder for a run of documents, of which the first is given.
  ///
  /// Runs may be filled on many threads at once. There are about as many builders as threads if runs are
  /// begun in about their order.
  package func fill(from document: Int, _ body: (TextIndexBuilder) -> Void) {
    let known = idle.withLock { idle in
      let index = idle.builders.firstIndex { $0.nextDocument <= document }
      return index.map { Idle(builders: [idle.builders.remove(at: $0)]) }
    }
    let builder = known?.builders.first ?? TextIndexBuilder()
    body(builder)
    let filled = Idle(builders: [builder])
    idle.withLock { $0.builders += filled.builders }
  }

  /// Returns the bytes of an index of all documents, and forgets them; nothing is filled after that.
  ///
  /// - Parameters:
  ///   - documents: how many there are; those that were never begun have no words.
  ///   - executor: does the work on several threads; nil does it on the calling one.
  ///   - onRelease: is called where much of what was taken in has been freed, and when all of it is.
  /// - Complexity: O(n) in the number of words, O(m log m) in that of different ones.
  package func index(
    documents: Int, executor: ParallelExecutor? = nil, onRelease: () -> Void = {}
  ) -> [UInt8] {
    var filled = idle.withLock { idle in
      defer { idle = Idle() }
      return Idle(builders: idle.builders + idle.lanes.filter { $0.nextDocument > 0 })
    }
    let lengths = filled.builders.flatMap(\.lengths)
    let last = lengths.reduce(0) { max($0, Int($1.document) + 1) }
    precondition(last <= documents, "no document beyond the last one")
    let stretches = Self.stretches(filled.builders.map(\.table), executor, onRelease)
    // What they took in is not needed beside the whole index.
    filled = Idle()
    onRelease()
    return IndexAssembly(stretches, lengths, documents: documents, executor: executor).bytes(
      onRelease: onRelease)
  }

  /// So many parts are put into their final form before the memory of their postings is given back.
  private static let partsAtOnce = 8

  private static func stretches(
    _ tables: [TermTable], _ executor: ParallelExecutor?, _ onRelease: () -> Void
  ) -> [IndexPart] {
    let parts = TermRanges(tables)
    nonisolated(unsafe) let tables = tables
    var stretches: [IndexPart] = []
    for start in stride(from: 0, to: parts.count, by: partsAtOnce) {
      let count = min(partsAtOnce, parts.count - start)
      stretches += ParallelParts(count: count, executor: executor).map { part in
        IndexPart(tables, terms: parts.terms(start + part))
      }
      onRelease()
    }
    return stretches
  }
}
