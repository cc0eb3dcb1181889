import Bytes
import NoteIndex
import Notes
package import Platform
import SlipboxCore

/// A site as its last export left it.
package struct EarlierSite: Sendable {
  let record: SiteRecord
  private let isIntact: @Sendable (_ path: [UInt8], _ output: SiteRecord.Output) -> Bool
  private let bytes: @Sendable (_ path: [UInt8]) -> [UInt8]?

  /// - Parameters:
  ///   - isIntact: whether a file of the site is still in a state.
  ///   - bytes: reads a file of the site.
  package init(
    _ record: SiteRecord, isIntact: @escaping @Sendable (_ path: [UInt8], _ stamp: FileStamp) -> Bool,
    bytes: @escaping @Sendable (_ path: [UInt8]) -> [UInt8]?
  ) {
    (self.record, self.bytes) = (record, bytes)
    self.isIntact = { path, output in isIntact(path, output.stamp) }
  }

  /// - Parameters:
  ///   - areIntact: whether the files of the record are as the export left them, in the order of the record.
  ///   - bytes: reads a file of the site.
  package init(
    _ record: SiteRecord, areIntact: [Bool], bytes: @escaping @Sendable (_ path: [UInt8]) -> [UInt8]?
  ) {
    (self.record, self.bytes) = (record, bytes)
    isIntact = { _, output in areIntact.indices.contains(output.number) && areIntact[output.number] }
  }

  /// Whether a file of the site is as the export left it.
  func holds(_ path: [UInt8]) -> Bool { record.outputs[path].map { isIntact(path, $0) } ?? false }

  /// Whether a file of the record is as the export left it.
  func holds(_ path: [UInt8], _ output: SiteRecord.Output) -> Bool { isIntact(path, output) }

  /// The bytes of a file of the site; nil if it is no longer as the export left it.
  func read(_ path: [UInt8]) -> [UInt8]? { holds(path) ? bytes(path) : nil }
}

/// The notes of a site, and which of them its last export had with the same contents.
struct SiteChanges: Sendable {
  /// More changed notes than one in so many are read with all others.
  private static let share = 8
  /// So many changed notes are always few.
  private static let few = 32

  let earlier: EarlierSite
  /// The numbers in the record, by the numbers of the notes; -1 for a note that it does not have.
  let former: [Int]
  /// The numbers of the notes, by those in the record; -1 for a note that is gone.
  let present: [Int]
  /// Whether the record has the same notes, in whatever order.
  let isSameSet: Bool
  /// Whether the numbers are those of the record too.
  let isSameOrder: Bool
  /// Whether a note has another creation date than in the record.
  private let isRedated: Bool
  /// The contents of the notes.
  let contents: [ContentID]
  /// The times of the last changes of the notes.
  let times: [Timestamp]
  /// The notes that are new, or whose content, date or kind differs, ascending.
  private(set) var changed: [Int]
  /// The notes of which the time of the last change alone differs.
  let touched: [Int]

  var record: SiteRecord { earlier.record }

  /// The places of the notes in the catalogue, ascending.
  let places: [Int]
  /// The notes that the site leaves out, by their places.
  let withheld: [Int: WithheldNote]

