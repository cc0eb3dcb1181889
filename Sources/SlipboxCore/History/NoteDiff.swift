import Git
package import Notes

/// What is different between two versions of a note: its place, its fields, its text.
package struct NoteDiff: Sendable {
  /// One version of a note.
  package struct Side: Sendable {
    package let path: [UInt8]
    package let bytes: [UInt8]

    package init(path: [UInt8], bytes: [UInt8]) {
      self.path = path
      self.bytes = bytes
    }
  }

  /// The place and the fields, as a change from the one to the other; nil where neither differs.
  package let change: NoteChange?
  /// The lines of the text that differ, without those of the front-matter unless they alone do.
  package let hunks: [TextDiff.Hunk]
  /// The text of the newer version, of which the hunks name lines; that of the older where there is no newer.
  package let text: [UInt8]

  /// Whether the versions are the same.
  package var isEmpty: Bool { change == nil && hunks.isEmpty }

  /// - Parameters:
  ///   - old: nil where there was no note.
  ///   - new: nil where there is none any more.
  package init(_ old: Side?, _ new: Side?) {
    let isSame = old?.bytes == new?.bytes
    let version = { (side: Side?, isOld: Bool) -> NoteVersion? in
      let other = ObjectID(bytes: [UInt8](repeating: 1, count: ObjectID.zero.bytes.count)) ?? .zero
      return side.map { NoteVersion(path: $0.path, bytes: $0.bytes, blob: isOld || isSame ? .zero : other) }
    }
    let (before, after) = (version(old, true), version(new, false))
    let change = NoteChange.between(before, after)
    self.change = change.flatMap { change in
      let fields = NoteChange(note: change.note, file: change.file, fields: change.fields)
      return fields.isEmpty ? nil : fields
    }
    let bodies = (before?.body.map(Array.init) ?? [], after?.body.map(Array.init) ?? [])
    // Where no field and no line of the body differs, the layout of the front-matter does.
    let isLayout = bodies.0 == bodies.1 && change?.body != nil
    let texts = isLayout ? (old?.bytes ?? [], new?.bytes ?? []) : bodies
    hunks = TextDiff.hunks(texts.0, texts.1)
    text = after == nil ? texts.0 : texts.1
  }
}
