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

  /// The date whose time of day an undeclared field holds: `due` for `due-time`.
  func dayField(ofTime name: String) -> Field? {
    let ending = "-time"
    guard name.lowercased().hasSuffix(ending) else { return nil }
    let day = String(name.dropLast(ending.count))
    return kind.fields.first { $0.name.isSameName(as: day) && $0.type == .date }
      ?? (kind.field(day) == nil ? Field.dateOfEveryKind(day) : nil)
  }

  /// The date that a change sets in a field such as `due` which the kind does not declare; nil for any other change.
  func adoptedDate(_ change: Change, _ name: String) -> Field? {
    guard kind.field(name) == nil, let field = Field.dateOfEveryKind(name) else { return nil }
    if case .list? = note.field(named: name)?.value { return nil }
    let value: String
    switch change {
    case .set(_, let text): value = text
    case .add(let element, _): value = "+" + element
    case .remove(let element, _): value = "-" + element
    case .clear, .addTag, .removeTag: return nil
    }
    // A date as programs write it stays as it is.
    guard Timestamp.adopted(value) == nil else { return nil }
    return field.readsDate(value, clock: editor.clock) ? field : nil
  }

  /// Warns if an undeclared field gets a text that reads as a date today: it is stored as text, and a word for a day means
  /// another day tomorrow.
  mutating func warnOfRelativeDate(_ value: String, _ name: String) {
    guard Timestamp.adopted(value) == nil, !isLength(value, name), !TimeReader.isClockTime(value) else {
      return
    }
    let field = Field(name, .date)
    let change: String
    if let (day, time) = field.dayAndTime(value, clock: editor.clock) {
      change = "\(ShellWord.quoted("\(name):\(day)")) \(ShellWord.quoted("\(name)-time:\(time)"))"
    } else if let day = try? field.typed(value, clock: editor.clock).day {
      change = ShellWord.quoted("\(name):\(day)")
    } else {
      if Field.dateOfEveryKind(name) != nil {
        warnings.append(
          "\(Visible.escape(name)) is stored as the text \(Visible.escape(value)), which is not a date")
      }
      return
    }
    let dates = kind.fields.filter { $0.type == .date }.map { Visible.escape($0.name) }
    let known =
      dates.isEmpty
      ? ""
      : "; the date fields of \(Visible.escape(kind.name).withArticle) are \(dates.joined(separator: ", "))"
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

extension RecordDraft {
  /// Adds a tag, unless the note has it.
  mutating func addTag(_ typed: String) throws(RecordError) {
    let tag = Self.bare(typed)
    guard isTag(tag) else { return }
    if let meant = fieldChange(in: tag), !note.tags.contains(where: { $0.isSameName(as: tag) }) {
      return refuse("tags", "+\(Visible.escape(tag)) would be a tag", hint: "did you mean \(meant)?")
    }
    if note.tags.contains(where: { $0.isSameName(as: tag) }) { return }
    let old = tagsValue?.text
    if let old, !old.utf8.contains(UInt8(ascii: ",")), note.frontMatterTags.count > 1 {
      return try writeTags(note.frontMatterTags + [tag], blanks: true)
    }
    if old == nil { return pending.append(tag: tag) }
    let (key, order) = (note.tagsField ?? "tags", order)
    try edit { text throws(EditError) in try text.adding(tag, to: key, order: order, kind: .tags) }
  }

  /// The change of a list that a tag most likely was meant to be: it begins with the name of a field of the kind.
  private func fieldChange(in tag: String) -> String? {
    guard let colon = tag.firstIndex(of: ":") else { return nil }
    let (name, value) = (tag[..<colon], tag[colon...].dropFirst())
    guard !value.isEmpty, let field = kind.fields.first(where: { $0.name.isSameName(as: String(name)) })
    else { return nil }
    let sign = field.isList || field.type == .tags ? "+" : ""
    return "\(field.name):\(sign)\(Visible.escape(String(value)))"
  }

  /// Removes a tag from the front-matter, and from the text if that is allowed.
  mutating func removeTag(_ typed: String) throws(RecordError) {
    let tag = Self.bare(typed)
    try removeFieldTag(tag)
    let inline = note.inlineTags.filter { $0.name.isSameName(as: tag) }
    guard let first = inline.first else { return }
    guard editor.dropsInlineTags else {
      let line = note.wholeText.position(of: first.offset).line
      return refuse(
        "tags", "tags: #\(Visible.escape(first.name)) is in the text, line \(line)", line: line,
        hint: "add \(option: "--inline") to remove its #")
    }
    try edit { text throws(EditError) in
      var bytes = text.bytes
      for occurrence in inline.reversed() { bytes.removeSubrange(occurrence.marks(in: bytes)) }
      return NoteText(bytes)
    }
  }

  /// Makes these the tags of the front-matter.
  mutating func setTags(_ typed: [String]) throws(RecordError) {
    let tags = Note.withoutCaseDuplicates(typed.map(Self.bare))
    guard tags.allSatisfy({ isTag($0) }) else { return }
    let hasCommas = tagsValue?.text?.utf8.contains(UInt8(ascii: ",")) == true && tags.count > 1
    let value: FieldValue =
      hasCommas ? .text(tags.joined(separator: ", ")) : .list(tags.map(FieldValue.text))
    let (key, order) = (note.tagsField ?? "tags", order)
    try edit { text throws(EditError) in try text.settingField(key, to: value, order: order) }
  }

  private mutating func removeFieldTag(_ tag: String) throws(RecordError) {
    let kept = note.frontMatterTags.filter { !$0.isSameName(as: tag) }
    guard let key = note.tagsField, kept.count < note.frontMatterTags.count else { return }
    if let old = tagsValue?.text, !kept.isEmpty {
      return try writeTags(kept, blanks: !old.utf8.contains(UInt8(ascii: ",")))
    }
    try edit { text throws(EditError) in try text.removing(tag, from: key, kind: .tags) }
  }

  /// Writes tags into a scalar, separated as they were; as a list if they would be read differently.
  private mutating func writeTags(_ tags: [String], blanks: Bool) throws(RecordError) {
    let key = note.tagsField ?? "tags"
    let haveBlanks = tags.contains { $0.utf8.contains(0x20) }
    var value = FieldValue.text(tags.joined(separator: blanks ? " " : ", "))
    if haveBlanks, blanks || tags.count == 1 { value = .list(tags.map(FieldValue.text)) }
    try edit { text throws(EditError) in try text.settingField(key, to: value) }
  }

  private var tagsValue: FieldValue? { note.tagsField.flatMap { note.frontMatter[$0] } }

  private mutating func isTag(_ tag: String) -> Bool {
    let parts = tag.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
    let isNamed = !parts.contains(where: \.isEmpty)
    let isHeld = note.tags.contains { $0.isSameName(as: tag) }
    if isNamed || isHeld, !tag.utf8.contains(UInt8(ascii: ",")) { return true }
    let isComma = tag.utf8.contains(UInt8(ascii: ","))
    let reason =
      tag.isEmpty ? "it is empty" : isComma ? "it has a comma" : "it has an empty part between slashes"
    refuse("tags", "tags: \(tag.isEmpty ? "nothing" : Visible.escape(tag)) can't be a tag: \(reason)")
    return false
  }

  private static func bare(_ typed: String) -> String {
    let text = typed.withoutBlanksAround
    return text.utf8.first == UInt8(ascii: "#") ? String(text.unicodeScalars.dropFirst()) : text
  }
}

extension NoteText {
  /// The text of a note with further titles; those that it has already, without regard to case, are left out.
  ///
  /// - Parameter path: the file, whose name may be the title of the note.
  /// - Throws: `EditError` if the front-matter can't be changed.
  package func adding(
    aliases: [String], at path: [UInt8], order: [String]
  ) throws(EditError) -> NoteText {
    var note = Note(path: path, text: self)
    for alias in aliases where !note.givenTitles.contains(where: { $0.isSameName(as: alias) }) {
      let key = note.aliasesKey
      note = Note(path: path, text: try note.wholeText.adding(alias, to: key, order: order, kind: .texts))
    }
    return note.wholeText
  }
}

extension Note {
  /// The name of the field with the other titles, as the note spells it.
  var aliasesKey: String { (field(named: "aliases") ?? field(named: "alias"))?.name ?? "aliases" }
}

/// Fields that the note's kind does not declare.
extension RecordDraft {
  /// Whether an undeclared field holds one value that is not a list of one name or tag.
  private func holdsOneValue(_ name: String) -> Bool {
    let listNames = ["aliases", "alias", "tags", "tag", "keywords", "categories"]
    guard !listNames.contains(name.lowercased()), case .text(let text)? = note.field(named: name)?.value
    else {
      return false
    }
    return text.utf8.contains { $0 > 0x20 }
  }

  mutating func makeUndeclared(_ change: Change, _ name: String) throws(RecordError) {
    settled.insert(name.lowercased())
    if note.field(named: name) == nil, isRefused(name) || isForeignState(change) { return }
    if refusesReminder(change, name) { return }
    var change = dateChange(change, name)
    if case .set(_, let value) = change, let element = elementChange(value, of: name) {
      if note.field(named: name)?.value.strings.contains(where: { $0.hasSameBytes(as: value) }) ?? false {
        return refuse(
          name,
          "\(Visible.escape(name)): \(Visible.escape(value)) is ambiguous: the list has it as an element",
          hint: "change the list by hand: \(slip: "edit")")
      }
      change = element
    }
    if case .set(_, let value) = change, let day = dayField(ofTime: name) {
      guard let time = TimeReader.clockText(value) else {
        return refuse(
          name, "\(Visible.escape(name)): \(Visible.escape(value)) is not a time of day (17:30, 9am)",
          hint: "the day goes into \(day.name), the time into \(day.name)-time")
      }
      change = .set(field: name, value: time)
    }
    switch change {
    case .add(let element, _) where holdsOneValue(name):
      _ = refuseElement(element, of: name, nil, isRemoved: false)
      return
    case .remove(let element, _) where holdsOneValue(name):
      _ = refuseElement(element, of: name, nil, isRemoved: true)
      return
    case .set(_, let value): warnOfRelativeDate(value, name)
    case .add, .remove, .clear, .addTag, .removeTag: break
    }
    if case .set(_, let value) = change, note.field(named: name) == nil,
      !kind.fieldOrder.contains(where: { $0.isSameName(as: name) })
    {
      return pending.append(value, to: name)
    }
    try flush()
    let key = note.field(named: name)?.name ?? name
    let order = order
    try edit { text throws(EditError) in
      switch change {
      case .set(_, let value):
        try text.settingField(key, to: .text(value), order: order, writesFractions: true)
      case .add(let element, _):
        try text.addingToField(key, element, order: order, writesFractions: true)
      case .remove(let element, _): try text.removingFromField(key, element)
      case .clear, .addTag, .removeTag: text
      }
    }
  }

  /// The element that a signed number or a relative date adds to or removes from a list of the note; nil if the field is
  /// not a list there.
  private func elementChange(_ value: String, of name: String) -> Change? {
    guard case .list? = note.field(named: name)?.value, value.utf8.count > 1, let sign = value.utf8.first,
      "+-".utf8.contains(sign)
    else { return nil }
    let element = String(value.unicodeScalars.dropFirst())
    return sign == UInt8(ascii: "+") ? .add(element, field: name) : .remove(element, field: name)
  }
}

extension RecordDraft {
  /// Refuses a new field that almost is a known one, if no note has it; else warns of it, of one that means a declared
  /// field, and of one letter alone.
  mutating func isRefused(_ name: String) -> Bool {
    guard !editor.allowsNewFields else { return false }
    let flag = Field.publicationFlag(near: name)
    let near = flag ?? kind.fieldsNear(name).joined(separator: " or ")
    let start = "\(Visible.escape(name)) is not a field of kind \(kind.name)"
    guard !near.isEmpty else {
      if let meant = kind.fieldMeant(by: name) {
        warnings.append("\(start): did you mean \(meant)?")
        return false
      }
      let isLetter = name.unicodeScalars.count == 1 && kind.isOfRecords && editor.isNewField(name)
      if isLetter { warnings.append("\(start), and no other note has it") }
      if editor.isNewField(name), !Field.isPublicationFlag(name), let known = editor.nearField(name) {
        warnings.append(
          "no other note has a field \(Visible.escape(name)); did you mean \(Visible.escape(known))?")
      }
      return false
    }
    guard editor.isNewField(name), flag != nil || editor.schema.kind(named: kind.name) != nil else {
      warnings.append("\(start): did you mean \(near)?")
      return false
    }
    refuse(
      name, "\(start), and no note has it",
      hint: "did you mean \(near)? add \(option: "--new-field") to create it")
    return true
  }
}

extension Kind {
  /// Names of fields by the names that other programs and everyday speech use for them.
  private static let synonyms: [(names: [String], fields: [String])] = [
    (["every", "recurrence", "recurring", "recurs", "repeat", "repeats"], ["recur"]),
    (["deadline", "due-date", "due_date", "duedate"], ["due"]),
    (["notify", "remind", "remind-me", "remind_me", "remindme"], ["reminder"]),
    (["begin", "begins", "start", "starts"], ["scheduled", "wait"]),
    (["list", "project"], ["group"]),
    (["state"], ["status"]),
    (["by", "writer"], ["author"]),
  ]

  /// The declared field that a name means although it is spelled otherwise; nil if the kind has none, or a field of that
  /// name.
  package func fieldMeant(by name: String) -> String? {
    guard field(name) == nil else { return nil }
    let key = Folding.fold(name)
    return Self.synonyms.first { $0.names.contains(key) }?.fields.lazy.compactMap { field($0)?.name }.first
  }
}