  /// Nil if so many notes changed that all are read, or if one can't be compared.
  ///
  /// - Parameter matches: the notes that the query finds, in the order of the catalogue.
  /// - Complexity: O(n), without making notes that did not change.
  init?(
    _ earlier: EarlierSite, _ entries: Entries, _ matches: [Int], _ snapshot: BoxSnapshot,
    _ rule: PublicationRule
  ) throws(SlipboxError) {
    guard let contents = SnapshotMarks(of: snapshot).contentIDs(at: matches, of: entries) else { return nil }
    let items = earlier.record.items
    let paths = matches.map { entries.path(at: $0) }
    let former = Self.former(items, paths)
    let mayEncrypt = rule.mayEncrypt(paths)
    let isSame = matches.indices.map { index in
      guard former[index] >= 0 else { return false }
      let item = items[former[index]]
      return item.content == contents[index] && item.created == entries.created(at: matches[index])
        && item.note.kind == entries.kind(at: matches[index])
    }
    // A note that was on the site and did not change is on it again.
    let others = matches.indices.filter { !isSame[$0] || mayEncrypt && rule.isEncrypted(paths[$0]) }
    guard others.count <= Self.most(of: matches.count) + earlier.record.head.withheldCount else { return nil }
    let reasons = try concurrentMap(throwing: others) { (index) throws(SlipboxError) in
      try rule.withheld(entries[matches[index]])
    }
    var withheld: [Int: WithheldNote] = [:]
    for (index, reason) in zip(others, reasons) { withheld[matches[index]] = reason }
    let shown = matches.indices.filter { withheld[matches[$0]] == nil }
    self.earlier = earlier
    self.withheld = withheld
    places = shown.map { matches[$0] }
    self.contents = shown.map { contents[$0] }
    times = snapshot.modified(of: places.map { Match(entries, $0) })
    self.former = shown.map { former[$0] }
    var present = [Int](repeating: -1, count: items.count)
    for (number, index) in shown.enumerated() where former[index] >= 0 { present[former[index]] = number }
    self.present = present
    isSameSet = !self.former.contains(-1) && !present.contains(-1)
    isSameOrder = isSameSet && self.former.enumerated().allSatisfy { $0.offset == $0.element }
    isRedated = shown.contains { index in
      former[index] >= 0 && items[former[index]].created != entries.created(at: matches[index])
    }
    // On another day a record may be open or done without a change.
    let isLater = earlier.record.head.day != snapshot.clock.today.description
    let records = OpenRecords(snapshot)
    changed = shown.indices.filter { number in
      guard isSame[shown[number]] else { return true }
      let note = items[former[shown[number]]].note
      return isLater && note.kind != "note" && note.isOpen != records.isOpen(entries[matches[shown[number]]])
    }
    let times = times
    touched = shown.indices.filter { number in
      let old = former[shown[number]]
      return isSame[shown[number]] && items[old].note.modified != times[number]
    }
    guard areFew else { return nil }
  }

  private static func most(of count: Int) -> Int { max(few, count / share) }

  /// Whether so few notes differ that reading them alone pays.
  var areFew: Bool {
    max(changed.count, touched.count, present.count { $0 < 0 }) <= Self.most(of: former.count)
  }

  /// The numbers in a record of notes with some paths. Both are mostly in the same order.
  private static func former(_ items: [SiteRecord.Item], _ paths: [[UInt8]]) -> [Int] {
    var known: [[UInt8]: Int]?
    var next = 0
    return paths.map { path in
      if next < items.count, items[next].path == path {
        next += 1
        return next - 1
      }
      if known == nil {
        known = Dictionary(items.enumerated().map { ($1.path, $0) }, uniquingKeysWith: { first, _ in first })
      }
      guard let old = known?[path] else { return -1 }
      next = old + 1
      return old
    }
  }

  /// The paths of the pages; nil if the record has other notes, or other addresses or dates of theirs.
  ///
  /// - Parameter notes: the facts of all notes.
  func pages(_ notes: [SiteNote]) -> [[UInt8]]? {
    guard isSameSet, !isRedated, changed.allSatisfy({ recorded($0)?.address == notes[$0].address })
    else { return nil }
    return former.map { record.items[$0].page }
  }

  /// The facts of a note in the record; nil for a new note.
  func recorded(_ number: Int) -> SiteNote? {
    former[number] < 0 ? nil : record.items[former[number]].note
  }

  /// The facts of a note that was not read again.
  func kept(_ number: Int) -> SiteNote {
    var note = record.items[former[number]].note
    note.modified = times[number]
    if !isSameOrder { note.leads.links = note.leads.links.map { $0.to(present[$0.number]) } }
    return note
  }

