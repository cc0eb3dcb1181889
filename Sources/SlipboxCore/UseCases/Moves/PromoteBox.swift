import Bytes
import NoteIndex
import Notes
import Text

/// Makes a record of a check box of a note, and leaves a link in its place.
package struct PromoteBox {
  private let snapshot: BoxSnapshot

  package init(in snapshot: BoxSnapshot) { self.snapshot = snapshot }

  /// The plan that makes a record of an open check box and leaves a link to it in the line.
  ///
  /// The text of the box is the title, its tags are those of the record. Its dates, its priority and its recurrence become
  /// fields if the kind has fields for them. Text that a title can't hold, such as links, is also the text of the record. The mark, the indent, and the
  /// name of the block stay in the line. Links by the same title to another note are rewritten so that they stay unambiguous.
  ///
  /// - Parameters:
  ///   - named: the note, or the part of it with the box.
  ///   - words: words of the text of the box; empty for the only open one.
  ///   - draft: the kind, the changes and the template of the record; the title and the text are those of the box.
  /// - Throws: `.notFound` and `.badData` with the boxes if none or several fit; `.badData` if the text of the box is
  ///   empty, or if no link would lead to the record for certain.
  package func result(
    _ named: NamedPart, words: String, to draft: Draft, ids: IDSource, reason: String? = nil
  ) throws(SlipboxError) -> SplitNote.Result {
    let old = named.entry.note
    let text = try old.text
    let box = try TickBoxes.openBox(of: named, words, in: old)
    let kind = snapshot.schema().kindOrPlain(named: draft.ownKind)
    let reading = try PromotedText(box, of: old, kind)
    if reading.isLink(in: text.bytes) {
      throw SlipboxError(
        .badData, "line \(box.line) of \(old.mention): the check box is already a link",
        hints: [
          "\(slip: "links", .value(old.name + Array(":\(box.line)".utf8))) shows the note that it links to"
        ])
    }
    guard !reading.title.isEmpty else {
      throw SlipboxError(
        .badData, "line \(box.line) of \(old.mention): the check box has no text for a title")
    }
    for mark in reading.unread {
      snapshot.reporter.warnOnce("\(mark) stays in the text: no field of \(kind.name) can hold it")
    }
    var draft = draft
    draft.title = reading.title
    draft.body = reading.body
    let given = draft.changes.compactMap { change in
      switch change {
      case .set(let field, _), .clear(let field): field
      case .addTag, .removeTag, .add, .remove: nil as String?
      }
    }
    let fields = reading.fields.filter { field in !given.contains { $0.isSameName(as: field.name) } }
    draft.changes =
      reading.tags.map { Change.addTag($0) } + fields.map { .set(field: $0.name, value: $0.value) }
      + draft.changes
    try InheritedFlags(of: named.entry, in: snapshot).add(to: &draft, snapshot.reporter)
    try snapshot.settings.refuseBad("path", in: snapshot.box)
    let creation = CreateNote(in: snapshot)
    let id = try creation.freeID(ids)
    let placed = try PlaceNote(in: snapshot).note(try creation.text(of: draft, id: id), id: id, from: old)
    let path = placed.path
    try creation.refuseAsNewFile(path)
    let whole = NoteCopy.keepingRelativeLinks(
      of: try placed.text, from: old.path, to: path, snapshot.box)
    let made = Entry(note: Note(path: path, text: whole), created: snapshot.clock.now)
    let kept = try KeptLinks([], made: [made], in: snapshot)
    guard let link = kept.rewriting.link(to: made.note, from: old.path) else {
      throw SlipboxError(
        .badData, "links to a note titled \(made.note.title) would be ambiguous",
        hints: [
          "change the text of the check box: \(slip: "edit", .value(old.name + Array(":\(box.line)".utf8)))"
        ])
    }
    let line = Array(text.bytes[..<reading.replaced.upperBound])
    let edits = [
      FileEdit(path: old.path) { bytes throws(SlipboxError) in
        guard let bytes else { throw FileEdit.gone(old) }
        guard bytes.starts(with: line) else {
          throw FileEdit.changedMeanwhile(old)
        }
        let linked =
          bytes[..<reading.replaced.lowerBound] + Array(link.utf8)
          + bytes[reading.replaced.upperBound...]
        return try kept.text(of: NoteText(Array(linked)), at: old.path, to: old.path).bytes
      },
      FileEdit(path: path) { bytes throws(SlipboxError) in
        guard bytes == nil else { throw FileEdit.taken(path) }
        return whole.bytes
      },
    ]
    var plan = Plan(command: "promote", reason: reason, edits: edits + kept.edits(except: [old.path])) { _ in
      "Promote \(made.note.title) from \(old.title)"
    }
    plan.links = kept.report
    return SplitNote.Result(note: made.note, plan: plan)
  }
}

