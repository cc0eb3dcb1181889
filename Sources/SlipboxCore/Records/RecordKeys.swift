import NoteIndex
import Notes
import Text

/// Records by the values of the field that names them: the `key:` of their kind.
extension BoxSnapshot {
  /// Refuses a change that gives a record the key of another one: references could not tell them apart.
  func refuseTakenKey(of old: Note, _ new: Note, kind: String) throws(SlipboxError) {
    let keys = RecordKeys(schema())
    guard !keys.isEmpty else { return }
    let created = new.created ?? clock.now
    var kind = new.frontMatter["kind"] == nil ? kind : new.kind
    if kind == "note" { kind = kindMatcher().kind(of: new, created: created) }
    guard let key = keys.field(of: kind), let value = new.frontMatter[key]?.text, !value.isEmpty,
      value != old.frontMatter[key]?.text || old.path.isEmpty
    else { return }
    let records = RecordLookup(try catalogue(), schema())
    let others = records.records(withKey: value).filter { $0.kind == kind && $0.note.path != old.path }
    guard let other = others.first else { return }
    throw SlipboxError(
      .badData,
      "\(new.shownName): \(key): \(Visible.escape(value)) is that of \(other.note.shownName)",
      hints: [
        "  \(other.note.shownName)  \(Visible.escape(other.note.title))",
        "references to it would be ambiguous; give it another \(key)",
      ])
  }
}
