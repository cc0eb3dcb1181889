import Bytes
import NoteIndex
import Notes
import Platform
import SlipboxCore
import Text

/// All that the pages of a site need to know of more than one note: of a whole site read before the first page is made, of a
/// later export taken from the record of the last one.
struct SiteContents: Sendable {
  let map: SiteMap
  let notes: [SiteNote]
  /// The number of the note whose text is on the front page: the one with `permalink: /`, else `README.md`, `index.md` or
  /// `_index.md` at the root of the box; nil without such a file.
  let home: Int?
  /// The files of the search by words.
  let words: WordFiles
  let schema: Schema
  let states: RecordStates
  /// The addresses of the pages of tags, from the root of the site, by every spelling of a tag.
  private let tagAddresses: [String: String]
  let entries: Entries
  let rule: PublicationRule
  let hidden: HiddenNotes
  /// The linked files other than notes.
  let linked: SiteFiles.Linked
  /// Whether there is a block whose contents may be withheld.
  private let hasBakedBlocks: Bool
  /// Whether a line end inside a paragraph is a line break.
  let breaksLines: Bool
  /// The differences from the last export; nil if all pages are made.
  let changes: SiteChanges?
  /// The numbers of the notes whose pages are made, ascending.
  let stale: [Int]
  let published: PublishedNotes
  /// The backlinks of all notes; nil for a later export.
  private let backlinks: SiteBacklinks?
  private let computedTitles = Computed<RecordTitles, SlipboxError>()

  private static let partLength = 64

  /// Reads all notes of a site.
  ///
  /// - Parameter places: those of the notes in the catalogue, ascending.
  /// - Complexity: each note's text is read once here, and once more for its page.
  init(
    _ snapshot: BoxSnapshot, _ web: NoteWeb, _ places: [Int], _ rule: PublicationRule,
    _ withheld: WithheldBlocks
  ) throws(SlipboxError) {
    let entries = web.entries
    breaksLines = try snapshot.layout().breaksLines
    let read = try PublishedNoteReader.connections(web, places, rule, withheld)
    let linked = try SiteFiles.linked(SiteFiles.paths(read.connections), in: snapshot, rule)
    let hidden = HiddenNotes(
      entries, shown: places, files: linked.withheld, hasLocked: try !snapshot.lockedNotes().isEmpty)
    let reader = PublishedNoteReader(
      web: web, rule: rule, withheld: withheld, hidden: hidden, places: places)
    let items = zip(reader.published(places, read), read.connections).map {
      PublishedNotes.Item(note: $0, connections: PackedConnections($1))
    }
    let times = snapshot.modified(of: places.map { Match(entries, $0) })
    let facts = SiteNoteReader(snapshot, entries, places)
    notes = concurrentMap(Array(places.indices)) { number in
      facts.note(number, items[number].note, read.connections[number], times[number])
    }
    map = SiteMap(entries, exported: places, addresses: notes.map(\.address.page), files: linked.files)
    home = Self.home(notes, map, entries)
    Memory.giveBack()
    let gathered = Self.gathered(items, map, hidden, rule, entries)
    (words, backlinks) = (gathered.words, gathered.links)
    published = PublishedNotes(all: items, reader)
    (changes, stale) = (nil, Array(places.indices))
    (self.hidden, self.entries, self.rule) = (hidden, entries, rule)
    (self.linked, hasBakedBlocks) = (linked, withheld.hasBakedBlocks)
    schema = snapshot.schema()
    states = RecordStates(schema, clock: snapshot.clock, try snapshot.catalogue())
    tagAddresses = Self.tagAddresses(notes)
    SiteFiles.report(linked.withheld, to: snapshot.reporter)
    warnOfRefused(snapshot)
    Self.warnOfUnclosed(read.unclosed, snapshot.reporter)
    Memory.giveBack()
  }

  private static func gathered(
    _ items: [PublishedNotes.Item], _ map: SiteMap, _ hidden: HiddenNotes, _ rule: PublicationRule,
    _ entries: Entries
  ) -> (words: WordFiles, links: SiteBacklinks) {
    var index = WordIndex()
    var backlinks = SiteBacklinks(count: items.count)
    let starts = stride(from: 0, to: items.count, by: partLength)
    let parts = starts.map { $0..<min($0 + partLength, items.count) }
    concurrentStream(parts, ahead: 64) { part in
      part.map { number in
        let item = items[number]
        // Made each time: all at once, with their texts, they would fill the memory.
        let entry = item.note.entry ?? entries[map.places[number]]
        return GatheredNote(entry, item.connections.connections, map, hidden, rule, number)
      }
    } _: { gathered in
      for note in gathered {
        index.add(note.words, of: note.number)
        for (target, link) in note.links { backlinks.add(link, to: target) }
      }
    }
    return (WordFiles(&index, count: items.count), backlinks)
  }

