import Text

extension RecordDraft {
  /// Adds a tag that the note does not bear yet.
  mutating func addTag(_ typed: String) throws(RecordError) {
    let tag = Self.bare(typed)
    guard isTag(tag) else { return }
    if let meant = fieldChange(in: tag), !note.tags.contains(where: { $0.isSameName(as: tag) }) {
      return refuse("tags", "+\(Visible.escape(tag)) would be a tag", hint: "did you mean \(meant)?")
    }
    if note.tags.contains(where: { $0.isSameName(as: tag) }) { return }
    let old = tagsValue?.text
    if let old, !old.utf8.contains(UInt8(ascii: ",")), note.frontMatterTags.count > 1 {
      return try writeTags(note.frontMatterTags + [tag], blanks: true)
    }
    if old == nil { return pending.append(tag: tag) }
    let (key, order) = (note.tagsField ?? "tags", order)
    try edit { text throws(EditError) in try text.adding(tag, to: key, order: order, kind: .tags) }
  }

  /// The change of a list that a tag most likely was meant to be: it begins with the name of a field of the kind.
  private func fieldChange(in tag: String) -> String? {
    guard let colon = tag.firstIndex(of: ":") else { return nil }
    let (name, value) = (tag[..<colon], tag[colon...].dropFirst())
    guard !value.isEmpty, let field = kind.fields.first(where: { $0.name.isSameName(as: String(name)) })
    else { return nil }
    let sign = field.isList || field.type == .tags ? "+" : ""
    return "\(field.name):\(sign)\(Visible.escape(String(value)))"
  }

  /// Takes a tag out of the front-matter, and out of the text where that is allowed.
  mutating func removeTag(_ typed: String) throws(RecordError) {
    let tag = Self.bare(typed)
    try removeFieldTag(tag)
    let inline = note.inlineTags.filter { $0.name.isSameName(as: tag) }
    guard let first = inline.first else { return }
    guard editor.dropsInlineTags else {
      let line = note.text.position(of: first.offset).line
      return refuse(
        "tags", "tags: #\(Visible.escape(first.name)) is in the text, line \(line)", line: line,
        hint: "add --inline to remove its #")
    }
    try edit { text throws(EditError) in
      var bytes = text.bytes
      for occurrence in inline.reversed() { bytes.remove(at: occurrence.offset) }
      return NoteText(bytes)
    }
  }

  /// Makes these the tags of the front-matter.
  mutating func setTags(_ typed: [String]) throws(RecordError) {
    let tags = Note.withoutCaseDuplicates(typed.map(Self.bare))
    guard tags.allSatisfy({ isTag($0) }) else { return }
    let hasCommas = tagsValue?.text?.utf8.contains(UInt8(ascii: ",")) == true && tags.count > 1
    let value: FieldValue =
      hasCommas ? .text(tags.joined(separator: ", ")) : .list(tags.map(FieldValue.text))
    let (key, order) = (note.tagsField ?? "tags", order)
    try edit { text throws(EditError) in try text.settingField(key, to: value, order: order) }
  }

  private mutating func removeFieldTag(_ tag: String) throws(RecordError) {
    let kept = note.frontMatterTags.filter { !$0.isSameName(as: tag) }
    guard let key = note.tagsField, kept.count < note.frontMatterTags.count else { return }
    if let old = tagsValue?.text, !kept.isEmpty {
      return try writeTags(kept, blanks: !old.utf8.contains(UInt8(ascii: ",")))
    }
    try edit { text throws(EditError) in try text.removing(tag, from: key, kind: .tags) }
  }

  /// Writes tags into a scalar, parted as they were; as a list where that would be read in another way.
  private mutating func writeTags(_ tags: [String], blanks: Bool) throws(RecordError) {
    let key = note.tagsField ?? "tags"
    let haveBlanks = tags.contains { $0.utf8.contains(0x20) }
    var value = FieldValue.text(tags.joined(separator: blanks ? " " : ", "))
    if haveBlanks, blanks || tags.count == 1 { value = .list(tags.map(FieldValue.text)) }
    try edit { text throws(EditError) in try text.settingField(key, to: value) }
  }

  private var tagsValue: FieldValue? { note.tagsField.flatMap { note.frontMatter[$0] } }

  private mutating func isTag(_ tag: String) -> Bool {
    let parts = tag.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
    let isNamed = !parts.contains(where: \.isEmpty)
    let isHeld = note.tags.contains { $0.isSameName(as: tag) }
    if isNamed || isHeld, !tag.utf8.contains(UInt8(ascii: ",")) { return true }
    let isComma = tag.utf8.contains(UInt8(ascii: ","))
    let reason =
      tag.isEmpty ? "it is empty" : isComma ? "it has a comma" : "it has an empty part between slashes"
    refuse("tags", "tags: \(tag.isEmpty ? "nothing" : Visible.escape(tag)) can't be a tag: \(reason)")
    return false
  }

  private static func bare(_ typed: String) -> String {
    let text = typed.withoutBlanksAround
    return text.utf8.first == UInt8(ascii: "#") ? String(text.unicodeScalars.dropFirst()) : text
  }
}

extension Note {
  /// The note's text with further titles; those that it has already, without regard to case, are left out.
  ///
  /// - Throws: `EditError` where the front-matter can't be changed.
  package func adding(aliases: [String], order: [String]) throws(EditError) -> NoteText {
    let key = (field(named: "aliases") ?? field(named: "alias"))?.name ?? "aliases"
    var note = self
    for alias in aliases where !note.givenTitles.contains(where: { $0.isSameName(as: alias) }) {
      note = Note(path: path, text: try note.text.adding(alias, to: key, order: order, kind: .texts))
    }
    return note.text
  }
}
