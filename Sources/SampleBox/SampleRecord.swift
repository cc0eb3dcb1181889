package import Notes

/// A record of a sample box, ready to be written.
package struct SampleRecord {
  package let id: NoteID
  package var title: String
  package let kind: String
  package let created: Timestamp
  package var tags: [String] = []
  /// The fields of its kind in the kind's order, as they are written.
  package var fields: [(name: String, value: String)] = []
  /// Earlier titles.
  package var aliases: [String] = []
  /// Markdown that ends with a line end.
  package var body: String

  /// The note as slip itself writes one.
  ///
  /// The words of samples are chosen so that none needs quotes in YAML, which a test holds them to.
  package var text: NoteText {
    var text = "---\nid: \(id)\ntitle: \(title)\n"
    if kind != "note" { text += "kind: \(kind)\n" }
    text += "created: \(created.rfc3339)\n"
    if !aliases.isEmpty { text += "aliases: [\(aliases.joined(separator: ", "))]\n" }
    if !tags.isEmpty { text += "tags: [\(tags.joined(separator: ", "))]\n" }
    for field in fields { text += "\(field.name): \(field.value)\n" }
    return NoteText(Array("\(text)---\n\(body)".utf8))
  }
}

extension SampleRecord {
  /// The value of a field.
  subscript(field: String) -> String? {
    get { fields.first { $0.name == field }?.value }
    set {
      let index = fields.firstIndex { $0.name == field }
      switch (index, newValue) {
      case (let index?, let value?): fields[index].value = value
      case (let index?, nil): fields.remove(at: index)
      case (nil, let value?):
        // The field that the kind does not declare stays last.
        let end = fields.last?.name == "pages" ? fields.count - 1 : fields.count
        fields.insert((field, value), at: end)
      case (nil, nil): break
      }
    }
  }

  /// The paragraphs of the body.
  var paragraphs: [String] {
    get {
      var paragraphs: [String] = []
      var rest = body[...]
      while let end = rest.firstRange(of: "\n\n") {
        paragraphs.append(String(rest[..<end.lowerBound]))
        rest = rest[end.upperBound...]
      }
      if rest.last == "\n" { rest.removeLast() }
      return paragraphs + [String(rest)]
    }
    set { body = newValue.joined(separator: "\n\n") + "\n" }
  }
}