  /// Reads the notes that changed since the last export, and takes the others from its record.
  ///
  /// - Parameter others: a hash of the files of the box that are no notes.
  /// - Returns: nil if the whole site has to be read.
  /// - Complexity: O(n) in the notes and their links; of the texts only those of changed notes and those beside them are read.
  init?(
    _ snapshot: BoxSnapshot, _ web: NoteWeb, _ rule: PublicationRule, _ withheld: WithheldBlocks,
    _ changes: SiteChanges, others: UInt64
  ) throws(SlipboxError) {
    let (entries, places) = (web.entries, changes.places)
    breaksLines = try snapshot.layout().breaksLines
    var changes = changes
    changes.add(places.indices.filter { withheld.mayBeBaked(entries.path(at: places[$0])) })
    if others != changes.record.head.others { changes.add(changes.loose()) }
    let names = changes.changed.map { number in
      let entry = entries[places[number]]
      return (number, SiteNote.names(of: entry.note, entry.kind))
    }
    let named = Set(names.filter { changes.recorded($0.0)?.names != $0.1 }.map(\.0))
    changes.add(changes.relinked(web, named.contains))
    guard changes.areFew else { return nil }
    let numbers = changes.changed
    let read = try PublishedNoteReader.connections(web, numbers.map { places[$0] }, rule, withheld)
    let paths = SiteFiles.paths(read.connections).union(changes.keptFiles())
    let linked = try SiteFiles.linked(paths, in: snapshot, rule)
    guard linked.key == changes.record.head.hiddenFiles else { return nil }
    hidden = HiddenNotes(
      entries, shown: places, files: linked.withheld, hasLocked: try !snapshot.lockedNotes().isEmpty)
    let reader = PublishedNoteReader(
      web: web, rule: rule, withheld: withheld, hidden: hidden, places: places)
    let items = zip(reader.published(numbers.map { places[$0] }, read), read.connections).map {
      PublishedNotes.Item(note: $0, connections: PackedConnections($1))
    }
    published = PublishedNotes(
      Dictionary(zip(numbers, items), uniquingKeysWith: { first, _ in first }), reader)
    let facts = SiteNoteReader(snapshot, entries, places)
    var notes: [SiteNote] = []
    notes.reserveCapacity(places.count)
    var next = 0
    for number in places.indices {
      if next < numbers.count, numbers[next] == number {
        notes.append(facts.note(number, items[next].note, read.connections[next], changes.times[number]))
        next += 1
      } else {
        notes.append(changes.kept(number))
      }
    }
    self.notes = notes
    map = SiteMap(
      entries, exported: places, addresses: notes.map(\.address.page), files: linked.files,
      known: changes.pages(notes))
    home = Self.home(notes, map, entries)
    stale = changes.stale(notes, map.pages, map.files)
    self.changes = changes
    backlinks = nil
    guard let words = changes.words(published, hidden, rule, entries) else { return nil }
    self.words = words
    (self.entries, self.rule) = (entries, rule)
    (self.linked, hasBakedBlocks) = (linked, withheld.hasBakedBlocks)
    schema = snapshot.schema()
    states = RecordStates(schema, clock: snapshot.clock, try snapshot.catalogue())
    tagAddresses = Self.tagAddresses(notes)
    SiteFiles.report(linked.withheld, to: snapshot.reporter)
    warnOfRefused(snapshot)
    Self.warnOfUnclosed(read.unclosed, snapshot.reporter)
  }

  private static func tagAddresses(_ notes: [SiteNote]) -> [String: String] {
    var addresses: [String: String] = [:]
    for number in notes.indices {
      for tag in notes[number].tags where addresses[tag] == nil {
        for name in TagName.lineage(of: tag) { addresses[name] = SafeAddress.path(SiteNames.tag(name)) }
      }
    }
    return addresses
  }

  private static func home(_ notes: [SiteNote], _ map: SiteMap, _ entries: Entries) -> Int? {
    notes.firstIndex { $0.address.isHome } ?? home(map.places.lazy.map { entries.path(at: $0) })
  }

  /// The numbers of the notes whose permalinks no page has, in order.
  var refused: [Int] {
    let own = notes.indices.filter { number in
      notes[number].address.isRefused || notes[number].address.isHome && number != home
    }
    return (own + map.refused).sorted()
  }

  /// Whether a mark can identify the site: nothing depends on the time of day, and no warning names a note.
  var isMarkable: Bool { !hasBakedBlocks && refused.isEmpty }

