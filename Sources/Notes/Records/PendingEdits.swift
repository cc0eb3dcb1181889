import Text

/// Changes of a record that are written together: many of them would each read the whole front-matter.
struct PendingEdits {
  private(set) var fields: [(name: String, value: FieldValue)] = []
  private(set) var tags: [String] = []
  /// The names of the fields and tags without regard to case.
  private var keys: Set<String> = []

  /// Whether a change may wait with these: a new field beside others, or a tag beside others.
  func mayWait(_ change: Change) -> Bool {
    switch change {
    case .set(let name, _): tags.isEmpty && !keys.contains(name.lowercased())
    case .addTag: fields.isEmpty
    case .add, .remove, .removeTag, .clear: false
    }
  }

  mutating func append(_ value: String, to name: String) {
    keys.insert(name.lowercased())
    fields.append((name, .text(value)))
  }

  mutating func append(tag: String) {
    if keys.insert(TagPath.key(tag)).inserted { tags.append(tag) }
  }
}

extension RecordDraft {
  /// Writes the changes that wait.
  mutating func flush() throws(RecordError) {
    let (fields, tags) = (pending.fields, pending.tags)
    pending = PendingEdits()
    if !fields.isEmpty {
      try edit { text throws(EditError) in
        if let result = try? FrontMatterEditor(text, writesFractions: true).appending(fields) {
          return result
        }
        var text = text
        for field in fields { text = try text.setting(field.name, to: field.value, writesFractions: true) }
        return text
      }
    }
    guard !tags.isEmpty else { return }
    let (key, order) = (note.tagsField ?? "tags", order)
    try edit { text throws(EditError) in
      let first = try text.adding(tags[0], to: key, order: order, kind: .tags)
      return tags.count == 1 ? first : try first.changing(key, adding: Array(tags.dropFirst()), removing: [])
    }
  }
}
