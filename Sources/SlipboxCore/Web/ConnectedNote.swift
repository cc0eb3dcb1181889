package import NoteIndex
package import Notes
import Platform

extension NoteWeb {
  /// A link of a note, with its target; nil for a place inside of the note.
  package struct LinkOfNote: Sendable {
    package let resolved: ResolvedLink
    package let target: Connection.Target?

    package var link: BodyScan.Link { resolved.link }
  }

  /// Returns the links of a given note, whose text may differ from that of the catalogue, in their order.
  ///
  /// - Complexity: that of `LinkGraph.links(of:)`; the folders are scanned if the target of a link is not a note.
  package func links(of note: Note) throws(SlipboxError) -> [LinkOfNote] {
    let resolved = graph.links(of: [.note(note)])[0]
    let isAnyLoose = resolved.contains { $0.meaning == .dangling }
    let broken = isAnyLoose ? try BrokenLinks(snapshot, entries) : nil
    return resolved.map { link in
      LinkOfNote(resolved: link, target: target(of: link, from: -1, note.path, broken))
    }
  }

  /// Returns whether a place in a note belongs to a field by which records of its kind refer to others.
  package func isReferenceField(at offset: Int, of note: Note, kind: String) -> Bool {
    guard let field = note.field(at: offset), let declared = schema.kind(named: kind)?.field(field) else {
      return false
    }
    return declared.type == .reference && declared.target != nil
  }

  /// Returns the links of a given note, each with its meaning; links to no note are not resolved further.
  ///
  /// - Complexity: that of `LinkGraph.links(of:)`; O(1) if it has none.
  package func resolvedLinks(of note: Note) -> [ResolvedLink] {
    note.links.isEmpty ? [] : graph.links(of: [.note(note)])[0]
  }

  /// Returns the target of a link of the note with a path; nil for a place inside of the note.
  ///
  /// - Complexity: O(1); the files of the box are listed for the first link whose target is not a note.
  package func target(of link: ResolvedLink, from path: [UInt8]) -> Connection.Target? {
    switch link.meaning {
    case .note(let place): entries.path(at: place) == path ? nil : .note(place)
    case .dangling: fileTarget(of: link.link, from: path)
    case .ambiguous, .url, .itself: target(of: link, from: -1, path, nil)
    }
  }

  private func fileTarget(of link: BodyScan.Link, from path: [UInt8]) -> Connection.Target {
    let files = LinkedFiles(in: snapshot)
    if let file = files.file(of: link, from: path) { return .file(file) }
    if let folder = LinkedFiles.folder(of: link, from: path, isThere: files.isFolder) {
      return .file(folder)
    }
    return BrokenLinks.mayLeadElsewhere(link) ? .url(Array(link.target.utf8)) : .broken
  }
}

extension NoteWeb {
  /// A record that a reference field of a note names, with the place of the name.
  package struct ReferenceOfNote: Sendable {
    package let field: Field
    /// The kind that the field refers to.
    package let kind: String
    /// The name as it is stored, without the brackets of a wiki link.
    package let name: String
    /// The bytes of the name, without quotes; if they can't be determined, those of the whole field.
    package let range: Range<Int>
    /// The places of the records that the name means: exactly one if the reference is valid.
    package let places: [Int]
  }

  /// Returns the references of a given note, whose text may differ from that of the catalogue, in the order of the text.
  ///
  /// - Complexity: one lookup for each name.
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

  /// Returns the bytes of a name in a reference field of a note; nil if the field does not have it.
  package func range(ofReference name: String, field: String, in note: Note) -> Range<Int>? {
    guard let kind = schema.kind(named: snapshot.kind(of: note)), let declared = kind.field(field),
      let place = FieldPlace.all(in: note.head).first(where: { $0.field.name.isSameName(as: field) })
    else { return nil }
    return Self.names(in: place, of: declared, note, kind).first { $0.name.hasSameBytes(as: name) }?.range
  }

