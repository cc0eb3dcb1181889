import NoteIndex
package import Notes

/// The names of a note, with what a list of notes says of it.
package struct NamedNote: Sendable {
  package let path: [UInt8]
  package let id: String?
  package let title: String
  package let aliases: [String]
  package let kind: String
  /// When it was made, in milliseconds since 1970; a note that does not say counts as the newest.
  package let created: Int64

  package init(_ names: NamesOfNote, kind: String, created: Timestamp?) {
    path = names.path
    id = names.id?.description ?? names.foreignID
    title = names.title
    aliases = names.aliases
    self.kind = kind
    self.created = created?.millisecondsSince1970 ?? .max
  }

  package init(path: [UInt8], id: String?, title: String, aliases: [String], kind: String, created: Int64) {
    self.path = path
    self.id = id
    self.title = title
    self.aliases = aliases
    self.kind = kind
    self.created = created
  }

  /// The name of the file without its ending; nil where it says nothing beside the title and the id.
  package var fileName: String? {
    let stem = String(decoding: FileName.stem(of: path), as: UTF8.self)
    if let id, stem.hasSuffix(id) { return nil }
    return stem.isSameName(as: title) ? nil : stem
  }
}
