package import Notes

/// A value of JSON with the line on which it begins.
package struct JSONNode: Sendable {
  package indirect enum Value: Sendable {
    case null
    case boolean(Bool)
    /// A number as it is spelled.
    case number(String)
    case string(String)
    case array([JSONNode])
    /// The members in their order.
    case object([(key: String, node: JSONNode)])
  }

  package let line: Int
  package let value: Value

  /// The text of a string, a number or a boolean.
  package var text: String? {
    switch value {
    case .string(let text), .number(let text): text
    case .boolean(let flag): flag ? "true" : "false"
    case .null, .array, .object: nil
    }
  }

  /// The elements of an array.
  package var elements: [JSONNode]? {
    if case .array(let elements) = value { elements } else { nil }
  }

  /// The members of an object.
  package var members: [(key: String, node: JSONNode)]? {
    if case .object(let members) = value { members } else { nil }
  }

  /// The last member of a name.
  package subscript(key: String) -> JSONNode? { members?.last { $0.key == key }?.node }

  /// Whether each scalar of the value is no string, in the order of the value.
  package var plainScalars: [Bool] {
    switch value {
    case .null, .boolean, .number: [true]
    case .string: [false]
    case .array(let elements): elements.flatMap(\.plainScalars)
    case .object(let members): members.flatMap(\.node.plainScalars)
    }
  }

  /// The value as a field of a note holds it; nil for null.
  package var field: FieldValue? {
    switch value {
    case .null: nil
    case .boolean, .number, .string: text.map { .text($0) }
    case .array(let elements): .list(elements.map { $0.field ?? .empty })
    case .object(let members):
      .map(members.map { MapEntry(key: $0.key, value: $0.node.field ?? .empty) })
    }
  }
}
