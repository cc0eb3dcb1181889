package import NoteIndex
package import Notes
import Synchronization
package import Text

/// The connections between the notes of a box: links, and the reference fields of records.
///
/// Nothing of it is cached. Each request is answered from the links of the catalogue; for a few notes, the texts of
/// others are not read. If a link is the value of a reference field, it is one connection, the reference.
package struct NoteWeb: Sendable {
  package let entries: Entries
  let snapshot: BoxSnapshot
  let schema: Schema
  let graph: LinkGraph
  let table: RecordTable

  /// - Throws: if the notes can't be read.
  package init(_ snapshot: BoxSnapshot) throws(SlipboxError) {
    self.snapshot = snapshot
    schema = snapshot.schema()
    entries = try snapshot.catalogue().entries
    graph = try snapshot.linkGraph()
    table = RecordTable(of: entries, schema, executor: Processors.all)
  }

  /// Returns the places of notes in the catalogue, in their order.
  package func places(of notes: [Entry]) throws(SlipboxError) -> [Int] {
    let catalogue = try snapshot.catalogue()
    return notes.compactMap { catalogue.place(path: $0.note.path) }
  }

  /// Returns the connections from each of some notes to others, to files and to places elsewhere, in the order of the
  /// text; links inside a note are excluded.
  ///
  /// - Complexity: that of `LinkGraph.links(of:)`.
  package func connections(from places: [Int]) throws(SlipboxError) -> [[Connection]] {
    try connections(places, graph.links(of: places.map { .place($0) })) { entries[$0].note }
  }

  /// Returns the same for notes whose bodies differ from those of the catalogue, each with its place there.
  package func connections(from notes: [(place: Int, note: Note)]) throws(SlipboxError) -> [[Connection]] {
    let texts = Dictionary(notes.map { ($0.place, $0.note) }, uniquingKeysWith: { first, _ in first })
    let resolved = graph.links(of: notes.map { .note($0.note) })
    return try connections(notes.map(\.place), resolved) { texts[$0] ?? entries[$0].note }
  }

  private func connections(
    _ places: [Int], _ resolved: [[ResolvedLink]], _ note: (_ place: Int) -> Note
  ) throws(SlipboxError) -> [[Connection]] {
    // Folders are scanned only if a link may lead to a file.
    let isAnyLoose = resolved.contains { $0.contains { $0.meaning == .dangling } }
    let broken = isAnyLoose ? try BrokenLinks(snapshot, entries) : nil
    let parts = PartLookup(entries)
    return try zip(places, resolved).map { (place, links) throws(SlipboxError) in
      let note = note(place)
      var found = table.connections(at: place, in: entries)
      for link in links {
        let field = note.field(at: link.link.range.lowerBound)
        if isReference(field, of: place) { continue }
        if let connection = try connection(of: link, from: place, note.path, field, broken, parts) {
          found.append(connection)
        }
      }
      return found.sorted { $0.range.lowerBound < $1.range.lowerBound }
    }
  }

  /// Returns the connection of a link; nil for an existing place inside of the note.
  private func connection(
    of link: ResolvedLink, from place: Int, _ path: [UInt8], _ field: String?, _ broken: BrokenLinks?,
    _ parts: PartLookup
  ) throws(SlipboxError) -> Connection? {
    let missing = try parts.missing(link, from: place)
    guard let target = target(of: link, from: place, path, broken) ?? missing.map({ _ in .note(place) })
    else {
      return nil
    }
    return Connection(link.link, from: place, field: field, target, missing: missing, part: LinkedPart(link))
  }

  func target(
    of link: ResolvedLink, from place: Int, _ path: [UInt8], _ broken: BrokenLinks?
  ) -> Connection.Target? {
    switch link.meaning {
    case .note(let target): target == place ? nil : .note(target)
    case .ambiguous(let places): .ambiguous(places)
    case .dangling: broken?.target(of: link.link, from: path) ?? .broken
    case .url: if case .url(let address) = LinkAddress(link.link) { .url(address) } else { nil }
    case .itself: nil
    }
  }

  /// Returns the connections from other notes to each of some notes, by the places of the notes that contain them,
  /// ascending, then in the order of the text.
  ///
  /// - Complexity: that of `LinkGraph.linkers(of:)`, and of checking the records that may refer to the notes.
  package func connections(to places: [Int]) -> [[Connection]] {
    let linkers = graph.linkers(of: places.map { .place($0) })
    let references = Dictionary(
      grouping: table.connections(
        of: entries, toKinds: Set(places.map { entries[$0].kind }).sorted(), executor: Processors.all)
    ) { connection in
      if case .note(let place) = connection.target { place } else { -1 }
    }
    return zip(places, linkers).map { place, linkers in
      let referring = references[place] ?? []
      var found = referring
      for linker in linkers {
        let note = entries[linker.place].note
        for link in linker.links {
          let field = note.field(at: link.range.lowerBound)
          if isReference(field, of: linker.place) { continue }
          found.append(Connection(link, from: linker.place, field: field, .note(place)))
        }
      }
      return found.sorted { ($0.source, $0.range.lowerBound) < ($1.source, $1.range.lowerBound) }
    }
  }

  /// Returns the places of the notes with links that may lead to some notes by their names, or with references to them.
  ///
  /// - Complexity: as that of `connections(to:)`.
  package func sources(leadingTo places: [Int]) -> Set<Int> {
    guard !places.isEmpty else { return [] }
    let wanted = Set(places)
    let kinds = Set(places.map { entries.kind(at: $0) }).sorted()
    let references = table.connections(of: entries, toKinds: kinds, executor: Processors.all)
    let referring = references.filter { connection in
      switch connection.target {
      case .note(let place): wanted.contains(place)
      case .ambiguous(let places): places.contains(where: wanted.contains)
      case .file, .url, .broken: false
      }
    }
    return Set(graph.mayLink(to: places)).union(referring.map(\.source))
  }

  /// Returns the broken and ambiguous links and references, by the places of the notes that contain them, ascending, then
  /// in the order of the text.
  ///
  /// - Parameter places: the notes whose links are returned; nil for all notes.
  /// - Complexity: O(n) in all links; only notes with such links are decoded.
  package func unresolved(of places: Set<Int>? = nil) throws(SlipboxError) -> [Connection] {
    let references = table.connections(of: entries, executor: Processors.all).filter {
      $0.isUnresolved && places?.contains($0.source) ?? true
    }
    let links = try unresolvedLinks(of: places)
    return (references + links).sorted { ($0.source, $0.range.lowerBound) < ($1.source, $1.range.lowerBound) }
  }

  /// Returns the broken and ambiguous links, and those to a missing part, without the values of reference fields. They
  /// are grouped by the places of the notes that contain them, ascending, in the order of the text.
  func unresolvedLinks() throws(SlipboxError) -> [(place: Int, links: [Connection])] {
    var found: [(place: Int, links: [Connection])] = []
    for link in try unresolvedLinks(of: nil) {
      if found.last?.place == link.source {
        found[found.count - 1].links.append(link)
      } else {
        found.append((link.source, [link]))
      }
    }
    return found.map { ($0.place, $0.links.sorted { $0.range.lowerBound < $1.range.lowerBound }) }
  }

  private func unresolvedLinks(of places: Set<Int>?) throws(SlipboxError) -> [Connection] {
    let loose = graph.uncertain().filter { places?.contains($0.place) ?? true }
    let isAnyDangling = loose.contains { $0.links.contains { $0.meaning == .dangling } }
    let broken = isAnyDangling ? try BrokenLinks(snapshot, entries) : nil
    let parts = PartLookup(entries)
    var found: [Connection] = []
    for (place, links) in loose {
      let note = entries[place].note
      for link in links {
        let field = note.field(at: link.link.range.lowerBound)
        if isReference(field, of: place) { continue }
        let connection = try connection(of: link, from: place, note.path, field, broken, parts)
        if let connection, connection.isUnresolved { found.append(connection) }
      }
    }
    return found
  }
}