  /// The bytes of a run of notes in the record if they are as they were; nil for another run.
  ///
  /// - Parameter pages: the paths of the pages of the notes.
  func run(_ run: Int, _ pages: [[UInt8]]) -> ByteSlice? {
    let start = run * SiteRecordBytes.runLength
    let numbers = start..<min(start + SiteRecordBytes.runLength, pages.count)
    guard isSameOrder, record.runs.indices.contains(run), record.items.first?.mentions == nil,
      !changed.contains(where: { numbers.contains($0) }), !touched.contains(where: { numbers.contains($0) }),
      numbers.allSatisfy({ record.items[$0].page == pages[$0] })
    else { return nil }
    return record.runs[run]
  }

  /// Adds notes that have to be read again although they did not change.
  mutating func add(_ numbers: some Sequence<Int>) { changed = Set(changed).union(numbers).sorted() }

  /// The withheld notes whose titles a note has in its texts; nil if they were not searched, or if it was read again.
  func mentions(of number: Int) -> [[UInt8]]? {
    former[number] < 0 || isChanged(number) ? nil : record.items[former[number]].mentions
  }

  private func isChanged(_ number: Int) -> Bool {
    var (low, high) = (0, changed.count)
    while low < high {
      let middle = (low + high) / 2
      if changed[middle] < number { low = middle + 1 } else { high = middle }
    }
    return low < changed.count && changed[low] == number
  }

  /// The other files that links of notes lead to which were not read again.
  func keptFiles() -> Set<[UInt8]> {
    let read = Set(changed)
    var files: Set<[UInt8]> = []
    for (number, old) in former.enumerated() where old >= 0 && !read.contains(number) {
      files.formUnion(record.items[old].note.leads.files)
    }
    return files
  }

  /// The files of the search by words after the changes; nil if an old one can't be read.
  func words(
    _ published: PublishedNotes, _ hidden: HiddenNotes, _ rule: PublicationRule, _ entries: Entries
  ) -> WordFiles? {
    let known = record.outputs.keys.compactMap { WordFiles.name(ofFile: $0) }
    if changed.isEmpty, isSameOrder, known.allSatisfy({ earlier.holds(WordFiles.path($0)) }) {
      return WordFiles(unchanged: known.sorted())
    }
    let (newLast, oldLast) = (former.count - 1, present.count - 1)
    var numbers = [Int](repeating: -1, count: present.count)
    for (old, new) in present.enumerated() where new >= 0 { numbers[oldLast - old] = newLast - new }
    for number in changed where former[number] >= 0 { numbers[oldLast - former[number]] = -1 }
    let words = concurrentMap(Array(changed.reversed())) { [places] number in
      let item = published[number]
      let entry = item.note.entry ?? entries[places[number]]
      let shown = PublicText(entry.note, item.connections.connections, hidden)
      return (number: newLast - number, words: GatheredNote.words(entry, shown, rule))
    }
    let changes = WordIndexChanges(numbers, words: words)
    let names = Set(known).union(changes.names).sorted()
    let files = concurrentMap(names) { [earlier] name -> (name: String, bytes: [UInt8], isSame: Bool)? in
      let path = WordFiles.path(name)
      let isNew = earlier.record.outputs[path] == nil
      guard let old = isNew ? [] : earlier.read(path), let bytes = changes.bytes(of: name, old) else {
        return nil
      }
      return (name, bytes, !isNew && bytes == old)
    }
    let whole = files.compactMap { $0 }
    return whole.count == files.count ? WordFiles(whole.filter { !$0.bytes.isEmpty }) : nil
  }

  /// The redirects of the record; nil if they may be others now.
  ///
  /// - Parameter tip: the commit whose history has them.
  func redirects(_ contents: SiteContents, tip: String) -> [Redirect]? {
    guard isSameSet, record.head.tip == tip,
      changed.allSatisfy({ number in
        let note = contents.notes[number]
        return !note.hasPastNames && recorded(number)?.hasPastNames == false
          && recorded(number)?.names == note.names
      }),
      former.indices.allSatisfy({ record.items[former[$0]].page == contents.map.pages[$0] })
    else { return nil }
    return record.redirects.map { Redirect(path: $0.path, number: present[$0.number]) }
  }

