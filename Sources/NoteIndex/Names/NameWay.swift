/// A way in which a name may fit a note. The cases stand in the order in which they are tried.
enum NameWay: Sendable, CaseIterable {
  /// The value of the kind's key field, as it stands.
  case key
  /// The full id.
  case id
  /// Another tool's id, as it stands.
  case foreignID
  /// The path from the root of the box, with the ending of a note or without.
  case path
  /// The end of the path from one of its parts on, as it stands.
  case pathEnd
  /// The end of the path, without case and diacritics.
  case foldedPathEnd
  /// The title or an alias, as it stands.
  case title
  /// The name of the file as it stands, with the ending of a note or without.
  case fileName
  /// An id or another tool's id, without case and diacritics.
  case foldedID
  /// The title or an alias, without case and diacritics.
  case foldedTitle
  /// The name of the file, without case and diacritics.
  case foldedFileName
  /// A slug of a title or an alias, or the one in the name of the file.
  case slug
  /// The beginning of the id, two letters or more.
  case idPrefix
  /// Words of which each begins a word of the title or an alias.
  case fuzzyTitle

  /// The use of names that the way looks up; nil for one that looks at all notes.
  var use: NameUse? {
    switch self {
    case .key: .key
    case .id, .foldedID: .id
    case .foreignID: .foreignID
    case .path: .path
    case .title, .foldedTitle: .title
    case .fileName, .pathEnd, .foldedPathEnd, .foldedFileName: .pathEnd
    case .slug: .slug
    case .idPrefix, .fuzzyTitle: nil
    }
  }
}
