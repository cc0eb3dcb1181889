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
  package mutating func member<Elements: Sequence>(
    _ name: String, of elements: Elements, _ write: (Elements.Element, inout JSONWriter) -> Void
  ) {
    key(name)
    array(of: elements, write)
  }

  /// Writes an array.
  package mutating func array<Elements: Sequence>(
    of elements: Elements, _ write: (Elements.Element, inout JSONWriter) -> Void
  ) {
    beginArray()
    for element in elements { write(element, &self) }
    endArray()
  }

  /// Writes an array of strings.
  package mutating func strings(_ values: [String]) { array(of: values) { $1.string($0) } }

  /// Writes an object.
  package mutating func object(_ members: (inout JSONWriter) -> Void) {
    beginObject()
    members(&self)
    endObject()
  }
}
