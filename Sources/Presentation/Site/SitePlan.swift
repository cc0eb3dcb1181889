import NoteIndex
import Notes
package import Platform
package import SlipboxCore
import Synchronization

/// The files of a site, and those of them that need not be made again.
package struct SitePlan: Sendable {
  package let pages: [SitePage]
  /// The files as an export takes them.
  package let files: ExportedFiles
  /// The keys of the files' inputs, 0 for a file that is made each time.
  let keys: [UInt64]
  /// The contents of the notes; nil if one is not known.
  let contents: [ContentID]?
  /// Identifies the site by all of its inputs; 0 if only the notes decide.
  let mark: UInt64
}

extension Site {
  /// The files of the site.
  ///
  /// - Complexity: O(n) in the facts of the notes and in their links.
  package func plan() throws(SlipboxError) -> SitePlan {
    let pages = pages()
    let ids =
      contents.changes?.contents
      ?? SnapshotMarks(of: snapshot).contentIDs(at: contents.map.places, of: contents.entries)
    let reader = PageKeys(self, ids ?? [])
    let keys = pages.map { ids == nil ? 0 : reader.key(of: $0.content) }
    var known: [FileStamp?] = []
    var differences: ExportedFiles.Changes?
    if let changes = contents.changes {
      let outputs = pages.map { changes.record.outputs[$0.path] }
      differences = changes.record.differences(from: pages, outputs)
      var isStale = [Bool](repeating: false, count: contents.notes.count)
      for number in contents.stale { isStale[number] = true }
      known = pages.indices.map { index in
        let (page, key) = (pages[index], keys[index])
        guard key != 0, let output = outputs[index], output.key == key,
          changes.earlier.holds(page.path, output)
        else { return nil }
        switch page.content {
        case .note(let number): return isStale[number] ? nil : output.stamp
        // These have the texts of notes, with all that is embedded.
        case .front: return contents.home.map { isStale[$0] } ?? false ? nil : output.stamp
        case .feed(nil): return isStale.prefix(AtomFeed.newest).contains(true) ? nil : output.stamp
        case .words(let number): return contents.words.isSame(number) ? output.stamp : nil
        default: return output.stamp
        }
      }
    }
    let mark = contents.isMarkable ? draft.mark(contents.linked) : 0
    let made = known.isEmpty ? pages : zip(pages, known).filter { $0.1 == nil }.map(\.0)
    try snapshot.asking { (_) throws(SlipboxError) in try prepare(made) }
    let files = ExportedFiles(pages.map(\.path), known: known, changes: differences) {
      [self] number throws(SlipboxError) in
      try bytes(of: pages[number])
    }
    return SitePlan(pages: pages, files: files, keys: keys, contents: ids, mark: mark)
  }

  /// Reads the notes that some pages show, all at once, and has their formulas and code made.
  private func prepare(_ pages: [SitePage]) throws(SlipboxError) {
    var numbers: Set<Int> = []
    var linked: [Int] = []
    for page in pages {
      switch page.content {
      case .note(let number):
        numbers.insert(number)
        linked.append(number)
      case .front: numbers.formUnion([contents.home].compactMap { $0 })
      case .feed(nil): numbers.formUnion(contents.notes.indices.prefix(AtomFeed.newest))
      case .kind(let kind, let part) where contents.isTable(kind.name):
        numbers.formUnion(kind.notes[PagedList.rows(part, of: kind.notes.count)])
      case .previews(let file): numbers.formUnion(previews.numbers(of: file))
      case .feed(let tag?): numbers.formUnion(tag.notes.prefix(AtomFeed.newest))
      default: break
      }
    }
    try contents.prepare(numbers, linked: linked, settings.programs)
  }

  private func head(_ mark: UInt64, _ commit: String, _ report: SiteReport) -> SiteRecord.Head {
    SiteRecord.Head(
      key: conditions.key(shown: contents.map.places), others: conditions.others,
      hiddenFiles: contents.hiddenFilesKey, day: conditions.day, tip: conditions.tip,
      withheldCount: withheld.count, commit: commit, mark: report.lines == nil ? 0 : mark,
      files: contents.linked.paths, report: report)
  }

