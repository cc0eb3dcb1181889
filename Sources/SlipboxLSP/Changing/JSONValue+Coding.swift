import FoundationEssentials

extension JSONValue {
  /// The value as one of a type; nil where it is none.
  func decoded<Value: Decodable>(_ type: Value.Type) -> Value? {
    (try? JSONEncoder().encode(self)).flatMap { try? JSONDecoder().decode(type, from: $0) }
  }

  /// A value of a type as JSON.
  init(encoding value: some Encodable) {
    let bytes = try? JSONEncoder().encode(value)
    self = bytes.flatMap { try? JSONDecoder().decode(JSONValue.self, from: $0) } ?? .null
  }
}