  private func warnOfRefused(_ snapshot: BoxSnapshot) {
    let refused = refused
    guard let first = refused.first else { return }
    let more: Phrase = refused.count > 1 ? " and \(refused.count - 1) more" : ""
    let reason: Phrase =
      notes[first].address.isRefused ? "is not a valid address" : "is the address of another page"
    snapshot.reporter.warn(
      "invalid or duplicate permalinks: \(Site.name(entry(first).note)), whose permalink \(reason)\(more); "
        + "these pages have the default addresses; \(slip: "export", "html", "--check") lists all"
    )
  }

  /// - Parameter unclosed: the lines of notes with marks `%%` that nothing closes.
  private static func warnOfUnclosed(_ unclosed: [Phrase], _ reporter: Reporter) {
    guard let first = unclosed.first else { return }
    let more: Phrase = unclosed.count > 1 ? " and \(unclosed.count - 1) more" : ""
    reporter.warn("no %% closes the one in \(first)\(more), so pages show the text after it")
  }

  /// The failure to read a note for a page; nil if there was none.
  var failure: SlipboxError? { published.failure }

  /// The note of a number as readers see it.
  func entry(_ number: Int) -> Entry { published[number].note.entry ?? entries[map.places[number]] }

  /// The links and references of a note, without those in comments and hidden fields. Each access makes them again.
  func connections(of number: Int) -> [Connection] { published[number].connections.connections }

  /// The backlinks of a note whose page is made, in the order of the linking notes.
  func backlinks(of number: Int) -> [SiteBacklink] {
    if let backlinks { return backlinks[number] }
    return (published.sources[number] ?? []).compactMap { source in
      let connections = connections(of: source)
      let text = PublicText(entry(source).note, connections, hidden)
      return GatheredNote.links(connections, text, map, source).first { $0.target == number }?.link
    }
  }

  /// The titles of the records that are on the site.
  ///
  /// - Complexity: O(n) when they are first used.
  func titles() throws(SlipboxError) -> RecordTitles {
    try computedTitles.value { () throws(SlipboxError) in
      let retitled = notes.indices.filter { notes[$0].isRetitled }
      var others = Set(entries.indices.filter { map.number(ofPlace: $0) == nil })
      others.formUnion(retitled.map { map.places[$0] })
      return RecordTitles(entries.replacing(others, with: retitled.map { entry($0) }), schema)
    }
  }

  /// Whether the page of a kind is a table of records.
  func isTable(_ kind: String) -> Bool {
    kind != "note" && schema.kind(named: kind).map { !$0.row.isEmpty } ?? false
  }

  /// Identifies the linked files that are not on the site.
  var hiddenFilesKey: UInt64 { linked.key }

  /// The formulas and the code of the notes as markup.
  var rendered: RenderedMarkup { published.rendered }

  /// Reads the notes that pages show, and has their formulas and code made, with those of the notes that they embed.
  ///
  /// - Parameters:
  ///   - numbers: the notes on all pages that are made.
  ///   - linked: the notes whose own pages are made.
  func prepare(
    _ numbers: Set<Int>, linked: [Int], _ programs: MarkupPrograms
  ) throws(SlipboxError) {
    if let changes { published.sources = changes.sources(of: linked, notes) }
    var (all, outer) = (numbers, numbers)
    for _ in 0..<Embedding.deepest {
      outer = Set(outer.flatMap { notes[$0].leads.links.filter(\.isEmbed).map(\.number) })
      all.formUnion(outer)
    }
    let sorted = all.sorted()
    try published.read(all.union(published.sources.values.joined()).sorted())
    published.rendered = RenderedMarkup(programs, sorted) { [self] in entry($0).note.textOrEmpty }
  }

  /// The anchors of the headings of a note, without the ids and paths of notes that are not on the site.
  func shownAnchors(_ anchors: HeadingAnchors, of number: Int) -> HeadingAnchors {
    guard !hidden.isEmpty, !anchors.headings.isEmpty else { return anchors }
    let text = PublicText(entry(number).note, connections(of: number), hidden)
    guard text.isShortened else { return anchors }
    let shown = HeadingAnchors(text.text)
    return shown.headings.count == anchors.headings.count ? shown : anchors
  }

  /// The title that a note has in its text.
  func writtenTitle(of number: Int) -> String { published[number].note.writtenTitle }

  /// The names of notes that are not on the site in fields that it would show.
  func hiddenNames(of number: Int) -> [HiddenNames.Name] {
    published[number].note.hidden.names.filter { name in
      ["title", "aliases", "alias"].contains(where: name.field.isSameName)
        || rule.shows(name.field, ofKind: notes[number].kind)
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
