import NoteIndex
package import Notes
import Platform
import Text

/// The file of a new note: its id, its path and the plan that makes it.
extension BoxSnapshot {
  /// An id that no note of the box has, as far as is known without a look at every file.
  package func freeID(_ ids: IDSource) throws(SlipboxError) -> NoteID {
    while true {
      let id = ids.noteID()
      if try !isTaken(id) { return id }
    }
  }

  func isTaken(_ id: NoteID) throws(SlipboxError) -> Bool {
    guard let kept = keptCatalogue() else { return try catalogue().entry(id: id) != nil }
    return kept.mayHold(id)
  }

  /// The path of a new note's file.
  package func newPath(_ note: Note, id: NoteID) -> [UInt8] {
    FileName.path(
      for: note.title, id: id, created: note.created ?? clock.now, pattern: settings.pathPattern)
  }

  /// The plan that makes a note from its whole text, and the note.
  ///
  /// - Throws: `.cannotCreate` where ignore rules hide the file or its name is refused.
  package func creating(
    _ text: NoteText, id: NoteID, command: String = "new", reason: String? = nil
  ) throws(SlipboxError) -> (note: Note, plan: Plan) {
    try settings.refuseBad("path")
    let note = Note(path: [], text: text)
    // The draft of a day's note stays that.
    let day = CivilDate(note.title).flatMap { NoteID.computed(fromDay: $0) == id ? $0 : nil }
    let path = try day.map { (day) throws(SlipboxError) in try dailyNote(day).path } ?? newPath(note, id: id)
    return try creating(text, at: path, command: command, reason: reason)
  }

  /// The plan that makes a note from its whole text at a path, and the note.
  ///
  /// - Throws: as above.
  package func creating(
    _ text: NoteText, at path: [UInt8], command: String, reason: String?
  ) throws(SlipboxError) -> (note: Note, plan: Plan) {
    try refuseAsNewFile(path)
    let note = Note(path: path, text: text)
    return (note, creation(of: note, command: command, reason: reason))
  }

  /// The plan that makes a note.
  package func creation(of note: Note, command: String = "new", reason: String? = nil) -> Plan {
    let edit = FileEdit(path: note.path) { bytes throws(SlipboxError) in
      guard bytes == nil else {
        throw SlipboxError(.cannotCreate, "\(Visible.escape(note.path)) exists already")
      }
      return note.text.bytes
    }
    return Plan(command: command, reason: reason, edits: [edit], savesAlways: true) { _ in
      "New \(note.kind): \(note.title)"
    }
  }

  /// Refuses a path that no new note can have.
  ///
  /// - Parameter setting: the setting that the path comes from.
  func refuseAsNewFile(_ path: [UInt8], from setting: String = "path") throws(SlipboxError) {
    let shown = Visible.escape(path)
    if let problem = FileName.problem(in: path) {
      throw SlipboxError(
        .cannotCreate, "\(shown): \(problem)", hints: ["slip config \(setting) shows the path pattern"])
    }
    try refuseNestedRepository(path, hints: ["slip config \(setting) shows the path pattern"])
    try refuseExcluded(path, hint: "change that setting, or: slip config \(setting) PATTERN")
    if mayBeIgnored(path), try box.isIgnored(path) {
      let rule = box.ignoreRule(path).map { " by \(Visible.escape($0))" } ?? ""
      throw SlipboxError(
        .cannotCreate, "\(shown) would be ignored\(rule)",
        hints: ["change that rule, or: slip config \(setting) PATTERN"])
    }
  }
}