  /// The numbers of the notes that link to each of some notes, ascending.
  func sources(of numbers: [Int], _ notes: [SiteNote]) -> [Int: [Int]] {
    let wanted = Set(numbers)
    var sources: [Int: [Int]] = [:]
    for (number, note) in notes.enumerated() {
      for link in note.leads.links where !link.isAmbiguous && wanted.contains(link.number) {
        if sources[link.number]?.last != number { sources[link.number, default: []].append(number) }
      }
    }
    return sources
  }

  /// The notes that linked to one that has gone, or has other names, and those that may link to one by its new names.
  ///
  /// - Parameter isNamed: whether a changed note is new or has other names.
  func relinked(_ web: NoteWeb, _ isNamed: (Int) -> Bool) -> Set<Int> {
    var lost = Set(present.indices.filter { present[$0] < 0 })
    var named: [Int] = []
    for number in changed where isNamed(number) {
      if former[number] >= 0 { lost.insert(former[number]) }
      named.append(places[number])
    }
    var relinked: Set<Int> = []
    if !lost.isEmpty {
      for (old, item) in record.items.enumerated() where present[old] >= 0 {
        if item.note.leads.links.contains(where: { lost.contains($0.number) }) {
          relinked.insert(present[old])
        }
      }
    }
    let sources = web.sources(leadingTo: named)
    if !sources.isEmpty {
      for (number, place) in places.enumerated() where sources.contains(place) { relinked.insert(number) }
    }
    return relinked
  }

  /// The notes with links that may lead to other files.
  func loose() -> [Int] {
    record.items.indices.compactMap { old in
      present[old] >= 0 && record.items[old].note.leads.isLoose ? present[old] : nil
    }
  }

  /// The notes whose pages have to be made again.
  ///
  /// - Parameters:
  ///   - notes: the facts of all notes.
  ///   - pages: the paths of their pages.
  ///   - files: the copied files, by their paths in the box.
  /// - Complexity: O(n) in the notes and their links.
  func stale(_ notes: [SiteNote], _ pages: [[UInt8]], _ files: [[UInt8]: SiteMap.File]) -> [Int] {
    let moved = Set(files.values.filter { record.outputs[$0.copy] == nil }.map(\.path))
    let text = Set(changed)
    // Notes that look different in the pages of others.
    var different: Set<Int> = []
    for number in notes.indices {
      let isText = text.contains(number)
      guard isText || former[number] >= 0 else { continue }
      let isSame =
        (!isText || recorded(number).map { notes[number].isSameToOthers(as: $0) } ?? false)
        && former[number] >= 0 && record.items[former[number]].page == pages[number]
      if !isSame { different.insert(number) }
    }
    var stale = text.union(touched).union(different)
    // The notes that link to them, if their pages show more than the link.
    var showing = text.union(different)
    for (number, note) in notes.enumerated() where !stale.contains(number) {
      let isStale =
        note.leads.links.contains { link in
          different.contains(link.number) || (link.isEmbed || link.isToPart) && text.contains(link.number)
        } || note.leads.files.contains(where: moved.contains)
      if isStale {
        stale.insert(number)
        showing.insert(number)
      }
    }
    addEmbedding(of: &showing, notes)
    stale.formUnion(showing)
    // The notes that they link to, or did, whose pages list them.
    for number in text.union(different) {
      stale.formUnion(notes[number].leads.links.map(\.number))
      let old = recorded(number)?.leads.links ?? []
      stale.formUnion(old.map { present[$0.number] })
    }
    for (old, item) in record.items.enumerated() where present[old] < 0 {
      stale.formUnion(item.note.leads.links.map { present[$0.number] })
    }
    stale.remove(-1)
    return stale.sorted()
  }

  /// Adds the notes that embed one of some, and those that embed these.
  private func addEmbedding(of showing: inout Set<Int>, _ notes: [SiteNote]) {
    var embedding: [Int: [Int]] = [:]
    for (number, note) in notes.enumerated() {
      for link in note.leads.links where link.isEmbed { embedding[link.number, default: []].append(number) }
    }
    guard !embedding.isEmpty else { return }
    var waiting = Array(showing)
    while let number = waiting.popLast() {
      for other in embedding[number] ?? [] where showing.insert(other).inserted { waiting.append(other) }
    }
  }
}