  /// Whether the record of the last export is the record of this one too: no note and no file differs.
  ///
  /// - Parameters:
  ///   - stamps: the state of the files of the plan.
  ///   - report: the words of this export.
  package func isRecorded(
    _ plan: SitePlan, _ stamps: [FileStamp?], _ report: SiteReport = SiteReport()
  ) -> Bool {
    guard let changes = contents.changes, changes.changed.isEmpty, changes.touched.isEmpty,
      changes.isSameOrder, plan.pages.count == changes.record.outputs.count,
      changes.record.items.first?.mentions == mentions.known(of: 0),
      changes.record.head == head(plan.mark, changes.record.head.commit, report)
    else { return false }
    return plan.pages.indices.allSatisfy { index in
      guard let output = changes.record.outputs[plan.pages[index].path] else { return false }
      return output.key == plan.keys[index] && output.stamp == stamps[index]
    }
  }

  /// The record of the site for its next export.
  ///
  /// - Parameters:
  ///   - stamps: the state of the files of the plan; nil leaves the file out.
  ///   - commit: the commit that has the pages; empty if they are in a folder.
  ///   - report: the words of this export.
  /// - Returns: nil if the next export has to make all pages.
  package func record(
    _ plan: SitePlan, _ stamps: [FileStamp?], commit: String = "", _ report: SiteReport = SiteReport()
  ) -> SiteRecordBytes? {
    guard conditions.canBeRecorded, let ids = plan.contents, stamps.count == plan.pages.count else {
      return nil
    }
    let (map, entries) = (contents.map, contents.entries)
    let lookedForTitles = mentions.known(of: 0) != nil
    let head = head(plan.mark, commit, report)
    let item = { @Sendable [contents, mentions] (number: Int) in
      let place = map.places[number]
      return SiteRecord.Item(
        path: entries.path(at: place), content: ids[number], created: entries.created(at: place),
        page: map.pages[number], note: contents.notes[number], mentions: mentions.known(of: number))
    }
    let outputs = plan.pages.indices.compactMap { index in
      stamps[index].map {
        (path: plan.pages[index].path, output: SiteRecord.Output(key: plan.keys[index], stamp: $0))
      }
    }
    return SiteRecordBytes(
      head: head, count: map.places.count, item: item, redirects: redirects, outputs: outputs,
      sameRun: { [contents] run in lookedForTitles ? nil : contents.changes?.run(run, map.pages) })
  }
}

extension SiteRecord {
  /// The files that a site has more or less than at its last export; nil if the list of the last export is not known.
  ///
  /// - Parameter outputs: the files of the record at the paths of the pages.
  func differences(from pages: [SitePage], _ outputs: [Output?]) -> ExportedFiles.Changes? {
    guard head.report.list != 0 else { return nil }
    var isThere = [Bool](repeating: false, count: self.outputs.count)
    for case let output? in outputs { isThere[output.number] = true }
    let added = pages.indices.filter { outputs[$0] == nil }.map { pages[$0].path }
    let removed = self.outputs.filter { !isThere[$0.value.number] }
    return ExportedFiles.Changes(sum: head.report.list, added: added, removed: Array(removed.keys))
  }
}

/// The words of an export on its site, which a later export of the same site repeats.
package struct SiteReport: Sendable, Equatable {
  /// The lines that were said; nil if some of them have to be made again.
  package let lines: [String]?
  /// A checksum of the list of the exported files; 0 without a list.
  package let list: UInt64
  /// How many notes the site has.
  package let noteCount: Int
  /// How many files the site has.
  package let fileCount: Int

  package init(lines: [String]? = nil, list: UInt64 = 0, noteCount: Int = 0, fileCount: Int = 0) {
    (self.lines, self.list, self.noteCount, self.fileCount) = (lines, list, noteCount, fileCount)
  }
}

/// Hashes of the inputs of a site's files, apart from those that all of them share.
struct PageKeys {
  private let site: Site
  private let contents: SiteContents
  /// The contents of the notes; none if they are not known.
  private let ids: [ContentID]
  /// Hashes of the notes as lists show them.
  private let rows: [UInt64]
  /// A hash of the records, as tables show other records.
  private let records: UInt64
  private let frame: PageKey

  init(_ site: Site, _ ids: [ContentID]) {
    self.site = site
    self.ids = ids
    frame = site.frame.key
    let contents = site.contents
    self.contents = contents
    rows = concurrentMap(Array(contents.notes.indices)) { number in
      let note = contents.notes[number]
      var key = PageKey()
      key.add(note.title)
      key.add(note.day)
      key.add(note.kind)
      for tag in note.tags { key.add(tag) }
      key.add(note.tags.count)
      key.add(note.isOpen)
      key.add(contents.map.pages[number])
      return key.value
    }
    var records = PageKey()
    for (number, note) in contents.notes.enumerated() where note.kind != "note" {
      records.add(rows[number])
      // A new note moves the numbers of others, not their rows.
      for link in note.leads.links {
        records.add(rows[link.number])
        records.add(link.field)
        records.add(link.flags)
      }
    }
    self.records = records.value
  }

