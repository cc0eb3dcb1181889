import Bytes
import Notes

/// The fields of a name that stored notes have, read in place from what is kept of each note.
struct StoredValues: Sendable {
  private let name: String
  private let facts: StoredFacts
  /// The fields that go by the name in each list of field names: their places, and their packed names.
  private let lists: [[(place: Int, before: [UInt8])]]

  /// - Parameter name: fields that equal it but for case and diacritics count as well.
  init(named name: String, _ facts: StoredFacts) {
    self.name = name
    self.facts = facts
    lists = facts.fieldLists.map { names in
      names.enumerated().compactMap { place, own in
        Self.isSame(own, name) ? (place, Self.packed(own)) : nil
      }
    }
  }

  /// Bytes that are equal for notes with the same fields of the name, and empty for those without one; nil where only
  /// the note tells.
  func key(of number: Int, in stored: any StoredEntries) -> [UInt8]? {
    guard let list = facts.fieldsNumber(of: number) else { return nil }
    let fields = lists[list]
    guard !fields.isEmpty else { return [] }
    guard let kept = stored.record(number).flatMap(NoteSummary.facts(in:)) else { return nil }
    var key: [UInt8] = []
    key.reserveCapacity(32)
    return kept.appendValues(of: fields, to: &key) ? key : nil
  }

  /// The key of a note that was made.
  func key(of note: Note) -> [UInt8] {
    var key: [UInt8] = []
    for field in note.frontMatter.fields where Self.isSame(field.name, name) {
      var packer = BytePacker()
      field.value.pack(into: &packer)
      key += Self.packed(field.name) + packer.bytes
    }
    return key
  }

  /// A note with the fields of a key and nothing else.
  static func note(of key: [UInt8]) -> Note {
    var fields: [FrontMatterField] = []
    key.withUnsafeBytes { bytes in
      var unpacker = ByteUnpacker(bytes)
      while let name = unpacker.text(), let value = FieldValue(&unpacker) {
        fields.append(FrontMatterField(name: name, value: value))
      }
    }
    return Kind.emptyNote.presenting(fields, heading: nil)
  }

  private static func packed(_ name: String) -> [UInt8] {
    var packer = BytePacker()
    packer.append(name.utf8)
    return packer.bytes
  }

  private static func isSame(_ own: String, _ name: String) -> Bool {
    own.hasSameLetters(as: name) || own.isSameName(as: name)
  }
}
