/// The number of a form of slip's JSON, which changes when the meaning of a member does.
package enum JSONSchema: Int, CaseIterable, Sendable {
  /// Fields that no kind declares are strings.
  case strings = 1
  /// Plain numbers and booleans without quotes have their types.
  case typed = 2

  package static let current = typed
}

/// The outer object of slip's JSON: the number of its schema, then what was asked for.
package enum JSONDocument {
  /// An object on a line of its own.
  ///
  /// - Parameter members: writes the members after the schema.
  package static func object(
    _ schema: JSONSchema = .current, _ members: (inout JSONWriter) -> Void
  ) -> [UInt8] {
    var writer = JSONWriter()
    writer.object { writer in
      writer.member("schema", schema.rawValue)
      members(&writer)
    }
    writer.newLine()
    return writer.takeBytes()
  }

  /// An object with one list, such as `{"schema":2,"tags":[...]}`.
  package static func list<Elements: Sequence>(
    _ name: String, _ elements: Elements, schema: JSONSchema = .current,
    _ write: (Elements.Element, inout JSONWriter) -> Void
  ) -> [UInt8] {
    object(schema) { $0.member(name, of: elements, write) }
  }

  /// The beginning of an object with one list, for a list that is written part by part with commas between.
  static func opening(_ schema: JSONSchema, ofList name: String) -> [UInt8] {
    Array("{\"schema\":\(schema.rawValue),\"\(name)\":[".utf8)
  }

  /// The end of what `opening` began.
  static let closing = Array("]}\n".utf8)
}
