import Notes
import Text

/// The names that a reference may use for a note.
struct NoteNames {
  /// Names as they stand: id, another tool's id, path and file name with and without ending, title, aliases.
  let exact: [[UInt8]]
  /// The same without case and diacritics, and the slugs.
  let folded: [[UInt8]]

  init(of note: Note) {
    let stem = Array(FileName.stem(of: note.path))
    let last = FileName.lastPart(of: note.path)
    let ending = last.count - stem.count
    var exact = [note.path, Array(note.path.dropLast(ending)), Array(last), stem, Array(note.title.utf8)]
    var folded = [Folding.fold(Array(note.title.utf8)[...]), Folding.fold(stem[...])]
    for name in note.aliases + [note.foreignID].compactMap({ $0 }) {
      exact.append(Array(name.utf8))
      folded.append(Folding.fold(Array(name.utf8)[...]))
    }
    for title in [note.title] + note.aliases { folded.append(Array(Slug.make(title).utf8)) }
    if let id = note.id {
      exact.append(id.bytes)
      folded.append(id.bytes)
      if let slug = Self.slug(in: stem, id) { folded.append(slug) }
    }
    self.exact = exact.filter { !$0.isEmpty }
    self.folded = folded.filter { !$0.isEmpty }
  }

  /// The slug in the name of a file that slip named.
  private static func slug(in stem: [UInt8], _ id: NoteID) -> [UInt8]? {
    let ending = [UInt8(ascii: "-")] + id.bytes
    guard stem.count > ending.count, stem.suffix(ending.count).elementsEqual(ending) else { return nil }
    return Array(stem.dropLast(ending.count))
  }
}
