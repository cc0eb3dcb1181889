import Bytes
import NoteIndex
import Notes
import Platform
import SlipboxCore

/// A note of a site whose text alone was edited since the last export.
struct EditedNote: Sendable {
  let number: Int
  let old: SiteRecord.Item
  let content: ContentID
  let facts: SiteNote
  /// The note as readers see it.
  let item: PublishedNotes.Item
  let entry: Entry
}

/// Reads notes that were edited since the last export of a site.
struct EditedNoteReader: Sendable {
  let draft: SiteDraft
  let reader: PublishedNoteReader
  private let recorded: RecordedNotes
  private let places: [Int]

  /// - Parameter shown: the places of the notes of the site, ascending.
  init(
    _ draft: SiteDraft, _ linked: SiteFiles.Linked, shown: [Int], _ recorded: RecordedNotes
  ) throws(SlipboxError) {
    let web = try NoteWeb(draft.snapshot)
    let hidden = HiddenNotes(web.entries, shown: shown, files: linked.withheld)
    reader = PublishedNoteReader(
      web: web, rule: draft.rule, withheld: WithheldBlocks(), hidden: hidden, places: shown)
    (self.draft, self.recorded, places) = (draft, recorded, shown)
  }

  private func number(ofPlace place: Int) -> Int? {
    var (low, high) = (0, places.count)
    while low < high {
      let middle = (low + high) / 2
      if places[middle] < place { low = middle + 1 } else { high = middle }
    }
    return low < places.count && places[low] == place ? low : nil
  }

  /// The edited notes; nil if one of them differs in more than its text, or is not on the site.
  ///
  /// - Parameter edited: their places in the catalogue.
  func notes(at edited: [Int]) throws(SlipboxError) -> [EditedNote]? {
    let entries = reader.web.entries
    let snapshot = draft.snapshot
    let numbers = edited.compactMap(number)
    guard numbers.count == edited.count,
      let contents = SnapshotMarks(of: snapshot).contentIDs(at: edited, of: entries)
    else {
      return nil
    }
    let olds = numbers.map { recorded.item($0) }
    for (place, old) in zip(edited, olds) {
      guard old.path == entries.path(at: place), old.created == entries.created(at: place),
        try mayBeShown(entries[place])
      else { return nil }
    }
    let read = try PublishedNoteReader.connections(reader.web, edited, reader.rule, reader.withheld)
    let items = zip(reader.published(edited, read), read.connections).map {
      PublishedNotes.Item(note: $0, connections: PackedConnections($1))
    }
    let times = snapshot.modified(of: edited.map { Match(entries, $0) })
    let facts = SiteNoteReader(snapshot, entries, places)
    var notes: [EditedNote] = []
    for (index, number) in numbers.enumerated() {
      let new = facts.note(number, items[index].note, read.connections[index], times[index])
      guard new.isSameToLists(as: olds[index].note) else { return nil }
      notes.append(
        EditedNote(
          number: number, old: olds[index], content: contents[index], facts: new, item: items[index],
          entry: items[index].note.entry ?? entries[edited[index]]))
    }
    return notes
  }

  /// Whether a note is on the site, without conflicts and lists that other notes are in.
  private func mayBeShown(_ entry: Entry) throws(SlipboxError) -> Bool {
    let text = try entry.note.text
    return try draft.rule.withheld(entry) == nil && entry.note.frontMatter["conflicts"] == nil
      && !text.hasSeveralVersions
      && (reader.hidden.isEmpty || BakedBlock.all(in: text).isEmpty)
      && !sortsByTime(draft.snapshot.schema().kind(named: entry.kind))
  }

  /// Whether a kind has an order that edits of texts change.
  private func sortsByTime(_ kind: Kind?) -> Bool {
    kind?.sort?.contains("modified") ?? false
  }

  /// The words of notes as they were at the last export; nil if git does not have one of them.
  func words(ofOld notes: [EditedNote]) throws(SlipboxError) -> [Set<[UInt8]>]? {
    let shown = notes.compactMap { note -> Entry? in
      if note.content == note.old.content { return note.entry }
      guard let bytes = draft.snapshot.blob(note.old.content) else { return nil }
      let old = Note(path: note.old.path, text: NoteText(bytes))
      let raw = Entry(note: old, created: note.old.created, kind: note.old.note.kind)
      return UncommentedNote(raw, reader.withheld).entry ?? raw
    }
    guard shown.count == notes.count else { return nil }
    // Without hidden notes all words of a text are shown, whatever its links mean.
    if reader.hidden.isEmpty { return shown.map { words(of: $0, []) } }
    let places = notes.map { self.places[$0.number] }
    let all = try reader.web.connections(from: zip(places, shown).map { ($0, $1.note) })
    let visible = zip(shown, all).map { entry, connections in
      connections.filter { $0.field.map { reader.rule.shows($0, ofKind: entry.kind) } ?? true }
    }
    let published = reader.published(places, (shown, visible))
    return published.indices.map { words(of: published[$0].entry ?? shown[$0], visible[$0]) }
  }

