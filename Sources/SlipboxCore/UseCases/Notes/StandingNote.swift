package import NoteIndex
package import Notes
import Text

/// A note of which the box has one for a name: that of a day, or the inbox.
///
/// Its id and its path follow from its name alone, never from the clock: two devices that make it without knowing of each
/// other make the same file, which a merge puts together.
package struct StandingNote: Sendable {
  package let id: NoteID
  package let title: String
  /// The path at which it is made.
  package let path: [UInt8]
  /// The command that makes it.
  package let command: String
  /// The name of its template.
  let template: String
  /// The day for its template; nil: today.
  let day: CivilDate?
  /// The setting that its path comes from.
  let setting: String
  /// Whether a note of any kind with the title counts, not only a plain one.
  let mayBeAnyKind: Bool
  /// Whether a setting names its file.
  var hasOwnPath = false
}

/// The daily notes and the inbox of a box: named, found, created and appended to.
package struct StandingNotes {
  private let snapshot: BoxSnapshot

  package init(in snapshot: BoxSnapshot) { self.snapshot = snapshot }

  /// The note of a day, by the setting `daily`.
  ///
  /// - Throws: `.configuration` if that setting will not do.
  package func daily(_ day: CivilDate) throws(SlipboxError) -> StandingNote {
    try snapshot.settings.refuseBad("daily", in: snapshot.box)
    let layout = try snapshot.layout()
    let id = NoteID.computed(fromDay: day)
    let created = Timestamp(date: day, secondOfDay: 0, offsetSeconds: 0)
    let path = try path(by: layout.daily, of: "daily", title: day.description, id: id, created: created)
    return StandingNote(
      id: id, title: layout.title == .file ? FileName.title(of: path) : day.description, path: path,
      command: "daily",
      template: "daily", day: day,
      setting: "daily", mayBeAnyKind: false)
  }

  private func path(
    by pattern: String, of setting: String, title: String, id: NoteID, created: Timestamp
  ) throws(SlipboxError) -> [UInt8] {
    let naming = try snapshot.layout().naming
    do throws(Problem) {
      return try PathPattern(pattern, naming: naming).path(title: title, id: id, created: created)
    } catch {
      throw SlipboxError(.configuration, "\(setting): \(pattern): \(error.message)")
    }
  }

  /// The inbox, by the setting `inbox`: a title, or the path of a file.
  ///
  /// - Throws: `.configuration` if that setting will not do.
  package func inbox() throws(SlipboxError) -> StandingNote {
    try snapshot.settings.refuseBad("inbox", in: snapshot.box)
    let name = snapshot.settings.value(of: "inbox")
    let isPath = FileName.isNote(Array(name.utf8))
    let title = isPath ? String(decoding: FileName.stem(of: Array(name.utf8)), as: UTF8.self) : name
    let id = NoteID.computed(from: "inbox \(name)")
    let layout = try snapshot.layout()
    let pattern =
      switch layout.name {
      case .logseq: "pages/{title}.md"
      // The name of a Denote file has a date: the same on all devices.
      case .denote: "20000101T000000--{slug}.md"
      default: layout.title == .file ? "{title}.md" : "{slug}.md"
      }
    let path =
      if isPath {
        Array(name.utf8)
      } else {
        try path(by: pattern, of: "inbox", title: title, id: id, created: snapshot.clock.now)
      }
    return StandingNote(
      id: id, title: title, path: path, command: "capture", template: "inbox", day: nil, setting: "inbox",
      mayBeAnyKind: snapshot.settings["inbox"] != nil, hasOwnPath: isPath)
  }

  /// The lines that `slip capture` adds for a text, in the form of the setting `capture`.
  ///
  /// Further lines of the text stay part of a list's item.
  /// - Throws: `.configuration` if that setting will not do.
  package func captured(_ text: [UInt8]) throws(SlipboxError) -> [UInt8] {
    try snapshot.settings.refuseBad("capture", in: snapshot.box)
    let form = snapshot.settings.value(of: "capture")
    // An invalid template was refused before.
    guard let template = try? TemplateText(Array(form.utf8)) else { return text }
    let isItem = ["- ", "* ", "+ "].contains { form.hasPrefix($0) }
    var lines = text.split(separator: 0x0A, omittingEmptySubsequences: false)
    // A text that brings a mark of a list is not put into another list.
    if isItem, let first = lines.first, ["- ", "* ", "+ "].contains(where: { first.starts(with: $0.utf8) }) {
      lines[0] = first.dropFirst(2)
    }
    var joined = Array(lines.first ?? [])
    for line in lines.dropFirst() {
      let isBlank = line.allSatisfy { $0 == 0x20 || $0 == 0x09 || $0 == 0x0D }
      joined += [0x0A] + (isItem && !isBlank ? [0x20, 0x20] : []) + line
    }
    return template.filled(
      TemplateValues(day: snapshot.clock.today, now: snapshot.clock.now, selection: joined))
  }
}

