import Bytes
import NoteIndex
import Notes
import Platform
import SlipboxCore
import Text

/// All that the pages of a site need to know of more than one note; read once, before the first page is made.
struct SiteContents: Sendable {
  let map: SiteMap
  let notes: [SiteNote]
  /// The number of the note whose text is on the front page: the one with `permalink: /`, else `README.md`, `index.md` or
  /// `_index.md` at the root of the box; nil without such a file.
  let home: Int?
  /// The numbers of the notes whose permalinks no page has, in order.
  let refused: [Int]
  /// Who links to each note, by numbers.
  let backlinks: SiteBacklinks
  /// The files of the search by words.
  let words: WordFiles
  let schema: Schema
  let states: RecordStates
  /// The titles of exported records alone.
  let titles: RecordTitles
  /// The addresses of the pages of tags, from the root of the site, by every spelling of a tag.
  private let tagAddresses: [String: String]
  let entries: Entries
  let rule: PublicationRule
  /// The formulas and the code of the notes as markup.
  var rendered = RenderedTexts()
  let hidden: HiddenNotes
  /// The notes as readers see them, by numbers.
  private let published: [PublishedNote]

  private static let partLength = 64

  /// Reads the notes at some places of the catalogue.
  ///
  /// - Complexity: each note's text is read once here, and once more for its page.
  init(
    _ snapshot: BoxSnapshot, _ web: NoteWeb, exported: [Int], _ rule: PublicationRule
  ) throws(SlipboxError) {
    let entries = web.entries
    let sorted = Set(exported).sorted()
    let withheld = try WithheldBlocks(snapshot, entries, shown: sorted)
    let uncommented = concurrentMap(sorted) { UncommentedNote(entries[$0], withheld).entry }
    let connections = try UncommentedNote.connections(web, sorted, uncommented, rule)
    let linked = try SiteFiles.linked(connections, in: snapshot, rule)
    let hidden = HiddenNotes(entries, shown: sorted, files: linked.withheld)
    published = Self.published(web, sorted, uncommented, connections, hidden)
    let published = published
    // Made each time: all at once, with their texts, they would fill the memory.
    let shown = { @Sendable (number: Int) in published[number].entry ?? entries[sorted[number]] }
    let times = snapshot.modified(of: sorted.map { Match(entries, $0) })
    let schema = snapshot.schema()
    let records = OpenRecords(snapshot)
    let read = concurrentMap(Array(sorted.indices)) { number in
      let entry = shown(number)
      let note = SiteNote(
        title: entry.note.title, day: entry.created.civilDate.description, kind: entry.kind,
        tags: entry.note.tags,
        modified: times[number], isOpen: records.isOpen(entry), connections: connections[number])
      return (note: note, address: NoteAddress(entry.note))
    }
    notes = read.map(\.note)
    let map = SiteMap(
      entries, exported: sorted, addresses: read.map(\.address.page),
      files: linked.files)
    home =
      read.indices.first { read[$0].address.isHome } ?? Self.home(sorted.lazy.map { entries.path(at: $0) })
    refused = (read.indices.filter { read[$0].address.isRefused } + map.refused).sorted()
    if let first = refused.first {
      let more: Phrase = refused.count > 1 ? " and \(refused.count - 1) more" : ""
      let reason: Phrase =
        read[first].address.isRefused ? "is not a valid address" : "is the address of another page"
      snapshot.reporter.warn(
        "invalid or duplicate permalinks: \(Site.name(shown(first).note)), whose permalink \(reason)\(more); "
          + "these pages have the default addresses; \(slip: "export", "html", "--check") lists all"
      )
    }
    Memory.giveBack()
    let known = notes
    var index = WordIndex()
    var backlinks = SiteBacklinks(count: sorted.count)
    let starts = stride(from: 0, to: sorted.count, by: Self.partLength)
    let parts = starts.map { $0..<min($0 + Self.partLength, sorted.count) }
    concurrentStream(parts, ahead: 64) { part in
      part.map { number in
        GatheredNote(shown(number), known[number].connections, map, hidden, rule, number)
      }
    } _: { gathered in
      for note in gathered {
        index.add(note.words, of: note.number)
        for (target, link) in note.links { backlinks.add(link, to: target) }
      }
    }
    self.map = map
    self.hidden = hidden
    self.backlinks = backlinks
    self.schema = schema
    states = RecordStates(schema, clock: snapshot.clock, try snapshot.catalogue())
    self.entries = entries
    self.rule = rule
    words = WordFiles(&index)
    let tags = Set(notes.flatMap { $0.tags.flatMap(TagPath.lineage) })
    tagAddresses = Dictionary(
      uniqueKeysWithValues: tags.map { ($0, SafeAddress.path(SiteNames.tag($0))) })
    let changed = published.compactMap(\.entry)
    let others = Set(entries.indices).subtracting(
      zip(sorted, published).compactMap { $1.entry == nil ? $0 : nil })
    titles = RecordTitles(entries.replacing(others, with: changed), schema)
    Memory.giveBack()
  }

  private static func published(
    _ web: NoteWeb, _ places: [Int], _ uncommented: [Entry?], _ connections: [[Connection]],
    _ hidden: HiddenNotes
  ) -> [PublishedNote] {
    let targets =
      hidden.isEmpty
      ? [[FieldTarget]](repeating: [], count: places.count)
      : web.fieldTargets(of: zip(places, uncommented).map { ($0, ($1 ?? web.entries[$0]).note) })
    return concurrentMap(Array(places.indices)) { number in
      PublishedNote(
        web.entries[places[number]], uncommented: uncommented[number], targets[number],
        connections[number], hidden)
    }
  }

