package import Bytes

/// The values of fields as the record of a note keeps them: a run for each field, in the order of the file.
///
/// The run is empty where the value is long or kept in another form: only the note tells it then.
enum PackedValues {
  /// Longer values are not kept: hardly two notes have the same.
  private static let mostBytes = 64
  /// Fields whose values follow from other parts of the record, or are those of one note alone.
  private static let left = ["id", "title", "kind", "created", "tags", "aliases"]

  static func bytes(of values: [FieldValue], named names: [String]) -> [UInt8] {
    var packer = BytePacker()
    for (name, value) in zip(names, values) {
      var run = BytePacker()
      if !left.contains(where: { $0.isSameName(as: name) }) { value.pack(into: &run) }
      packer.append(run.bytes.count > mostBytes ? [] : run.bytes)
    }
    return packer.bytes
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
