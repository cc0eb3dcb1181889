import Bytes
package import NoteIndex
package import Notes
import Text

/// Moves a part of a note to another note, or to another place in it.
package struct MovePart {
  private let snapshot: BoxSnapshot

  package init(in snapshot: BoxSnapshot) { self.snapshot = snapshot }

  /// The plan that moves a part of a note to the end of another note or of a section, there or in the same note.
  ///
  /// A section goes with the sections below it. Under a heading it becomes a section of that, so its headings take other
  /// levels; below the title of a note they begin at the second. A heading that is underlined gets signs if it takes another
  /// level. Links to the headings, and relative links of the part, are rewritten.
  ///
  /// - Throws: `.usage` if the part would be moved into itself, `.badData` for the title of a note, for lines with a heading,
  ///   and if links or labels can't be kept for certain.
  package func plan(
    _ part: NotePart, of source: Entry, to target: NamedPart, reason: String? = nil
  ) throws(SlipboxError) -> Plan {
    let kinds = KindFiles(in: snapshot)
    try kinds.refuseFault(of: source.kind)
    try kinds.refuseFault(of: target.entry.kind)
    let written = source.note
    let source = try MovedPart(part, source, target).gatheredSource()
    let move = try MovedPart(part, source, target)
    let (own, place) = (source.note.path, target.entry.note.path)
    if own != place { try source.refuseTornLabels(move.range(in: source.note.text)) }
    let isExposed = try snapshot.box.leavesFilter(from: own, to: place)
    if isExposed {
      snapshot.box.warnOfReadableText(of: "a part of \(source.note.mention)", snapshot.reporter)
    }
    if own != place {
      try InheritedFlags(of: source, in: snapshot).warn(movingTo: target.entry, in: snapshot)
    }
    let texts = try move.texts(source.note.text, target.entry.note.text)
    let notes = own == place ? [try source.note.text] : [try source.note.text, try target.entry.note.text]
    try target.entry.refuseUnlike(
      notes, becoming: own == place ? [texts.grown] : [texts.left, texts.grown])
    let kept = try KeptLinks(move.successors(texts), in: snapshot)
    let newPath = { (range: Range<Int>) in
      { (link: BodyScan.Link) in range.contains(link.range.lowerBound) ? place : own }
    }
    var moved = NoteText([])
    let changed = { (bytes: [UInt8]) throws(SlipboxError) -> NoteText in
      guard try bytes == written.text.bytes else { throw FileEdit.changedMeanwhile(written) }
      let text = try source.note.text
      return try kept.text(of: text, at: own, to: newPath(try move.range(in: text)))
    }
    var edits = [
      FileEdit(path: own) { bytes throws(SlipboxError) in
        guard let bytes else { throw FileEdit.gone(source.note) }
        moved = try changed(bytes)
        return try own == place ? move.texts(moved, moved).left.bytes : move.left(of: moved).bytes
      }
    ]
    if own != place {
      edits.append(
        FileEdit(path: place) { bytes throws(SlipboxError) in
          guard let bytes else { throw FileEdit.gone(target.entry.note) }
          let text = NoteText(bytes)
          guard try text.bytes == target.entry.note.text.bytes else {
            throw FileEdit.changedMeanwhile(target.entry.note)
          }
          return try move.grown(kept.text(of: text, at: place, to: place), by: moved).bytes
        })
    }
    let (shown, from) = (Phrase(part.typed), source.note.title)
    let to = target.entry.note.title + (target.part?.typed ?? "")
    edits += try kept.edits(except: [own, place]) + RenameNotes(in: snapshot).canvasEdits([:], kept)
    var plan = Plan(command: "mv", reason: reason, edits: edits) { _ in
      "Move \(shown) of \(from) to \(to)"
    }
    plan.links = kept.report
    plan.exposed = isExposed ? [own] : []
    return plan
  }
}

