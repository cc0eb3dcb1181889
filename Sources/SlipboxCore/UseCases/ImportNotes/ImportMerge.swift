import Notes

/// A note of the box, and what its source says of it now.
struct ImportMerge {
  /// The bytes that the note is to have.
  let bytes: [UInt8]
  /// The parts that both changed differently since the last import: the box's own stand.
  let kept: [String]

  /// - Parameters:
  ///   - base: the note as it was last imported.
  ///   - own: the note as it is in the box.
  ///   - imported: the note as the source says it.
  init(base: [UInt8], own: [UInt8], imported: [UInt8]) {
    if imported == base || imported == own {
      (bytes, kept) = (own, [])
    } else if own == base {
      (bytes, kept) = (imported, [])
    } else {
      let (old, mine) = (NoteText(base), NoteText(own))
      var theirs = NoteText(imported)
      var kept: [String] = []
      // Each round takes the parts out that are in conflict, which are few.
      while true {
        guard let merge = NoteMerge.merge(base: old, one: mine, other: theirs) else {
          (bytes, self.kept) = (own, ["text"])
          return
        }
        guard !merge.conflicts.isEmpty else {
          (bytes, self.kept) = (merge.text.bytes, kept)
          return
        }
        guard kept.count < 100, let without = theirs.taking(merge.conflicts, from: mine) else {
          (bytes, self.kept) = (own, merge.conflicts.map(\.name))
          return
        }
        kept += merge.conflicts.map(\.name)
        theirs = without
      }
    }
  }
}

extension NoteText {
  /// The text with what CHANGEs of an earlier import made of the note then: no source says that again.
  ///
  /// What can't be written is left out.
  func keeping(_ changes: [Change], of base: NoteText) -> NoteText {
    var text = self
    let fields = FrontMatter(base)
    let order = fields.fields.map(\.name)
    for change in changes {
      switch change {
      case .set(let field, _), .add(_, let field), .clear(let field), .remove(_, let field):
        let name = fields.field(field)?.name ?? field
        text = (try? fields[name].map { try text.setting(name, to: $0, order: order) }) ?? text
      case .addTag(let tag):
        let note = Note(path: [], text: text)
        let wasTagged = Note(path: [], text: base).frontMatterTags.contains { $0.isSameName(as: tag) }
        guard wasTagged, !note.tags.contains(where: { $0.isSameName(as: tag) }) else { continue }
        text = (try? text.adding(tag, to: note.tagsField ?? "tags", order: order)) ?? text
      case .removeTag: continue
      }
    }
    return text
  }

  /// The text with some parts as another one has them; nil where one of them can't be changed.
  fileprivate func taking(_ parts: [MergePart], from other: NoteText) -> NoteText? {
    var text = self
    let fields = FrontMatter(other)
    for part in parts {
      switch part {
      case .body: text = text.replacingBody(Array(other.bytes[other.body]))
      case .frontMatter: return nil
      case .field(let name):
        // What can't be written stays as it is in the box as a whole.
        let value = fields[name]
        guard let changed = try? value.map({ try text.setting(name, to: $0) }) ?? text.clearing(name) else {
          return nil
        }
        text = changed
      }
    }
    return text
  }
}
