import Bytes
import NoteIndex
import Notes
import Text

/// What a person would say of notes in which a change is in place already.
struct InPlaceWords {
  /// What the notes are, such as `closed`, or have, such as `+food`; nil where several changes are asked for.
  private let phrase: (verb: (one: String, many: String), object: String)?

  /// The words for CHANGEs, or for a new text.
  init(_ changes: [Change], hasBody: Bool) {
    switch (changes.count, hasBody) {
    case (0, true): phrase = (Self.having, "that text already")
    case (1, false): phrase = Self.phrase(changes[0])
    default: phrase = nil
    }
  }

  /// The words for an action of a kind.
  init(_ action: Action, of kind: Kind) {
    let changes = action.changes
    guard changes.count == 1 else {
      phrase = nil
      return
    }
    guard case .set(let name, let value) = changes[0], let field = kind.field(name),
      [.choice, .boolean].contains(field.type)
    else {
      phrase = Self.phrase(changes[0])
      return
    }
    let isOff = field.type == .boolean && value == "false"
    let word = field.type == .boolean ? field.name : value
    phrase = (Self.being, isOff ? "not \(Self.words(word))" : "\(Self.words(word)) already")
  }

  private static let being = (one: "is", many: "are")
  private static let having = (one: "has", many: "have")

  private static func words(_ name: String) -> String {
    Visible.escape(name.split(separator: "-").joined(separator: " "))
  }

  private static func phrase(_ change: Change) -> (verb: (one: String, many: String), object: String) {
    switch change {
    case .set(let field, let value): (having, "\(Visible.escape(field)) \(Visible.escape(value)) already")
    case .clear(let field): (having, "no \(Visible.escape(field))")
    case .addTag(let tag): (having, "+\(Visible.escape(tag)) already")
    case .removeTag(let tag): (having, "no tag \(Visible.escape(tag))")
    case .add(let element, let field):
      (having, "\(Visible.escape(element)) in \(Visible.escape(field)) already")
    case .remove(let element, let field):
      (having, "no \(Visible.escape(element)) in \(Visible.escape(field))")
    }
  }

  /// The sentence on notes; nil where nothing better than a general one can be said.
  func sentence(on entries: [Entry]) -> String? {
    guard let phrase, let first = entries.first else { return nil }
    let subject =
      entries.count == 1
      ? "\(first.note.shownName) \(phrase.verb.one)" : "all \(entries.count) notes \(phrase.verb.many)"
    return "\(subject) \(phrase.object)"
  }
}
