import NoteIndex
import Notes

/// A note or record of a source on its way into the box.
struct ImportedNote {
  let place: ImportResult.Place
  /// Its path if it is new.
  var path: [UInt8]
  let id: NoteID?
  /// The note of the box that it is; nil for a new one.
  let existing: Entry?
  var text: NoteText
  /// Whether the source contains the text.
  var hasBody = true
  /// The lines that make up the text, if its source has annotations.
  var annotations: [DatedLine] = []
  /// Whether the source says nothing of when it was made.
  var isUndated = false
  /// Whether the notes of a file are compared as records, whatever their spelling.
  var isRecord = false

  var note: Note { Note(path: existing?.note.path ?? path, text: text) }

  /// The text with the body of another one, if the source has none.
  func text(withBodyOf other: NoteText) -> NoteText {
    guard hasBody else { return text.replacingBody(Array(other.bytes[other.body])) }
    let others = Set(
      annotations.isEmpty ? [] : DatedLine.read(other.bytes[other.body]).filter { $0.day == nil }.map(\.text))
    let rest = annotations.filter { !others.contains($0.text) }
    // Lines of the note without a date went out as annotations, and come back as such.
    return rest.count == annotations.count
      ? text : text.replacingBody(Array(rest.map(\.element).joined().utf8))
  }
}

extension Note {
  /// Whether two notes are the same record: the fields, the tags and the text, whatever their spelling and order.
  func isSameRecord(as other: Note) throws(SlipboxError) -> Bool {
    let apart = ["title", "created", "tags", "id", "kind"]
    let isOther = { (field: FrontMatterField) in
      if case .empty = field.value { return false }
      return !apart.contains { field.name.hasSameBytes(as: $0) }
    }
    let (own, others) = (frontMatter.fields.filter(isOther), other.frontMatter.fields.filter(isOther))
    guard frontMatter.isWritable, own.count == others.count, id == other.id,
      kind == other.kind, title.hasSameBytes(as: other.title), tags.count == other.tags.count
    else { return false }
    guard created?.millisecondsSince1970 == other.created?.millisecondsSince1970 else { return false }
    let hasSameFields = own.allSatisfy { field in
      others.contains { $0.name.hasSameBytes(as: field.name) && $0.value.isSame(as: field.value) }
    }
    let hasSameTags = tags.allSatisfy { tag in other.tags.contains { $0.isSameName(as: tag) } }
    guard hasSameFields, hasSameTags else { return false }
    return try text.hasSameBody(as: other.text)
  }
}

extension Note {
  /// Whether a record came back from another program as the note of the box that went there: the fields of its kind have the
  /// same values, and beside them it has nothing but what that program knows it by.
  func saysNoMore(than other: Note, _ kind: Kind) throws(SlipboxError) -> Bool {
    guard title.hasSameBytes(as: other.title), created?.seconds == other.created?.seconds else {
      return false
    }
    let names = kind.fields.map(\.name).filter { !["title", "tags"].contains($0) }
    guard names.allSatisfy({ kind.value(of: $0, in: self) == kind.value(of: $0, in: other) }) else {
      return false
    }
    let added = frontMatter.fields.filter { field in
      kind.field(field.name) == nil && !Self.namesOfPrograms.contains(field.name)
        && other.frontMatter[field.name].map { !$0.isSame(as: field.value) } ?? true
    }
    let hasTags = tags.allSatisfy { tag in
      other.tags.contains { Self.word($0).isSameName(as: Self.word(tag)) }
    }
    let lines = { (text: NoteText) in DatedLine.read(text.bytes[text.body]).map(\.text).sorted() }
    guard added.isEmpty, hasTags, tags.count == other.tags.count else { return false }
    return try lines(text) == lines(other.text)
  }

  /// The names of a note that carry no information, and those that taskwarrior gives its tasks.
  private static let namesOfPrograms: Set<String> = [
    "id", "kind", "created", "title", "tags", "uuid", "parent", "mask", "imask", "rtype", "end",
    Recurrence.taskwarriorSeries,
  ]

  /// A tag as programs have it that know no blanks in one.
  private static func word(_ tag: String) -> String {
    String(tag.map { $0 == " " || $0 == "," ? "_" : $0 })
  }
}

extension FieldValue {
  /// Whether two values are equal if a list of one counts as its element.
  fileprivate func isSame(as other: FieldValue) -> Bool {
    if self == other { return true }
    let (own, others) = (strings, other.strings)
    return own.count == 1 && own == others
  }
}

extension NoteText {
  /// Whether two texts are equal but for lines without anything before and after them.
  fileprivate func hasSameBody(as other: NoteText) -> Bool {
    let isEnd: (UInt8) -> Bool = { $0 == 0x0A || $0 == 0x0D }
    func trimmed(_ text: NoteText) -> ArraySlice<UInt8> {
      var rest = text.bytes[text.body].drop(while: isEnd)
      while let last = rest.last, isEnd(last) { rest.removeLast() }
      return rest
    }
    return trimmed(self).elementsEqual(trimmed(other))
  }
}
