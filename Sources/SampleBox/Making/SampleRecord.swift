package import Notes

/// A record of a sample box, ready to be written.
package struct SampleRecord {
  package let id: NoteID
  package let title: String
  package let kind: String
  package let created: Timestamp
  package var tags: [String] = []
  /// The fields of its kind in the kind's order, as they are written.
  package var fields: [(name: String, value: String)] = []
  /// Markdown that ends with a line end.
  package var body: String

  /// The note as slip itself writes one.
  ///
  /// The words of samples are chosen so that none needs quotes in YAML, which a test holds them to.
  package var text: NoteText {
    var text = "---\nid: \(id)\ntitle: \(title)\n"
    if kind != "note" { text += "kind: \(kind)\n" }
    text += "created: \(created.rfc3339)\n"
    if !tags.isEmpty { text += "tags: [\(tags.joined(separator: ", "))]\n" }
    for field in fields { text += "\(field.name): \(field.value)\n" }
    return NoteText(Array("\(text)---\n\(body)".utf8))
  }
}
