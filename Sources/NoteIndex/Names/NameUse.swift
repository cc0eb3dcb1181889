/// A use of a name: a row of the table of names belongs to one of these.
enum NameUse: UInt8, Sendable, CaseIterable {
  /// The value of the field that names records of a kind; see `RecordKeys`.
  case key
  case id
  /// Another tool's id, as it stands.
  case foreignID
  /// Another tool's id, folded.
  case foldedForeignID
  /// The path from the root of the box, without the ending of a note.
  case path
  /// A title or an alias, folded.
  case title
  /// The end of a path from one of its parts on, folded, without the ending of a note.
  case pathEnd
  /// The slug of a title or an alias, or the slug in the name of a file that slip named.
  case slug

  /// The uses by which links name notes.
  static let ofLinks: Set<NameUse> = [.id, .foreignID, .path, .title, .pathEnd]
}
