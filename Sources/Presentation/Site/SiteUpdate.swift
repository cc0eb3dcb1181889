import Bytes
import NoteIndex
import Notes
package import Platform
package import SlipboxCore

/// A later export of a site after edits of the texts of few notes: titles, tags, kinds, names and the like are as they were.
///
/// No list of the site differs then, so that the edited notes and those beside them are all that is read and made. Each
/// change that may have other effects is left to a `Site`, which compares all notes with the record.
package struct SiteUpdate: Sendable {
  /// More edited notes are read with a look at all of them.
  private static let most = 32

  private let draft: SiteDraft
  private let record: SiteRecordFile
  private let recorded: RecordedNotes
  private let site: Site
  /// The edited notes as the next record has them, by numbers.
  private let edited: [Int: SiteRecord.Item]
  /// The words of the notes that exports have read again.
  private let words: [Int: Set<[UInt8]>]
  private let times: [Int64]
  private let hasOtherLinks: Bool
  private let pages: [SitePage]
  private let setting: UInt64

  /// Nil if the site may differ in more than the texts of few notes.
  ///
  /// - Parameters:
  ///   - record: that of the last export, whose files are all as it left them.
  ///   - read: reads a file of the site.
  package init?(
    _ draft: SiteDraft, _ record: SiteRecordFile, read: @escaping @Sendable (_ path: [UInt8]) -> [UInt8]?
  ) throws(SlipboxError) {
    let update = try draft.snapshot.asking { (_) throws(SlipboxError) in
      try SiteUpdate(reading: draft, record, read)
    }
    guard let update else { return nil }
    self = update
  }

  private init?(
    reading draft: SiteDraft, _ record: SiteRecordFile,
    _ read: @escaping @Sendable (_ path: [UInt8]) -> [UInt8]?
  ) throws(SlipboxError) {
    let (snapshot, head, entries) = (draft.snapshot, record.head, draft.conditions.entries)
    guard head.setting != 0, head.commit.isEmpty, head.report.lines != nil, let state = head.state,
      entries.count == head.entryCount, !InlineFields.areRead, !snapshot.box.isShallow,
      try snapshot.lockedNotes().isEmpty
    else { return nil }
    let linked = try SiteFiles.linked(Set(head.files), in: snapshot, draft.rule)
    setting = draft.setting(linked)
    guard setting == head.setting, linked.key == head.hiddenFiles,
      let committed = snapshot.pathsEdited(since: head.tip),
      let places = snapshot.places(changedSince: state, and: committed, in: entries, most: Self.most)
    else { return nil }
    let shown = Self.places(entries, without: head.hidden)
    guard shown.count == head.report.noteCount, draft.conditions.key(shown: shown) == head.key,
      let recorded = record.notes(), recorded.count == shown.count,
      let known = RecordedWords.words(in: record[record.words])
    else { return nil }
    let reader = try EditedNoteReader(draft, linked, shown: shown, recorded)
    guard let notes = try reader.notes(at: places) else { return nil }
    let links = SiteLinks(record[record.links], replacing: notes, count: shown.count)
    let stale = links.stale(notes)
    // The front page shows tags and kinds too.
    guard !(head.home.map(stale.contains) ?? false) else { return nil }
    var times = RecordedTimes.seconds(in: record[record.times])
    guard times.count == shown.count else { return nil }
    for note in notes { times[note.number] = note.facts.modified.seconds }
    let facts = Dictionary(uniqueKeysWithValues: notes.map { ($0.number, $0.facts) })
    let contents = try SiteContents(
      snapshot, entries, draft.rule, SiteNotes(recorded, but: facts, seconds: times),
      SiteMap(entries, exported: shown, pages: SitePaths(recorded), files: linked.files), linked,
      read: Dictionary(uniqueKeysWithValues: notes.map { ($0.number, $0.item) }), reader.reader,
      home: head.home, linkSources: { links.sources(of: $0) })
    let site = Site(draft, contents, reader.reader.web, hasTags: head.hasTags)
    guard try Self.areTitlesSame(site, notes, head) else { return nil }
    guard let edits = try WordEdits(reader, notes, known, count: shown.count),
      let wordPages = edits.pages(read), let previews = site.previews.edited(notes, contents, read)
    else { return nil }
    var pages = wordPages + previews
    if let address = draft.settings.address {
      guard let feeds = EditedFeeds(notes, contents, address: address, read).pages() else { return nil }
      pages += feeds
    }
    if !notes.isEmpty { pages.append(SitePage("changes.html", .changes)) }
    hasOtherLinks = notes.contains { $0.facts.leads.links != $0.old.note.leads.links }
    if hasOtherLinks { pages.append(SitePage("graph.html", .graph)) }
    if stale.contains(where: { $0 < AtomFeed.newest }) { pages.append(SitePage("feed.xml", .feed(nil))) }
    pages += stale.sorted().map { SitePage(contents.map.pages[$0], .note($0)) }
    try site.prepare(pages)
    edited = Dictionary(
      uniqueKeysWithValues: notes.map { note in
        let item = SiteRecord.Item(
          path: note.old.path, content: note.content, created: note.old.created, page: note.old.page,
          note: note.facts, mentions: note.old.mentions)
        return (note.number, item)
      })
    words = edits.words(known)
    (self.draft, self.record, self.recorded, self.site) = (draft, record, recorded, site)
    (self.times, self.pages) = (times, pages)
    SiteFiles.report(linked.withheld, to: snapshot.reporter)
  }

  private static func places(_ entries: Entries, without hidden: [Int]) -> [Int] {
    guard !hidden.isEmpty else { return Array(entries.indices) }
    let hidden = Set(hidden)
    return entries.indices.filter { !hidden.contains($0) }
  }

  /// Whether the edited notes have the same titles of withheld notes in their texts.
  private static func areTitlesSame(
    _ site: Site, _ notes: [EditedNote], _ head: SiteRecord.Head
  ) throws(SlipboxError) -> Bool {
    guard head.withheldCount > 0 else { return true }
    let queried = Set(site.draft.places)
    let found = try site.mentionedTitles(in: notes.map(\.number)) { place in
      queried.contains(place) && site.contents.map.number(ofPlace: place) == nil
    }
    return notes.allSatisfy { note in note.old.mentions == found[note.number] ?? [] }
  }

  /// The lines that the last export said.
  package var lines: [String] { record.report.lines ?? [] }

  /// The numbers of the notes and of the files of the site.
  package var noteCount: Int { record.report.noteCount }
  package var fileCount: Int { record.report.fileCount }

  /// How many pages of notes are made.
  var staleCount: Int { pages.count { if case .note = $0.content { true } else { false } } }

  /// The files that differ, or may differ, from those of the last export.
  package var files: ExportedFiles {
    let changes = ExportedFiles.Changes(sum: record.report.list, added: [], removed: [])
    return ExportedFiles(pages.map(\.path), changes: changes) {
      [site, pages] number throws(SlipboxError) in
      try site.bytes(of: pages[number])
    }
  }

  /// The record of the site for its next export, in parts.
  ///
  /// - Parameter stamps: the state of the files that were made.
  /// - Returns: nil if the next export has to make all pages.
  package func record(_ stamps: [FileStamp?]) -> AnySequence<[UInt8]>? {
    guard stamps.count == pages.count, var others = replacedFiles(stamps) else { return nil }
    for run in Set(edited.keys.map { $0 / SiteRecordBytes.runLength }) {
      others[record.runs.lowerBound + run] = RecordedNotes.packed(
        recorded.range(ofRun: run).lazy.map { edited[$0] ?? recorded.item($0) })
    }
    others[record.times] = RecordedTimes.packed(times)
    if hasOtherLinks {
      others[record.links] = RecordedLinks.packed(
        record[record.links], replacing: edited.mapValues(\.note.leads.links))
    }
    others[record.words] = RecordedWords.packed(words)
    var head = record.head
    (head.mark, head.state) = (draft.mark(setting), draft.snapshot.catalogueState)
    head.tip = draft.conditions.tip
    return record.parts(head, replacing: others)
  }

  /// The frames of files and keys with the state of the files that were made; nil if one is not in the record.
  private func replacedFiles(_ stamps: [FileStamp?]) -> [Int: [UInt8]]? {
    var waiting: [[UInt8]: (stamp: FileStamp, isNote: Bool)] = [:]
    for (page, stamp) in zip(pages, stamps) {
      guard let stamp else { return nil }
      // Only the key of a page of a note, or of a file of words, does not depend on the contents of notes.
      let isKept =
        switch page.content {
        case .note: true
        default: WordFiles.name(ofFile: page.path) != nil
        }
      waiting[page.path] = (stamp, isKept)
    }
    let folders = Set(waiting.keys.map { BytePath.folder(of: $0) })
    var others: [Int: [UInt8]] = [:]
    var keys = record[record.keys].withBytes { Array($0) }
    var first = 0
    for frame in record.stretches {
      guard let (folder, count) = StampedFiles.head(of: record[frame]) else { return nil }
      defer { first += count }
      guard folders.contains(folder), var files = StampedFiles.files(in: record[frame]) else { continue }
      var isSame = true
      for index in files.indices {
        guard let (stamp, isKept) = waiting.removeValue(forKey: files[index].path) else { continue }
        files[index].stamp = stamp
        isSame = false
        if !isKept { for byte in 0..<8 { keys[8 * (first + index) + byte] = 0 } }
      }
      if !isSame { others[frame] = StampedFiles.packed(files) }
    }
    guard waiting.isEmpty else { return nil }
    others[record.keys] = keys
    return others
  }
}
