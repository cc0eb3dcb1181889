/// One top-level key with its value.
package struct FrontMatterField: Sendable {
  package let name: String
  package let value: FieldValue
  /// The line of the key in the file, from 1.
  package let line: Int
  /// The bytes of the field's whole lines; comments after its value are not part of it.
  package let span: Range<Int>
  /// Whether edits can change it.
  package let isEditable: Bool
}

extension FrontMatterField: Equatable {
  package static func == (left: Self, right: Self) -> Bool {
    left.name.hasSameBytes(as: right.name) && left.value == right.value && left.line == right.line
      && left.span == right.span && left.isEditable == right.isEditable
  }
}
