import Bytes

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

  /// The front-matter with further fields after its own.
  init(_ frontMatter: FrontMatter, adding fields: [FrontMatterField]) {
    self.init(fields: frontMatter.fields + fields, problems: frontMatter.problems)
  }

  init(fields: [FrontMatterField], problems: [Problem]) {
    self.fields = fields
    self.problems = problems
  }

  /// The value of the first field with a name, compared byte for byte.
  package subscript(name: String) -> FieldValue? { field(name)?.value }

  /// Returns the first field with a name, compared byte for byte.
  package func field(_ name: String) -> FrontMatterField? {
    fields.first { $0.name.hasSameBytes(as: name) }
  }
}

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
  /// Whether it is in the text of the note, not in the front-matter; its span is empty then.
  package var isInline = false

  /// Returns the field with another value.
  package func holding(_ value: FieldValue) -> FrontMatterField {
    FrontMatterField(
      name: name, value: value, line: line, span: span, isEditable: isEditable, isInline: isInline)
  }
}

extension FrontMatterField: Equatable {
  package static func == (left: Self, right: Self) -> Bool {
    left.name.hasSameBytes(as: right.name) && left.value == right.value && left.line == right.line
      && left.span == right.span && left.isEditable == right.isEditable
  }
}

/// The fields of a front-matter that have a meaning of their own, found in one pass over their names.
///
/// Each is the first of its name, given by its place among the fields.
struct NamedFields {
  /// Compared byte for byte.
  private(set) var conflicts: Int?
  /// Compared without regard to case; of several that differ in case the one in small letters.
  private(set) var id: Int?
  private(set) var kind: Int?
  private(set) var title: Int?
  private(set) var anyID: Int?
  private(set) var identifier: Int?
  private(set) var aliases: Int?
  private(set) var alias: Int?
  private(set) var tags: Int?
  private(set) var tag: Int?
  private(set) var keywords: Int?
  private(set) var categories: Int?

  private var (hasPlainTitle, hasPlainID) = (false, false)

  /// The fields that may hold tags, in their order.
  var mayHoldTags: [Int] { [tags, tag, keywords, categories].compactMap { $0 } }

  init(_ fields: [FrontMatterField]) {
    // By index: handing out each field would cost more than the look at its name.
    for place in fields.indices { take(fields[place].name, at: place) }
  }

  private mutating func take(_ name: String, at place: Int) {
    switch name.utf8.count {
    case 2 where Self.isSame(name, "id"):
      anyID = anyID ?? place
      if id == nil || (!hasPlainID && name.hasSameBytes(as: "id")) { id = place }
      if name.hasSameBytes(as: "id") { hasPlainID = true }
    case 3 where Self.isSame(name, "tag"): tag = tag ?? place
    case 4 where Self.isSame(name, "tags"): if tags == nil || name.hasSameBytes(as: "tags") { tags = place }
    case 4 where Self.isSame(name, "kind"): if kind == nil || name.hasSameBytes(as: "kind") { kind = place }
    case 5 where Self.isSame(name, "title"):
      // The name in small letters goes before others.
      if title == nil || (!hasPlainTitle && name.hasSameBytes(as: "title")) { title = place }
      if name.hasSameBytes(as: "title") { hasPlainTitle = true }
    case 5 where Self.isSame(name, "alias"): alias = alias ?? place
    case 7 where Self.isSame(name, "aliases"):
      if aliases == nil || name.hasSameBytes(as: "aliases") { aliases = place }
    case 8 where Self.isSame(name, "keywords"): keywords = keywords ?? place
    case 9 where conflicts == nil && name.hasSameBytes(as: "conflicts"): conflicts = place
    case 10 where Self.isSame(name, "identifier"): identifier = identifier ?? place
    case 10 where Self.isSame(name, "categories"): categories = categories ?? place
    default: break
    }
  }

  /// Whether a name is one of as many bytes in lower case, but for the case of ASCII letters.
  private static func isSame(_ name: String, _ lower: StaticString) -> Bool {
    name.utf8.withContiguousStorageIfAvailable { bytes in
      lower.withUTF8Buffer { lower in
        bytes.indices.allSatisfy { bytes[$0] == lower[$0] || isCapital(bytes[$0], of: lower[$0]) }
      }
    } ?? false
  }

  private static func isCapital(_ byte: UInt8, of lower: UInt8) -> Bool {
    (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) && byte | 0x20 == lower
  }
}