extension Entry {
  /// Refuses texts whose headings or check boxes are parsed differently than before: an open construct at the place, such
  /// as a fence, a comment or a list, would include the lines after it.
  func refuseUnlike(
    _ before: [NoteText], becoming after: [NoteText], besides title: String? = nil
  ) throws(SlipboxError) {
    let read = { (texts: [NoteText]) in
      (
        texts.flatMap { HeadingAnchors($0).texts }.map {
          $0.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        },
        texts.flatMap { CheckBox.all(in: $0) }.count
      )
    }
    var (old, new) = (read(before), read(after))
    if new.0.count > old.0.count, let title, let extra = new.0.firstIndex(of: title) {
      new.0.remove(at: extra)
    }
    old.0.sort()
    new.0.sort()
    guard old != new else { return }
    throw SlipboxError(
      .badData, "\(note.mention) would not show the same headings and check boxes afterwards",
      hints: [
        "close the fence, comment or list before that place: \(slip: "edit", .note(note))"
      ])
  }
}

extension Splices {
  /// Gives an underlined heading the signs of a level in the place of its underline; its lines become one.
  fileprivate mutating func replaceUnderline(of heading: BodyHeading, in text: NoteText, level: Int) {
    let content = heading.text
    insert(Array(repeating: UInt8(ascii: "#"), count: level) + [0x20], at: content.lowerBound)
    var place = content.lowerBound
    while let end = text.bytes[place..<content.upperBound].firstIndex(where: { $0 == 0x0A || $0 == 0x0D }) {
      place = text.bytes[end..<content.upperBound].firstIndex { $0 > 0x20 } ?? content.upperBound
      replace(end..<place, with: [0x20])
    }
    remove(content.upperBound..<heading.lines.upperBound)
  }
}

/// A part of a note, and its destination.
private struct MovedPart {
  private let source: Entry
  private let target: Entry
  private let part: NotePart
  /// The number of the heading of a section; nil for a block and for lines.
  private let heading: Int?
  private let place: NotePart?
  /// The number of the heading to whose section the part goes.
  private let placeHeading: Int?
  private var isInOneNote: Bool { source.note.path == target.note.path }

  init(_ part: NotePart, _ source: Entry, _ target: NamedPart) throws(SlipboxError) {
    (self.source, self.target, self.part, place) = (source, target.entry, part, target.part)
    heading = try Self.heading(part, of: source)
    placeHeading = try target.part.flatMap { (place) throws(SlipboxError) in
      try Self.heading(place, of: target.entry)
    }
    let (text, name) = (try source.note.text, source.note.mention)
    let anchors = HeadingAnchors(text)
    if let heading, source.note.titleSource == .heading, anchors.titleNumber == heading {
      throw SlipboxError(
        .badData, "\(name): that heading is the title of the note",
        hints: ["\(slip: "merge") joins two notes", "or choose a heading below it"])
    }
    let range = try range(in: text)
    if heading == nil, anchors.headings.contains(where: { range.contains($0.lines.lowerBound) }) {
      throw SlipboxError(
        .badData, "\(name): the lines have a heading", hints: ["name the section: REF#HEADING"])
    }
    let end = try end(in: target.entry.note.text)
    let isInside = end > range.lowerBound && end < range.upperBound
    let isBelow = heading.map { anchors.section(of: $0).contains(placeHeading ?? -1) } ?? false
    if isInOneNote, isInside || isBelow {
      throw SlipboxError(.usage, "\(name): a part can't be moved into itself")
    }
  }

  /// The note with the definitions that the section needs at its end, if the section goes to another note.
  func gatheredSource() throws(SlipboxError) -> Entry {
    guard heading != nil, !isInOneNote else { return source }
    return try source.gatheringDefinitions(into: try range(in: source.note.text))
  }

  /// - Throws: as `NotePart.span(in:_:)`.
  private static func heading(_ part: NotePart, of entry: Entry) throws(SlipboxError) -> Int? {
    let text = try entry.note.text
    _ = try part.span(in: entry.note, text)
    guard case .heading(let name) = part else { return nil }
    return text.numbers(ofHeadings: name, among: HeadingAnchors(text)).first
  }

  private func span(
    _ part: NotePart, _ heading: Int?, in text: NoteText, of note: Note
  ) throws(SlipboxError) -> PartSpan {
    // A heading may have other links in its text by now.
    guard let heading else { return try part.span(in: note, text) }
    return text.span(ofHeading: heading, among: HeadingAnchors(text))
  }

