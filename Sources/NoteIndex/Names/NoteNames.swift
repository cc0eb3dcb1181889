import Notes
import Text

/// The names of one note.
struct NoteNames {
  private let note: NamesOfNote

  init(of note: NamesOfNote) { self.note = note }

  /// Hands on the hash of each name in some uses; a name may come twice.
  func forEachHash(of uses: Set<NameUse>, _ body: (NameHash) -> Void) {
    let path = LinkPath.withoutEnding(note.path)
    if uses.contains(.path) { body(NameHash(.path, path)) }
    if uses.contains(.id), let id = note.id { body(NameHash(.id, id.bytes[...])) }
    if let name = note.foreignID {
      if uses.contains(.foreignID) { body(NameHash(.foreignID, Array(name.utf8)[...])) }
      if uses.contains(.foldedForeignID) { body(NameHash(.foldedForeignID, Self.folded(name)[...])) }
    }
    for title in titles {
      if uses.contains(.title) { body(NameHash(.title, Self.folded(title)[...])) }
      if uses.contains(.slug) { body(NameHash(.slug, Array(Slug.make(title).utf8)[...])) }
    }
    if uses.contains(.slug), let id = note.id, let slug = FileName.slug(of: note.path, id: id) {
      body(NameHash(.slug, slug))
    }
    if uses.contains(.pathEnd) {
      for end in LinkPath.ends(of: Folding.fold(path)[...]) { body(NameHash(.pathEnd, end)) }
    }
  }

  /// Whether a text is the title or an alias as it stands.
  func isTitle(_ name: [UInt8]) -> Bool { titles.contains { $0.utf8.elementsEqual(name) } }

  private var titles: [String] { [note.title] + note.aliases }

  private static func folded(_ name: String) -> [UInt8] { Folding.fold(Array(name.utf8)[...]) }
}