  /// The key of a file; 0 for one that is made each time.
  func key(of content: SitePage.Content) -> UInt64 {
    var key = frame
    switch content {
    case .missing: return 0
    case .front:
      for number in contents.notes.indices.prefix(FrontPage.newest) { key.add(rows[number]) }
      for kind in site.kinds.kinds {
        key.add(kind.name)
        key.add(kind.notes.count)
      }
      addTags(to: &key)
      key.add(contents.home ?? -1)
    case .tags: addTags(to: &key)
    case .changes:
      for number in ListPages.newest(contents.notes) {
        key.add(rows[number])
        key.add(contents.notes[number].modified)
      }
    case .feed(nil):
      for number in contents.notes.indices.prefix(AtomFeed.newest) { addText(of: number, to: &key) }
    // Whether these are made again is known in another way. Words have no frame.
    case .note: break
    case .words: return 1
    case .bytes(let bytes): key.add(bytes)
    case .search:
      for row in rows { key.add(row) }
      for name in contents.words.names { key.add(name) }
      addAliases(to: &key)
    case .graph: addGraph(to: &key)
    case .notes(let page): add(Array(rows.indices), page: page, to: &key)
    case .kind(let kind, let page):
      key.add(kind.name)
      if contents.isTable(kind.name) {
        // It shows the relations of other records to these.
        key.add(records)
        key.add(site.conditions.day)
        for number in kind.notes[PagedList.rows(page, of: kind.notes.count)] { key.add(ids[number].bytes) }
      }
      add(kind.notes, page: page, to: &key)
    case .tag(let tag, let page):
      key.add(tag.name)
      for child in site.tags.children(of: tag) {
        key.add(child.name)
        key.add(child.notes.count)
      }
      add(tag.notes, page: page, to: &key)
    case .feed(let tag?):
      key.add(tag.name)
      for number in tag.notes.prefix(AtomFeed.newest) { addText(of: number, to: &key) }
    case .redirect(let number):
      key.add(contents.notes[number].title)
      key.add(contents.map.pages[number])
    case .copy(let path):
      guard let stamp = SnapshotMarks(of: site.snapshot).stamp(at: path) else { return 0 }
      key.add(Int(stamp.size))
      key.add(Int(stamp.modified))
      key.add(Int(stamp.changed))
      key.add(stamp.inode)
    case .previews(let file):
      for number in site.previews.numbers(of: file) { addText(of: number, to: &key) }
    }
    return max(1, key.value)
  }

  private func add(_ notes: [Int], page: Int, to key: inout PageKey) {
    key.add(page)
    key.add(PagedList.pages(of: notes.count))
    for number in notes[PagedList.rows(page, of: notes.count)] { key.add(rows[number]) }
  }

  private func addTags(to key: inout PageKey) {
    for tag in site.tags.tags {
      key.add(tag.name)
      key.add(tag.notes.count)
    }
  }

  private func addText(of number: Int, to key: inout PageKey) {
    let place = contents.map.places[number]
    key.add(rows[number])
    // Without an id the path identifies a note in feeds.
    key.add(contents.entries.path(at: place))
    key.add(contents.entries.created(at: place))
    key.add(ids[number].bytes)
    key.add(contents.notes[number].modified)
  }

  private func addAliases(to key: inout PageKey) {
    // History knows which aliases are titles of a hidden note.
    for redirect in site.redirects where contents.notes[redirect.number].hasAliases {
      key.add(redirect.number)
      key.add(redirect.path)
      key.add(contents.notes[redirect.number].names)
    }
  }

  private func addGraph(to key: inout PageKey) {
    addAliases(to: &key)
    for (number, note) in contents.notes.enumerated() {
      key.add(rows[number])
      key.add(note.names)
      for link in note.leads.links {
        key.add(link.number)
        key.add(link.field)
        key.add(link.flags)
      }
    }
  }
}

/// The titles of notes that are not on a site in the texts of those that are, once somebody has looked for them.
final class TitleMentions: Sendable {
  private let found = Mutex<[Int: [[UInt8]]]?>(nil)

  /// The paths of the notes whose titles the note of a number has in its texts; nil if they were not searched.
  func known(of number: Int) -> [[UInt8]]? { found.withLock { $0.map { $0[number] ?? [] } } }

  func set(_ mentions: [Int: [[UInt8]]]) { found.withLock { $0 = mentions } }
}
