package import Notes

extension TextIndexBuilder {
  private static let aliasFields = ["aliases", "alias"]

  /// Adds all texts of a note in which words are looked for, to the document that was begun last.
  package func add(_ note: Note) {
    add(note.title, to: .title)
    note.forEachFieldText { field, text in
      // The title counts already, but for a list of titles.
      if field.name.isSameName(as: "title"), case .text = field.value, note.hasOwnTitle { return true }
      add(text, to: Self.kind(of: field.name, note))
      return true
    }
    add(note.bodyBytes, to: .body)
    if let bytes = note.unreadFrontMatter { add(bytes, to: .other) }
  }

  fileprivate static func kind(of name: String, _ note: Note) -> TextField {
    if aliasFields.contains(where: name.hasSameBytes) { return .alias }
    return note.tagsField.map(name.hasSameBytes) ?? false ? .tag : .other
  }
}

extension TextPattern {
  /// How often the pattern stands in each field of a note, as an index would have it; all zero where it does not.
  func counts(in note: Note, _ scope: TextScope) -> FieldCounts {
    var counts = FieldCounts()
    let add = { (text: ArraySlice<UInt8>, field: TextField) in
      if scope.contains(TextScope(field)) { counts.add(count(in: text), in: field) }
    }
    add(Array(note.title.utf8)[...], .title)
    note.forEachFieldText { field, text in
      if field.name.isSameName(as: "title"), case .text = field.value, note.hasOwnTitle { return true }
      add(Array(text.utf8)[...], TextIndexBuilder.kind(of: field.name, note))
      return true
    }
    if scope.contains(.body) { add(note.bodyBytes, .body) }
    if let bytes = note.unreadFrontMatter { add(bytes, .other) }
    return counts
  }
}
