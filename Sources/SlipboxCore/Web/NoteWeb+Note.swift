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
    let broken = isAnyLoose ? try BrokenLinks(snapshot, entries) : nil
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

  /// The links of a note at hand, each with what it came to; links to no note are not looked into.
  ///
  /// - Complexity: that of `LinkGraph.links(of:)`; O(1) where it has none.
  package func resolvedLinks(of note: Note) -> [ResolvedLink] {
    note.links.isEmpty ? [] : graph.links(of: [.note(note)])[0]
  }

  /// What a link of the note with a path leads to; nil for a place inside of the note.
  ///
  /// - Complexity: O(1); the files of the box are listed for the first link that leads to no note.
  package func target(of link: ResolvedLink, from path: [UInt8]) -> Connection.Target? {
    switch link.meaning {
    case .note(let place): entries.path(at: place) == path ? nil : .note(place)
    case .dangling: fileTarget(of: link.link, from: path)
    case .ambiguous, .url, .itself: target(of: link, from: -1, path, nil)
    }
  }

  private func fileTarget(of link: BodyScan.Link, from path: [UInt8]) -> Connection.Target {
    if let file = snapshot.linkedFile(of: link, from: path) { return .file(file) }
    if let folder = BoxSnapshot.linkedFolder(of: link, from: path, isThere: snapshot.isFolder) {
      return .file(folder)
    }
    return BrokenLinks.mayLeadElsewhere(link) ? .url(Array(link.target.utf8)) : .broken
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
