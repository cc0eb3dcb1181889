import NoteIndex
import Notes
import SlipboxCore

extension BoxSnapshot {
  /// The action that ends a record, such as `close` or `finish`, by kind: the first that is declared after which a record is
  /// not active.
  var endings: [String: String] {
    let (schema, clock) = (schema(), clock)
    let test = ActiveTest(schema: schema, clock: clock)
    var endings: [String: String] = [:]
    for kind in schema.kinds where kind.active != nil {
      let ending = kind.actions.first { action in
        guard let note = kind.note(after: action) else { return false }
        return !test.isActive(Entry(note: note, created: clock.now, kind: kind.name))
      }
      endings[kind.name] = ending?.name
    }
    return endings
  }
}

extension Kind {
  /// A record with nothing but what an action sets; nil where it sets nothing.
  fileprivate func note(after action: Action) -> Note? {
    let lines = action.changes.compactMap { change -> String? in
      guard case .set(let field, let value) = change else { return nil }
      return "\(field): \(value)\n"
    }
    guard !lines.isEmpty else { return nil }
    let text = "---\nkind: \(name)\n\(lines.joined())---\n"
    return Note(path: Array("record.md".utf8), text: NoteText(Array(text.utf8)))
  }
}
