import Synchronization

/// The builders of the threads that make one index together.
package final class TextIndexBuilders: Sendable {
  private struct Idle: @unchecked Sendable {
    /// Each is used by the thread that took it out, and by no other before it is back.
    var builders: [TextIndexBuilder] = []
  }

  private let idle = Mutex(Idle())

  package init() {}

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

  /// Returns the bytes of an index of all documents, and forgets them.
  ///
  /// - Parameters:
  ///   - documents: how many there are; those that were never begun have no words.
  ///   - spread: does the work on several threads; nil does it on the calling one.
  ///   - onRelease: is called when what was taken in is freed, before the whole index needs room.
  /// - Complexity: O(n) in the number of words, O(m log m) in that of different ones.
  package func index(
    documents: Int, spread: Spread? = nil, onRelease: () -> Void = {}
  ) -> [UInt8] {
    var filled = idle.withLock { idle in
      defer { idle = Idle() }
      return idle
    }
    let lengths = filled.builders.flatMap(\.lengths)
    let last = lengths.reduce(0) { max($0, Int($1.document) + 1) }
    precondition(last <= documents, "no document beyond the last one")
    let stretches = Self.stretches(filled.builders.map(\.table), spread)
    // What they took in is not needed beside the whole index.
    filled = Idle()
    onRelease()
    return IndexAssembly(stretches, lengths, documents: documents, spread: spread).bytes()
  }

  private static func stretches(_ tables: [TermTable], _ spread: Spread?) -> [IndexStretch] {
    let parts = TermStretches(tables)
    nonisolated(unsafe) let tables = tables
    return Portions(count: parts.count, spread: spread).map { part in
      IndexStretch(tables, terms: parts.terms(part))
    }
  }
}
