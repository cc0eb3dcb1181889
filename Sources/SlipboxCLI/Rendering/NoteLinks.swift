import NoteIndex
import Notes
import Rendering
import SlipboxCore

/// The links of some notes, and the notes that link to them, for JSON and CSV.
struct NoteLinks: Sendable {
  /// What is wanted of them.
  enum Part: String, CaseIterable, Sendable { case links, backlinks }

  let parts: [Part]
  private let entries: Entries
  private var links: [[UInt8]: [ResolvedLink]] = [:]
  private var backlinks: [[UInt8]: [Int]] = [:]
  /// The files other than notes that links lead to, by the path of the note and the target.
  private var files: [[UInt8]: [String: [UInt8]]] = [:]

  /// The links of notes.
  init(of entries: [Entry], _ parts: [Part], in box: Slipbox) throws(SlipboxError) {
    try self.init(of: entries.map { .note($0.note) }, entries.map(\.note.path), parts, in: box)
  }

  /// The links of the notes that a query found.
  init(of matches: [Match], _ parts: [Part], in box: Slipbox) throws(SlipboxError) {
    let paths = matches.map { $0.entries.path(at: $0.place) }
    try self.init(of: matches.map { .place($0.place) }, paths, parts, in: box)
  }

  private init(
    of notes: [LinkedNote], _ paths: [[UInt8]], _ parts: [Part], in box: Slipbox
  ) throws(SlipboxError) {
    self.parts = parts
    let graph = try box.linkGraph()
    entries = try box.catalogue().entries
    if parts.contains(.links) {
      let finder = LinkedFileFinder(box)
      for (path, found) in zip(paths, graph.links(of: notes)) where !found.isEmpty {
        links[path] = found.filter { $0.meaning != .itself }
        for link in found where link.meaning == .dangling {
          guard let file = finder.file(of: link.link, from: path) else { continue }
          files[path, default: [:]][link.link.target] = file
        }
      }
    }
    if parts.contains(.backlinks) {
      for (path, places) in zip(paths, graph.backlinks(to: notes)) { backlinks[path] = places }
    }
  }

  /// The names of the notes that a note links to, or that link to it, each once.
  func names(_ part: Part, of note: Note) -> String {
    var places = backlinks[note.path] ?? []
    if part == .links {
      places = (links[note.path] ?? []).compactMap {
        if case .note(let place) = $0.meaning { place } else { nil }
      }
    }
    var seen: Set<Int> = []
    return places.filter { seen.insert($0).inserted }.map { entries[$0].name }.joined(separator: ", ")
  }

  /// Writes what is wanted of a note's links as members of the object at hand.
  func write(of note: Note, to writer: inout JSONWriter) {
    if parts.contains(.links) {
      writer.key("links")
      writer.beginArray()
      for link in links[note.path] ?? [] { write(link, of: note, to: &writer) }
      writer.endArray()
    }
    if parts.contains(.backlinks) {
      writer.key("backlinks")
      write(backlinks[note.path] ?? [], to: &writer)
    }
  }

  private func write(_ found: ResolvedLink, of note: Note, to writer: inout JSONWriter) {
    let link = found.link
    writer.beginObject()
    writer.key("target")
    writer.string(link.target)
    writer.key("form")
    writer.string(link.form.rawValue)
    writer.key("line")
    writer.integer(link.line)
    if let field = note.frontMatter.fields.first(where: { $0.span.contains(link.range.lowerBound) }) {
      writer.key("field")
      writer.string(field.name)
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
      writer.key("url")
      writer.string(bytes: address)
    case .dangling:
      if let file = files[note.path]?[link.target] {
        writer.key("file")
        writer.string(bytes: file)
      } else {
        writer.key("dangling")
        writer.boolean(true)
      }
    case .itself: break
    }
  }

  private func write(_ places: [Int], to writer: inout JSONWriter) {
    writer.beginArray()
    for place in places {
      writer.beginObject()
      writeName(of: place, to: &writer)
      writer.endObject()
    }
    writer.endArray()
  }

  private func writeName(of place: Int, to writer: inout JSONWriter) {
    let note = entries[place].note
    if let id = note.id {
      writer.key("id")
      writer.string(id.description)
    }
    writer.key("path")
    writer.string(bytes: note.path)
    writer.key("title")
    writer.string(note.title)
  }
}
