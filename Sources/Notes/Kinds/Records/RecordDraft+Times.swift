/// Times of day beside fields that hold the day alone.
extension RecordDraft {
  /// Writes the time of day of a field that holds the day alone, unless the command names a time itself.
  mutating func setTime(_ time: String, of field: Field) throws(RecordError) {
    let name = "\(field.name)-time"
    guard settled.insert(name.lowercased()).inserted else { return }
    let (key, order) = (note.field(named: name)?.name ?? name, order)
    try edit { text throws(EditError) in try text.setting(key, to: .text(time), order: order) }
  }

  /// The declared date whose time of day an undeclared field holds: `due` for `due-time`.
  func dayField(ofTime name: String) -> Field? {
    let ending = "-time"
    guard name.lowercased().hasSuffix(ending) else { return nil }
    let day = String(name.dropLast(ending.count))
    return kind.fields.first { $0.name.isSameName(as: day) && $0.type == .date }
  }
}
