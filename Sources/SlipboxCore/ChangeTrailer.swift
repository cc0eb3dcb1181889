/// A `Slip-Change` trailer: note, field, old and new value as JSON.
package struct ChangeTrailer: Equatable, Sendable {
  package let note: String
  package let field: String
  /// JSON, as it was recorded: of a body the ids of the note's blobs, whose text the repository has.
  package let old: String?
  package let new: String?

  /// Reads the value of a trailer; nil where it is not of slip's form.
  package init?(_ line: String) {
    var words = JSONWords(Array(line.utf8))
    guard let note = words.next(), let field = words.next() else { return nil }
    let old = words.next()
    let new = words.next()
    guard words.isAtEnd, (old == nil) == (new == nil) else { return nil }
    for value in [old, new] {
      guard let first = value?.utf8.first else { continue }
      guard
        first == UInt8(ascii: "\"") || first == UInt8(ascii: "[") || first == UInt8(ascii: "{")
          || value == "null"
      else { return nil }
    }
    self.note = note
    self.field = field
    self.old = old
    self.new = new
  }
}

/// Splits a line at its blanks, but not those inside JSON strings, lists and objects.
private struct JSONWords {
  private var rest: ArraySlice<UInt8>

  init(_ bytes: [UInt8]) { rest = bytes[...] }

  var isAtEnd: Bool { rest.isEmpty }

  mutating func next() -> String? {
    guard !rest.isEmpty else { return nil }
    var depth = 0
    var isInString = false
    var isEscaped = false
    var position = rest.startIndex
    while position < rest.endIndex {
      let byte = rest[position]
      if isInString {
        if isEscaped {
          isEscaped = false
        } else if byte == UInt8(ascii: "\\") {
          isEscaped = true
        } else if byte == UInt8(ascii: "\"") {
          isInString = false
        }
      } else if byte == UInt8(ascii: "\"") {
        isInString = true
      } else if byte == UInt8(ascii: "[") || byte == UInt8(ascii: "{") {
        depth += 1
      } else if byte == UInt8(ascii: "]") || byte == UInt8(ascii: "}") {
        depth -= 1
      } else if byte == UInt8(ascii: " "), depth <= 0 {
        break
      }
      position += 1
    }
    let word = String(decoding: rest[..<position], as: UTF8.self)
    rest = rest[position...].dropFirst()
    return word
  }
}
