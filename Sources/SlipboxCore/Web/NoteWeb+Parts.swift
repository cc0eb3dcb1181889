import NoteIndex
package import Notes
import Text

/// Links in parts of notes, and links to them.
extension NoteWeb {
  /// The connections from a note that are in a part of it.
  ///
  /// - Throws: as `BoxSnapshot.span(of:in:_:)`.
  package func connections(
    _ connections: [Connection], in part: NotePart, of place: Int
  ) throws(SlipboxError) -> [Connection] {
    let note = entries[place].note
    let span = try BoxSnapshot.span(of: part, in: note, note.text).whole
    return connections.filter { span.contains($0.range.lowerBound) }
  }

  /// The connections to a note that name a part of it: the heading itself, the block, or any heading or block on the lines.
  ///
  /// - Throws: as `BoxSnapshot.span(of:in:_:)`.
  package func connections(
    _ connections: [Connection], to part: NotePart, of place: Int
  ) throws(SlipboxError) -> [Connection] {
    let note = entries[place].note
    let text = note.text
    let span = try BoxSnapshot.span(of: part, in: note, text).whole
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

extension BoxSnapshot {
  /// The notes that REFs name, each once, and their parts if the REFs name parts.
  package func notesAndParts(_ references: [String]) throws(SlipboxError) -> [NamedPart] {
    var seen: Set<[UInt8]> = []
    var named: [NamedPart] = []
    for reference in references {
      var found: [NamedPart] = []
      if let (entry, part) = try part(reference, fuzzy: true) {
        found = [NamedPart(entry: entry, part: part)]
      } else {
        found = try entries([reference], fuzzy: true).map { NamedPart(entry: $0, part: nil) }
      }
      for one in found {
        let key = one.entry.note.path + [0] + Array((one.part?.typed ?? "").utf8)
        if seen.insert(key).inserted { named.append(one) }
      }
    }
    return named
  }
}