extension NoteWeb {
  /// Returns the paths of the notes that an ambiguous link may mean, the first five of them.
  package func candidates(_ places: [Int]) -> Phrase {
    let paths = places.prefix(5).map { Phrase(entries.path(at: $0)) }
    let more: Phrase = places.count > paths.count ? " and \(places.count - paths.count) more" : ""
    return paths.joined(separator: ", ") + more
  }

  /// Returns whether a field of the note at a place refers to records: a link in it is the same connection as the
  /// reference.
  func isReference(_ field: String?, of place: Int) -> Bool {
    guard let field, let declared = schema.kind(named: entries[place].kind)?.field(field) else {
      return false
    }
    return declared.type == .reference && declared.target != nil
  }
}

extension Note {
  /// Returns the field of the front matter that contains an offset.
  func field(at offset: Int) -> String? {
    guard offset < head.body.lowerBound else { return nil }
    return frontMatter.fields.first { $0.span.contains(offset) }?.name
  }
}

/// The headings, blocks and anchors of notes that links name, each note read once.
final class PartLookup: Sendable {
  private let entries: Entries
  private let known = Mutex<[Int: NoteParts]>([:])

  init(_ entries: Entries) { self.entries = entries }

  /// Returns the part that a link names and the target note does not have; nil if the note has it, or the link names
  /// none.
  ///
  /// - Parameter place: the place of the note that contains the link.
  func missing(_ link: ResolvedLink, from place: Int) throws(SlipboxError) -> LinkedPart? {
    let target: Int
    switch link.meaning {
    case .note(let place): target = place
    case .itself: target = place
    case .ambiguous, .dangling, .url: return nil
    }
    guard let part = LinkedPart(link) else { return nil }
    return try part.isThere(in: parts(of: target)) ? nil : part
  }

