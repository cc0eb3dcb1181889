package import NoteIndex
package import Notes
package import SlipboxCore
import Synchronization

/// The notes of a box in the forms that every front end shows.
package struct NotePresenter {
  let snapshot: BoxSnapshot
  package let schema: Schema
  let json: JSONSchema

  package init(_ snapshot: BoxSnapshot, json: JSONSchema = .current) {
    self.snapshot = snapshot
    self.json = json
    schema = snapshot.schema()
  }

  /// A row a note, in the form that notes of all kinds share.
  package func rows(of entries: [Entry], _ display: Display) throws(SlipboxError) -> [String] {
    try rows(display).mixed(entries)
  }

  /// Notes as a person reads them, one below the other.
  ///
  /// - Parameter isWindow: whether they are beside a list.
  package func views(
    of entries: [Entry], _ display: Display, isWindow: Bool = false
  ) throws(SlipboxError) -> [String] {
    // The titles of other records cost a look at all of them.
    let refers = entries.contains { entry in
      schema.kind(named: entry.kind)?.fields.contains { field in
        field.type == .reference && entry.note.frontMatter[field.name] != nil
      } ?? false
    }
    let titles = RecordTitles(refers ? try snapshot.catalogue().entries : Catalogue([]).entries, schema)
    // Urgency may depend on all other records.
    let meter = display.isTerminal ? try meter() : nil
    let view = NoteView(
      display: display, schema: schema, meter: meter, title: titles.title, isWindow: isWindow)
    let related =
      display.isTerminal ? try NeighbourLines(of: entries, snapshot, try rows(display.indented)) : nil
    var lines: [String] = []
    for (index, entry) in entries.enumerated() {
      if !lines.isEmpty { lines += ["", display.style.dim("---"), ""] }
      lines +=
        try view.lines(entry, modified: snapshot.modified(entry)) + (related?.lines(ofNote: index) ?? [])
    }
    return lines
  }

  /// The records that are listed, by the row of their kind, with tabs between its columns.
  func plainRow(of entries: [Entry], as kind: Kind?) throws(SlipboxError) -> PlainRow {
    let rows = try rows(Display(style: .plain, width: nil))
    return PlainRow(entries, rows, kind: kind ?? rows.commonKind(of: entries))
  }

  /// The states of records now.
  func states() throws(SlipboxError) -> RecordStates {
    RecordStates(schema, clock: snapshot.clock, try snapshot.catalogue())
  }

  /// Works out how urgent records are; nil if no kind knows it.
  func meter() throws(SlipboxError) -> UrgencyMeter? {
    guard schema.knowsUrgency else { return nil }
    return try snapshot.catalogue().urgencyMeter(schema, clock: snapshot.clock)
  }

  /// The names of fields that notes of the box have or kinds declare.
  package func fieldNames() throws(SlipboxError) -> [String] {
    let declared = schema.kinds.flatMap { $0.fields.map(\.name) + ($0.urgency.isEmpty ? [] : ["urgency"]) }
    var seen: Set<String> = []
    return (declared + (try snapshot.catalogue().fieldNames).sorted()).filter { seen.insert($0).inserted }
  }

  /// Notes with their bodies, links and backlinks as one JSON object with its line end.
  package func json(of entries: [Entry]) throws(SlipboxError) -> [UInt8] {
    let shape = try wholeJSON(of: entries)
    return try JSONDocument.list("notes", entries, schema: json) { (entry, writer) throws(SlipboxError) in
      try shape.write(entry, modified: snapshot.modified(entry), to: &writer)
    }
  }

  /// The overview as a JSON object with its line end: filters and tags with their counts, and the newest notes.
  package func overview(
    filters: [(name: String, count: Int?)], tags: [(name: String, count: Int)], newest: [Entry]
  ) throws(SlipboxError) -> [UInt8] {
    let shape = try json(includesBody: false, links: nil)
    return try JSONDocument.object(json) { (writer) throws(SlipboxError) in
      writer.member("filters", of: filters) { filter, writer in
        writer.object {
          $0.member("name", filter.name)
          $0.member("count", filter.count)
        }
      }
      writer.member("tags", of: tags) { tag, writer in
        writer.object {
          $0.member("tag", tag.name)
          $0.member("active", tag.count)
        }
      }
      try writer.member("notes", of: newest) { (entry, writer) throws(SlipboxError) in
        try shape.write(entry, modified: snapshot.modified(entry), to: &writer)
      }
    }
  }

  /// A note that was just written as a JSON object with its line end; nil if the box has none at its path.
  package func json(of note: Note) throws(SlipboxError) -> [UInt8]? {
    guard let entry = try snapshot.catalogue().entry(path: note.path) else { return nil }
    var writer = JSONWriter()
    try json(includesBody: false, links: nil).write(
      entry, modified: snapshot.modified(entry), to: &writer)
    writer.newLine()
    return writer.takeBytes()
  }
}

