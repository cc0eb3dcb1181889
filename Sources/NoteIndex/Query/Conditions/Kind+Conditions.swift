import Bytes
import Notes
import Text

extension Kind {
  /// A note without anything, to which only defaults give values.
  static let emptyNote = Note(path: [], text: NoteText([]))

  /// The field of a name that the kind itself declares.
  func declaredField(_ name: String) -> Field? { fields.first { $0.name.hasSameLetters(as: name) } }

  /// Whether a missing field counts as a value.
  func hasDefault(_ name: String) -> Bool {
    declaredField(name)?.defaultValue != nil && value(of: name, in: Self.emptyNote) != nil
  }
}

extension Schema {
  /// Whether a kind declares a field of a name.
  func declares(_ name: String) -> Bool { kinds.contains { $0.declaredField(name) != nil } }
}

extension Entry {
  /// Says whether a field is absent or empty; a kind that fits is not.
  func lacks(_ name: String) -> Bool {
    note.lacks(name) && (!name.hasSameBytes(as: "kind") || kind.hasSameBytes(as: note.kind))
  }
}

extension Note {
  /// Whether a merge left something to decide, which it names in the field `conflicts`.
  var isConflicted: Bool {
    switch frontMatter.field(ConflictEntry.fieldName)?.value {
    case nil, .empty: false
    case .text(let text): !text.utf8.allSatisfy(ASCII.isBlank)
    case .list(let elements): !elements.isEmpty
    case .map(let entries): !entries.isEmpty
    }
  }
}
