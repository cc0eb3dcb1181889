import Bytes
import Presentation

/// A value of JSON: a whole message, or a part without a type of its own such as capabilities and arguments of commands.
enum JSONValue: Sendable, Equatable {
  case null
  case boolean(Bool)
  case integer(Int)
  /// A number that is no `Int`; infinite if it is out of range.
  case number(Double)
  case string(String)
  case array([JSONValue])
  case object([String: JSONValue])

  /// The member of a name; null if there is none.
  subscript(_ name: String) -> JSONValue {
    if case .object(let members) = self { members[name] ?? .null } else { .null }
  }

  /// The element of a list; null if there is none.
  subscript(_ index: Int) -> JSONValue { elements.indices.contains(index) ? elements[index] : .null }

  var boolean: Bool? { if case .boolean(let value) = self { value } else { nil } }
  var string: String? { if case .string(let text) = self { text } else { nil } }
  /// A whole number, also one spelled `1.0` or `1e2`.
  var integer: Int? { if case .integer(let value) = self { value } else { nil } }
  var number: Double? {
    switch self {
    case .integer(let value): Double(value)
    case .number(let value): value
    default: nil
    }
  }
  /// The elements of a list; none of any other value.
  var elements: [JSONValue] { if case .array(let elements) = self { elements } else { [] } }
  /// The texts in a list.
  var strings: [String] { elements.compactMap(\.string) }
  var isNull: Bool { if case .null = self { true } else { false } }
}

extension JSONValue {
  /// The value of a node. The first of several members of one name counts.
  init(_ node: JSONNode) {
    switch node.value {
    case .null: self = .null
    case .boolean(let value): self = .boolean(value)
    case .number(let digits):
      self = Int(digits).map { .integer($0) } ?? JSONValue(Double(digits) ?? .infinity)
    case .string(let text): self = .string(text)
    case .array(let nodes): self = .array(nodes.map { JSONValue($0) })
    case .object(let members):
      var values = [String: JSONValue](minimumCapacity: members.count)
      for (key, node) in members.reversed() { values[key] = JSONValue(node) }
      self = .object(values)
    }
  }

  /// A number, as an integer if it is one.
  init(_ number: Double) { self = Int(exactly: number).map { .integer($0) } ?? .number(number) }

  /// The value as a text of JSON, with the members of objects in the order of their names.
  var written: [UInt8] {
    var writer = JSONWriter()
    write(to: &writer)
    return writer.takeBytes()
  }

  private func write(to writer: inout JSONWriter) {
    switch self {
    case .null: writer.null()
    case .boolean(let value): writer.boolean(value)
    case .integer(let value): writer.integer(value)
    case .number(let value): writer.double(value)
    case .string(let text): writer.string(text)
    case .array(let elements): writer.array(of: elements) { $0.write(to: &$1) }
    case .object(let members):
      writer.object { writer in
        for (name, value) in members.sorted(by: { $0.key < $1.key }) {
          writer.key(name)
          value.write(to: &writer)
        }
      }
    }
  }
}

extension JSONValue: Codable {
  init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if container.decodeNil() {
      self = .null
    } else if let value = try? container.decode(Bool.self) {
      self = .boolean(value)
    } else if let value = try? container.decode(Int.self) {
      self = .integer(value)
    } else if let value = try? container.decode(Double.self) {
      self = .number(value)
    } else if let text = try? container.decode(String.self) {
      self = .string(text)
    } else if let elements = try? container.decode([JSONValue].self) {
      self = .array(elements)
    } else {
      self = .object(try container.decode([String: JSONValue].self))
    }
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    switch self {
    case .null: try container.encodeNil()
    case .boolean(let value): try container.encode(value)
    case .integer(let value): try container.encode(value)
    case .number(let value): try container.encode(value)
    case .string(let text): try container.encode(text)
    case .array(let elements): try container.encode(elements)
    case .object(let members): try container.encode(members)
    }
  }
}
