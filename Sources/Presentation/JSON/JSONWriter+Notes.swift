import Notes

extension JSONWriter {
  /// Writes the id, the path and the title of a note as members of the open object.
  mutating func names(of note: Note) {
    member("id", note.id?.description)
    member("path", bytes: note.path)
    member("title", note.title)
  }
}
