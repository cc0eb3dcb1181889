package import Notes

/// A link that leads to a note by its title, an alias or an id: a program that knows only names of files does not find the
/// note.
package struct LinkByTitle: Sendable {
  package let link: BodyScan.Link
  /// Which of the readings of its target leads to the note.
  package let reading: Int
  /// The name of the note's file, as the target has to name it.
  package let name: [UInt8]
}

extension LinkGraph {
  /// The links by titles, aliases and ids, by the places of the notes that hold them, ascending.
  ///
  /// - Complexity: O(n) in all notes and their links.
  package func linksByTitle() -> [(place: Int, links: [LinkByTitle])] {
    let resolver = resolver()
    return chunks { [entries] place in
      guard entries.mayLink(at: place) else { return nil }
      let path = entries.path(at: place)
      let links = entries.links(at: place).compactMap { link -> LinkByTitle? in
        let (meaning, reading) = resolver.match(of: link, from: path)
        guard case .note(let target) = meaning, link.form != .path,
          !Self.isByFile(link, reading, entries.path(at: target), from: path)
        else { return nil }
        let name = Self.fileName(of: entries[target].note, target, for: link, reading, from: path, resolver)
        return name.map { LinkByTitle(link: link, reading: reading, name: $0) }
      }
      return links.isEmpty ? nil : (place, links)
    }
  }

  /// Whether a link names the end of a path, regardless of case.
  private static func isByFile(
    _ link: BodyScan.Link, _ reading: Int, _ target: [UInt8], from path: [UInt8]
  ) -> Bool {
    guard case .name(let name) = LinkAddress(link), name.readings.indices.contains(reading) else {
      return true
    }
    let written = name.readings[reading]
    let names = [
      LinkPath.normalised(written), LinkPath.normalised(written, from: LinkPath.folder(of: path)),
    ]
    return names.contains { $0.map { SameNames([((), target)], named: $0).isUnique } ?? false }
  }

  /// The first name of a note's file with which the link leads to the note; nil if none does.
  private static func fileName(
    of note: Note, _ place: Int, for link: BodyScan.Link, _ reading: Int, from path: [UInt8],
    _ resolver: LinkResolver
  ) -> [UInt8]? {
    let spelling = LinkSpelling(link, reading: reading)
    let names = LinkNames.targets(of: note, spelling.isWiki ? .name : .markdown, from: path)
    let leading = names.filter { name in
      let changed = link.with(target: spelling.target(name, isBracketed: false))
      let found = resolver.match(of: changed, from: path)
      return found.meaning == .note(place)
        && LinkSpelling(changed, reading: found.reading).suffix == spelling.suffix
    }
    return leading.first { resolver.isUnique(link.with(target: spelling.target($0, isBracketed: false))) }
      ?? leading.first
  }
}
