extension JSONValue {
  /// The value as one of a type; nil if it has another form.
  func decoded<Value: Decodable>(_ type: Value.Type) -> Value? { try? decode(type, at: []) }

  /// The value as one of a type.
  ///
  /// - Parameter path: the keys that lead to the value, for errors.
  /// - Throws: `DecodingError` if the value has another form, and what the type's `init(from:)` throws.
  func decode<Value: Decodable>(
    _ type: Value.Type, at path: @autoclosure () -> [any CodingKey]
  ) throws -> Value {
    switch type {
    case is String.Type: try checked(string as? Value, "a string", path())
    case is Int.Type: try checked(integer as? Value, "an integer", path())
    case is Bool.Type: try checked(boolean as? Value, "true or false", path())
    case is Double.Type: try checked(number as? Value, "a number", path())
    case is JSONValue.Type: try checked(self as? Value, "a value", path())
    default: try Value(from: JSONValueDecoder(value: self, codingPath: path()))
    }
  }

  fileprivate func checked<Value>(
    _ value: Value?, _ form: StaticString, _ path: @autoclosure () -> [any CodingKey]
  ) throws -> Value {
    guard let value else { throw mismatch(Value.self, "\(form)", at: path()) }
    return value
  }

  fileprivate func mismatch(_ type: Any.Type, _ form: String, at path: [any CodingKey]) -> DecodingError {
    .typeMismatch(type, DecodingError.Context(codingPath: path, debugDescription: "must be \(form)"))
  }
}

extension DecodingError {
  /// What is wrong with a message, with the place: `params.position.line must be an integer`.
  var message: String {
    switch self {
    case .keyNotFound(let key, let context): "\(Self.place(context.codingPath + [key])) is missing"
    case .typeMismatch(_, let context): "\(Self.place(context.codingPath)) \(context.debugDescription)"
    case .valueNotFound(_, let context), .dataCorrupted(let context):
      "\(Self.place(context.codingPath)): \(context.debugDescription)"
    @unknown default: "\(self)"
    }
  }

  private static func place(_ path: [any CodingKey]) -> String {
    guard let first = path.first else { return "the message" }
    return path.dropFirst().reduce(first.stringValue) { place, key in
      key.intValue.map { "\(place)[\($0)]" } ?? "\(place).\(key.stringValue)"
    }
  }
}

/// Hands a value of JSON to the `init(from:)` of a type.
private struct JSONValueDecoder: Decoder {
  let value: JSONValue
  let codingPath: [any CodingKey]
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
    guard case .object(let members) = value else {
      throw value.mismatch([String: JSONValue].self, "an object", at: codingPath)
    }
    return KeyedDecodingContainer(MemberContainer(members: members, codingPath: codingPath))
  }

  func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
    guard case .array(let elements) = value else {
      throw value.mismatch([JSONValue].self, "a list", at: codingPath)
    }
    return ElementContainer(elements: elements, codingPath: codingPath)
  }

  func singleValueContainer() -> any SingleValueDecodingContainer {
    ValueContainer(value: value, codingPath: codingPath)
  }
}

// One generic `decode` is the witness of each requirement for a single type too.

private struct ValueContainer: SingleValueDecodingContainer {
  let value: JSONValue
  let codingPath: [any CodingKey]

  func decodeNil() -> Bool { value.isNull }

  func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
    switch type {
    case is Int.Type, is String.Type: break
    // The `init(from:)` of these types asks for themselves.
    case is Float.Type:
      return try value.checked(value.number.map { Float($0) } as? Value, "a number", codingPath)
    case let type as any FixedWidthInteger.Type:
      return try value.checked(
        value.integer.flatMap { type.init(exactly: $0) } as? Value, "an integer", codingPath)
    default: break
    }
    return try value.decode(type, at: codingPath)
  }
}

private struct MemberContainer<Key: CodingKey>: KeyedDecodingContainerProtocol {
  let members: [String: JSONValue]
  let codingPath: [any CodingKey]

  var allKeys: [Key] { members.keys.compactMap { Key(stringValue: $0) } }

  func contains(_ key: Key) -> Bool { members[key.stringValue] != nil }

  private func value(_ key: any CodingKey) throws -> JSONValue {
    guard let value = members[key.stringValue] else {
      throw DecodingError.keyNotFound(
        key, DecodingError.Context(codingPath: codingPath, debugDescription: ""))
    }
    return value
  }

  private func decoder(_ key: any CodingKey) throws -> JSONValueDecoder {
    JSONValueDecoder(value: try value(key), codingPath: codingPath + [key])
  }

  func decodeNil(forKey key: Key) throws -> Bool { try value(key).isNull }

  func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
    try value(key).decode(type, at: codingPath + [key])
  }

  func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type, forKey key: Key
  ) throws -> KeyedDecodingContainer<Nested> {
    try decoder(key).container(keyedBy: type)
  }

  func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
    try decoder(key).unkeyedContainer()
  }

  func superDecoder() throws -> any Decoder { try decoder(MessageKey("super")) }

  func superDecoder(forKey key: Key) throws -> any Decoder { try decoder(key) }
}

private struct ElementContainer: UnkeyedDecodingContainer {
  let elements: [JSONValue]
  let codingPath: [any CodingKey]
  private(set) var currentIndex = 0

  init(elements: [JSONValue], codingPath: [any CodingKey]) {
    self.elements = elements
    self.codingPath = codingPath
  }

  var count: Int? { elements.count }
  var isAtEnd: Bool { currentIndex == elements.count }
  private var path: [any CodingKey] { codingPath + [MessageKey(currentIndex)] }

  /// Decodes the next element; the container stays at it if that fails.
  private mutating func next<Result>(_ decode: (JSONValue) throws -> Result) throws -> Result {
    guard !isAtEnd else {
      throw DecodingError.valueNotFound(
        JSONValue.self, DecodingError.Context(codingPath: path, debugDescription: "the list ends"))
    }
    let result = try decode(elements[currentIndex])
    currentIndex += 1
    return result
  }

  private mutating func decoder() throws -> JSONValueDecoder {
    let path = path
    return try next { JSONValueDecoder(value: $0, codingPath: path) }
  }

  mutating func decodeNil() throws -> Bool {
    guard !isAtEnd, elements[currentIndex].isNull else { return false }
    currentIndex += 1
    return true
  }

  mutating func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
    let (index, parent) = (currentIndex, codingPath)
    return try next { try $0.decode(type, at: parent + [MessageKey(index)]) }
  }

  mutating func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type
  ) throws -> KeyedDecodingContainer<Nested> {
    try decoder().container(keyedBy: type)
  }

  mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
    try decoder().unkeyedContainer()
  }

  mutating func superDecoder() throws -> any Decoder { try decoder() }
}

/// The name of a member, or the place of an element, without a type that lists the names.
struct MessageKey: CodingKey {
  let stringValue: String
  let intValue: Int?

  init(_ index: Int) {
    stringValue = String(index)
    intValue = index
  }

  init(_ name: String) {
    stringValue = name
    intValue = nil
  }

  init(stringValue: String) { self.init(stringValue) }
  init(intValue: Int) { self.init(intValue) }
}
