import Bytes
import NoteIndex
import Notes

extension BoxSnapshot {
  /// The links to notes that go, from notes that stay.
  ///
  /// - Complexity: that of `LinkGraph.linkers`.
  func lostLinks(to gone: [Entry]) throws(SlipboxError) -> [LostLink] {
    let entries = try catalogue().entries
    let graph = LinkGraph(entries, executor: Self.executor)
    let paths = Set(gone.map(\.note.path))
    var links: [LostLink] = []
    for linkers in graph.linkers(of: gone.map { .note($0.note) }) {
      for linker in linkers {
        let path = entries.path(at: linker.place)
        guard !paths.contains(path) else { continue }
        links += linker.links.map { LostLink(path: path, line: $0.line, target: $0.target) }
      }
    }
    for (path, canvas) in try canvases(linked: []) {
      for place in canvas.places where paths.contains(place.path) {
        links.append(
          LostLink(path: path, line: canvas.line(of: place), target: ByteText.text(of: place.path)))
      }
    }
    return links.sorted(by: LostLink.isBefore)
  }

  /// The links to headings, blocks and anchors of a part of a note that goes, from what stays.
  ///
  /// - Complexity: that of `LinkGraph.linkers`.
  func lostLinks(to part: NotePart, of entry: Entry) throws(SlipboxError) -> [LostLink] {
    let entries = try catalogue().entries
    let graph = LinkGraph(entries, executor: Self.executor)
    let (note, text) = (entry.note, entry.note.text)
    let span = try Self.span(of: part, in: note, text).whole
    let parts = NoteParts(text)
    let places = graph.linkers(of: [.note(note)])[0].map(\.place)
    let sources: [LinkedNote] = [.note(note)] + places.map { .place($0) }
    var links: [LostLink] = []
    for (source, found) in zip(sources, graph.links(of: sources)) {
      let path = if case .place(let place) = source { entries.path(at: place) } else { note.path }
      for link in found {
        let isOfNote =
          switch link.meaning {
          case .note(let place): entries.path(at: place) == note.path
          case .itself: path == note.path
          case .ambiguous, .dangling, .url: false
          }
        guard isOfNote, path != note.path || !span.contains(link.link.range.lowerBound),
          let range = LinkedPart(link)?.range(in: parts), span.contains(range.lowerBound)
        else { continue }
        links.append(LostLink(path: path, line: link.link.line, target: link.link.target))
      }
    }
    return links.sorted(by: LostLink.isBefore)
  }
}
