/// The fields at the top of a note, as they stand there.
///
/// Front-matter that can't be read whole still shows the fields that could be made out, and its problems.
package struct FrontMatter: Sendable {
  /// The fields in the order of the file.
  package let fields: [FrontMatterField]
  package let problems: [Problem]

  /// Whether fields can be changed at all: false where a problem is an error.
  package var isWritable: Bool { firstError == nil }

  /// The first problem that hinders changes.
  var firstError: Problem? { problems.first { $0.severity == .error } }

  /// Reads the front-matter of a note.
  ///
  /// - Complexity: O(n); about a microsecond for a block of the usual shapes.
  package init(_ text: NoteText) {
    let reading = FrontMatterReading(text, keepsShapes: false)
    fields = reading.fields
    problems = reading.problems
  }

  /// The value of the first field with a name, compared byte for byte.
  package subscript(name: String) -> FieldValue? { field(name)?.value }

  /// Returns the first field with a name, compared byte for byte.
  package func field(_ name: String) -> FrontMatterField? {
    fields.first { $0.name.hasSameBytes(as: name) }
  }
}
