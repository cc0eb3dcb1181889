import NoteIndex
package import Notes

/// A link of another note to a note at hand, or a reference of a record to it.
package struct Backlink: Sendable {
  /// The place of the note that holds it.
  package let source: Int
  /// The link; nil for the value of a reference field.
  package let link: BodyScan.Link?
  /// The field in which it stands; nil in the body.
  package let field: String?
  /// The target as it is written.
  package let name: String
  /// Its bytes in the file; of a reference those of the whole field.
  package let range: Range<Int>
}

extension NoteWeb {
  /// The links of other notes to a note at hand and the references to it, by the places of the notes that hold them,
  /// ascending, then in the order of the text.
  ///
  /// - Complexity: that of `LinkGraph.linkers(of:)`, and of looking at the records that may refer to the note.
  package func backlinks(to note: Note) -> [Backlink] {
    var found = references(to: note)
    for linker in graph.linkers(of: [.note(note)])[0] {
      // Only the links of front-matter may be references too.
      let source =
        linker.links.contains { $0.range.lowerBound < entries.bodyStart(at: linker.place) }
        ? entries[linker.place].note : nil
      for link in linker.links {
        let field = source?.field(at: link.range.lowerBound)
        if isReference(field, of: linker.place) { continue }
        found.append(
          Backlink(source: linker.place, link: link, field: field, name: link.target, range: link.range))
      }
    }
    return found.sorted { ($0.source, $0.range.lowerBound) < ($1.source, $1.range.lowerBound) }
  }

  private func references(to note: Note) -> [Backlink] {
    let kind = snapshot.kind(of: note)
    return table.connections(of: entries, toKinds: [kind], executor: BoxSnapshot.executor).compactMap {
      reference in
      guard case .note(let place) = reference.target, entries.path(at: place) == note.path else { return nil }
      return Backlink(
        source: reference.source, link: nil, field: reference.field, name: reference.text,
        range: reference.range)
    }
  }
}