  /// The note of a number as readers see it.
  func entry(_ number: Int) -> Entry { published[number].entry ?? entries[map.places[number]] }

  /// The anchors of the headings of a note, without the ids and paths of notes that are not on the site.
  func shownAnchors(_ anchors: HeadingAnchors, of number: Int) -> HeadingAnchors {
    guard !hidden.isEmpty, !anchors.headings.isEmpty else { return anchors }
    let text = PublicText(entry(number).note, notes[number].connections, hidden)
    guard text.isShortened else { return anchors }
    let shown = HeadingAnchors(text.text)
    return shown.headings.count == anchors.headings.count ? shown : anchors
  }

  /// The title that a note has in its text.
  func writtenTitle(of number: Int) -> String { published[number].writtenTitle }

  /// The names of notes that are not on the site in fields that it would show.
  func hiddenNames(of number: Int) -> [HiddenNames.Name] {
    published[number].hidden.names.filter { name in
      ["title", "aliases", "alias"].contains(where: name.field.isSameName)
        || rule.shows(name.field, ofKind: notes[number].kind)
    }
  }

  /// Whether a note, by its place, has a connection to another one outside of comments and hidden fields.
  func connects(_ source: Int, to target: Int, by field: String?) -> Bool {
    guard let number = map.number(ofPlace: source) else { return false }
    if let field { return rule.shows(field, ofKind: notes[number].kind) }
    if published[number].entry == nil { return true }
    return notes[number].connections.contains { connection in
      if case .note(target) = connection.target { connection.field == nil } else { false }
    }
  }

  /// Whether the page of a note shows a field.
  func shows(_ field: FrontMatterField, of number: Int) -> Bool {
    rule.shows(field.name, ofKind: notes[number].kind)
  }

  /// The address of the page of a tag, from the root of the site.
  func address(ofTag name: String) -> String {
    tagAddresses[name] ?? SafeAddress.path(SiteNames.tag(name))
  }

  /// The text of the note at a place of the catalogue.
  func text(ofPlace place: Int) -> NoteText { entries[place].note.textOrEmpty }
}

/// What other pages say of a note.
struct SiteNote: Sendable {
  let title: String
  /// The day on which it was made, by its own clock.
  let day: String
  let kind: String
  let tags: [String]
  let modified: Timestamp
  /// Whether there is something left to do; true for a plain note.
  let isOpen: Bool
  private let packed: PackedConnections

  /// Its links and references. Each access makes them again.
  var connections: [Connection] { packed.connections }

  init(
    title: String, day: String, kind: String, tags: [String], modified: Timestamp, isOpen: Bool,
    connections: [Connection]
  ) {
    self.title = title
    self.day = day
    self.kind = kind
    self.tags = tags
    self.modified = modified
    self.isOpen = isOpen
    packed = PackedConnections(connections)
  }
}

/// A note that links or refers to another one.
struct SiteBacklink: Sendable {
  /// The number of the note that holds the links.
  let source: Int
  /// The fields in which they stand, without those of the text.
  var fields: [String]
  /// The sentences around those of the text.
  var sentences: [Snippet]
}

/// Who links to each note, by numbers. The links are packed: the sentences of a large box would fill the memory.
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

/// What one note has to say on the pages of others: its words for the search, and its links with their sentences.
struct GatheredNote: Sendable {
  let number: Int
  /// The folded words of its text and of its fields, each once.
  let words: Set<[UInt8]>
  /// Its links by the numbers of the notes that they lead to, each of them once.
  let links: [(target: Int, link: SiteBacklink)]

  init(
    _ entry: Entry, _ connections: [Connection], _ map: SiteMap, _ hidden: HiddenNotes,
    _ rule: PublicationRule, _ number: Int
  ) {
    let shown = PublicText(entry.note, connections, hidden)
    let text = shown.text
    self.number = number
    let fields = NoteColumn.otherFields(of: entry.note).filter {
      rule.shows($0.name, ofKind: entry.kind)
    }
    words = WordIndex.words(of: fields, text)
    var links: [(target: Int, link: SiteBacklink)] = []
    var places: [Int: Int] = [:]
    let finder = SentenceFinder(text)
    for connection in connections {
      guard case .note(let place) = connection.target, let target = map.number(ofPlace: place)
      else {
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

/// A note without the contents of its comments, which are for the writer alone, and of the lists that are withheld.
struct UncommentedNote: Sendable {
  /// The note; nil if it has none of these.
  let entry: Entry?

  init(_ entry: Entry, _ withheld: WithheldBlocks) {
    let text = entry.note.textOrEmpty
    let comments = BodyComments.all(in: text)
    let shown = BodyComments.removed(comments, from: withheld.blanked(text, of: entry.note))
    guard shown.bytes != text.bytes else {
      self.entry = nil
      return
    }
    self.entry = Entry(
      note: Note(path: entry.note.path, text: shown), created: entry.created, kind: entry.kind)
  }

  /// The connections of some notes, as they are without comments and hidden fields.
  ///
  /// A comment may hide where code begins, so the links of a note with comments are those of the rest of its text.
  static func connections(
    _ web: NoteWeb, _ places: [Int], _ published: [Entry?], _ rule: PublicationRule
  ) throws(SlipboxError) -> [[Connection]] {
    var all = try web.connections(from: places)
    let changed = places.indices.filter { published[$0] != nil }
    let notes = changed.compactMap { number in published[number].map { (places[number], $0.note) } }
    for (number, connections) in zip(changed, try web.connections(from: notes)) {
      all[number] = connections
    }
    return zip(places, all).map { place, connections in
      let kind = connections.contains { $0.field != nil } ? web.entries[place].kind : ""
      return connections.filter { $0.field.map { rule.shows($0, ofKind: kind) } ?? true }
    }
  }
}
