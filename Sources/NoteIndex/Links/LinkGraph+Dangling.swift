package import Notes

extension LinkGraph {
  /// The links that lead to no note, by the places of the notes that hold them, ascending; a file may be meant.
  ///
  /// - Complexity: O(n) in all notes and their links.
  package func dangling() -> [(place: Int, links: [BodyScan.Link])] {
    let resolver = resolver()
    return chunks { [entries] place in
      guard entries.mayLink(at: place) else { return nil }
      let path = entries.path(at: place)
      let links = entries.links(at: place).filter { resolver.meaning(of: $0, from: path) == .dangling }
      return links.isEmpty ? nil : (place, links)
    }
  }
}
