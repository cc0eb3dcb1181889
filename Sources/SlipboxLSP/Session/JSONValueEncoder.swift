extension JSONValue {
  /// The JSON of a value.
  init(encoding value: some Encodable) { self = Self.encoded(value, at: []) }

  fileprivate static func encoded<Value: Encodable>(_ value: Value, at path: [any CodingKey]) -> JSONValue {
    switch Value.self {
    case is String.Type: if let text = value as? String { return .string(text) }
    case is Int.Type: if let number = value as? Int { return .integer(number) }
    case is Bool.Type: if let value = value as? Bool { return .boolean(value) }
    case is Double.Type: if let number = value as? Double { return JSONValue(number) }
    case is JSONValue.Type: if let value = value as? JSONValue { return value }
    default: break
    }
    let encoding = Encoding()
    // No type of the module throws: each value has a form in JSON.
    try? value.encode(to: JSONValueEncoder(encoding: encoding, codingPath: path))
    return encoding.value
  }
}

/// What a value has encoded so far: members, elements, or one value.
private final class Encoding {
  var single: JSONValue?
  var elements: [JSONValue]?
  var members: [String: JSONValue]?
  /// Containers within this one, which may grow until its value is read.
  var nested: [(key: any CodingKey, encoding: Encoding)] = []

  var value: JSONValue {
    for (key, encoding) in nested {
      if let index = key.intValue, elements != nil {
        elements?[index] = encoding.value
      } else {
        members?[key.stringValue] = encoding.value
      }
    }
    nested = []
    return single ?? elements.map { .array($0) } ?? members.map { .object($0) } ?? .null
  }

  /// A container within this one.
  func encoder(_ key: any CodingKey, _ path: [any CodingKey]) -> JSONValueEncoder {
    let encoding = Encoding()
    nested.append((key, encoding))
    return JSONValueEncoder(encoding: encoding, codingPath: path + [key])
  }
}

/// Collects what the `encode(to:)` of a type encodes.
private struct JSONValueEncoder: Encoder {
  let encoding: Encoding
  let codingPath: [any CodingKey]
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
    if encoding.members == nil { encoding.members = [:] }
    return KeyedEncodingContainer(MemberEncoding(encoding: encoding, codingPath: codingPath))
  }

  func unkeyedContainer() -> any UnkeyedEncodingContainer {
    if encoding.elements == nil { encoding.elements = [] }
    return ElementEncoding(encoding: encoding, codingPath: codingPath)
  }

  func singleValueContainer() -> any SingleValueEncodingContainer {
    ValueEncoding(encoding: encoding, codingPath: codingPath)
  }
}

// One generic `encode` is the witness of each requirement for a single type too.

private struct ValueEncoding: SingleValueEncodingContainer {
  let encoding: Encoding
  let codingPath: [any CodingKey]

  func encodeNil() { encoding.single = .null }

  func encode<Value: Encodable>(_ value: Value) {
    switch value {
    case is Int: break
    // The `encode(to:)` of these types encodes themselves.
    case let number as Float: return encoding.single = JSONValue(Double(number))
    case let number as any FixedWidthInteger:
      return encoding.single = Int(exactly: number).map { .integer($0) } ?? .null
    default: break
    }
    encoding.single = .encoded(value, at: codingPath)
  }
}

private struct MemberEncoding<Key: CodingKey>: KeyedEncodingContainerProtocol {
  let encoding: Encoding
  let codingPath: [any CodingKey]

  func encodeNil(forKey key: Key) { encoding.members?[key.stringValue] = .null }

  func encode<Value: Encodable>(_ value: Value, forKey key: Key) {
    encoding.members?[key.stringValue] = .encoded(value, at: codingPath)
  }

  func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type, forKey key: Key
  ) -> KeyedEncodingContainer<Nested> {
    encoding.encoder(key, codingPath).container(keyedBy: type)
  }

  func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
    encoding.encoder(key, codingPath).unkeyedContainer()
  }

  func superEncoder() -> any Encoder { encoding.encoder(MessageKey("super"), codingPath) }

  func superEncoder(forKey key: Key) -> any Encoder { encoding.encoder(key, codingPath) }
}

private struct ElementEncoding: UnkeyedEncodingContainer {
  let encoding: Encoding
  let codingPath: [any CodingKey]

  var count: Int { encoding.elements?.count ?? 0 }

  func encodeNil() { encoding.elements?.append(.null) }

  func encode<Value: Encodable>(_ value: Value) { encoding.elements?.append(.encoded(value, at: codingPath)) }

  /// A container in the place of the next element.
  private func next() -> JSONValueEncoder {
    let encoder = encoding.encoder(MessageKey(count), codingPath)
    encodeNil()
    return encoder
  }

  func nestedContainer<Nested: CodingKey>(keyedBy type: Nested.Type) -> KeyedEncodingContainer<Nested> {
    next().container(keyedBy: type)
  }

  func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer { next().unkeyedContainer() }

  func superEncoder() -> any Encoder { next() }
}
