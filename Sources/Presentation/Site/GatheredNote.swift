import NoteIndex
import Notes
import SlipboxCore

/// What one note has to say on the pages of others: its words for the search, and its links with their sentences.
struct GatheredNote: Sendable {
  let number: Int
  /// The folded words of its text and of its fields, each once.
  let words: Set<[UInt8]>
  /// Its links by the numbers of the notes that they lead to, each of them once.
  let links: [(target: Int, link: SiteBacklink)]

  init(_ note: Note, _ connections: [Connection], _ map: SiteMap, _ number: Int) {
    let shown = PublicText(note, connections, map)
    let text = shown.text
    self.number = number
    words = WordIndex.words(of: note, text, hiding: HiddenReferences(connections, map))
    var links: [(target: Int, link: SiteBacklink)] = []
    var places: [Int: Int] = [:]
    let finder = SentenceFinder(text)
    for connection in connections {
      guard case .note(let place) = connection.target, let target = map.number(ofPlace: place) else {
        continue
      }
      let index = places[target] ?? links.count
      if index == links.count {
        places[target] = index
        links.append((target, SiteBacklink(source: number, fields: [], sentences: [])))
      }
      if let field = connection.field {
        if !links[index].link.fields.contains(field) { links[index].link.fields.append(field) }
      } else {
        links[index].link.sentences.append(
          finder.snippet(around: shown.place(connection.range), line: connection.line))
      }
    }
    self.links = links
  }
}
