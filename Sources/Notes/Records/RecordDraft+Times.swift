import Bytes

internal import Text

/// Times of day beside fields that hold the day alone.
extension RecordDraft {
  /// Writes the time of day of a field that holds the day alone, unless the command names a time itself.
  mutating func setTime(_ time: String, of field: Field) throws(RecordError) {
    let name = "\(field.name)-time"
    guard settled.insert(name.lowercased()).inserted else { return }
    let (key, order) = (note.field(named: name)?.name ?? name, order)
    try edit { text throws(EditError) in try text.settingField(key, to: .text(time), order: order) }
  }

  /// The declared date whose time of day an undeclared field holds: `due` for `due-time`.
  func dayField(ofTime name: String) -> Field? {
    let ending = "-time"
    guard name.lowercased().hasSuffix(ending) else { return nil }
    let day = String(name.dropLast(ending.count))
    return kind.fields.first { $0.name.isSameName(as: day) && $0.type == .date }
  }

  /// Warns if an undeclared field gets a text that reads as a date today: it is stored as text, and a word for a day means
  /// another day tomorrow.
  mutating func warnOfRelativeDate(_ value: String, _ name: String) {
    guard Timestamp.adopted(value) == nil, !isLength(value, name) else { return }
    let field = Field(name, .date)
    let change: String
    if let (day, time) = field.dayAndTime(value, clock: editor.clock) {
      change = "\(ShellWord.quoted("\(name):\(day)")) \(ShellWord.quoted("\(name)-time:\(time)"))"
    } else if let day = try? field.typed(value, clock: editor.clock).day {
      change = ShellWord.quoted("\(name):\(day)")
    } else {
      return
    }
    let dates = kind.fields.filter { $0.type == .date }.map { Visible.escape($0.name) }
    let known =
      dates.isEmpty
      ? "" : "; the date fields of a \(Visible.escape(kind.name)) are \(dates.joined(separator: ", "))"
    warnings.append(
      "\(Visible.escape(name)) is stored as the text \(Visible.escape(value)); \(Visible.escape(change)) stores the date\(known)"
    )
  }

  /// The change that sets a field to a distance with a time, such as `+2d 10:00`; any other change as it is.
  func dateChange(_ change: Change, _ name: String) -> Change {
    let value: String
    switch change {
    case .add(let element, _): value = "+" + element
    case .remove(let element, _): value = "-" + element
    case .set, .clear, .addTag, .removeTag: return change
    }
    let isDate = Field(name, .date).dayAndTime(value, clock: editor.clock) != nil
    return isDate && value.contains(":") ? .set(field: name, value: value) : change
  }

  /// Whether a length without a sign, such as `3d`, or numbers such as `9/10` are given for a field that no kind declares as
  /// a date: they may say how long something takes, or how good it is.
  private func isLength(_ value: String, _ name: String) -> Bool {
    guard value.utf8.first.map({ $0 != UInt8(ascii: "+") && $0 != UInt8(ascii: "-") }) ?? false,
      value.contains("/") || DateInterval.point(value, clock: editor.clock, looking: .ahead) != nil
    else { return false }
    return !editor.schema.kinds.contains { kind in
      kind.fields.contains { $0.isTime && $0.name.isSameName(as: name) }
    }
  }

  /// Refuses a reminder that can't be read; returns whether it did.
  mutating func refusesReminder(_ change: Change, _ name: String) -> Bool {
    guard name.isSameName(as: Reminder.fieldName) else { return false }
    let value: String
    switch change {
    case .set(_, let text), .add(let text, _): value = text
    case .remove, .clear, .addTag, .removeTag: return false
    }
    guard Reminder.all(value) == nil else { return false }
    refuse(name, Reminder.refusal(value))
    return true
  }
}

extension Field {
  /// Whether a text with a sign is a distance from today, perhaps with a time of day: `+2d 10:00`.
  func readsDistance(_ text: String, clock: ClockReading) -> Bool {
    let first = text.split(separator: " ").first.map(String.init)
    return DateInterval.point(first, clock: clock, looking: direction) != nil
  }
}

extension Note {
  /// The field for the time of day that the value of a field loses when it becomes a day, with the time: `due-time` and
  /// `17:00` for `due: 2026-11-30T17:00`; nil if it has none or the note has such a field.
  package func timeOfDay(leaving field: String) -> (name: String, time: String)? {
    guard let own = frontMatter.fields.first(where: { $0.name.isSameName(as: field) }),
      let text = own.value.text, text.utf8.contains(UInt8(ascii: ":")),
      let second = Timestamp.adopted(text)?.secondOfDay, second > 0
    else { return nil }
    let name = "\(own.name)-time"
    if frontMatter.fields.contains(where: { $0.name.isSameName(as: name) }) { return nil }
    return (name, DatedLine.time(second))
  }
}

extension Reminder {
  /// The reminders of a note; those that can't be read are left out.
  package static func all(of note: Note) -> [Reminder] { texts(of: note).compactMap { Reminder($0) } }

  /// The first reminder of a note that can't be read, with its line.
  package static func fault(in note: Note) -> (text: String, line: Int?)? {
    texts(of: note).first { Reminder($0) == nil }.map { ($0, note.field(named: fieldName)?.line) }
  }

  private static func texts(of note: Note) -> [String] {
    let texts = note.value(named: fieldName)?.strings ?? []
    return texts.flatMap { CommaList($0).elements }.filter { !$0.withoutBlanksAround.isEmpty }
  }
}
