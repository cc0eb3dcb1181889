import Notes
import Text

/// In which order check boxes are listed.
package enum TodoOrder: String, Sendable, CaseIterable {
  /// The order of the notes and of their lines.
  case note
  /// By due date; boxes without one come last.
  case due
  /// By the first tag in the text; boxes without one come last.
  case tag

  /// Sorts boxes that are in the order of the notes, which decides among equals.
  package func sorted(_ todos: [Todo]) -> [Todo] {
    switch self {
    case .note: todos
    case .due: Self.sorted(todos, by: { $0.due?.dayNumber ?? .max }, <)
    case .tag:
      Self.sorted(
        todos.filter { !$0.tags.isEmpty }, by: { Folding.fold(Array($0.tags[0].utf8)[...]) },
        { $0.lexicographicallyPrecedes($1) }) + todos.filter(\.tags.isEmpty)
    }
  }

  private static func sorted<Key: Equatable>(
    _ todos: [Todo], by key: (Todo) -> Key, _ precedes: (Key, Key) -> Bool
  ) -> [Todo] {
    let keyed = todos.enumerated().map { (key: key($1), place: $0, todo: $1) }
    return keyed.sorted { $0.key == $1.key ? $0.place < $1.place : precedes($0.key, $1.key) }.map(\.todo)
  }
}
