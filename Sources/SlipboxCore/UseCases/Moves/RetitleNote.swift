package import NoteIndex
import Notes
import Text

/// Another title for a note or a heading, with every link to it.
package struct Retitling {
  /// The note, and the name of a heading if the target is one.
  package struct Target {
    package let entry: Entry
    package let heading: String?
  }

  private let snapshot: BoxSnapshot
  private let keepsAlias: Bool
  private let keepsPath: Bool
  private let reason: String?

  /// - Parameters:
  ///   - keepsAlias: whether the old title becomes an alias.
  ///   - keepsPath: whether a file whose name is the title keeps its path, and gets a field for the title.
  package init(
    _ snapshot: BoxSnapshot, keepsAlias: Bool = true, keepsPath: Bool = false, reason: String? = nil
  ) {
    self.snapshot = snapshot
    self.keepsAlias = keepsAlias
    self.keepsPath = keepsPath
    self.reason = reason
  }

  /// The plan that gives a note or a heading another title.
  ///
  /// A title in the front-matter changes there, with the same title as a heading below it. One that is a heading of the
  /// first level changes there, and if the name of the file is the title the file is moved.
  /// - Throws: `.usage` for an empty title, `.badData` if it can't be written or a link can't be kept for certain.
  package func plan(_ target: Target, to title: String) throws(SlipboxError) -> Plan {
    let title = Note.titleOnOneLine(title)
    guard !title.isEmpty else {
      let hint: Phrase = "\(slip: "set", .note(target.entry.note), "title:") removes the title"
      throw SlipboxError(.usage, "the title is empty", hints: target.heading == nil ? [hint] : [])
    }
    try KindFiles(in: snapshot).refuseFault(of: target.entry.kind)
    _ = try target.entry.note.text.readable(as: target.entry.note)
    if let heading = target.heading {
      let (anchors, number) = try target.entry.note.heading(named: heading)
      return try plan(target.entry, anchors, number, to: title)
    }
    let note = target.entry.note
    if note.titleSource != .none, note.title.hasSameBytes(as: title) {
      return try renaming(target.entry, title, renames: [])
    }
    try CreateNote(in: snapshot).warnOfTakenTitle(title, kind: target.entry.kind, at: note.path)
    let layout = try snapshot.layout()
    let check = PlaceCheck(in: snapshot)
    let place = keepsPath ? nil : layout.renamedPath(of: note, titled: title)
    if let place {
      try check.refuseUnusable(place)
      try check.refuseTwins(of: [place: note.path])
      if layout.title == .file, layout.naming == .plain { reportName(of: place, for: title) }
    }
    switch note.titleSource {
    case .heading:
      let headings = HeadingAnchors(try note.text)
      if let number = headings.titleNumber,
        let text = Self.replacing(headings.headings[number], by: title, in: try note.text),
        Note(path: note.path, text: text).title.hasSameBytes(as: title)
      {
        return try renaming(target.entry, title, renames: [rename(target.entry, number, title, to: place)])
      }
      return try settingField(target.entry, title, to: place)
    case .file where layout.title == .file && place != nil:
      let path = place ?? note.path
      let change = { (note: Note) throws(SlipboxError) -> NoteText in
        let text = try keepingTitle(of: note, in: Self.retitled(note, title), at: path)
        guard let text = layout.holding(title, in: text, at: path) else {
          throw SlipboxError(
            .badData, "\(note.mention): \(title) can't be written as a title")
        }
        return text
      }
      return try renaming(target.entry, title, renames: [NoteRename(target.entry, to: path, change: change)])
    case .file:
      guard !keepsPath, let path = try Self.path(of: note, titled: title) else {
        return try settingField(target.entry, title)
      }
      try check.refuseUnusable(path)
      try check.refuseTwins(of: [path: note.path])
      let change = { (note: Note) throws(SlipboxError) -> NoteText in
        try keepingTitle(of: note, in: Self.retitled(note, title), at: path)
      }
      let rename = NoteRename(target.entry, to: path, change: change)
      return try renaming(target.entry, title, renames: [rename])
    case .field, .none: return try settingField(target.entry, title, to: place)
    }
  }

  /// Reports the name of the file if the title has characters that it can't contain.
  private func reportName(of path: [UInt8], for title: String) {
    let refused = NoteFileName.refused(in: title)
    guard !refused.isEmpty else { return }
    let name = String(decoding: FileName.stem(of: path), as: UTF8.self)
    snapshot.reporter.warnOnce(
      "the file is named \(name): the name of a file can't contain \(refused.joined(separator: " "))")
  }

  /// The plan that gives a note another title.
  ///
  /// - Throws: as `plan(_:to:)`.
  package func plan(_ entry: Entry, to title: String) throws(SlipboxError) -> Plan {
    try plan(Target(entry: entry, heading: nil), to: title)
  }

  /// The plan that gives a heading another text, by its number among those of the note.
  ///
  /// - Throws: as `plan(_:to:)`.
  package func plan(_ entry: Entry, heading number: Int, to title: String) throws(SlipboxError) -> Plan {
    let title = Note.titleOnOneLine(title)
    guard !title.isEmpty else { throw SlipboxError(.usage, "the title is empty") }
    try KindFiles(in: snapshot).refuseFault(of: entry.kind)
    let anchors = HeadingAnchors(try entry.note.text)
    guard anchors.headings.indices.contains(number) else { throw FileEdit.changedMeanwhile(entry.note) }
    return try plan(entry, anchors, number, to: title)
  }

  /// - Parameter path: the path afterwards; nil if the file stays.
  private func settingField(
    _ entry: Entry, _ title: String, to path: [UInt8]? = nil
  ) throws(SlipboxError) -> Plan {
    var editing = ChangeRecords(in: snapshot)
    editing.editor.keepsTitles = editing.editor.keepsTitles && keepsAlias
    let change = { [editing] (note: Note) throws(SlipboxError) -> NoteText in
      let text = try editing.applying([.set(field: "title", value: title)], to: note, kind: entry.kind)
      return Self.replacingHeading(note.title, by: title, in: text)
    }
    let headings = NoteRename.inPlace(path ?? entry.note.path)
    let rename = NoteRename(entry, to: path, headings: headings, change: change)
    return try renaming(entry, title, renames: [rename])
  }

  /// A text with another title in the heading that repeats the one of the front-matter.
  private static func replacingHeading(_ old: String, by title: String, in text: NoteText) -> NoteText {
    let anchors = HeadingAnchors(text)
    guard let number = anchors.titleNumber, anchors.texts[number].hasSameBytes(as: old)
    else { return text }
    return replacing(anchors.headings[number], by: title, in: text) ?? text
  }

  private func rename(
    _ entry: Entry, _ number: Int, _ title: String, to path: [UInt8]? = nil
  ) -> NoteRename {
    let path = path ?? entry.note.path
    let change = { (note: Note) throws(SlipboxError) -> NoteText in
      let headings = BodyHeading.all(in: try note.text)
      guard headings.indices.contains(number),
        let text = Self.replacing(headings[number], by: title, in: try note.text)
      else { throw FileEdit.changedMeanwhile(note) }
      let isTitle = !Note(path: path, text: text).title.hasSameBytes(as: note.title)
      return isTitle ? try keepingTitle(of: note, in: text, at: path) : text
    }
    return NoteRename(entry, to: path, headings: NoteRename.inPlace(path), change: change)
  }

  /// The text of a note that its file names, with another title in the property `title::` if it has one.
  private static func retitled(_ note: Note, _ title: String) throws(SlipboxError) -> NoteText {
    let text = try note.text
    guard hasTitleProperty(note) else { return text }
    do throws(EditError) {
      return try text.settingField("title", to: .text(title))
    } catch {
      throw SlipboxError(error, note: note.mention, typed: .note(note))
    }
  }

  private static func hasTitleProperty(_ note: Note) -> Bool {
    note.inlineFields.contains { $0.name.isSameName(as: "title") }
  }

  /// A text of a note with the title that it had among its aliases.
  private func keepingTitle(
    of note: Note, in text: NoteText, at path: [UInt8]
  ) throws(SlipboxError) -> NoteText {
    guard keepsAlias, try snapshot.layout().keepsFormerTitles else {
      return text
    }
    do throws(EditError) {
      return try text.adding(aliases: [note.title], at: path, order: fieldOrder)
    } catch {
      throw SlipboxError(error, note: note.mention, typed: .note(note))
    }
  }

  private func renaming(
    _ entry: Entry, _ title: String, renames: [NoteRename]
  ) throws(SlipboxError) -> Plan {
    let old = entry.note.title
    return try RenameNotes(in: snapshot).plan(
      renames, command: "retitle", reason: reason, inPlace: "\(entry.note.mention) already has that title"
    ) { _ in "Retitle \(old) to \(title)" }
  }
}

