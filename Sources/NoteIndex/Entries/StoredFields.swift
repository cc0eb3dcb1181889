import Notes
import Synchronization

/// The values of fields of stored notes in columns and the order of their titles, where they are to be kept.
///
/// A command looks at a field once or twice and makes the notes that have it. What stays open asks with every letter, and
/// has them kept. Safe for several threads.
package final class StoredFields: Sendable {
  /// No more columns are kept than these.
  private static let most = 64

  private struct State {
    var isKept = false
    /// The columns by the bytes of their names; none for a field with too many values.
    var columns: [[UInt8]: FieldColumn?] = [:]
    var titles: TitleOrder?
  }

  private let state = Mutex(State())

  package init() {}

  /// Has what is asked for from now on kept.
  func keep() { state.withLock { $0.isKept = true } }

  /// The order of the titles of some stored notes, whose these are; nil where it is not kept.
  ///
  /// - Complexity: O(1), but for the first time O(n log n).
  func titles(_ stored: any StoredEntries, _ executor: ParallelExecutor?) -> TitleOrder? {
    state.withLock { state in
      guard state.isKept else { return nil }
      let order = state.titles ?? TitleOrder(stored, executor)
      state.titles = order
      return order
    }
  }

  /// The values of a field of some stored notes, whose fields these are; nil where they are not kept.
  ///
  /// - Complexity: O(1), but for the first time as `FieldColumn` has it.
  func column(
    of name: String, _ stored: any StoredEntries, _ facts: StoredFacts, _ executor: ParallelExecutor?
  ) -> FieldColumn? {
    state.withLock { state in
      guard state.isKept else { return nil }
      let key = Array(name.utf8)
      if let known = state.columns[key] { return known }
      guard state.columns.count < Self.most else { return nil }
      let column = FieldColumn(name, of: stored, facts, executor)
      state.columns[key] = .some(column)
      return column
    }
  }
}
