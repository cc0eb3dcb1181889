import Bytes
package import NoteIndex
package import Notes
import Text

/// Makes a note of a section of another one and leaves a link in its place.
package struct SplitNote {
  /// A new note, and the change that makes it.
  package struct Result {
    package let note: Note
    package let plan: Plan
  }

  private let snapshot: BoxSnapshot
  private let entry: Entry
  private let anchors: HeadingAnchors
  private let number: Int

  /// - Throws: `.notFound` if the note has no such heading, `.badData` if it has several, or if the heading is the
  ///   title of the note.
  package init(_ entry: Entry, heading: String, in snapshot: BoxSnapshot) throws(SlipboxError) {
    let (anchors, number) = try entry.note.heading(named: heading)
    try self.init(entry, anchors, number, in: snapshot)
  }

  /// The same for a heading by its number among those of the note.
  package init(_ entry: Entry, heading number: Int, in snapshot: BoxSnapshot) throws(SlipboxError) {
    let anchors = HeadingAnchors(try entry.note.text)
    guard anchors.headings.indices.contains(number) else {
      throw FileEdit.changedMeanwhile(entry.note)
    }
    try self.init(entry, anchors, number, in: snapshot)
  }

  private init(
    _ entry: Entry, _ anchors: HeadingAnchors, _ number: Int, in snapshot: BoxSnapshot
  ) throws(SlipboxError) {
    (self.anchors, self.number) = (anchors, number)
    self.snapshot = snapshot
    let range = anchors.range(ofSection: number, in: try entry.note.text)
    self.entry = try entry.gatheringDefinitions(into: range)
    if entry.note.titleSource == .heading, anchors.titleNumber == number {
      throw SlipboxError(
        .badData, "\(entry.note.mention): that heading is the title of the note",
        hints: ["choose a heading below it"])
    }
  }

  /// The plan that moves the section into a new note.
  ///
  /// - Parameter title: nil for the text of the heading.
  package func result(
    titled title: String?, ids: IDSource, reason: String? = nil
  ) throws(SlipboxError) -> Result {
    try entry.refuseTornLabels(try section(of: entry.note.text))
    let title = title.map(Note.titleOnOneLine) ?? anchors.texts[number]
    guard !title.isEmpty else {
      throw SlipboxError(
        .usage, "the new title is missing", hints: ["\(slip: "split", "REF#HEADING", "TITLE")"])
    }
    try snapshot.settings.refuseBad("path", in: snapshot.box)
    let creation = CreateNote(in: snapshot)
    let id = try creation.freeID(ids)
    var draft = Draft(title: title)
    try InheritedFlags(of: entry, in: snapshot).add(to: &draft, snapshot.reporter)
    let placed = try PlaceNote(in: snapshot).note(
      try creation.text(of: draft, id: id), id: id, from: entry.note)
    let (path, head) = (placed.path, try placed.text)
    try PlaceCheck(in: snapshot).refuseUnusable(path)
    let old = entry.note
    let parts = try parts(of: old.text, head, link: "[[\(title)]]")
    let made = Entry(note: Note(path: path, text: parts.made), created: snapshot.clock.now)
    let kept = try KeptLinks([try successor(parts.left, made)], made: [made], in: snapshot)
    let link = try link(to: made, kept)
    let edits =
      try edits(made, head, link, kept) + kept.edits(except: [old.path])
      + RenameNotes(in: snapshot).canvasEdits([:], kept)
    let heading = anchors.texts[number]
    var plan = Plan(command: "split", reason: reason, edits: edits) { _ in
      "Split \(heading) from \(old.title)" + (heading == title ? "" : ": \(title)")
    }
    plan.links = kept.report
    return Result(note: made.note, plan: plan)
  }

  private func successor(_ left: NoteText, _ made: Entry) throws(SlipboxError) -> NoteSuccessor {
    let section = anchors.section(of: number)
    let (stays, goes) = (HeadingAnchors(left), HeadingAnchors(try made.note.text))
    let own = entry.note.path
    let end = section.upperBound..<anchors.headings.endIndex
    let move = HeadingsMove(
      anchors,
      [
        .init(0..<number, path: own, anchors: stays, start: 0),
        .init(section, path: made.note.path, anchors: goes, start: -1),
        .init(end, path: own, anchors: stays, start: number),
      ],
      blocks: HeadingsMove.blocks(
        in: try entry.note.text, try self.section(of: entry.note.text), to: made.note.path))
    let note = Note(path: own, text: left)
    return NoteSuccessor(
      entry, becomes: Entry(note: note, created: entry.created, kind: entry.kind), headings: move)
  }

  /// A link in the style of the layout that leads to the new note for certain.
  private func link(to made: Entry, _ kept: KeptLinks) throws(SlipboxError) -> String {
    guard let link = kept.rewriting.link(to: made.note, from: entry.note.path) else {
      throw SlipboxError(
        .badData, "links to a note titled \(made.note.title) would be ambiguous",
        hints: ["choose another title: \(slip: "split", "REF#HEADING", "TITLE")"])
    }
    return link
  }

  private func edits(_ made: Entry, _ head: NoteText, _ link: String, _ kept: KeptLinks) -> [FileEdit] {
    let old = entry.note
    var text = NoteText([])
    return [
      FileEdit(path: old.path) { bytes throws(SlipboxError) in
        guard let bytes else { throw FileEdit.gone(old) }
        let whole = NoteText(bytes)
        let before = whole.gatheringDefinitions(into: try section(of: whole))
        let range = try section(of: before)
        let rewritten = try kept.text(of: before, at: old.path) { link in
          range.contains(link.range.lowerBound) ? made.note.path : old.path
        }
        let parts = try parts(of: rewritten, head, link: link)
        text = parts.made
        return parts.left.bytes
      },
      FileEdit(path: made.note.path) { bytes throws(SlipboxError) in
        guard bytes == nil else { throw FileEdit.taken(made.note.path) }
        return text.bytes
      },
    ]
  }
}

extension SplitNote {
  /// The bytes of the section, from the first of its heading's line on.
  private func section(of text: NoteText) throws(SlipboxError) -> Range<Int> {
    let anchors = HeadingAnchors(text)
    guard anchors.texts.indices.contains(number), anchors.headings.count == self.anchors.headings.count else {
      throw FileEdit.changedMeanwhile(entry.note)
    }
    return anchors.range(ofSection: number, in: text)
  }

  /// A text without blank lines before and after it.
  private static func withoutBlankLines(_ text: [UInt8]) -> [UInt8] {
    var rest = text[...]
    while let first = rest.first, first == 0x0A || first == 0x0D { rest.removeFirst() }
    while rest.last == 0x0A, rest.dropLast().last == 0x0A || rest.suffix(4).elementsEqual([13, 10, 13, 10]) {
      rest.removeLast(rest.dropLast().last == 0x0A ? 1 : 2)
    }
    return Array(rest)
  }

  /// The new note, and the rest of the old one with a link in the place of the section.
  private func parts(
    of text: NoteText, _ head: NoteText, link: String
  ) throws(SlipboxError) -> (made: NoteText, left: NoteText) {
    let range = try section(of: text)
    let headings = HeadingAnchors(text).headings
    let heading = headings[number]
    var body: [UInt8] = []
    var position = min(text.nextLine(after: heading.lines.upperBound), range.upperBound)
    // A heading of the second level is right below the title.
    let lift = heading.level - 1
    for below in headings[(number + 1)...] where below.lines.lowerBound < range.upperBound {
      guard !below.isUnderlined, below.lines.lowerBound >= position else { continue }
      body += text.bytes[position..<below.lines.lowerBound]
      position = below.lines.lowerBound + min(lift, below.level - 1)
    }
    body += text.bytes[position..<range.upperBound]
    let rest = Self.withoutBlankLines(body)
    let isLast = range.upperBound == text.bytes.count
    let before = text.bytes[text.body.lowerBound..<range.lowerBound]
    let isApart = before.isEmpty || before.filter { $0 != 0x0D }.suffix(2).elementsEqual([0x0A, 0x0A])
    let place =
      (isApart ? [] : text.lineEnd) + Array(link.utf8) + text.lineEnd + (isLast ? [] : text.lineEnd)
    let left = text.bytes[..<range.lowerBound] + place + text.bytes[range.upperBound...]
    return (head.appending(rest), NoteText(Array(left)).keepingBody(of: text))
  }
}

extension HeadingAnchors {
  /// The bytes of a section, from the first of its heading's line on.
  fileprivate func range(ofSection number: Int, in text: NoteText) -> Range<Int> {
    let start = { (number: Int) in
      max(text.lineStart(before: headings[number].lines.lowerBound), text.body.lowerBound)
    }
    let end = section(of: number).upperBound
    return start(number)..<(end < headings.count ? start(end) : text.bytes.count)
  }
}

extension Entry {
  /// The same note with the definitions that a part of it needs at the end of the part.
  func gatheringDefinitions(into part: Range<Int>) throws(SlipboxError) -> Entry {
    let text = try note.text.gatheringDefinitions(into: part)
    return Entry(note: Note(path: note.path, text: text), created: created, kind: kind)
  }

  /// Refuses a change that separates lines of a section from lines outside of it that refer to them by a label: a label
  /// is local to one note.
  ///
  /// - Parameters:
  ///   - range: the bytes of the section.
  ///   - changed: the note without the section if the section is deleted. The section may then use the labels that stay,
  ///     and a label that the changed note still defines is not lost.
  func refuseTornLabels(_ range: Range<Int>, deleting changed: NoteText? = nil) throws(SlipboxError) {
    let text = try note.text
    let inside = BodyLabels(text.bytes[range])
    let outside = BodyLabels(
      text.bytes[min(text.body.lowerBound, range.lowerBound)..<range.lowerBound]
        + text.bytes[range.upperBound...])
    let torn = { (user: BodyLabels, definer: BodyLabels) in
      definer.definitions.keys.filter { user.uses.contains($0) && user.definitions[$0] == nil }.sorted()
    }
    let shown = { (labels: [String]) in Phrase(labels.map { "[\($0)]" }.joined(separator: ", ")) }
    let place = changed == nil ? "copy it to both first" : "move the definition to another section first"
    let hint: Phrase = "\(place): \(slip: "edit", .note(note))"
    let shared = changed == nil ? torn(inside, outside) : []
    guard shared.isEmpty else {
      throw SlipboxError(
        .badData,
        "the section and the rest of \(note.mention) both use the definition of \(shown(shared))",
        hints: [hint])
    }
    let left = changed.map { BodyLabels($0.bytes[$0.body]).definitions } ?? [:]
    let lost = torn(outside, inside).filter { left[$0] == nil }
    guard lost.isEmpty else {
      throw SlipboxError(
        .badData,
        "the section defines \(shown(lost)), which the rest of \(note.mention) uses",
        hints: [hint])
    }
  }
}

/// Makes a note of a part of another one's text.
package struct ExtractNote {
  private let snapshot: BoxSnapshot

  package init(in snapshot: BoxSnapshot) { self.snapshot = snapshot }

  /// The plan that makes a note of a part of another one's text and leaves a link in its place.
  ///
  /// Its first line is the title; a part that is a single line leaves nothing but that. Relative links in the part lead
  /// where they led.
  /// - Parameter range: the part, in bytes of the note; blanks around it stay.
  /// - Throws: `.usage` if the part is empty or not of the body, `.badData` if no link would lead to the new note.
  package func result(
    _ range: Range<Int>, from entry: Entry, ids: IDSource
  ) throws(SlipboxError) -> SplitNote.Result {
    let old = entry.note
    let range = Self.withoutBlanks(range, of: try old.text)
    guard !range.isEmpty, try range.lowerBound >= old.text.body.lowerBound else {
      throw SlipboxError(.usage, "select text in the note's body")
    }
    let part = Array(try old.text.bytes[range])
    let (title, rest) = Self.titled(part)
    guard !title.isEmpty else { throw SlipboxError(.usage, "the selected text has no words for a title") }
    try snapshot.settings.refuseBad("path", in: snapshot.box)
    let creation = CreateNote(in: snapshot)
    let id = try creation.freeID(ids)
    var draft = Draft(title: title)
    try InheritedFlags(of: entry, in: snapshot).add(to: &draft, snapshot.reporter)
    let placed = try PlaceNote(in: snapshot).note(try creation.text(of: draft, id: id), id: id, from: old)
    let (path, head) = (placed.path, try placed.text)
    try PlaceCheck(in: snapshot).refuseUnusable(path)
    let whole = NoteCopy.keepingRelativeLinks(
      of: rest.isEmpty ? head : head.appending(rest), from: old.path, to: path, snapshot.box)
    let made = Entry(note: Note(path: path, text: whole), created: snapshot.clock.now)
    let kept = try KeptLinks([], made: [made], in: snapshot)
    guard let link = kept.rewriting.link(to: made.note, from: old.path) else {
      throw SlipboxError(
        .badData, "links to a note titled \(title) would be ambiguous",
        hints: ["change the first line of the selection"])
    }
    let edits = [
      FileEdit(path: old.path) { bytes throws(SlipboxError) in
        guard let bytes else { throw FileEdit.gone(old) }
        guard range.upperBound <= bytes.count, bytes[range].elementsEqual(part) else {
          throw FileEdit.changedMeanwhile(old)
        }
        return bytes[..<range.lowerBound] + Array(link.utf8) + bytes[range.upperBound...]
      },
      FileEdit(path: path) { bytes throws(SlipboxError) in
        guard bytes == nil else { throw FileEdit.taken(path) }
        return whole.bytes
      },
    ]
    let plan = Plan(command: "split", edits: edits) { _ in "Split \(title) from \(old.title)" }
    return SplitNote.Result(note: made.note, plan: plan)
  }

  private static func withoutBlanks(_ range: Range<Int>, of text: NoteText) -> Range<Int> {
    let isBlank = { (byte: UInt8) in [0x20, 0x09, 0x0A, 0x0D].contains(byte) }
    let bytes = text.bytes[range]
    guard let first = bytes.firstIndex(where: { !isBlank($0) }),
      let last = bytes.lastIndex(where: { !isBlank($0) })
    else { return range.lowerBound..<range.lowerBound }
    return first..<last + 1
  }

  /// The longest title that a line gives, in bytes.
  private static let longestTitle = 80

  /// The title that the first line gives, and the text of the note.
  static func titled(_ part: [UInt8]) -> (title: String, text: [UInt8]) {
    let end = part.firstIndex { $0 == 0x0A || $0 == 0x0D } ?? part.endIndex
    let line = part[..<end].drop { "#*+-> \t".utf8.contains($0) }
    let isHeading = part.first == UInt8(ascii: "#")
    let title = Note.titleOnOneLine(PlainText.of(Array(line)))
    if title.utf8.count <= longestTitle {
      let rest =
        end < part.endIndex && !isHeading ? part : Array(part[end...].drop { $0 == 0x0A || $0 == 0x0D })
      return (title, rest)
    }
    var words = ""
    for word in title.split(separator: " ") where words.utf8.count + word.utf8.count < longestTitle {
      words += words.isEmpty ? String(word) : " \(word)"
    }
    return (words.isEmpty ? String(title.prefix(longestTitle / 4)) : words, part)
  }
}
