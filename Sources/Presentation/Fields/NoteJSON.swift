import NoteIndex
import Notes
import SlipboxCore

/// A note as JSON, in the one shape that every command prints.
struct NoteJSON: Sendable {
  /// The declared kinds by their names as they are spelled there.
  private let kinds: [String: DeclaredKind]
  private let schema: Schema
  let includesBody: Bool
  let links: NoteLinks?
  /// The numbers of records that refer to a note, for kinds whose rows show them.
  private let counts: ReferrerCounts
  private let meter: UrgencyMeter?
  private let json: JSONSchema
  /// Whether the terms of a record's urgency are included.
  var explainsUrgency = false
  /// The notes that block some notes, and those that these block, by the paths of the notes.
  var blocking: [[UInt8]: (blockers: [Entry], blocked: [Entry])] = [:]

  /// Makes the shape for notes of a box.
  ///
  /// - Parameters:
  ///   - entries: all notes of the box, among which those that refer to a record are counted.
  ///   - meter: works out how urgent records are; nil if none is.
  init(
    _ entries: Entries, _ schema: Schema, _ json: JSONSchema, meter: UrgencyMeter?, includesBody: Bool,
    links: NoteLinks? = nil
  ) {
    self.json = json
    self.meter = meter
    self.schema = schema
    var kinds: [String: DeclaredKind] = [:]
    for name in schema.kinds.map(\.name) + ["note"] {
      kinds[name] = schema.kind(named: name).map { DeclaredKind($0) }
    }
    self.kinds = kinds
    self.includesBody = includesBody
    self.links = links
    counts = ReferrerCounts(entries, schema)
  }

  /// Writes one note as an object, with the matches of a search.
  ///
  /// - Parameter more: writes further members of the object.
  func write(
    _ entry: Entry, modified: Timestamp, found match: Match? = nil, deleted deletion: PastDeletion? = nil,
    to writer: inout JSONWriter, more: (inout JSONWriter) -> Void = { _ in }
  ) throws(SlipboxError) {
    let note = entry.note
    writer.beginObject()
    for column in Self.columns { write(column, of: entry, modified, to: &writer) }
    writer.key("fields")
    fields(of: note, kind(named: entry.kind), &writer)
    writeCounts(of: entry, &writer)
    writeUrgency(of: entry, &writer)
    if let notes = blocking[note.path] {
      for (name, notes) in [("blockedBy", notes.blockers), ("blocking", notes.blocked)] where !notes.isEmpty {
        writer.member(name, of: notes) { entry, writer in writer.object { $0.names(of: entry.note) } }
      }
    }
    if let deletion { deletion.write(to: &writer) }
    if let match { score(match, &writer) }
    if includesBody {
      writer.key("body")
      let text = try note.text
      writer.string(bytes: text.bytes[text.body])
    }
    links?.write(of: note, to: &writer)
    more(&writer)
    writer.endObject()
  }

  private static let columns = NoteColumn.allCases

  private func write(
    _ column: NoteColumn, of entry: Entry, _ modified: Timestamp, to writer: inout JSONWriter
  ) {
    let note = entry.note
    switch column {
    case .id: writer.member(column.rawValue, note.id?.description)
    case .path: writer.member(column.rawValue, bytes: note.path)
    case .title:
      // A title may have lines, which rows leave out.
      writer.member(
        column.rawValue, note.frontMatter["title"]?.text.flatMap { $0.isEmpty ? nil : $0 } ?? note.title)
    case .kind: writer.member(column.rawValue, entry.kind)
    case .created: writer.member(column.rawValue, entry.created.rfc3339)
    case .modified: writer.member(column.rawValue, modified.rfc3339)
    case .tags:
      writer.key(column.rawValue)
      writer.strings(note.tags)
    }
  }

  private func writeUrgency(of entry: Entry, _ writer: inout JSONWriter) {
    guard let terms = meter?.terms(of: entry) else { return }
    let sum = UrgencyMeter.sum(terms)
    writer.key("urgency")
    KindJSON.write(sum, to: &writer)
    if explainsUrgency { writer.member("urgencyTerms", of: terms, KindJSON.write) }
  }

  private func writeCounts(of entry: Entry, _ writer: inout JSONWriter) {
    let counts = counts.counts(for: entry)
    guard !counts.isEmpty else { return }
    writer.key("counts")
    writer.object { writer in
      for (kind, count) in counts { writer.member(kind, count) }
    }
  }

  /// The fields of a kind, each at one place: handing one out copies nothing of the declaration.
  private final class DeclaredKind: Sendable {
    final class DeclaredField: Sendable {
      let field: Field
      init(_ field: Field) { self.field = field }
    }

    private let fields: [DeclaredField]

    /// The fields that have a default, each with it.
    let defaults: [(DeclaredField, TypedValue)]

    init(_ kind: Kind) {
      fields = (kind.fields + Field.common).map { DeclaredField($0) }
      defaults = kind.fields.compactMap { field in field.standardValue.map { (DeclaredField(field), $0) } }
    }

    /// The field of a name, without regard to case: a declared one, else one that every note has.
    func field(_ name: String) -> DeclaredField? { fields.first { $0.field.name.isSameName(as: name) } }
  }

  private func kind(named name: String) -> DeclaredKind? {
    if let kind = kinds[name] { return kind }
    // Most notes are plain ones, whose kind is not declared.
    return name.hasSameBytes(as: "note") ? nil : schema.kind(named: name).flatMap { kinds[$0.name] }
  }

