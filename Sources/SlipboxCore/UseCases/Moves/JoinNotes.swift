import Bytes
package import NoteIndex
import Notes
import Text

/// Joins a second note to a first one: its fields, its text and the links to it.
package struct JoinNotes {
  private let snapshot: BoxSnapshot
  private let first: Entry
  private let second: Entry

  package init(_ first: Entry, _ second: Entry, in snapshot: BoxSnapshot) {
    self.snapshot = snapshot
    self.first = first
    self.second = second
  }

  /// The plan that makes the two one note and deletes the second.
  ///
  /// - Throws: `.usage` for a note and itself, `.badData` if the two are records of different kinds, the fields can't
  ///   be joined, git encrypts the second alone, or a link can't be kept for certain.
  package func plan(reason: String? = nil) throws(SlipboxError) -> Plan {
    try refuseUnlike()
    let keepsTitles = try snapshot.layout().keepsFormerTitles
    let (one, other) = (first.note, second.note)
    let (own, others) = (try one.text, try other.text)
    let renames = Self.renames(of: others, beside: own)
    let joined = try joined(one, other, keepsTitles: keepsTitles)
    try first.refuseUnlike([one.text, other.text], becoming: [joined.text], besides: other.title)
    let successors = [
      successor(of: first, becoming: joined.text, headings: nil),
      NoteSuccessor(
        second, becomes: nil, path: one.path, rewritesTitle: false,
        headings: headings(of: try other.text, in: joined.text, renames)),
    ]
    let kept = try KeptLinks(successors, in: snapshot)
    warn(of: joined.lost)
    try warnOfComments()
    let edits =
      try edits(kept, renames, keepsTitles: keepsTitles) + kept.edits(except: [one.path, other.path])
      + RenameNotes(in: snapshot).canvasEdits([other.path: one.path], kept)
    var plan = Plan(command: "merge", reason: reason, edits: edits) { _ in
      "Merge \(other.title) into \(one.title)"
    }
    plan.links = kept.report
    return plan
  }

  private func successor(of entry: Entry, becoming text: NoteText, headings: HeadingsMove?) -> NoteSuccessor {
    let note = Note(path: entry.note.path, text: text)
    let new = Entry(note: note, created: entry.created, kind: entry.kind)
    return NoteSuccessor(entry, becomes: new, rewritesTitle: false, headings: headings)
  }

  /// The headings of the second note come after those of the first, below a heading of its title if it has one.
  private func headings(of other: NoteText, in joined: NoteText, _ renames: LabelRenames) -> HeadingsMove {
    let (before, after) = (HeadingAnchors(other), HeadingAnchors(joined))
    let start = after.headings.count - before.headings.count
    let path = first.note.path
    return HeadingsMove(
      before, [.init(before.headings.indices, path: path, anchors: after, start: start)],
      blocks: renames.blocks.mapValues { .init(path: path, name: $0) })
  }

  /// Other names for the blocks and footnotes of the second note that the first has too.
  private static func renames(of other: NoteText, beside one: NoteText) -> LabelRenames {
    LabelRenames(in: other, other.body.lowerBound..<other.bytes.count, beside: one)
  }

  /// The edit of the second note comes first, for that of the first one needs its bytes.
  private func edits(_ kept: KeptLinks, _ renames: LabelRenames, keepsTitles: Bool) -> [FileEdit] {
    let (one, other) = (first.note, second.note)
    var taken: [UInt8] = []
    return [
      .taking(other) { taken = $0 },
      FileEdit(path: one.path) { bytes throws(SlipboxError) in
        guard let bytes else { throw FileEdit.gone(one) }
        guard Self.renames(of: NoteText(taken), beside: NoteText(bytes)) == renames else {
          throw FileEdit.changedMeanwhile(other)
        }
        let texts = (
          try kept.text(of: NoteText(bytes), at: one.path, to: one.path),
          try kept.text(of: NoteText(taken), at: other.path, to: one.path)
        )
        let notes = (Note(path: one.path, text: texts.0), Note(path: other.path, text: texts.1))
        return try joined(notes.0, notes.1, keepsTitles: keepsTitles).text.bytes
      },
    ]
  }

  private func refuseUnlike() throws(SlipboxError) {
    guard first.note.path != second.note.path else {
      throw SlipboxError(.usage, "\(first.note.mention) can't be merged with itself")
    }
    try KindFiles(in: snapshot).refuseFaults(of: [first, second])
    guard first.kind.isSameName(as: second.kind) || second.kind == "note" else {
      throw SlipboxError(
        .badData,
        "\(first.note.mention) is of the kind \(first.kind), \(second.note.mention) of the kind "
          + Phrase(second.kind),
        hints: ["only notes of the same kind can be merged; a plain note can be merged into any kind"])
    }
    if try snapshot.box.leavesFilter(from: second.note.path, to: first.note.path) {
      throw SlipboxError(
        .badData,
        "git encrypts \(second.note.mention) and not \(first.note.mention): the text would be readable in the history",
        hints: ["merge them the other way: \(slip: "merge", .note(second.note), .note(first.note))"])
    }
    for note in [first.note, second.note] {
      if let problem = try note.text.unreadable {
        throw SlipboxError(.unreadable(problem), note: note.mention)
      }
      if !note.frontMatter.isWritable, let problem = note.frontMatter.problems.first {
        throw SlipboxError(.unreadable(problem), note: note.mention, typed: .note(note))
      }
    }
    try refuseSharedLabels()
  }

  /// A label has one meaning in a note: if both define it differently, the second's lines would get the meaning of the
  /// first's. It may be visible text, so it is not renamed.
  private func refuseSharedLabels() throws(SlipboxError) {
    let labels = try [first.note, second.note].map { (note) throws(SlipboxError) in
      let text = try note.text
      return BodyLabels(text.bytes[text.body])
    }
    let defined = labels[0].definitions.filter { label, line in
      !label.hasPrefix("^") && labels[1].definitions[label].map { $0 != line } ?? false
    }
    let names = defined.keys.sorted().map { "[\($0)]" }
    guard names.isEmpty else {
      throw SlipboxError(
        .badData, "both notes define \(names.joined(separator: ", "))",
        hints: ["rename it in one of them: \(slip: "edit", .note(second.note))"])
    }
  }

  /// Fields come with their values alone, so the comments beside them are named.
  private func warnOfComments() throws(SlipboxError) {
    let comments = try second.note.text.frontMatterComments
    guard !comments.isEmpty else { return }
    snapshot.reporter.warnOnce(
      "the comments in the front matter of \(second.note.shownName) are dropped: "
        + Phrase(comments.joined(separator: ", ")))
  }

  private func warn(of lost: [String]) {
    guard !lost.isEmpty else { return }
    let shown = Phrase(lost.joined(separator: ", "))
    snapshot.reporter.warnOnce(
      "\(first.note.mention) keeps its values of \(shown); the values of \(second.note.mention) are dropped"
    )
  }
}

