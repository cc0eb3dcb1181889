package import Bytes

/// The value of a front-matter field; scalars are text as the user typed it, never typed.
package enum FieldValue: Sendable {
  /// Any scalar, decoded from its quotes and escapes.
  case text(String)
  case list([FieldValue])
  /// A nested map, for display only.
  case map([MapEntry])
  /// No value: `key:`, `~` or a plain `null`.
  case empty

  /// The scalar, or nil for lists, maps and empty values.
  package var text: String? {
    if case .text(let text) = self { return text }
    return nil
  }

  /// The scalar alone, or the scalars of a list; nothing for maps and empty values.
  package var strings: [String] {
    switch self {
    case .text(let text): [text]
    case .list(let elements): elements.compactMap(\.text)
    case .map, .empty: []
    }
  }
}

/// One entry of a nested map.
package struct MapEntry: Sendable, Equatable {
  /// The key, decoded; a key that is not a scalar is given as it was typed.
  package let key: String
  package let value: FieldValue

  package init(key: String, value: FieldValue) {
    self.key = key
    self.value = value
  }

  package static func == (left: MapEntry, right: MapEntry) -> Bool {
    left.key.hasSameBytes(as: right.key) && left.value == right.value
  }
}

extension FieldValue: Equatable {
  /// Says whether two values are equal byte for byte: composed and decomposed letters differ.
  package static func == (left: FieldValue, right: FieldValue) -> Bool {
    switch (left, right) {
    case (.text(let first), .text(let second)): first.hasSameBytes(as: second)
    case (.list(let first), .list(let second)): first == second
    case (.map(let first), .map(let second)): first == second
    case (.empty, .empty): true
    default: false
    }
  }
}

extension FieldValue {
  /// Appends bytes that are equal for equal values, and none of which begins another.
  package func pack(into packer: inout BytePacker) {
    switch self {
    case .empty: packer.append(0)
    case .text(let text):
      packer.append(1)
      packer.append(text.utf8)
    case .list(let elements):
      packer.append(2)
      packer.append(elements.count)
      for element in elements { element.pack(into: &packer) }
    case .map(let entries):
      packer.append(3)
      packer.append(entries.count)
      for entry in entries {
        packer.append(entry.key.utf8)
        entry.value.pack(into: &packer)
      }
    }
  }

  /// Reads a packed value; nil if there is no value.
  package init?(_ unpacker: inout ByteUnpacker) {
    switch unpacker.number() {
    case 0: self = .empty
    case 1:
      guard let text = unpacker.text() else { return nil }
      self = .text(text)
    case 2:
      guard let count = unpacker.number() else { return nil }
      var elements: [FieldValue] = []
      while elements.count < count {
        guard let element = FieldValue(&unpacker) else { return nil }
        elements.append(element)
      }
      self = .list(elements)
    case 3:
      guard let count = unpacker.number() else { return nil }
      var entries: [MapEntry] = []
      while entries.count < count {
        guard let key = unpacker.text(), let value = FieldValue(&unpacker) else { return nil }
        entries.append(MapEntry(key: key, value: value))
      }
      self = .map(entries)
    default: return nil
    }
  }
}
