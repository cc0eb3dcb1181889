import Text

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
