/// The front-matter of a made-up note, and where it lies.
package struct NoteHead: Equatable, Sendable {
  package let id: String
  package let title: String
  package let kind: String
  package let created: String
  package let tags: [String]
  /// The other fields in their order.
  package let fields: [Field]
  package let path: String

  /// A name with its value.
  package struct Field: Equatable, Sendable {
    package let name: String
    package let value: String

    init(_ name: String, _ value: String) {
      self.name = name
      self.value = value
    }
  }

  /// The value of a field, or nil where there is none.
  package func value(of name: String) -> String? { fields.first { $0.name == name }?.value }

  /// The front-matter with the lines around it.
  package var frontMatter: String {
    var text = "---\nid: \(id)\ntitle: \(title)\n"
    if kind != "note" { text += "kind: \(kind)\n" }
    text += "created: \(created)\ntags: [\(tags.joined(separator: ", "))]\n"
    for field in fields { text += "\(field.name): \(field.value)\n" }
    return text + "---\n"
  }
}
