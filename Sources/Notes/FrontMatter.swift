/// The fields at the top of a note, as they stand there.
///
/// Front-matter that can't be read whole still shows the fields that could be made out, and its problems.
package struct FrontMatter: Sendable {
  /// One top-level key with its value.
  package struct Field: Sendable {
    package let name: String
    package let value: FieldValue
    /// The line of the key in the file, from 1.
    package let line: Int
    /// The bytes of the field's whole lines; comments after its value are not part of it.
    package let span: Range<Int>
    /// Whether edits can change it.
    package let isEditable: Bool
  }

  /// The fields in the order of the file.
  package let fields: [Field]
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
  package func field(_ name: String) -> Field? {
    fields.first { $0.name.hasSameBytes(as: name) }
  }
}

extension FrontMatter.Field: Equatable {
  package static func == (left: Self, right: Self) -> Bool {
    left.name.hasSameBytes(as: right.name) && left.value == right.value && left.line == right.line
      && left.span == right.span && left.isEditable == right.isEditable
  }
}
