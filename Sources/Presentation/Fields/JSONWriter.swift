import Bytes
import Notes

/// Writes JSON piece by piece into a buffer, without blanks; commas and colons come by themselves.
///
/// The caller keeps objects and arrays balanced and gives each member a key.
/// Source: RFC 8259.
package struct JSONWriter: Sendable {
  /// The written bytes that were not taken yet.
  package private(set) var bytes: [UInt8] = []
  /// Whether a value precedes the next one in the same object or array.
  private var isAfterValue = false

  /// Makes a writer with an empty buffer.
  package init() {}

  /// Begins an object.
  package mutating func beginObject() { begin(UInt8(ascii: "{")) }
  /// Ends the object begun last.
  package mutating func endObject() { end(UInt8(ascii: "}")) }
  /// Begins an array.
  package mutating func beginArray() { begin(UInt8(ascii: "[")) }
  /// Ends the array begun last.
  package mutating func endArray() { end(UInt8(ascii: "]")) }

  /// Writes the name of the next member.
  package mutating func key(_ name: String) {
    separate()
    var name = name
    name.withUTF8 { JSONString.appendQuoted($0.span, to: &bytes) }
    bytes.append(UInt8(ascii: ":"))
    isAfterValue = false
  }

  /// Writes a string.
  package mutating func string(_ text: String) {
    separate()
    var text = text
    text.withUTF8 { JSONString.appendQuoted($0.span, to: &bytes) }
    isAfterValue = true
  }

  /// Writes UTF-8 bytes as a string; each invalid sequence becomes U+FFFD.
  package mutating func string(bytes text: some Collection<UInt8>) {
    separate()
    let isWritten: Void? = text.withContiguousStorageIfAvailable {
      JSONString.appendQuoted($0.span, to: &bytes)
    }
    if isWritten == nil { JSONString.appendQuoted(Array(text).span, to: &bytes) }
    isAfterValue = true
  }

  /// Writes a whole number.
  package mutating func integer(_ value: Int) { literal(value.description) }

  /// Writes a number by its own digits.
  ///
  /// - Parameter digits: a plain decimal number.
  package mutating func number(_ digits: String) { literal(digits) }

  /// Writes a number in the shortest form that reads back as the same; infinite and not-a-number become null.
  package mutating func double(_ value: Double) { literal(value.isFinite ? value.description : "null") }

  /// Writes true or false.
  package mutating func boolean(_ value: Bool) { literal(value ? "true" : "false") }

  /// Writes null.
  package mutating func null() { literal("null") }

  /// Ends the line after a whole value, for output with one value a line.
  package mutating func newLine() {
    bytes.append(UInt8(ascii: "\n"))
    isAfterValue = false
  }

  /// Returns the written bytes and empties the buffer; writing continues at the same place.
  package mutating func takeBytes() -> [UInt8] {
    defer { bytes = [] }
    return bytes
  }
}

extension JSONWriter {
  private mutating func begin(_ bracket: UInt8) {
    separate()
    bytes.append(bracket)
    isAfterValue = false
  }

  private mutating func end(_ bracket: UInt8) {
    bytes.append(bracket)
    isAfterValue = true
  }

  /// Appends a value that is JSON already.
  package mutating func json(_ text: String) { literal(text) }

  /// Appends the bytes of a value that is JSON already.
  package mutating func json(bytes: [UInt8]) {
    separate()
    self.bytes.append(contentsOf: bytes)
    isAfterValue = true
  }

  /// Appends members of the open object that are JSON already, with commas between them.
  package mutating func members(bytes: [UInt8]) {
    if !bytes.isEmpty { json(bytes: bytes) }
  }

  private mutating func literal(_ text: String) {
    separate()
    bytes.append(contentsOf: text.utf8)
    isAfterValue = true
  }

  @inline(__always)
  private mutating func separate() {
    if isAfterValue { bytes.append(UInt8(ascii: ",")) }
  }
}

/// Whole members, objects and arrays in one call.
extension JSONWriter {
  /// Writes a member with a string; nil leaves the member out.
  package mutating func member(_ name: String, _ value: String?) {
    guard let value else { return }
    key(name)
    string(value)
  }

  /// Writes a member with a whole number; nil leaves the member out.
  package mutating func member(_ name: String, _ value: Int?) {
    guard let value else { return }
    key(name)
    integer(value)
  }

  /// Writes a member that is true or false.
  package mutating func member(_ name: String, _ value: Bool) {
    key(name)
    boolean(value)
  }

  /// Writes a member with UTF-8 bytes as its string, such as a path.
  package mutating func member(_ name: String, bytes: [UInt8]) {
    key(name)
    string(bytes: bytes)
  }

  /// Writes a member with an array.
  package mutating func member<Elements: Sequence, Failure: Error>(
    _ name: String, of elements: Elements,
    _ write: (Elements.Element, inout JSONWriter) throws(Failure) -> Void
  ) throws(Failure) {
    key(name)
    try array(of: elements, write)
  }

  /// Writes an array.
  package mutating func array<Elements: Sequence, Failure: Error>(
    of elements: Elements, _ write: (Elements.Element, inout JSONWriter) throws(Failure) -> Void
  ) throws(Failure) {
    beginArray()
    for element in elements { try write(element, &self) }
    endArray()
  }

  /// Writes an array of strings.
  package mutating func strings(_ values: [String]) { array(of: values) { $1.string($0) } }

  /// Writes an object.
  package mutating func object<Failure: Error>(
    _ members: (inout JSONWriter) throws(Failure) -> Void
  ) throws(Failure) {
    beginObject()
    try members(&self)
    endObject()
  }
}

extension JSONWriter {
  /// Writes the id, the path and the title of a note as members of the open object.
  mutating func names(of note: Note) { names(of: NamesOfNote(note)) }

  /// Writes the names of a note, as above, without decoding the note.
  mutating func names(of note: NamesOfNote) {
    member("id", note.id?.description)
    member("path", bytes: note.path)
    member("title", note.title)
  }
}

/// The number of a form of slip's JSON, which changes when the meaning of a member does.
package enum JSONSchema: Int, CaseIterable, Sendable {
  /// Fields that no kind declares are strings.
  case strings = 1
  /// Plain numbers and booleans without quotes have their types.
  case typed = 2

  package static let current = typed
}

/// The outer object of slip's JSON: the version of its schema, then the answer.
package enum JSONDocument {
  /// An object on a line of its own.
  ///
  /// - Parameter members: writes the members after the schema.
  package static func object<Failure: Error>(
    _ schema: JSONSchema = .current, _ members: (inout JSONWriter) throws(Failure) -> Void
  ) throws(Failure) -> [UInt8] {
    var writer = JSONWriter()
    try writer.object { (writer) throws(Failure) in
      writer.member("schema", schema.rawValue)
      try members(&writer)
    }
    writer.newLine()
    return writer.takeBytes()
  }

  /// An object with one list, such as `{"schema":2,"tags":[...]}`.
  package static func list<Elements: Sequence, Failure: Error>(
    _ name: String, _ elements: Elements, schema: JSONSchema = .current,
    _ write: (Elements.Element, inout JSONWriter) throws(Failure) -> Void
  ) throws(Failure) -> [UInt8] {
    try object(schema) { (writer) throws(Failure) in try writer.member(name, of: elements, write) }
  }

  /// The beginning of an object with one list, for a list that is written part by part with commas between.
  static func opening(_ schema: JSONSchema, ofList name: String) -> [UInt8] {
    Array("{\"schema\":\(schema.rawValue),\"\(name)\":[".utf8)
  }

  /// The end of what `opening` began.
  static let closing = Array("]}\n".utf8)
}