extension Retitling {
  /// The note that a reference names, and the heading after a `#` in it.
  ///
  /// - Throws: as `NoteLookup.entry`, for the whole reference.
  package func target(_ reference: String) throws(SlipboxError) -> Target {
    if let entry = try? NoteLookup(in: snapshot).entry(reference, fuzzy: false, suggests: false) {
      return Target(entry: entry, heading: nil)
    }
    for mark in reference.indices where reference[mark] == "#" {
      let (name, heading) = (String(reference[..<mark]), String(reference[mark...].dropFirst()))
      guard !name.isEmpty,
        let entry = try? NoteLookup(in: snapshot).entry(name, fuzzy: false, suggests: false)
      else { continue }
      return Target(entry: entry, heading: heading)
    }
    return Target(entry: try NoteLookup(in: snapshot).entry(reference, fuzzy: false), heading: nil)
  }

  private func plan(
    _ entry: Entry, _ anchors: HeadingAnchors, _ number: Int, to title: String
  ) throws(SlipboxError) -> Plan {
    let old = anchors.texts[number]
    let isSame = old.hasSameBytes(as: title)
    if !isSame, Self.replacing(anchors.headings[number], by: title, in: try entry.note.text) == nil {
      throw SlipboxError(
        .badData, "\(entry.note.mention): \(title) can't be written as a heading")
    }
    if !isSame { try warnOfEqualHeading(entry, anchors, number, title) }
    return try RenameNotes(in: snapshot).plan(
      isSame ? [] : [rename(entry, number, title)], command: "retitle", reason: reason,
      inPlace: "the heading already has that title"
    ) { _ in "Retitle \(entry.note.title)#\(old) to \(title)" }
  }

