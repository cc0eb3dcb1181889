import Bytes

/// The fields at the top of a note, in their order.
///
/// Of front-matter that can't be read as a whole, the readable fields are given, with its problems.
package struct FrontMatter: Sendable {
  /// The fields in the order of the file.
  package let fields: [FrontMatterField]
  package let problems: [Problem]

  /// Whether fields can be changed at all: false if a problem is an error.
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

/// The values of fields, found by name in constant time.
struct FieldValues {
  private let values: [[UInt8]: FieldValue]

  init(_ frontMatter: FrontMatter) {
    let values = frontMatter.fields.map { (Array($0.name.utf8), $0.value) }
    self.values = Dictionary(values, uniquingKeysWith: { first, _ in first })
  }

  /// The value of the first field with a name, compared byte for byte.
  subscript(name: String) -> FieldValue? { values[Array(name.utf8)] }
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

extension FrontMatterField {
  /// Makes a field that no file holds.
  package init(name: String, value: FieldValue) {
    self.init(name: name, value: value, line: 0, span: 0..<0, isEditable: false)
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

extension NoteText {
  /// Makes a new note of fields and a text: front-matter as slip writes it, then the text as it is.
  ///
  /// Lists are written in brackets, maps in braces. Fields of one name must not be given twice, and `canName` must hold
  /// for each.
  ///
  /// - Parameters:
  ///   - plainScalars: for fields by name, whether each scalar is written without quotes even if it reads as a number or
  ///     boolean; otherwise such a scalar is text, and is quoted.
  package init(
    fields: [(name: String, value: FieldValue)], plainScalars: [String: [Bool]] = [:], body: [UInt8]
  ) {
    var bytes = Array("---\n".utf8)
    for (name, value) in fields {
      bytes += YAMLScalar.write(name, in: .key) + [UInt8(ascii: ":")]
      var plain = (plainScalars[name] ?? [])[...]
      if case .text(let text) = value {
        bytes += [0x20] + Self.scalar(text, in: .value, isPlain: plain.first)
      } else if value != .empty {
        bytes += [0x20] + Self.flow(value, &plain)
      }
      bytes.append(0x0A)
    }
    self.init(bytes + Array("---\n".utf8) + body)
  }

  /// Whether a field of a note can have a name.
  package static func canName(_ name: String) -> Bool {
    let hasControls = name.unicodeScalars.contains { $0.value < 0x20 || $0.value == 0x7F }
    return !name.isEmpty && name.utf8.count <= SpanReader.longestName && !hasControls && name != "<<"
  }

  static func flow(_ value: FieldValue) -> [UInt8] {
    var plain: ArraySlice<Bool> = []
    return flow(value, &plain)
  }

  /// Writes a value in brackets and braces.
  ///
  /// - Parameter plain: whether each scalar that follows has no quotes if it looks like a number or boolean.
  private static func flow(_ value: FieldValue, _ plain: inout ArraySlice<Bool>) -> [UInt8] {
    switch value {
    case .text(let text): return scalar(text, in: .flowElement, isPlain: plain.popFirst())
    case .empty:
      _ = plain.popFirst()
      return [UInt8(ascii: "~")]
    case .list(let elements):
      let written = elements.map { flow($0, &plain) }
      return [UInt8(ascii: "[")] + written.joined(separator: ", ".utf8) + [UInt8(ascii: "]")]
    case .map(let entries):
      let written = entries.map {
        YAMLScalar.write($0.key, in: .key) + Array(": ".utf8) + flow($0.value, &plain)
      }
      return [UInt8(ascii: "{")] + written.joined(separator: ", ".utf8) + [UInt8(ascii: "}")]
    }
  }

  private static func scalar(_ text: String, in place: YAMLScalar.Place, isPlain: Bool?) -> [UInt8] {
    let looksTyped = ScalarType(text, isPlain: true) != .text
    guard let isPlain, looksTyped else { return YAMLScalar.write(text, in: place) }
    return isPlain ? Array(text.utf8) : YAMLScalar.write(text, in: place, like: .double)
  }
}

extension NoteText {
  /// Returns the note without the quotes around the plain numbers and booleans of a field; nothing else changes.
  ///
  /// - Throws: `EditError` if the front-matter is not writable or the field can't be changed.
  package func removingQuotes(ofField name: String) throws(EditError) -> NoteText {
    let editor = try FrontMatterEditor(self)
    guard let index = editor.index(of: name) else { return self }
    let value = editor.reading.fields[index].value
    var splices = Splices()
    for (range, text) in try editor.quotedScalars(of: index) {
      splices.replace(range, with: Array(text.utf8))
    }
    return try editor.finish(splices, name, expecting: value)
  }

  /// The names of the fields in which a plain number or a boolean has quotes, and the first such value of each.
  package func fieldsWithQuotedTypes() throws(EditError) -> [(name: String, line: Int, value: String)] {
    let editor = try FrontMatterEditor(self)
    var found: [(name: String, line: Int, value: String)] = []
    for (index, field) in editor.reading.fields.enumerated() {
      guard field.value.mayHaveTypes, editor.index(of: field.name) == index,
        editor.reading.shapes[index].isEditable, let first = try editor.quotedScalars(of: index).first
      else { continue }
      found.append((field.name, field.line, first.text))
    }
    return found
  }
}

extension FrontMatterEditor {
  /// The scalars of a field that have quotes, and would be numbers or booleans without.
  fileprivate func quotedScalars(of index: Int) throws(EditError) -> [(range: Range<Int>, text: String)] {
    let (form, value) = (try form(of: index), reading.fields[index].value)
    let scalars: [(range: Range<Int>, style: ScalarStyle, text: String)]
    switch (form, value) {
    case (.scalar(let range, let style), .text(let text)): scalars = [(range, style, text)]
    case (.flow(_, let spans), .list(let elements)), (.block(let spans), .list(let elements)):
      guard spans.count == elements.count else { return [] }
      scalars = zip(spans, elements).compactMap { span, element in
        element.text.map { (span.range, span.style, $0) }
      }
    default: return []
    }
    return scalars.filter { scalar in
      [.single, .double].contains(scalar.style) && ScalarType(scalar.text, isPlain: true) != .text
    }.map { ($0.range, $0.text) }
  }
}
