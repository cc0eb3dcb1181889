import Notes
import Text

/// Where new fields of slip's own go in a block.
let fieldOrder = ["id", "title", "aliases", "kind", "created", "tags"]

extension Note {
  /// The note's text with changes applied, one after another.
  ///
  /// - Throws: `.badData` where a field can't take its value, an inline tag would have to go, or the front-matter can't
  ///   be rewritten.
  func applying(
    _ changes: [Change], clock: ClockReading, inlineTags: InlineTagRule = .refuse
  ) throws(SlipboxError) -> NoteText {
    var current = self
    for change in changes {
      let text = try current.applying(change, clock: clock, inlineTags: inlineTags)
      if text != current.text { current = Note(path: path, text: text) }
    }
    return current.text
  }

  private func applying(
    _ change: Change, clock: ClockReading, inlineTags: InlineTagRule
  ) throws(SlipboxError) -> NoteText {
    switch change {
    case .set(let field, let value): return try setting(field, value, clock)
    case .clear(let field):
      try Self.refuseFixed(field, of: self)
      return try edit { () throws(EditError) in try text.clearing(field) }
    case .add(let element, let field):
      try Self.refuseFixed(field, of: self)
      return try edit { () throws(EditError) in try text.adding(element, to: field, order: fieldOrder) }
    case .remove(let element, let field):
      try Self.refuseFixed(field, of: self)
      return try edit { () throws(EditError) in try text.removing(element, from: field) }
    case .addTag(let tag): return try addingTag(tag)
    case .removeTag(let tag): return try removingTag(tag, inlineTags)
    }
  }

  private func setting(_ field: String, _ value: String, _ clock: ClockReading) throws(SlipboxError) -> NoteText {
    try Self.refuseFixed(field, of: self)
    let written = field == "created" ? try Self.creationDate(value, clock, of: self) : value
    if field == "tags" { return try settingTags(value) }
    return try edit { () throws(EditError) in try text.setting(field, to: .text(written), order: fieldOrder) }
  }

  /// `tags:a,b` replaces the whole list.
  private func settingTags(_ value: String) throws(SlipboxError) -> NoteText {
    let tags = value.split(separator: ",").map { FieldValue.text(String($0.drop { $0 == " " })) }
    return try edit { () throws(EditError) in
      try text.setting(tagsField ?? "tags", to: .list(tags), order: fieldOrder)
    }
  }

  /// A date as it stands in `created:`: RFC 3339 with the user's offset.
  private static func creationDate(
    _ value: String, _ clock: ClockReading, of note: Note
  ) throws(SlipboxError) -> String {
    if let time = Timestamp(rfc3339: value) { return time.rfc3339 }
    if let date = DateInterval.parse(value, clock: clock, looking: .back)?.day { return date.description }
    throw SlipboxError(
      .badData, "\(Slipbox.name(of: note)): created: \(Visible.escape(value)) is not a date",
      hints: ["2026-11-21, 2026-11-21T09:30:00+01:00, today and 3d are"])
  }

  private static func refuseFixed(_ field: String, of note: Note) throws(SlipboxError) {
    switch field {
    case "id":
      throw SlipboxError(.badData, "\(Slipbox.name(of: note)): id: an id is fixed for life")
    case "modified" where note.frontMatter["modified"] == nil:
      throw SlipboxError(
        .badData, "\(Slipbox.name(of: note)): modified: is derived from history and never stored",
        hints: ["slip show prints it; slip list modified:7d finds by it"])
    default: return
    }
  }

  private func edit(_ body: () throws(EditError) -> NoteText) throws(SlipboxError) -> NoteText {
    do { return try body() } catch { throw SlipboxError(error, note: Slipbox.name(of: self)) }
  }
}

/// What is done with a tag that stands in the body when it is to be removed.
package enum InlineTagRule: Sendable {
  /// Refused, naming its line.
  case refuse
  /// Its `#` is dropped and the word stays.
  case drop
}

extension Note {
  fileprivate func addingTag(_ tag: String) throws(SlipboxError) -> NoteText {
    let name = tag.first == "#" ? String(tag.dropFirst()) : tag
    guard !name.isEmpty, !name.utf8.contains(UInt8(ascii: ",")) else {
      throw SlipboxError(.badData, "\(Visible.escape(tag)) can't be a tag: it is empty or holds a comma")
    }
    if bears(name, in: tags) { return text }
    return try edit { () throws(EditError) in
      try text.adding(name, to: tagsField ?? "tags", order: fieldOrder)
    }
  }

  fileprivate func removingTag(_ tag: String, _ rule: InlineTagRule) throws(SlipboxError) -> NoteText {
    let name = tag.first == "#" ? String(tag.dropFirst()) : tag
    var result = text
    if let tagsField, let spelling = frontMatterTags.first(where: { Self.sameTag($0, name) }) {
      result = try edit { () throws(EditError) in try text.removing(spelling, from: tagsField) }
    }
    let inline = BodyScan(result).tags.filter { Self.sameTag($0.name, name) }
    guard let first = inline.first else { return result }
    if rule == .refuse {
      let line = result.position(of: first.offset).line
      throw SlipboxError(
        .badData, "\(Slipbox.name(of: self)): line \(line): #\(Visible.escape(first.name)) stands in the text",
        hints: ["add --inline to drop its #, or change the text with: slip edit \(Slipbox.name(of: self))"])
    }
    var bytes = result.bytes
    for occurrence in inline.reversed() { bytes.remove(at: occurrence.offset) }
    return NoteText(bytes)
  }

  private func bears(_ tag: String, in tags: [String]) -> Bool { tags.contains { Self.sameTag($0, tag) } }

  private static func sameTag(_ one: String, _ other: String) -> Bool {
    one.lowercased().utf8.elementsEqual(other.lowercased().utf8)
  }
}
