import NoteIndex
import Notes

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
