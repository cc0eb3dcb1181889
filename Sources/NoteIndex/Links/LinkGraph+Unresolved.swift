import Notes

extension LinkGraph {
  /// The links that lead to no note or to several, or that name a part of one, by the places of the notes that hold them,
  /// ascending; if one leads to no note, a file may be meant, and a part may be missing.
  ///
  /// - Complexity: O(n) in all notes and their links.
  package func uncertain() -> [(place: Int, links: [ResolvedLink])] {
    let resolver = resolver()
    return chunks { [entries] place in
      guard entries.mayLink(at: place) else { return nil }
      let path = entries.path(at: place)
      let links = entries.links(at: place).compactMap { link -> ResolvedLink? in
        let match = resolver.match(of: link, from: path)
        let resolved = ResolvedLink(link: link, meaning: match.meaning, reading: match.reading)
        switch match.meaning {
        case .dangling, .ambiguous: return resolved
        case .note, .itself: return LinkedPart(resolved) == nil ? nil : resolved
        case .url: return nil
        }
      }
      return links.isEmpty ? nil : (place, links)
    }
  }

  /// The notes that each note links to by the links of its body and of its front-matter, by the places of the notes that
  /// have any, ascending. A note that is linked to twice is there twice, the note itself never.
  ///
  /// - Complexity: O(n) in all notes and their links.
  package func targets() -> [(place: Int, targets: [LinkedPlace])] {
    let resolver = resolver()
    return chunks { [entries] place in
      guard entries.mayLink(at: place) else { return nil }
      let (path, body) = (entries.path(at: place), entries.bodyStart(at: place))
      let targets = entries.links(at: place).compactMap { link -> LinkedPlace? in
        guard case .note(let target) = resolver.meaning(of: link, from: path), target != place else {
          return nil
        }
        return LinkedPlace(
          place: target, fieldOffset: link.range.lowerBound < body ? link.range.lowerBound : nil)
      }
      return targets.isEmpty ? nil : (place, targets)
    }
  }
}

/// A note that another one links to.
package struct LinkedPlace: Sendable {
  /// The place of the note in the catalogue.
  package let place: Int
  /// Where the link stands in the front-matter, in bytes of the file; nil for one of the body.
  package let fieldOffset: Int?
}
