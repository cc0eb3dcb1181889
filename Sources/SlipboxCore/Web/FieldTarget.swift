import NoteIndex
package import Notes

/// A link or a reference in a field, with the notes that it may mean.
package struct FieldTarget: Sendable {
  package let field: String
  /// The target as it is written.
  package let text: String
  /// The line of the file, from 1.
  package let line: Int
  /// The places of the notes in the catalogue: one, or all that an ambiguous name fits.
  package let places: [Int]

  package init(field: String, text: String, line: Int, places: [Int]) {
    (self.field, self.text, self.line, self.places) = (field, text, line, places)
  }
}

extension NoteWeb {
  /// The links and references in the fields of each of some notes, each note with its place in the catalogue.
  ///
  /// A link counts as what it would mean in a text, also where its field refers to records of one kind alone.
  ///
  /// - Complexity: that of `LinkGraph.links(of:)`.
  package func fieldTargets(of notes: [(place: Int, note: Note)]) -> [[FieldTarget]] {
    let resolved = graph.links(of: notes.map { .note($0.note) })
    return zip(notes, resolved).map { source, links in
      let references = table.connections(at: source.place, in: entries).compactMap { connection in
        connection.field.flatMap { field in
          Self.places(of: connection.target).map { places in
            FieldTarget(field: field, text: connection.text, line: connection.line, places: places)
          }
        }
      }
      let linked = links.compactMap { resolved -> FieldTarget? in
        guard let field = source.note.field(at: resolved.link.range.lowerBound),
          let places = Self.places(of: resolved.meaning)
        else { return nil }
        return FieldTarget(field: field, text: resolved.link.target, line: resolved.link.line, places: places)
      }
      return references + linked
    }
  }

  private static func places(of target: Connection.Target) -> [Int]? {
    switch target {
    case .note(let place): [place]
    case .ambiguous(let places): places
    case .file, .url, .broken: nil
    }
  }

  private static func places(of meaning: LinkMeaning) -> [Int]? {
    switch meaning {
    case .note(let place): [place]
    case .ambiguous(let places): places
    case .dangling, .itself, .url: nil
    }
  }
}
