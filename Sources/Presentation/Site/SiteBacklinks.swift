import Bytes
import NoteIndex
import Notes
import SlipboxCore

/// A note that links or refers to another one.
struct SiteBacklink: Sendable {
  /// The number of the note that holds the links.
  let source: Int
  /// The fields with the references, without those of the text.
  var fields: [String]
  /// The sentences around those of the text.
  var sentences: [Snippet]
}

/// The backlinks of all notes of a site, by numbers. They are packed, because the sentences of a large box would fill the memory.
struct SiteBacklinks: Sendable {
  private var packed: [[UInt8]]

  init(count: Int) { packed = [[UInt8]](repeating: [], count: count) }

  mutating func add(_ link: SiteBacklink, to target: Int) {
    var packer = BytePacker()
    packer.append(link.source)
    packer.append(link.fields.count)
    for field in link.fields { packer.append(field.utf8) }
    packer.append(link.sentences.count)
    for sentence in link.sentences {
      packer.append(sentence.line)
      packer.append(sentence.text.utf8)
      packer.append(sentence.highlights.count)
      for range in sentence.highlights {
        packer.append(range.lowerBound)
        packer.append(range.count)
      }
    }
    packed[target] += packer.bytes
  }

  /// The links to a note, in the order of their sources.
  subscript(number: Int) -> [SiteBacklink] {
    packed[number].withUnsafeBytes { bytes in
      var unpacker = ByteUnpacker(bytes)
      var links: [SiteBacklink] = []
      while !unpacker.isAtEnd, let link = Self.link(&unpacker) { links.append(link) }
      return links
    }
  }

  private static func link(_ unpacker: inout ByteUnpacker) -> SiteBacklink? {
    guard let source = unpacker.number() else { return nil }
    let fields = (0..<(unpacker.number() ?? 0)).compactMap { _ in unpacker.text() }
    let sentences = (0..<(unpacker.number() ?? 0)).map { _ in
      let (line, text) = (unpacker.number() ?? 0, unpacker.text() ?? "")
      let highlights = (0..<(unpacker.number() ?? 0)).map { _ in
        let start = unpacker.number() ?? 0
        return start..<start + (unpacker.number() ?? 0)
      }
      return Snippet(line: line, text: text, highlights: highlights)
    }
    return SiteBacklink(source: source, fields: fields, sentences: sentences)
  }
}

/// The parts of a note that other files show: its words for the search, and its links with their sentences.
struct GatheredNote: Sendable {
  let number: Int
  /// The folded words of its text and of its fields, each once.
  let words: Set<[UInt8]>
  /// Its links by the numbers of the other notes that they lead to, each of them once.
  let links: [(target: Int, link: SiteBacklink)]

  init(
    _ entry: Entry, _ connections: [Connection], _ map: SiteMap, _ hidden: HiddenNotes,
    _ rule: PublicationRule, _ number: Int
  ) {
    let shown = PublicText(entry.note, connections, hidden)
    self.number = number
    words = Self.words(entry, shown, rule)
    links = Self.links(connections, shown, map, number)
  }

  /// The folded words of a note's text and of its fields.
  static func words(_ entry: Entry, _ shown: PublicText, _ rule: PublicationRule) -> Set<[UInt8]> {
    let fields = NoteColumn.otherFields(of: entry.note).filter {
      rule.shows($0.name, ofKind: entry.kind)
    }
    // Aliases may be titles that the note had while it was hidden.
    return WordIndex.words(of: fields, shown.text)
  }

  /// The links of a note by the numbers of the notes that they lead to, each of them once.
  static func links(
    _ connections: [Connection], _ shown: PublicText, _ map: SiteMap, _ number: Int
  ) -> [(target: Int, link: SiteBacklink)] {
    var links: [(target: Int, link: SiteBacklink)] = []
    var places: [Int: Int] = [:]
    let unshown = UnshownText(shown.text).all
    let finder = SentenceFinder(shown.text.blanking(unshown))
    for connection in connections {
      guard case .note(let place) = connection.target, let target = map.number(ofPlace: place),
        target != number
      else { continue }
      let index = places[target] ?? links.count
      if index == links.count {
        places[target] = index
        links.append((target, SiteBacklink(source: number, fields: [], sentences: [])))
      }
      if let field = connection.field {
        if !links[index].link.fields.contains(field) { links[index].link.fields.append(field) }
      } else {
        let place = shown.place(connection.range)
        guard !unshown.contains(where: { $0.contains(place.lowerBound) }) else { continue }
        links[index].link.sentences.append(finder.snippet(around: place, line: connection.line))
      }
    }
    return links.filter { !$0.link.fields.isEmpty || !$0.link.sentences.isEmpty }
  }
}