  /// The words of a note as it is.
  func words(of note: EditedNote) -> Set<[UInt8]> { words(of: note.entry, note.item.connections.connections) }

  private func words(of entry: Entry, _ connections: [Connection]) -> Set<[UInt8]> {
    GatheredNote.words(entry, PublicText(entry.note, connections, reader.hidden), reader.rule)
  }
}

extension SiteNote {
  /// Whether lists, tables and other pages say the same of it, whatever its text.
  fileprivate func isSameToLists(as other: SiteNote) -> Bool {
    let isRecord = kind != "note"
    return isSameToOthers(as: other) && day == other.day
      && tags.elementsEqual(other.tags, by: { $0.hasSameBytes(as: $1) })
      && names == other.names && isRetitled == other.isRetitled && !hasPastNames && !other.hasPastNames
      && (!isRecord || fields == other.fields && leads.links == other.leads.links)
      && leads.hiddenEmbeds.isEmpty && other.leads.hiddenEmbeds.isEmpty
      && Set(leads.files) == Set(other.leads.files)
  }
}

/// The links between the notes of a site: those of a record but for those of edited notes.
struct SiteLinks: Sendable {
  private let recorded: ByteSlice
  private let edited: [Int: [SiteLink]]
  private let count: Int

  init(_ recorded: ByteSlice, replacing notes: [EditedNote], count: Int) {
    self.recorded = recorded
    self.count = count
    edited = Dictionary(uniqueKeysWithValues: notes.map { ($0.number, $0.facts.leads.links) })
  }

  /// The links to some notes, in the order of their sources.
  private func links(to numbers: some Sequence<Int>) -> [RecordedLinks.Link] {
    var isWanted = [Bool](repeating: false, count: count)
    for number in numbers { isWanted[number] = true }
    var found = RecordedLinks.links(in: recorded, to: isWanted).filter { edited[$0.source] == nil }
    for (source, links) in edited.sorted(by: { $0.key < $1.key }) {
      for link in links where isWanted[link.number] {
        found.append(RecordedLinks.Link(source: source, link))
      }
    }
    let order = found.indices.sorted { (found[$0].source, $0) < (found[$1].source, $1) }
    return order.map { found[$0] }
  }

  /// The numbers of the notes that link to each of some notes, ascending.
  func sources(of numbers: [Int]) -> [Int: [Int]] {
    var sources: [Int: [Int]] = [:]
    for link in links(to: numbers) where !link.isAmbiguous {
      if sources[link.target]?.last != link.source { sources[link.target, default: []].append(link.source) }
    }
    return sources
  }

  /// The numbers of the notes whose pages have to be rewritten.
  func stale(_ notes: [EditedNote]) -> Set<Int> {
    let text = Set(notes.map(\.number))
    var showing = text
    var embedded = text
    for link in links(to: text) where link.isEmbed || link.isToPart { showing.insert(link.source) }
    embedded = showing
    // The notes that embed one of them, and those that embed these.
    while !embedded.isEmpty {
      let embedding = links(to: embedded).filter(\.isEmbed).map(\.source)
      embedded = Set(embedding.filter { showing.insert($0).inserted })
    }
    // The notes that they link to, or did, whose pages list them.
    var stale = showing
    for note in notes {
      stale.formUnion(note.facts.leads.links.map(\.number))
      stale.formUnion(note.old.note.leads.links.map(\.number))
    }
    return stale
  }
}

/// The edits of the files of the search by words.
struct WordEdits: Sendable {
  private let new: [Int: Set<[UInt8]>]
  private let files: Set<String>
  private let changes: WordIndexChanges