extension JoinNotes {
  /// Fields of the second note that do not come into the first.
  private static let own: Set<String> = [
    "id", "identifier", "title", "alias", "aliases", "kind", "modified", "updated", "conflicts",
  ]

  /// The first note with the additions of the second, and the fields whose values of the second are dropped.
  ///
  /// - Parameter keepsTitles: whether the titles of the second become aliases.
  private func joined(
    _ one: Note, _ other: Note, keepsTitles: Bool
  ) throws(SlipboxError) -> (text: NoteText, lost: [String]) {
    let (own, others) = (try one.text, try other.text)
    let renames = Self.renames(of: others, beside: own)
    do throws(EditError) {
      let titles = keepsTitles ? other.givenTitles : other.aliases
      var text = try own.adding(aliases: titles, at: one.path, order: fieldOrder)
      var lost: [String] = []
      for field in other.frontMatter.fields
      where !field.isInline && !Self.own.contains(field.name.lowercased()) {
        if let taken = try Self.taking(field, of: other, into: text, at: one.path) {
          text = taken
        } else {
          lost.append(field.name)
        }
      }
      return (text.appending(Self.body(of: other, others, after: text, renames)), lost)
    } catch {
      throw SlipboxError(error, note: one.mention, typed: .note(one))
    }
  }

  /// A text with one field of the other note; nil if the two have different values and only one is possible.
  private static func taking(
    _ field: FrontMatterField, of other: Note, into text: NoteText, at path: [UInt8]
  ) throws(EditError) -> NoteText? {
    let note = Note(path: path, text: text)
    var text = text
    if field.name == other.tagsField {
      let name = note.tagsField ?? field.name
      for tag in other.frontMatterTags {
        text = try text.adding(tag, to: name, order: fieldOrder, kind: .tags)
      }
      return text
    }
    guard let present = note.frontMatter.fields.first(where: { $0.name.isSameName(as: field.name) }) else {
      return field.value == .empty
        ? text : try text.setting(field.name, to: field.value, order: fieldOrder)
    }
    if present.value == field.value || field.value == .empty { return text }
    if present.value == .empty { return try text.settingField(present.name, to: field.value) }
    if Note.createdFields.contains(field.name.lowercased()) {
      guard let own = present.value.text.flatMap({ Timestamp.adopted($0) }),
        let others = field.value.text.flatMap({ Timestamp.adopted($0) })
      else { return nil }
      return others < own ? try text.settingField(present.name, to: field.value) : text
    }
    guard case .list = present.value, case .list = field.value else { return nil }
    for element in field.value.strings {
      text = try text.addingToField(present.name, element, kind: .texts)
    }
    return text
  }

  /// The text of the second note for the end of the first: after a blank line, and below a heading of its title
  /// if the text does not begin with one.
  private static func body(
    of other: Note, _ others: NoteText, after text: NoteText, _ renames: LabelRenames
  ) -> [UInt8] {
    let start = others.body.lowerBound
    var splices = Splices()
    renames.rename(in: others, start..<others.bytes.count, with: &splices)
    var body = splices.applied(to: others.bytes)[start...]
    while let first = body.first, first == 0x0A || first == 0x0D { body.removeFirst() }
    guard !body.isEmpty else { return [] }
    let hasText = text.bytes[text.body].contains { $0 > 0x20 }
    let isSetApart = text.bytes[text.body].suffix(2).elementsEqual([0x0A, 0x0A])
    let gap: [UInt8] = hasText && !isSetApart ? [0x0A] : []
    let needsHeading = other.titleSource == .field || other.titleSource == .file
    // Above its headings, so that a heading which the first note has too is distinguishable.
    let level = BodyHeading.all(in: others).map(\.level).min().map { max(1, $0 - 1) } ?? 2
    // With a control character the text would be read-only.
    let words = Note.titleOnOneLine(other.title).utf8.filter { $0 >= 0x20 && $0 != 0x7F }
    let marks = String(repeating: "#", count: level)
    let title = needsHeading ? "\(marks) \(String(decoding: words, as: UTF8.self))\n\n" : ""
    return gap + Array(title.utf8) + body
  }
}