extension StandingNotes {
  /// The existing note of a standing note: by its id, at its path, else the target of a link by its title.
  ///
  /// - Throws: `.badData` if its title means several notes.
  /// - Complexity: that of one file by its id, else of a check of each.
  package func entry(of standing: StandingNote) throws(SlipboxError) -> Entry? {
    if let entry = try NoteLookup(in: snapshot).knownEntry(standing.id.description) { return entry }
    let catalogue = try snapshot.catalogue()
    if let entry = catalogue.entry(id: standing.id) ?? catalogue.entry(path: standing.path) { return entry }
    let isFitting = { (entry: Entry) in standing.mayBeAnyKind || entry.kind == "note" }
    // A path in the settings means that file alone: it may be encrypted, and another note of its title not.
    if standing.hasOwnPath { return nil }
    switch catalogue.resolve(standing.title, .link) {
    case .found(let entry): return isFitting(entry) ? entry : nil
    case .none: return nil
    case .ambiguous(let entries):
      let fitting = entries.filter(isFitting)
      if fitting.count > 1 { throw NoteLookup.ambiguity(of: standing.title, fitting) }
      return fitting.first
    }
  }

  /// The text of a new standing note, by its template if the box has one.
  ///
  /// - Throws: as `text(of:id:isUnfinished:)`.
  package func text(of standing: StandingNote, isUnfinished: Bool = false) throws(SlipboxError) -> NoteText {
    try CreateNote(in: snapshot).refuseAsNewFile(standing.path, from: standing.setting)
    let named = standing.command == "daily" ? try snapshot.layout().dailyTemplate : nil
    let templates = Templates(in: snapshot)
    let start =
      if let named {
        try templates.template(at: named)
      } else {
        try templates.template(ofKind: standing.template)
      }
    let draft = Draft(title: standing.title, start: start, day: standing.day)
    return try CreateNote(in: snapshot).text(of: draft, id: standing.id, isUnfinished: isUnfinished)
  }

  /// The plan that creates a standing note, and does nothing if it was created meanwhile.
  package func plan(
    creating standing: StandingNote, _ text: NoteText, reason: String? = nil
  ) throws(SlipboxError) -> (note: Note, plan: Plan) {
    let text = try PlaceNote(in: snapshot).laidOut(text, at: standing.path, keepsHeading: true)
    let note = Note(path: standing.path, text: text)
    let edit = FileEdit(path: standing.path) { bytes throws(SlipboxError) in bytes ?? text.bytes }
    let plan = Plan(command: standing.command, reason: reason, edits: [edit], savesAlways: true) { _ in
      "New \(note.kind): \(note.title)"
    }
    return (note, plan)
  }

  /// The plan that appends lines to a standing note, and creates it first if it is missing.
  ///
  /// - Returns: the plan, and the existing or new note.
  /// - Throws: as `entry(of:)` and `text(of:)`; `.configuration` if the file of the note's kind has a mistake.
  package func plan(
    adding lines: [UInt8], to standing: StandingNote, reason: String? = nil
  ) throws(SlipboxError) -> (note: Note, plan: Plan) {
    if let entry = try entry(of: standing) {
      return (
        entry.note,
        try AppendText(in: snapshot).plan(lines, to: entry, command: standing.command, reason: reason)
      )
    }
    try NoteText.refuseUnreadable(lines)
    let block = try snapshot.layout().block(lines)
    let text = try PlaceNote(in: snapshot).laidOut(
      try text(of: standing), at: standing.path, keepsHeading: true)
    let note = Note(path: standing.path, text: text)
    let edit = FileEdit(path: standing.path) { bytes throws(SlipboxError) in
      // Another command may have made it since.
      let now = bytes.map { NoteText($0) } ?? text
      return try now.readable(as: note).appending(block).bytes
    }
    let plan = Plan(command: standing.command, reason: reason, edits: [edit], savesAlways: true) { changes in
      let isNew = changes.contains { $0.before == nil }
      return isNew ? "New \(note.kind): \(note.title)" : "Append to: \(Plan.described(changes))"
    }
    return (note, plan)
  }
}
