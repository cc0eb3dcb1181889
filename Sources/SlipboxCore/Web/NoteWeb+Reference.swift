import NoteIndex
package import Notes

extension NoteWeb {
  /// A record that a reference field of a note names, with where the name stands.
  package struct ReferenceOfNote: Sendable {
    package let field: Field
    /// The kind that the field refers to.
    package let kind: String
    /// The name as it is stored, without the brackets of a wiki link.
    package let name: String
    /// The bytes of the name, without quotes; where they can't be told those of the whole field.
    package let range: Range<Int>
    /// The places of the records that the name means: one where the reference is sound.
    package let places: [Int]
  }

  /// The references of a note at hand, whose text need not be that of the catalogue, in the order of the text.
  ///
  /// - Complexity: that of looking up the names.
  package func references(of note: Note) -> [ReferenceOfNote] {
    let kind = schema.kindOrPlain(named: snapshot.kind(of: note))
    guard kind.fields.contains(where: { $0.type == .reference && $0.target != nil }) else { return [] }
    return FieldPlace.all(in: note.head).flatMap { place -> [ReferenceOfNote] in
      guard let field = kind.fields.first(where: { $0.name.isSameName(as: place.field.name) }),
        field.type == .reference, let target = field.target
      else { return [] }
      return Self.names(in: place, of: field, note, kind).map { name, range in
        ReferenceOfNote(
          field: field, kind: target, name: name, range: range, places: table.places(of: target, named: name))
      }
    }
  }

  /// The bytes of a name in a reference field of a note; nil where it has none such.
  package func range(ofReference name: String, field: String, in note: Note) -> Range<Int>? {
    guard let kind = schema.kind(named: snapshot.kind(of: note)), let declared = kind.field(field),
      let place = FieldPlace.all(in: note.head).first(where: { $0.field.name.isSameName(as: field) })
    else { return nil }
    return Self.names(in: place, of: declared, note, kind).first { $0.name.hasSameBytes(as: name) }?.range
  }

  /// The names in a field, each with its bytes.
  private static func names(
    in place: FieldPlace, of field: Field, _ note: Note, _ kind: Kind
  ) -> [(name: String, range: Range<Int>)] {
    let names = kind.storedValue(of: field.name, in: note)?.names ?? []
    if names.count == place.values.count {
      return zip(names, place.values).map { ($0, $1.range) }
    }
    // Several names in one scalar, parted by commas.
    guard place.values.count == 1, let scalar = place.values.first else {
      return names.map { ($0, place.field.span) }
    }
    var start = scalar.range.lowerBound
    return names.map { name in
      let bytes = Array(name.utf8)
      var next = start
      while next + bytes.count <= scalar.range.upperBound {
        if note.head.bytes[next...].starts(with: bytes) {
          start = next + bytes.count
          return (name, next..<start)
        }
        next += 1
      }
      return (name, scalar.range)
    }
  }
}