/// The text of a check box as the title, the text, the fields and the tags of a record.
private struct PromotedText {
  let title: String
  /// The text as it is written, if the title lacks a part of it.
  let body: [UInt8]
  let fields: [(name: String, value: String)]
  let tags: [String]
  /// The dates, rules and priorities that stay in the text, since no field of the kind can hold them.
  let unread: [String]
  /// The bytes of the note that become a link.
  let replaced: Range<Int>

  init(_ box: CheckBox, of note: Note, _ kind: Kind) throws(SlipboxError) {
    let whole = try note.text
    let bytes = whole.bytes
    var end = box.text.upperBound
    if let name = BlockNames.all(in: whole).first(where: { box.text.contains($0.range.lowerBound) }) {
      end = name.range.lowerBound
      while end > box.text.lowerBound, ASCII.isBlank(bytes[end - 1]) { end -= 1 }
    }
    let line = box.text.lowerBound..<end
    replaced = line
    var fields: [(name: String, value: String)] = []
    var marks: [Range<Int>] = []
    var unread: [String] = []
    // Parts that don't belong into a title stay in the text.
    var dropped: [ArraySlice<UInt8>] = []
    for mark in box.marks(in: bytes) {
      if mark.name == .created || mark.name == .id {
        marks.append(mark.range)
        dropped.append(bytes[mark.range])
        continue
      }
      guard let field = Self.field(for: mark, of: kind), !fields.contains(where: { $0.name == field.name })
      else {
        unread.append(String(decoding: bytes[mark.range], as: UTF8.self))
        continue
      }
      fields.append(field)
      marks.append(mark.range)
    }
    self.fields = fields
    self.unread = unread
    let inside = note.inlineTags.filter { line.contains($0.offset) }
    tags = inside.map(\.name)
    var rest: [UInt8] = []
    var place = line.lowerBound
    let taken = (marks + inside.map(\.range)).sorted {
      $0.lowerBound < $1.lowerBound
    }
    for range in taken where range.lowerBound >= place && range.upperBound <= end {
      rest += bytes[place..<range.lowerBound]
      place = range.upperBound
    }
    rest += bytes[place..<end]
    let words = rest.split { ASCII.isBlank($0) }
    let text = Array(words.joined(separator: [0x20]))
    let titled = ExtractNote.titled(text)
    title = titled.title
    let shown = dropped.isEmpty ? text : text + [0x20] + Array(dropped.joined(separator: [0x20]))
    body = Array(title.utf8) == shown ? [] : shown
  }

  /// The field that a mark sets, and its value; nil if the kind has no field that can hold it.
  private static func field(for mark: BoxMark, of kind: Kind) -> (name: String, value: String)? {
    switch mark.name {
    case .due, .scheduled: return kind.field(mark.name.rawValue).map { ($0.name, mark.value) }
    case .start: return (kind.field("start") ?? kind.field("wait")).map { ($0.name, mark.value) }
    case .recurrence:
      guard let field = kind.field("recur"), let rule = Recurrence.text(ofTasksRule: mark.value) else {
        return nil
      }
      return (field.name, rule)
    case .priority:
      guard let field = kind.field("priority") else { return nil }
      let word = mark.value.lowercased()
      let near = ["highest": "high", "lowest": "low"][word]
      return [word, near].compactMap { $0 }.first { field.values.contains($0) }.map { (field.name, $0) }
    case .created, .completion, .id: return nil
    }
  }

  /// Whether the text is a wiki link and nothing else.
  func isLink(in bytes: [UInt8]) -> Bool {
    let text = String(decoding: bytes[replaced], as: UTF8.self)
    return text.hasPrefix("[[") && text.firstRange(of: "]]")?.upperBound == text.endIndex
  }
}