  /// The bytes of the part.
  func range(in text: NoteText) throws(SlipboxError) -> Range<Int> {
    try span(part, heading, in: text, of: source.note).whole
  }

  /// The offset at which the part is inserted, after the text that is there.
  private func end(in text: NoteText) throws(SlipboxError) -> Int {
    guard let place else { return text.body.upperBound }
    let span = try span(place, placeHeading, in: text, of: target.note)
    return heading == nil ? text.end(of: span) : span.whole.upperBound
  }

  /// The source without the part.
  func left(of text: NoteText) throws(SlipboxError) -> NoteText {
    let range = try range(in: text)
    return NoteText(Array(text.bytes[..<range.lowerBound] + text.bytes[range.upperBound...]))
      .keepingBody(of: text)
  }

  /// The target with the part.
  func grown(_ target: NoteText, by source: NoteText) throws(SlipboxError) -> NoteText {
    let added = target.withOwnLineEnds(try section(of: source, beside: target))
    let end = try end(in: target)
    let before = target.bytes[..<end]
    var text = Array(before)
    if let last = before.last, last != 0x0A { text += target.lineEnd }
    let isApart =
      before.count <= target.body.lowerBound || before.filter { $0 != 0x0D }.suffix(2) == [0x0A, 0x0A]
    // Only a list item may follow another one directly; other text would become a part of the block above or below it.
    let last = before[target.lineStart(before: max(0, end - 1))...]
    let joins = heading == nil && NoteText.isItem(added[...]) && (NoteText.isItem(last) || isIndented(last))
    if !isApart, !joins { text += target.lineEnd }
    text += added
    let rest = target.bytes[end...]
    if !joins || !NoteText.isItem(rest), let first = rest.first, first != 0x0A, first != 0x0D {
      text += target.lineEnd
    }
    return NoteText(text + rest)
  }

  private func isIndented(_ line: ArraySlice<UInt8>) -> Bool {
    line.first.map(ASCII.isBlank) ?? false
  }

  /// The part with the levels that its headings take and names that the target does not have, without blank lines at its
  /// end.
  private func section(of text: NoteText, beside target: NoteText) throws(SlipboxError) -> [UInt8] {
    let range = try range(in: text)
    let headings = HeadingAnchors(text).headings.filter { range.contains($0.lines.lowerBound) }
    var splices = Splices()
    var position = range.lowerBound
    let shift =
      try headings.first.map { (first) throws(SlipboxError) in try level(instead: first.level) - first.level }
      ?? 0
    for heading in headings where heading.isUnderlined && shift != 0 {
      let level = min(6, max(1, heading.level + shift))
      if level != heading.level { splices.replaceUnderline(of: heading, in: text, level: level) }
    }
    for heading in headings where !heading.isUnderlined && heading.lines.lowerBound >= position {
      position = heading.lines.lowerBound + heading.level
      let level = min(6, max(1, heading.level + shift))
      splices.replace(
        heading.lines.lowerBound..<position, with: Array(repeating: UInt8(ascii: "#"), count: level))
    }
    if !isInOneNote { LabelRenames(in: text, range, beside: target).rename(in: text, range, with: &splices) }
    var bytes = splices.applied(to: Array(text.bytes[..<range.upperBound])).dropFirst(range.lowerBound)
    while bytes.last.map({ $0 == 0x0A || $0 == 0x0D }) == true { bytes.removeLast() }
    return Self.dedented(Array(bytes)) + text.lineEnd
  }

  /// Lines without the blanks before the first of them: an item of an inner list would be code elsewhere. What is below it
  /// stays below it.
  private static func dedented(_ bytes: [UInt8]) -> [UInt8] {
    let indent = Array(bytes.prefix(while: ASCII.isBlank))
    guard !indent.isEmpty else { return bytes }
    let lines = bytes.split(separator: 0x0A, omittingEmptySubsequences: false).map { line in
      line.dropFirst(zip(line, indent).prefix { $0 == $1 }.count)
    }
    return Array(lines.joined(separator: [0x0A]))
  }