  private func parts(of place: Int) throws(SlipboxError) -> NoteParts {
    if let parts = known.withLock({ $0[place] }) { return parts }
    let parts = NoteParts(try entries[place].note.text)
    known.withLock { $0[place] = parts }
    return parts
  }
}

// MARK: Parts

/// Links in parts of notes, and links to them.
extension NoteWeb {
  /// Returns the connections from a note that are in a part of it.
  ///
  /// - Throws: as `NotePart.span(in:_:)`.
  package func connections(
    _ connections: [Connection], in part: NotePart, of place: Int
  ) throws(SlipboxError) -> [Connection] {
    let note = entries[place].note
    let span = try part.span(in: note, note.text).whole
    return connections.filter { span.contains($0.range.lowerBound) }
  }

  /// Returns the connections to a note that name a part of it: the heading itself, the block, or any heading or block on
  /// the lines.
  ///
  /// - Throws: as `NotePart.span(in:_:)`.
  package func connections(
    _ connections: [Connection], to part: NotePart, of place: Int
  ) throws(SlipboxError) -> [Connection] {
    let note = entries[place].note
    let text = try note.text
    let span = try part.span(in: note, text).whole
    let parts = NoteParts(text)
    var heading: Range<Int>?
    if case .heading = part {
      heading = parts.headings.headings.first { span.contains($0.lines.lowerBound) }?.lines
    }
    let sources = Set(connections.map(\.source)).sorted()
    let resolved = zip(sources, graph.links(of: sources.map { .place($0) }))
    let links = Dictionary(uniqueKeysWithValues: resolved.map { ($0, $1) })
    return connections.filter { connection in
      guard let link = links[connection.source]?.first(where: { $0.link.range == connection.range }),
        let named = LinkedPart(link), let range = named.range(in: parts)
      else { return false }
      switch part {
      case .heading: return range == heading
      case .block: return named.isBlock && span.contains(range.lowerBound)
      case .lines: return span.contains(range.lowerBound)
      }
    }
  }
}

/// A link or a reference in a field, with the notes that it may mean.
package struct FieldTarget: Sendable {
  package let field: String
  /// The target as it is written.
  package let text: String
  /// The line of the file, from 1.
  package let line: Int
  /// The places of the notes in the catalogue: one, or all that match an ambiguous name.
  package let places: [Int]

  package init(field: String, text: String, line: Int, places: [Int]) {
    (self.field, self.text, self.line, self.places) = (field, text, line, places)
  }
}

extension NoteWeb {
  /// Returns the links and references in the fields of each of some notes, each note with its place in the catalogue.
  ///
  /// A link means the same as in a text, even if its field refers to records of one kind alone.
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
