import Bytes
import Notes
import Text

/// How notes are sorted by a field that all their kinds declare alike.
struct TypedOrder: Sendable {
  private let kinds: [Kind]
  private let field: String
  /// The choices of all kinds, from the lowest to the highest.
  private let choices: [String]

  /// Finds out how a field is sorted by.
  ///
  /// - Returns: nil where a kind does not declare it, or another one otherwise. Choices may differ where those
  ///   of one kind hold all others in the same order.
  init?(_ name: String, of kinds: [Kind?]) {
    let known = kinds.compactMap { $0 }
    let fields = known.compactMap { $0.declaredField(name) }
    guard let first = fields.first, fields.count == kinds.count,
      fields.allSatisfy({ $0.type == first.type })
    else { return nil }
    let choices = fields.map(\.values).max { $0.count < $1.count } ?? []
    guard fields.allSatisfy({ Self.isPart($0.values, of: choices) }) else { return nil }
    self.kinds = known
    self.field = name
    self.choices = choices
  }

  /// Whether all names stand among others in the same order.
  private static func isPart(_ names: [String], of others: [String]) -> Bool {
    var rest = others[...]
    for name in names {
      guard let index = rest.firstIndex(where: name.hasSameLetters) else { return false }
      rest = rest[(index + 1)...]
    }
    return true
  }

  /// The sort value of a note of a kind; a missing field counts as its default.
  func value(of note: Note, kind name: String) -> SortValue {
    guard let kind = kinds.first(where: { $0.name.hasSameLetters(as: name) }) else { return .absent }
    if let value = kind.value(of: field, in: note) { return .typed(key(value, kind).sortKey) }
    let text = note.value(of: field)?.first ?? ""
    return text.utf8.allSatisfy(ASCII.isBlank) ? .absent : .wrong(Collation.key(text))
  }

  /// A choice by its place among those of all kinds.
  private func key(_ value: TypedValue, _ kind: Kind) -> TypedValue {
    guard case .choice(let place) = value, let own = kind.declaredField(field)?.values,
      own.indices.contains(place), let common = choices.firstIndex(where: own[place].hasSameLetters)
    else { return value }
    return .choice(common)
  }
}