  private func level(instead level: Int) throws(SlipboxError) -> Int {
    let anchors = HeadingAnchors(try target.note.text)
    if let placeHeading { return min(6, anchors.headings[placeHeading].level + 1) }
    return target.note.titleSource == .heading ? max(2, level) : level
  }

  /// Both notes afterwards; the same text twice if they are one.
  func texts(
    _ source: NoteText, _ target: NoteText
  ) throws(SlipboxError) -> (left: NoteText, grown: NoteText) {
    guard isInOneNote else { return (try left(of: source), try grown(target, by: source)) }
    let (range, end) = (try range(in: source), try end(in: source))
    let grown = try grown(source, by: source)
    // Text added before the part moves it.
    let shift = end <= range.lowerBound ? grown.bytes.count - source.bytes.count : 0
    let old = range.lowerBound + shift..<range.upperBound + shift
    var bytes = Array(grown.bytes[..<old.lowerBound] + grown.bytes[old.upperBound...])
    // The blank line before the next heading has none to part from if that was the part itself.
    if old.upperBound == grown.bytes.count, old.lowerBound > 0,
      bytes.suffix(2 * source.lineEnd.count) == source.lineEnd[...] + source.lineEnd
    {
      bytes.removeLast(source.lineEnd.count)
    }
    let text = NoteText(bytes).keepingBody(of: source)
    return (text, text)
  }

  /// The places of the headings of both notes after the move.
  func successors(_ texts: (left: NoteText, grown: NoteText)) throws(SlipboxError) -> [NoteSuccessor] {
    let anchors = HeadingAnchors(try source.note.text)
    let moved = heading.map { anchors.section(of: $0) } ?? 0..<0
    let (own, place) = (source.note.path, target.note.path)
    let end = try end(in: target.note.text)
    let before = HeadingAnchors(try target.note.text)
    let first = before.headings.count { $0.lines.lowerBound < end }
    let (left, grown) = (HeadingAnchors(texts.left), HeadingAnchors(texts.grown))
    if isInOneNote {
      let isDown = first >= moved.upperBound
      let parts: [HeadingsMove.Part] =
        isDown
        ? [
          .init(0..<moved.lowerBound, path: own, anchors: left, start: 0),
          .init(moved, path: own, anchors: left, start: first - moved.count),
          .init(moved.upperBound..<first, path: own, anchors: left, start: moved.lowerBound),
          .init(first..<anchors.headings.count, path: own, anchors: left, start: first),
        ]
        : [
          .init(0..<first, path: own, anchors: left, start: 0),
          .init(first..<moved.lowerBound, path: own, anchors: left, start: first + moved.count),
          .init(moved, path: own, anchors: left, start: first),
          .init(
            moved.upperBound..<anchors.headings.count, path: own, anchors: left, start: moved.upperBound),
        ]
      return [successor(source, texts.left, HeadingsMove(anchors, parts))]
    }
    let leaving = HeadingsMove(
      anchors,
      [
        .init(0..<moved.lowerBound, path: own, anchors: left, start: 0),
        .init(moved, path: place, anchors: grown, start: first),
        .init(moved.upperBound..<anchors.headings.count, path: own, anchors: left, start: moved.lowerBound),
      ], blocks: try movedBlocks())
    let coming = HeadingsMove(
      before,
      [
        .init(0..<first, path: place, anchors: grown, start: 0),
        .init(first..<before.headings.count, path: place, anchors: grown, start: first + moved.count),
      ])
    return [successor(source, texts.left, leaving), successor(target, texts.grown, coming)]
  }

  /// The places of the part's blocks after the move, if it is moved to another note.
  private func movedBlocks() throws(SlipboxError) -> [String: HeadingsMove.Block] {
    let text = try source.note.text
    let range = try range(in: text)
    let names = LabelRenames(in: text, range, beside: try target.note.text).blocks
    return HeadingsMove.blocks(in: text, range, to: target.note.path, names: names)
  }

  private func successor(_ entry: Entry, _ text: NoteText, _ headings: HeadingsMove) -> NoteSuccessor {
    let note = Note(path: entry.note.path, text: text)
    return NoteSuccessor(
      entry, becomes: Entry(note: note, created: entry.created, kind: entry.kind), headings: headings)
  }
}
