import NoteIndex
import Notes
import Presentation

extension BoxView {
  /// Whether a note may have a title or alias, whatever its case and accents, on disk or in the editor.
  func mayHaveNote(named name: String) -> Bool {
    if names.count(named: name) > 0 { return true }
    return unsaved.contains { path in
      documents[path].map { NamesOfNote($0.note(at: path)) }.map { note in
        ([note.title] + note.aliases).contains { $0.isSameName(as: name) }
      } ?? false
    }
  }

  /// The notes whose names fit what was typed, the best first; those that are open with the names that they have in the
  /// editor.
  func matches(
    _ typed: String, ofKind kind: String? = nil, in folder: NameFolder = .any, most: Int
  ) -> [NameMatch] {
    let open = documents.filter { FileName.isNote($0.key) && unsaved.contains($0.key) }
    let stock = NameStock(
      open.map { path, document in
        let note = document.note(at: path)
        return NamedNote(NamesOfNote(note), kind: note.kind, created: note.created)
      })
    let own = NameStock.matches(NamePattern(typed), in: [stock], ofKind: kind, most: most) {
      folder.holds($0)
    }
    let others = names.matches(typed, ofKind: kind, in: folder, most: most, hiding: Set(open.keys))
    return own.isEmpty ? others : (own + others).sorted { $0.precedes($1) }
  }
}
