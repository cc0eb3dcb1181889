/// The names by which references and links may call a note.
package struct NamesOfNote: Sendable, Equatable {
  package let path: [UInt8]
  package let id: NoteID?
  package let foreignID: String?
  package let title: String
  package let aliases: [String]

  init(path: [UInt8], id: NoteID?, foreignID: String?, title: String, aliases: [String]) {
    self.path = path
    self.id = id
    self.foreignID = foreignID
    self.title = title
    self.aliases = aliases
  }

  package init(_ note: Note) {
    self.init(
      path: note.path, id: note.id, foreignID: note.foreignID, title: note.title, aliases: note.aliases)
  }
}
