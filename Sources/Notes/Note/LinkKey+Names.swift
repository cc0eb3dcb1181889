import Text

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
