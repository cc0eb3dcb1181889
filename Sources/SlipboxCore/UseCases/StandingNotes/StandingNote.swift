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
  /// Whether a note of any kind will do where one is called by the title, not a plain one alone.
  let mayBeAnyKind: Bool
}

extension BoxSnapshot {
  /// The note of a day, by the setting `daily`.
  ///
  /// - Throws: `.configuration` where that setting will not do.
  package func dailyNote(_ day: CivilDate) throws(SlipboxError) -> StandingNote {
    try settings.refuseBad("daily")
    let id = NoteID.computed(fromDay: day)
    let path = FileName.path(
      for: day.description, id: id, created: Timestamp(date: day, secondOfDay: 0, offsetSeconds: 0),
      pattern: settings.value(of: "daily"))
    return StandingNote(
      id: id, title: day.description, path: path, command: "daily", template: "daily", day: day,
      setting: "daily", mayBeAnyKind: false)
  }

  /// The inbox, by the setting `inbox`: a title, or the path of a file.
  ///
  /// - Throws: `.configuration` where that setting will not do.
  package func inboxNote() throws(SlipboxError) -> StandingNote {
    try settings.refuseBad("inbox")
    let name = settings.value(of: "inbox")
    let isPath = FileName.isNote(Array(name.utf8))
    let title = isPath ? String(decoding: FileName.stem(of: Array(name.utf8)), as: UTF8.self) : name
    let id = NoteID.computed(from: "inbox \(name)")
    let path =
      isPath ? Array(name.utf8) : FileName.path(for: title, id: id, created: clock.now, pattern: "{slug}.md")
    return StandingNote(
      id: id, title: title, path: path, command: "capture", template: "inbox", day: nil, setting: "inbox",
      mayBeAnyKind: settings["inbox"] != nil)
  }

  /// The lines that `slip capture` adds for a text, in the form of the setting `capture`.
  ///
  /// Further lines of the text stay part of a list's item.
  /// - Throws: `.configuration` where that setting will not do.
  package func captured(_ text: [UInt8]) throws(SlipboxError) -> [UInt8] {
    try settings.refuseBad("capture")
    let form = settings.value(of: "capture")
    // What can't be read was refused.
    guard let template = try? TemplateText(Array(form.utf8)) else { return text }
    let isItem = ["- ", "* ", "+ "].contains { form.hasPrefix($0) }
    let lines = text.split(separator: 0x0A, omittingEmptySubsequences: false)
    var joined = Array(lines.first ?? [])
    for line in lines.dropFirst() {
      let isBlank = line.allSatisfy { $0 == 0x20 || $0 == 0x09 || $0 == 0x0D }
      joined += [0x0A] + (isItem && !isBlank ? [0x20, 0x20] : []) + line
    }
    return template.filled(TemplateValues(day: clock.today, now: clock.now, selection: joined))
  }
}