  /// Nil if the former words of a note are not known.
  ///
  /// - Parameter known: the words of notes at the last export, by numbers.
  init?(
    _ reader: EditedNoteReader, _ notes: [EditedNote], _ known: [Int: Set<[UInt8]>], count: Int
  ) throws(SlipboxError) {
    var (new, files): ([Int: Set<[UInt8]>], Set<String>) = ([:], [])
    var known = known
    let unknown = notes.filter { known[$0.number] == nil }
    guard let read = try reader.words(ofOld: unknown) else { return nil }
    for (note, words) in zip(unknown, read) { known[note.number] = words }
    for note in notes {
      let words = reader.words(of: note)
      new[note.number] = words
      for word in words.symmetricDifference(known[note.number] ?? []) {
        files.insert(WordIndex.file(of: word))
      }
    }
    (self.new, self.files) = (new, files)
    var numbers = Array(0..<count)
    for note in notes { numbers[count - 1 - note.number] = -1 }
    changes = WordIndexChanges(
      numbers,
      words: new.sorted { $0.key > $1.key }.map { (number: count - 1 - $0.key, words: $0.value) })
  }

  /// The files that differ; nil if one is new, or has no words left.
  func pages(_ read: @escaping @Sendable (_ path: [UInt8]) -> [UInt8]?) -> [SitePage]? {
    let pages = concurrentMap(files.sorted()) { name -> SitePage? in
      let path = WordFiles.path(name)
      guard let old = read(path), let bytes = changes.bytes(of: name, old), !bytes.isEmpty else {
        return nil
      }
      return SitePage(path, .bytes(bytes))
    }
    let made = pages.compactMap { $0 }
    return made.count == pages.count ? made : nil
  }

  /// The words of the notes that exports have read again.
  func words(_ known: [Int: Set<[UInt8]>]) -> [Int: Set<[UInt8]>] {
    let words = known.merging(new) { $1 }
    return words.count <= RecordedWords.most ? words : new
  }
}

extension LinkPreviews {
  /// The files with the first lines of some notes; nil if an old file can't be read.
  func edited(
    _ notes: [EditedNote], _ contents: SiteContents, _ read: (_ path: [UInt8]) -> [UInt8]?
  ) -> [SitePage]? {
    let pages = contents.map.pages
    let files = Dictionary(grouping: notes) { Self.file(ofPage: pages[$0.number], among: count) }
    var made: [SitePage] = []
    for (file, notes) in files.sorted(by: { $0.key < $1.key }) {
      var texts: [[UInt8]: [UInt8]] = [:]
      for note in notes {
        let description = PageFacts.description(of: note.number, in: contents)
        texts[Self.written(SafeAddress.path(pages[note.number]))] = Self.written(description)
      }
      let path = Self.path(file)
      guard let old = read(path), let new = Self.edited(old, file, texts) else { return nil }
      if new != old { made.append(SitePage(path, .bytes(new))) }
    }
    return made
  }

  private static func written(_ text: String) -> [UInt8] {
    var writer = JSONWriter()
    writer.string(text)
    return writer.takeBytes()
  }

  /// A file with other first lines of some notes; nil if it has others or is damaged.
  private static func edited(_ old: [UInt8], _ file: Int, _ texts: [[UInt8]: [UInt8]]) -> [UInt8]? {
    let (head, tail) = (Array("slipPreviews(\"\(file)\",[".utf8), Array("]);\n".utf8))
    guard old.starts(with: head), old.count >= head.count + tail.count, old.suffix(tail.count) == tail[...]
    else { return nil }
    var (new, position, done, left) = ([UInt8](), head.count, 0, texts.count)
    let end = old.count - tail.count
    while position < end {
      var parts: [Range<Int>] = []
      for _ in 0..<3 {
        if position > head.count {
          guard old[position] == UInt8(ascii: ",") else { return nil }
          position += 1
        }
        guard let next = self.end(ofText: position, in: old[..<end]) else { return nil }
        parts.append(position..<next)
        position = next
      }
      guard let text = texts[Array(old[parts[0]])] else { continue }
      new += old[done..<parts[2].lowerBound] + text
      done = parts[2].upperBound
      left -= 1
    }
    return left == 0 ? new + old[done...] : nil
  }

  /// The offset behind a text in quotes; nil without one.
  private static func end(ofText start: Int, in bytes: ArraySlice<UInt8>) -> Int? {
    guard start < bytes.endIndex, bytes[start] == UInt8(ascii: "\"") else { return nil }
    var position = start + 1
    while position < bytes.endIndex {
      switch bytes[position] {
      case UInt8(ascii: "\""): return position + 1
      case UInt8(ascii: "\\"): position += 2
      default: position += 1
      }
    }
    return nil
  }
}