  /// Warns if another heading already has the new text: links by it lead to the first of them.
  private func warnOfEqualHeading(
    _ entry: Entry, _ anchors: HeadingAnchors, _ number: Int, _ title: String
  ) throws(SlipboxError) {
    let other = anchors.texts.indices.first { $0 != number && anchors.texts[$0].hasSameBytes(as: title) }
    guard let other else { return }
    let line = try entry.note.text.position(of: anchors.headings[other].lines.lowerBound).line
    snapshot.reporter.warnOnce(
      "\(entry.note.mention) already has a heading \(title), in line \(line); links by that name lead to the first"
    )
  }

  /// A text with another heading; nil if it would not be read as that text.
  static func replacing(_ heading: BodyHeading, by title: String, in text: NoteText) -> NoteText? {
    let number = BodyHeading.all(in: text).firstIndex(of: heading) ?? 0
    for written in [Array(title.utf8), MarkdownText.escaped(title)] {
      let bytes = text.bytes
      let gap: [UInt8] = heading.text.isEmpty ? [0x20] : []
      let result = NoteText(
        bytes[..<heading.text.lowerBound] + gap + written + bytes[heading.text.upperBound...])
      let headings = BodyHeading.all(in: result)
      if headings.count > number, headings[number].plain(in: result.bytes).hasSameBytes(as: title),
        headings[number].level == heading.level
      {
        return result
      }
    }
    return nil
  }

  /// The path of a note whose file is named by another title; nil if no file can have that name.
  static func path(of note: Note, titled title: String) throws(SlipboxError) -> [UInt8]? {
    let name = Array(title.utf8)
    let isPlain = !name.contains { $0 < 0x20 || $0 == 0x7F || "/\\:*?\"<>|#^[]".utf8.contains($0) }
    guard isPlain, let first = name.first, first != UInt8(ascii: "."), name.last != UInt8(ascii: "."),
      name.count <= FileName.longestPart
    else { return nil }
    let folder = Array(note.path.dropLast(FileName.lastPart(of: note.path).count))
    let path = folder + name + FileName.ending(of: note.path)
    let moved = Note(path: path, text: try note.text)
    return FileName.problem(in: path) == nil && moved.title.hasSameBytes(as: title) ? path : nil
  }
}
