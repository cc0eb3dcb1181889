import Text

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

extension Note {
  /// The keys of the names that the note has beside its path.
  var ownNameKeys: [LinkKey] {
    let names = [id?.description, foreignID].compactMap { $0 }
    // A title that comes from the name of the file has the key of the path. A heading counts even where the file's name goes
    // before it, since the keys are those of the text alone.
    let titles = [hasOwnTitle ? title : heading?.text ?? Note.untitled] + aliases
    return names.compactMap { LinkKey(Array($0.utf8)) } + titles.flatMap { LinkKey.keys(ofTitle: $0) }
  }

  /// The keys of the names of the note.
  package var nameKeys: [LinkKey] { ownNameKeys + [LinkKey(path)].compactMap { $0 } }

  /// The keys of what the note links to.
  package var linkKeys: [LinkKey] {
    links.flatMap { link -> [LinkKey] in
      if case .name(let name) = LinkAddress(link) { name.keys } else { [] }
    }
  }
}

extension LinkKey {
  /// The keys of a title: that of the title, and that of its slug where the two may differ.
  package static func keys(ofTitle title: String) -> [LinkKey] {
    let bytes = Array(title.utf8)
    let key = LinkKey(bytes)
    // The slug of a plain title has the letters and digits of the title.
    if bytes.allSatisfy({ $0 < 0x80 && $0 != UInt8(ascii: "/") }), !FileName.isNote(bytes) {
      return [key].compactMap { $0 }
    }
    let slug = LinkKey(Array(Slug.make(title).utf8))
    return [key, slug == key ? nil : slug].compactMap { $0 }
  }

  /// The keys of the slugs that a path gives, beside that of the path: of the slug in a name that slip made, and of a
  /// title that comes from the name.
  package static func slugKeys(ofPath path: [UInt8]) -> [LinkKey] {
    if let slug = FileName.slug(of: path) { return [LinkKey(Array(slug))].compactMap { $0 } }
    let stem = FileName.stem(of: path)
    if stem.allSatisfy({ $0 < 0x80 }), !FileName.isNote(stem) { return [] }
    return LinkKey.keys(ofTitle: String(decoding: stem, as: UTF8.self))
  }
}
