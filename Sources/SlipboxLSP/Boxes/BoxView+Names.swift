import NoteIndex
import Notes
import Presentation

extension BoxView {
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
