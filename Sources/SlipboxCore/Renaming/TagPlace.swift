import NoteIndex
package import Notes

/// A tag where it stands in a note.
package struct TagPlace: Sendable {
  package let name: String
  /// The bytes of the tag: in the text with its `#`, in front-matter the name alone.
  package let range: Range<Int>
  /// Whether it stands in the text.
  package let isInline: Bool

  /// The bytes of the name.
  package var nameRange: Range<Int> { isInline ? range.lowerBound + 1..<range.upperBound : range }

  /// Whether it is a tag, or one below it.
  package func isWithin(_ tag: String) -> Bool {
    TagPath.lineage(of: name).contains { $0.isSameName(as: tag) }
  }
}

extension Note {
  /// The tags of the front-matter and of the text, each where it stands, in the order of the text.
  ///
  /// A tag whose bytes are not its name, such as one with escapes, has the range of its whole scalar.
  /// - Complexity: that of reading the front-matter.
  package var tagPlaces: [TagPlace] {
    tagPlacesInField
      + inlineTags.map { TagPlace(name: $0.name, range: $0.range, isInline: true) }.sorted {
        $0.range.lowerBound < $1.range.lowerBound
      }
  }

  private var tagPlacesInField: [TagPlace] {
    guard let name = tagsField,
      let place = FieldPlace.all(in: head).first(where: { $0.field.name.hasSameBytes(as: name) })
    else { return [] }
    let isList = place.field.value.text == nil
    return place.values.flatMap { scalar in
      let parts =
        isList
        ? TagElement(scalar.text).map { [($0, 0)] } ?? [] : Self.parts(of: scalar, field: name)
      return parts.map { element, start in
        let first = scalar.range.lowerBound + start + element.before.utf8.count
        let range = first..<first + element.name.utf8.count
        let isThere =
          range.upperBound <= head.bytes.count && scalar.isVerbatim(in: head.bytes)
        return TagPlace(name: element.name, range: isThere ? range : scalar.range, isInline: false)
      }
    }
  }

  private static func parts(of scalar: FieldPlace.Scalar, field: String) -> [(TagElement, Int)] {
    let parts = TagScalar(scalar.text, field: field)
    return zip(parts.elements, parts.ranges).compactMap { element, range in
      element.map { ($0, range.lowerBound) }
    }
  }
}

extension BoxSnapshot {
  /// The places of the notes that bear a tag or one below it, ascending.
  ///
  /// - Complexity: O(n) in all notes, without making those that are stored.
  package func places(bearing tag: String) throws(SlipboxError) -> [Int] {
    let column = TagColumn(try catalogue().entries)
    let areWanted = column.names.map { name in
      TagPath.lineage(of: name).contains { $0.isSameName(as: tag) }
    }
    guard areWanted.contains(true) else { return [] }
    return column.sum([Int](), executor: Self.executor) { found, place in
      var bears = false
      column.forEachTag(at: place) { bears = bears || areWanted[$0] }
      if bears { found.append(place) }
    } _: { found, part in
      found += part
    }
  }
}
