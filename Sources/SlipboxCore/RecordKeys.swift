import NoteIndex
import Notes
import Text

/// Records by the values of the field that names them: the `key:` of their kind.
extension Slipbox {
  /// The records whose key a text is, as it stands.
  ///
  /// - Complexity: O(n) in the front-matter of the box, O(1) where no kind has a key of its own.
  func entries(withKey text: String) throws(SlipboxError) -> [Entry] {
    let keys = keysByKind
    guard !keys.isEmpty, !text.isEmpty else { return [] }
    let entries = try catalogue().entries
    let words = HeadWords([text.lowercased()])
    return entries.indices.compactMap { place in
      guard entries.mayHold(words, at: place) else { return nil }
      let entry = entries[place]
      guard let key = keys[entry.kind], entry.note.frontMatter[key]?.text == text else { return nil }
      return entry
    }
  }

  /// Refuses a change that gives a record the key of another one: references could not tell them apart.
  func refuseTakenKey(of old: Note, _ new: Note, kind: String) throws(SlipboxError) {
    let keys = keysByKind
    guard !keys.isEmpty else { return }
    let created = new.created ?? surroundings.clock.now
    var kind = new.frontMatter["kind"] == nil ? kind : new.kind
    if kind == "note" { kind = kindMatcher().kind(of: new, created: created) }
    guard let key = keys[kind], let value = new.frontMatter[key]?.text, !value.isEmpty,
      value != old.frontMatter[key]?.text || old.path.isEmpty
    else { return }
    let others = try entries(withKey: value).filter { $0.kind == kind && $0.note.path != old.path }
    guard let other = others.first else { return }
    throw SlipboxError(
      .badData,
      "\(Self.name(of: new)): \(key): \(Visible.escape(value)) is that of \(Self.name(of: other.note))",
      hints: [
        "  \(Self.name(of: other.note))  \(Visible.escape(other.note.title))",
        "references could not tell the two apart; give it another \(key)",
      ])
  }

  /// The key fields of the kinds that have one beside the id.
  private var keysByKind: [String: String] {
    var keys: [String: String] = [:]
    for kind in schema().kinds {
      if let key = kind.key, key != "id" { keys[kind.name] = key }
    }
    return keys
  }
}
