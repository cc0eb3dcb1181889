import Bytes

/// Writes JSON piece by piece into a buffer, without blanks; commas and colons come by themselves.
///
/// The caller keeps objects and arrays balanced and gives each member a key.
/// Source: RFC 8259.
package struct JSONWriter: Sendable {
  /// What was written and not taken yet.
  package private(set) var bytes: [UInt8] = []
  /// Whether a value stands before the next one in the same object or array.
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

  /// Returns what was written and empties the buffer; writing goes on where it was.
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
