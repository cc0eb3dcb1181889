/// The outer object of slip's JSON: the number of its schema, then what was asked for.
package enum JSONDocument {
  /// The number that changes when the meaning of a member does.
  package static let schema = 2

  /// An object on a line of its own.
  ///
  /// - Parameter members: writes the members after the schema.
  package static func object(_ members: (inout JSONWriter) -> Void) -> [UInt8] {
    var writer = JSONWriter()
    writer.object { writer in
      writer.member("schema", schema)
      members(&writer)
    }
    writer.newLine()
    return writer.takeBytes()
  }

  /// An object with one list, such as `{"schema":2,"tags":[...]}`.
  package static func list<Elements: Sequence>(
    _ name: String, _ elements: Elements, _ write: (Elements.Element, inout JSONWriter) -> Void
  ) -> [UInt8] {
    object { $0.member(name, of: elements, write) }
  }

  /// The beginning of an object with one list, for a list that is written part by part with commas between.
  static func opening(ofList name: String) -> [UInt8] {
    Array("{\"schema\":\(schema),\"\(name)\":[".utf8)
  }

  /// The end of what `opening` began.
  static let closing = Array("]}\n".utf8)
}
