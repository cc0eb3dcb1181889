package import NoteIndex
package import Notes

extension NoteWeb {
  /// A link of a note, with what it leads to; nil for a place inside of the note.
  package struct LinkOfNote: Sendable {
    package let resolved: ResolvedLink
    package let target: Connection.Target?

    package var link: BodyScan.Link { resolved.link }
  }

  /// The links of a note at hand, whose text need not be that of the catalogue, in their order.
  ///
  /// - Complexity: that of `LinkGraph.links(of:)`; the folders are walked where a link leads to no note.
  package func links(of note: Note) throws(SlipboxError) -> [LinkOfNote] {
    let resolved = graph.links(of: [.note(note)])[0]
    let isAnyLoose = resolved.contains { $0.meaning == .dangling }
    let broken = isAnyLoose ? BrokenLinks(entries, try snapshot.otherFiles()) : nil
    return resolved.map { link in
      LinkOfNote(resolved: link, target: target(of: link, from: -1, note.path, broken))
    }
  }

  /// Whether a place in a note belongs to a field by which records of its kind refer to others.
  package func isReferenceField(at offset: Int, of note: Note, kind: String) -> Bool {
    guard let field = note.field(at: offset), let declared = schema.kind(named: kind)?.field(field) else {
      return false
    }
    return declared.type == .reference && declared.target != nil
  }

  /// The links to a note at hand and the references to it, by the places of the notes that hold them.
  ///
  /// - Complexity: as that of `connections(to:)`.
  package func connections(to note: Note) throws(SlipboxError) -> [Connection] {
    guard let place = try snapshot.catalogue().place(path: note.path) else { return [] }
    return connections(to: [place])[0]
  }
}

extension BoxSnapshot {
  /// What of a note at hand breaks its kind.
  ///
  /// - Complexity: that of looking up the records that it refers to.
  package func recordProblems(of note: Note) throws(SlipboxError) -> [RecordProblem] {
    let kind = kind(of: note)
    guard schema().kind(named: kind) != nil else { return [] }
    let entries = try catalogue().entries
    let records = RecordTable(of: entries, schema(), executor: Self.executor)
    return records.editor(clock: clock).problems(in: note, kind: kind)
  }

  /// The kind that a note at hand counts as: its own, or the one whose `match:` fits it.
  package func kind(of note: Note) -> String {
    kindMatcher().kind(of: note, created: note.created ?? clock.now)
  }
}