  /// Returns the names in a field, each with its bytes.
  private static func names(
    in place: FieldPlace, of field: Field, _ note: Note, _ kind: Kind
  ) -> [(name: String, range: Range<Int>)] {
    let names = kind.storedValue(of: field.name, in: note)?.names ?? []
    if names.count == place.values.count {
      return zip(names, place.values).map { ($0, $1.range) }
    }
    // Several names in one scalar, separated by commas.
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

/// A link of another note to a given note, or a reference of a record to it.
package struct Backlink: Sendable {
  /// The place of the note that contains it.
  package let source: Int
  /// The link; nil for the value of a reference field.
  package let link: BodyScan.Link?
  /// The field that contains it; nil in the body.
  package let field: String?
  /// The target as it is written.
  package let name: String
  /// Its bytes in the file; for a reference those of the whole field.
  package let range: Range<Int>
}

extension NoteWeb {
  /// Returns the links of other notes to a given note and the references to it. They are sorted by the places of the
  /// notes that contain them, ascending, then in the order of the text.
  ///
  /// - Complexity: that of `LinkGraph.linkers(of:)`, and of checking the records that may refer to the note.
  package func backlinks(to note: Note) -> [Backlink] {
    var found = references(to: note)
    for linker in graph.linkers(of: [.note(note)])[0] {
      // Only the links of front matter may be references too.
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
    return table.connections(of: entries, toKinds: [kind], executor: Processors.all).compactMap {
      reference in
      guard case .note(let place) = reference.target, entries.path(at: place) == note.path else { return nil }
      return Backlink(
        source: reference.source, link: nil, field: reference.field, name: reference.text,
        range: reference.range)
    }
  }
}

/// The notes that name another one without a link to it.
package struct NoteMentions: Sendable {
  package let notes: [MentioningNote]
  /// The names that are too short for the search.
  package let tooShort: [String]
  /// The names that other notes have too, each with the number of these.
  package let shared: [(name: String, others: Int)]
}

extension NoteMentions {
  /// Finds the notes whose running text contains the title or an alias of a note, the most frequent first.
  ///
  /// - Complexity: that of `Catalogue.mentions`.
  package init(of entry: Entry, in snapshot: BoxSnapshot) throws(SlipboxError) {
    let catalogue = try snapshot.catalogue()
    var seen: Set<String> = []
    let titles =
      !entry.note.hasOwnTitle && entry.note.title == Note.untitled
      ? entry.note.aliases : [entry.note.title] + entry.note.aliases
    let names = titles.filter { seen.insert($0).inserted }
    let own = catalogue.place(path: entry.note.path)
    let found = try snapshot.asking { $0.mentions(of: names, executor: Processors.all) }.filter {
      $0.place != own
    }
    let shared =
      found.isEmpty ? [] : names.map { ($0, catalogue.places(titled: $0).filter { $0 != own }.count) }
    self.init(
      notes: found, tooShort: names.filter { !Catalogue.canBeMentioned($0) },
      shared: shared.filter { $0.1 > 0 })
  }
}

/// A note that is connected to another one, with the connections.
package struct ConnectedNote: Sendable {
  /// The place of the note in the catalogue.
  package let place: Int
  package let connections: [Connection]
  /// The sentence around each of them.
  package let snippets: [Snippet]
}

extension NoteWeb {
  /// Groups connections by the notes that contain them. The connections of a note must be adjacent. Returns at most the
  /// given number of notes.
  package func notes(holding connections: [Connection], most: Int?) -> [[Connection]] {
    var notes: [[Connection]] = []
    for connection in connections {
      if notes.last?.last?.source == connection.source {
        notes[notes.count - 1].append(connection)
      } else if notes.count < most ?? .max {
        notes.append([connection])
      } else {
        break
      }
    }
    return notes
  }

  /// Returns the connections of some notes, each with the sentence around it.
  ///
  /// - Complexity: the texts of these notes are read, on several threads.
  package func sentences(of notes: [[Connection]]) throws(SlipboxError) -> [ConnectedNote] {
    try concurrentMap(throwing: notes) { [entries] (connections) throws(SlipboxError) in
      let place = connections[0].source
      let sentences = SentenceFinder(try entries[place].note.text)
      return ConnectedNote(
        place: place, connections: connections,
        snippets: connections.map { sentences.snippet(around: $0.range, line: $0.line) })
    }
  }
}