extension NotePresenter {
  func rows(_ display: Display) throws(SlipboxError) -> NoteRows {
    NoteRows(
      display: display, catalogue: try snapshot.catalogue(), schema: schema, clock: snapshot.clock)
  }

  /// The JSON of notes with all that is known of them.
  func wholeJSON(of entries: [Entry]) throws(SlipboxError) -> NoteJSON {
    let links = try links(of: entries.map { (.note($0.note), $0.note.path) }, Set(RequestedPart.allCases))
    var shape = try json(includesBody: true, links: links)
    shape.explainsUrgency = true
    for (entry, notes) in zip(entries, try RecordDependencies(in: snapshot).notes(of: entries)) {
      shape.blocking[entry.note.path] = notes
    }
    return shape
  }

  /// The JSON of matches, with the requested parts.
  func json(of matches: [Match], _ parts: Set<RequestedPart>) throws(SlipboxError) -> NoteJSON {
    try json(includesBody: parts.contains(.body), links: try links(of: matches, parts))
  }

  /// The links of matches; nil if neither links nor backlinks are requested.
  func links(of matches: [Match], _ parts: Set<RequestedPart>) throws(SlipboxError) -> NoteLinks? {
    guard !parts.isDisjoint(with: [.links, .backlinks]) else { return nil }
    return try links(of: matches.map { (.place($0.place), $0.entries.path(at: $0.place)) }, parts)
  }

  /// The times of the last changes of matches, in their order.
  func modified(of matches: [Match]) throws(SlipboxError) -> [Timestamp] {
    snapshot.modified(of: matches)
  }

  private func json(includesBody: Bool, links: NoteLinks?) throws(SlipboxError) -> NoteJSON {
    NoteJSON(
      try snapshot.catalogue().entries, schema, json, meter: try meter(), includesBody: includesBody,
      links: links)
  }

  private func links(
    of notes: [(note: LinkedNote, path: [UInt8])], _ parts: Set<RequestedPart>
  ) throws(SlipboxError) -> NoteLinks {
    NoteLinks(of: notes, parts, try snapshot.linkGraph(), try snapshot.catalogue().entries) { link, path in
      LinkedFiles(in: snapshot).file(of: link, from: path)
    }
  }
}

/// The rows of a list for one part of it at a time, as a screen shows them.
///
/// Facts that the rows of all parts need are computed once. Safe for several threads.
package final class WindowRows: Sendable {
  private let catalogue: Catalogue
  private let schema: Schema
  private let clock: ClockReading
  private let deletion: (@Sendable (Entry) -> PastDeletion?)?
  private let titles: RowTitles

  /// - Parameters:
  ///   - deletion: says of a deleted note when and how it was deleted, which is then shown.
  ///   - titles: those of the same snapshot, if they are known already.
  /// - Throws: if the notes can't be read.
  package init(
    _ snapshot: BoxSnapshot, deletion: (@Sendable (Entry) -> PastDeletion?)? = nil, titles: RowTitles? = nil
  ) throws(SlipboxError) {
    catalogue = try snapshot.catalogue()
    schema = snapshot.schema()
    clock = snapshot.clock
    self.deletion = deletion
    if let titles { self.titles = titles } else { self.titles = try RowTitles(of: snapshot) }
  }

  /// Reads the titles of other records that rows show, so that no row waits for them.
  ///
  /// - Complexity: O(n) in all notes the first time.
  package func readTitles() { _ = titles.known() }

  /// Whether the titles were read.
  package var knowsTitles: Bool { titles.areKnown }

  /// A row a note.
  ///
  /// - Parameter kind: the kind whose columns are shown; nil for the row that notes of all kinds share.
  /// - Complexity: O(n) in the requested notes; the first time, if rows show titles of other records, in all
  ///   notes.
  package func lines(_ entries: [Entry], kind: Kind?, _ display: Display) -> [String] {
    var rows = NoteRows(display: display, catalogue: catalogue, schema: schema, clock: clock)
    if let deletion { return rows.deleted(entries, deletion) }
    rows.isWindow = true
    rows.titles = { [titles] in titles.known() }
    if let kind { return rows.listed(entries, as: kind) }
    return rows.mixed(entries)
  }
}

/// The titles of records that the rows of a snapshot show; read when the first row needs them, or before.
package final class RowTitles: Sendable {
  /// The snapshot whose records they are.
  package let snapshot: BoxSnapshot
  private let entries: Entries
  private let titles = Mutex<RecordTitles?>(nil)

  package init(of snapshot: BoxSnapshot) throws(SlipboxError) {
    self.snapshot = snapshot
    entries = try snapshot.catalogue().entries
  }

  /// Whether they were read.
  var areKnown: Bool { titles.withLock { $0 != nil } }

  func known() -> RecordTitles {
    titles.withLock { titles in
      let known = titles ?? RecordTitles(entries, snapshot.schema())
      titles = known
      return known
    }
  }
}
