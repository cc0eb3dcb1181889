import NoteIndex
import Notes

extension BoxSnapshot {
  /// The check boxes without the open ones whose whole text is a link to a closed record: what was to be done is done.
  ///
  /// - Complexity: that of `NoteWeb.resolvedLinks(of:)` for each note with such a box.
  func withoutClosedRecords(_ todos: [Todo]) -> [Todo] {
    guard todos.contains(where: { $0.linkText != nil }), let web = try? NoteWeb(self) else { return todos }
    let open = ActiveTest(.open, schema: schema(), clock: clock)
    var known: (path: [UInt8], links: [ResolvedLink])?
    return todos.filter { todo in
      guard let text = todo.linkText else { return true }
      let note = todo.entry.note
      if known?.path != note.path { known = (note.path, web.resolvedLinks(of: note)) }
      let resolved = known?.links.first { link in
        note.text.bytes[link.link.range].elementsEqual(text.utf8)
      }
      guard case .note(let place)? = resolved?.meaning else { return true }
      return open.isActive(web.entries[place])
    }
  }
}

extension Todo {
  /// The text of an open box without the name of its block, if it may be a link and nothing else.
  fileprivate var linkText: Substring? {
    guard state == .open, text.hasPrefix("[") else { return nil }
    guard let mark = text.firstRange(of: " ^"), !text[mark.upperBound...].contains(" ") else {
      return text[...]
    }
    return text[..<mark.lowerBound]
  }
}
