import Text

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
          hint: "change the list by hand: slip edit")
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
  /// Refuses a new field that almost is a known one, where no note has it; else warns of it, of one that means a declared
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
      if editor.isNewField(name), let known = editor.nearField(name) {
        warnings.append(
          "no other note has a field \(Visible.escape(name)); did you mean \(Visible.escape(known))?")
      }
      return false
    }
    guard editor.isNewField(name), flag != nil || editor.schema.kind(named: kind.name) != nil else {
      warnings.append("\(start): did you mean \(near)?")
      return false
    }
    refuse(name, "\(start), and no note has it", hint: "did you mean \(near)? add --new-field to create it")
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
