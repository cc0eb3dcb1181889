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