  private func fields(of note: Note, _ declared: DeclaredKind?, _ writer: inout JSONWriter) {
    writer.beginObject()
    let fields = note.frontMatter.fields
    var quotes = FieldQuotes(note.head)
    for place in fields.indices where !NoteColumn.shows(fields[place], of: note) {
      if case .empty = fields[place].value { continue }
      writer.key(fields[place].name)
      if let declared = declared?.field(fields[place].name), let value = declared.field.storedValue(in: note)
      {
        FieldJSON.write(value, of: declared.field, to: &writer)
      } else {
        let name = fields[place].name
        let isFree =
          json == .typed && declared?.field(name) == nil && !Field.isCommon(name)
          && fields[place].value.mayHaveTypes
        FieldJSON.write(
          fields[place].value,
          plainScalars: isFree ? plainScalars(of: fields[place], at: place, &quotes) : [], to: &writer)
      }
    }
    for (declared, value) in declared?.defaults ?? [] where note.lacks(declared.field.name) {
      writer.key(declared.field.name)
      FieldJSON.write(value, of: declared.field, to: &writer)
    }
    writer.endObject()
  }

  /// Whether each scalar of a field has no quotes; those in the text of a note have lost them.
  private func plainScalars(
    of field: FrontMatterField, at place: Int, _ quotes: inout FieldQuotes
  ) -> [Bool] {
    guard field.isInline else { return quotes.plainScalars(ofField: place) }
    return Array(repeating: true, count: max(1, field.value.strings.count))
  }

  private func score(_ match: Match, _ writer: inout JSONWriter) {
    writer.key("score")
    writer.double(match.score)
    writer.member("snippets", of: match.snippets) { snippet, writer in
      writer.object {
        $0.member("line", snippet.line)
        $0.member("text", snippet.text)
      }
    }
  }
}

/// The links of some notes, and the notes that link to them, for JSON and CSV.
struct NoteLinks: Sendable {
  /// Which of the two are shown.
  let parts: [RequestedPart]
  private let entries: Entries
  private var links: [[UInt8]: [ResolvedLink]] = [:]
  private var backlinks: [[UInt8]: [Int]] = [:]
  /// The files other than notes that links lead to, by the path of the note and the target.
  private var files: [[UInt8]: [String: [UInt8]]] = [:]

  /// Looks up the links of notes.
  ///
  /// - Parameters:
  ///   - notes: the notes, each with its path.
  ///   - parts: `.links`, `.backlinks` or both; others are passed over.
  ///   - entries: all notes of the box.
  ///   - file: the file other than a note that a link in the note at a path leads to.
  init(
    of notes: [(note: LinkedNote, path: [UInt8])], _ parts: Set<RequestedPart>, _ graph: LinkGraph,
    _ entries: Entries, file: (_ link: BodyScan.Link, _ path: [UInt8]) -> [UInt8]?
  ) {
    self.parts = [.links, .backlinks].filter(parts.contains)
    self.entries = entries
    let (targets, paths) = (notes.map(\.note), notes.map(\.path))
    if parts.contains(.links) {
      for (path, found) in zip(paths, graph.links(of: targets)) where !found.isEmpty {
        links[path] = found.filter { $0.meaning != .itself }
        for link in found where link.meaning == .dangling {
          guard let file = file(link.link, path) else { continue }
          files[path, default: [:]][link.link.target] = file
        }
      }
    }
    if parts.contains(.backlinks) {
      for (path, places) in zip(paths, graph.backlinks(to: targets)) { backlinks[path] = places }
    }
  }

  /// The names of the notes that a note links to, or that link to it, each once.
  func names(_ part: RequestedPart, of note: Note) -> String {
    var places = backlinks[note.path] ?? []
    if part == .links {
      places = (links[note.path] ?? []).compactMap {
        if case .note(let place) = $0.meaning { place } else { nil }
      }
    }
    var seen: Set<Int> = []
    return places.filter { seen.insert($0).inserted }.map { entries[$0].name }.joined(separator: ", ")
  }

  /// Writes a note's links and backlinks as members of the open object.
  func write(of note: Note, to writer: inout JSONWriter) {
    if parts.contains(.links) {
      writer.member("links", of: links[note.path] ?? []) { write($0, of: note, to: &$1) }
    }
    if parts.contains(.backlinks) {
      writer.key("backlinks")
      write(backlinks[note.path] ?? [], to: &writer)
    }
  }

  private func write(_ found: ResolvedLink, of note: Note, to writer: inout JSONWriter) {
    let link = found.link
    writer.beginObject()
    writer.member("target", link.target)
    writer.member("form", link.form.rawValue)
    writer.member("line", link.line)
    if let field = note.frontMatter.fields.first(where: { $0.span.contains(link.range.lowerBound) }) {
      writer.member("field", field.name)
    }
    write(found.meaning, link, of: note, to: &writer)
    writer.endObject()
  }

  private func write(
    _ meaning: LinkMeaning, _ link: BodyScan.Link, of note: Note, to writer: inout JSONWriter
  ) {
    switch meaning {
    case .note(let place): writeName(of: place, to: &writer)
    case .ambiguous(let places):
      writer.key("ambiguous")
      write(places, to: &writer)
    case .url:
      guard case .url(let address) = LinkAddress(link) else { return }
      writer.member("url", bytes: address)
    case .dangling:
      if let file = files[note.path]?[link.target] {
        writer.member("file", bytes: file)
      } else {
        writer.member("dangling", true)
      }
    case .itself: break
    }
  }

  private func write(_ places: [Int], to writer: inout JSONWriter) {
    writer.array(of: places) { place, writer in
      writer.object { writeName(of: place, to: &$0) }
    }
  }

  private func writeName(of place: Int, to writer: inout JSONWriter) { writer.names(of: entries[place].note) }
}
