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
  ///   - check: the fields of a note that break its kind.
  init(base: [UInt8], own: [UInt8], imported: [UInt8], check: (NoteText) -> [String]) {
    if imported == base || imported == own {
      (bytes, kept) = (own, [])
      return
    }
    let (old, mine) = (NoteText(base), NoteText(own))
    let known = check(mine)
    var theirs = NoteText(imported)
    var kept: [MergePart] = []
    // Each round takes parts out that are in conflict, or that break the kind beside what the box has; they are few.
    while kept.count < 100 {
      guard let merge = NoteMerge.merge(base: old, one: mine, other: theirs) else {
        (bytes, self.kept) = (own, ["text"])
        return
      }
      var parts = merge.conflicts
      if parts.isEmpty {
        let broken = check(merge.text).filter { !known.contains($0) }
        guard !broken.isEmpty else {
          (bytes, self.kept) = (merge.text.bytes, kept.map(\.name))
          return
        }
        let theirParts = Self.fields(of: mine, differingIn: merge.text)
        parts = theirParts.filter { part in broken.contains { part == .field($0) } }
        // Nothing of the source is at fault by itself: one field more that holds only with others, else all of them.
        if parts.isEmpty {
          let one = theirParts.first { part in
            let without = theirs.taking([part], from: mine)
            let other = without.flatMap { NoteMerge.merge(base: old, one: mine, other: $0) }
            return other.map { check($0.text).allSatisfy(known.contains) } ?? false
          }
          parts = one.map { [$0] } ?? theirParts
        }
      }
      let new = parts.filter { !kept.contains($0) }
      guard !new.isEmpty, let without = theirs.taking(parts, from: mine) else {
        kept += new
        break
      }
      kept += new
      theirs = without
    }
    (bytes, self.kept) = (own, kept.map(\.name))
  }

  /// The fields that two texts do not have alike.
  private static func fields(of one: NoteText, differingIn other: NoteText) -> [MergePart] {
    let (first, second) = (FrontMatter(one), FrontMatter(other))
    var names = first.fields.map(\.name)
    names += second.fields.map(\.name).filter { name in !names.contains { $0.hasSameBytes(as: name) } }
    return names.filter { first[$0] != second[$0] }.map { .field($0) }
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
