import Notes
import Text

/// The tags of a site's notes, nested ones below their parents.
struct TagPages: Sendable {
  struct Tag: Sendable {
    /// The tag in the spelling of the newest note that bears it, or as its children spell it.
    let name: String
    /// The notes that bear it or a tag nested in it, newest first.
    let notes: [Int]
  }

  /// In alphabetical order.
  let tags: [Tag]

  /// - Complexity: O(n log n) in the tags of all notes.
  init(_ notes: [SiteNote]) {
    var found: [String: (name: String, notes: [Int])] = [:]
    for (number, note) in notes.enumerated() {
      for name in note.tags.flatMap(TagPath.lineage) {
        let key = TagPath.key(name)
        var tag = found[key] ?? (name, [])
        if tag.notes.last != number { tag.notes.append(number) }
        found[key] = tag
      }
    }
    tags = found.values.map { (Collation.key($0.name), Tag(name: $0.name, notes: $0.notes)) }
      .sorted { $0.0.lexicographicallyPrecedes($1.0) }.map(\.1)
  }

  /// The tags directly below one.
  func children(of tag: Tag) -> [Tag] {
    let prefix = TagPath.key(tag.name) + "/"
    return tags.filter { child in
      let key = TagPath.key(child.name)
      return key.hasPrefix(prefix) && !key.dropFirst(prefix.count).contains("/")
    }
  }

  /// The tag above one; nil for one at the top.
  static func parent(of tag: Tag) -> String? { TagPath.lineage(of: tag.name).dropLast().last }
}
