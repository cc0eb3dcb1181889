extension Note {
  /// The note's text with further titles; those that it has already, without regard to case, are left out.
  ///
  /// - Throws: `EditError` where the front-matter can't be changed.
  package func adding(aliases: [String], order: [String]) throws(EditError) -> NoteText {
    let key = (field(named: "aliases") ?? field(named: "alias"))?.name ?? "aliases"
    var note = self
    for alias in aliases where !note.givenTitles.contains(where: { $0.isSameName(as: alias) }) {
      note = Note(path: path, text: try note.text.adding(alias, to: key, order: order, kind: .texts))
    }
    return note.text
  }
}
