import Bytes
import NoteIndex
import Notes

extension BoxSnapshot {
  /// The links to notes that go, from notes that stay, without those to a part that its note has not.
  ///
  /// - Complexity: that of `LinkGraph.linkers`.
  func lostLinks(to gone: [Entry]) throws(SlipboxError) -> [LostLink] {
    let entries = try catalogue().entries
    let graph = LinkGraph(entries, executor: Self.executor)
    let paths = Set(gone.map(\.note.path))
    var links: [LostLink] = []
    for (entry, linkers) in zip(gone, graph.linkers(of: gone.map { .note($0.note) })) {
      var parts: NoteParts?
      for linker in linkers {
        let path = entries.path(at: linker.place)
        guard !paths.contains(path) else { continue }
        for link in linker.links {
          if let part = LinkedPart(link, reading: graph.resolver().match(of: link, from: path).reading) {
            parts = parts ?? NoteParts(entry.note.text)
            guard let parts, part.isThere(in: parts) else { continue }
          }
          links.append(LostLink(path: path, line: link.line, target: link.target))
        }
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

  /// The links to headings, blocks and anchors that a note has no longer, from what stays.
  ///
  /// - Parameters:
  ///   - new: the text that the note gets.
  ///   - removed: the bytes of the note that go; the links in them are not listed.
  /// - Complexity: that of a scan of both texts if no heading and no block goes, else that of `LinkGraph.linkers`.
  func lostLinks(
    to entry: Entry, becoming new: NoteText, without removed: Range<Int>
  ) throws(SlipboxError) -> [LostLink] {
    let note = entry.note
    let (old, kept) = (NoteParts(note.text), NoteParts(new))
    guard !Set(old.names).isSubset(of: kept.names) else { return [] }
    let entries = try catalogue().entries
    let graph = LinkGraph(entries, executor: Self.executor)
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
        guard isOfNote, path != note.path || !removed.contains(link.link.range.lowerBound),
          let part = LinkedPart(link), part.range(in: old) != nil, part.range(in: kept) == nil
        else { continue }
        links.append(LostLink(path: path, line: link.link.line, target: link.link.target))
      }
    }
    return links.sorted(by: LostLink.isBefore)
  }
}

extension NoteParts {
  /// The names of the headings, blocks and anchors, in their order.
  fileprivate var names: [String] { headings.texts + blocks.map { "^\($0.name)" } + anchors.map(\.name) }
}
