import Bytes
import NoteIndex
import Notes
import SlipboxCore

/// The notes of a kept record, each read when it is needed.
///
/// A run has the number of its notes and their offsets, four bytes each, then the notes.
struct RecordedNotes: Sendable {
  private let runs: [ByteSlice]
  /// How many notes there are.
  let count: Int

  /// - Parameter runs: with right checksums; all but the last one have the usual length.
  init(_ runs: [ByteSlice]) {
    self.runs = runs
    count =
      max(0, runs.count - 1) * SiteRecordBytes.runLength
      + (runs.last?.withBytes { Int($0.little32(at: 0)) } ?? 0)
  }

  static func packed(_ items: some Collection<SiteRecord.Item>) -> [UInt8] {
    var packer = BytePacker()
    let room = 4 + 4 * items.count
    var head: [UInt8] = []
    head.reserveCapacity(room)
    head.append(little: UInt32(items.count))
    for item in items {
      head.append(little: UInt32(room + packer.bytes.count))
      item.pack(&packer)
    }
    return head + packer.bytes
  }

  /// The numbers of the notes of a run.
  func range(ofRun run: Int) -> Range<Int> {
    run * SiteRecordBytes.runLength..<min((run + 1) * SiteRecordBytes.runLength, count)
  }

  /// The note of a number.
  func item(_ number: Int) -> SiteRecord.Item {
    let item = withBytes(of: number) { bytes in
      var unpacker = ByteUnpacker(bytes)
      return SiteRecord.Item(&unpacker)
    }
    guard let item else { preconditionFailure("a run with the right checksum has its notes") }
    return item
  }

  /// The path of the page of a note.
  func page(_ number: Int) -> [UInt8] {
    withBytes(of: number) { bytes in
      var unpacker = ByteUnpacker(bytes)
      guard unpacker.range() != nil, unpacker.range() != nil, unpacker.signed() != nil,
        unpacker.number() != nil, unpacker.signed() != nil
      else { return [] }
      return unpacker.array() ?? []
    }
  }

  private func withBytes<Result>(of number: Int, _ body: (UnsafeRawBufferPointer) -> Result) -> Result {
    let (run, index) = number.quotientAndRemainder(dividingBy: SiteRecordBytes.runLength)
    return runs[run].withBytes { bytes in
      let start = Int(bytes.little32(at: 4 + 4 * index))
      return body(UnsafeRawBufferPointer(rebasing: bytes[start...]))
    }
  }
}

/// The facts of the notes of a site, by their numbers: all of them, or those of a record but for some.
struct SiteNotes: RandomAccessCollection, Sendable {
  private let all: [SiteNote]
  private let recorded: RecordedNotes?
  private let others: [Int: SiteNote]
  /// The times of the last changes, in seconds; nil if the notes have them.
  private let seconds: [Int64]?

  let startIndex = 0
  let endIndex: Int

  init(_ notes: [SiteNote]) {
    (all, recorded, others, seconds) = (notes, nil, [:], nil)
    endIndex = notes.count
  }

  /// - Parameters:
  ///   - others: those that differ from the record.
  ///   - seconds: the times of the last changes of all notes.
  init(_ recorded: RecordedNotes, but others: [Int: SiteNote], seconds: [Int64]) {
    (all, self.recorded, self.others, self.seconds) = ([], recorded, others, seconds)
    endIndex = recorded.count
  }

  subscript(number: Int) -> SiteNote {
    guard let recorded else { return all[number] }
    return others[number] ?? recorded.item(number).note
  }

  /// When the notes were last changed, in seconds.
  var times: [Int64] { seconds ?? all.map(\.modified.seconds) }
}

/// The paths of the pages of a site's notes, by their numbers.
struct SitePaths: RandomAccessCollection, Sendable {
  private let all: [[UInt8]]
  private let recorded: RecordedNotes?

  let startIndex = 0
  let endIndex: Int

  init(_ paths: [[UInt8]]) {
    (all, recorded) = (paths, nil)
    endIndex = paths.count
  }

  init(_ recorded: RecordedNotes) {
    (all, self.recorded) = ([], recorded)
    endIndex = recorded.count
  }

  subscript(number: Int) -> [UInt8] { recorded?.page(number) ?? all[number] }
}

extension SiteRecord.Head {
  /// The bytes of the head.
  func packed(stretches: Int, runs: Int) -> [UInt8] {
    var packer = BytePacker()
    packer.append(stretches)
    packer.append(runs)
    packer.append(key: key)
    packer.append(key: others)
    packer.append(key: hiddenFiles)
    packer.append(day.utf8)
    packer.append(tip.utf8)
    packer.append(withheldCount)
    packer.append(commit.utf8)
    packer.append(key: mark)
    packer.append(files)
    packer.append(report.lines == nil ? 0 : 1)
    packer.append((report.lines ?? []).map { Array($0.utf8) })
    packer.append(key: report.list)
    packer.append(report.noteCount)
    packer.append(report.fileCount)
    packer.append(key: setting)
    packer.append(entryCount)
    packer.append(hidden.count)
    for place in hidden { packer.append(place) }
    packer.append(flags: [hasTags, home != nil, state != nil])
    packer.append(home ?? 0)
    state?.pack(&packer)
    return packer.bytes
  }

  init?(_ unpacker: inout ByteUnpacker) {
    guard let key = unpacker.key(), let others = unpacker.key(), let hiddenFiles = unpacker.key(),
      let day = unpacker.text(), let tip = unpacker.text(), let withheldCount = unpacker.number(),
      let commit = unpacker.text(), let mark = unpacker.key(), let files = unpacker.paths(),
      let hasLines = unpacker.number(), let lines = unpacker.paths(), let list = unpacker.key(),
      let noteCount = unpacker.number(), let fileCount = unpacker.number(), let setting = unpacker.key(),
      let entryCount = unpacker.number(), let hiddenCount = unpacker.number()
    else { return nil }
    var hidden: [Int] = []
    for _ in 0..<hiddenCount {
      guard let place = unpacker.number() else { return nil }
      hidden.append(place)
    }
    guard let flags = unpacker.number(), let home = unpacker.number() else { return nil }
    var state: CatalogueState?
    if flags & 4 != 0 {
      guard let read = CatalogueState(&unpacker) else { return nil }
      state = read
    }
    let report = SiteReport(
      lines: hasLines == 0 ? nil : lines.map { String(decoding: $0, as: UTF8.self) }, list: list,
      noteCount: noteCount, fileCount: fileCount)
    self.init(
      key: key, others: others, hiddenFiles: hiddenFiles, day: day, tip: tip, withheldCount: withheldCount,
      commit: commit, mark: mark, files: files, report: report, setting: setting, state: state,
      entryCount: entryCount, hidden: hidden, hasTags: flags & 1 != 0, home: flags & 2 != 0 ? home : nil)
  }
}

extension SiteRecord.Item {
  func pack(_ packer: inout BytePacker) {
    packer.append(path)
    packer.append(content.bytes)
    packer.append(created)
    packer.append(page)
    packer.append(note.title.utf8)
    packer.append(note.day.utf8)
    packer.append(note.kind.utf8)
    packer.append(note.tags.count)
    for tag in note.tags { packer.append(tag.utf8) }
    packer.append(note.modified)
    packer.append(key: note.names)
    packer.append(key: note.fields)
    let address = note.address
    packer.append(flags: [
      note.isOpen, note.hasAliases, note.isRetitled, note.leads.isLoose, address.isRefused, address.isHome,
      address.page != nil, mentions != nil, address.isSet,
    ])
    packer.append(address.page ?? [])
    packer.append(note.leads.links.count)
    for link in note.leads.links {
      packer.append(link.number)
      packer.append(link.flags)
      packer.append(key: link.field)
    }
    packer.append(note.leads.files)
    packer.append(note.leads.hiddenEmbeds.count)
    for embed in note.leads.hiddenEmbeds {
      packer.append(embed.path)
      packer.append(embed.line)
    }
    packer.append(mentions ?? [])
  }

  init?(_ unpacker: inout ByteUnpacker) {
    guard let path = unpacker.bytes(), let content = unpacker.bytes(), let created = unpacker.time(),
      let page = unpacker.bytes(), let title = unpacker.text(), let day = unpacker.text(),
      let kind = unpacker.text(), let tagCount = unpacker.number()
    else { return nil }
    var tags: [String] = []
    for _ in 0..<tagCount {
      guard let tag = unpacker.text() else { return nil }
      tags.append(tag)
    }
    guard let modified = unpacker.time(), let names = unpacker.key(), let fields = unpacker.key(),
      let flags = unpacker.number(), let own = unpacker.bytes(), let linkCount = unpacker.number()
    else { return nil }
    let isSet = { (bit: Int) in flags >> bit & 1 == 1 }
    var leads = SiteLeads()
    for _ in 0..<linkCount {
      guard let number = unpacker.number(), let flags = unpacker.number(), let field = unpacker.key() else {
        return nil
      }
      leads.links.append(SiteLink(number: number, flags: flags, field: field))
    }
    leads.isLoose = isSet(3)
    guard let files = unpacker.paths(), let embedCount = unpacker.number() else { return nil }
    leads.files = files
    for _ in 0..<embedCount {
      guard let path = unpacker.bytes(), let line = unpacker.number() else { return nil }
      leads.hiddenEmbeds.append(SiteLeads.HiddenEmbed(path: Array(path), line: line))
    }
    guard let mentions = unpacker.paths() else { return nil }
    let address = NoteAddress(
      page: isSet(6) ? Array(own) : nil, isRefused: isSet(4), isHome: isSet(5), isSet: isSet(8))
    self.init(
      path: Array(path), content: ContentID(content), created: created, page: Array(page),
      note: SiteNote(
        title: title, day: day, kind: kind, tags: tags, modified: modified, isOpen: isSet(0),
        address: address, hasAliases: isSet(1), names: names, fields: fields, isRetitled: isSet(2),
        leads: leads),
      mentions: isSet(7) ? mentions : nil)
  }
}

extension BytePacker {
  fileprivate mutating func append(key: UInt64) { append(signed: Int64(bitPattern: key)) }

  fileprivate mutating func append(_ time: Timestamp) {
    append(signed: time.seconds)
    append(time.milliseconds)
    append(signed: Int64(time.offsetSeconds))
  }

  fileprivate mutating func append(flags: [Bool]) {
    append(flags.enumerated().reduce(0) { $0 + ($1.element ? 1 << $1.offset : 0) })
  }

  fileprivate mutating func append(_ paths: [[UInt8]]) {
    append(paths.count)
    for path in paths { append(path) }
  }
}

extension ByteUnpacker {
  fileprivate mutating func key() -> UInt64? { signed().map { UInt64(bitPattern: $0) } }

  fileprivate mutating func time() -> Timestamp? {
    guard let seconds = signed(), let milliseconds = number(), let offset = signed() else { return nil }
    return Timestamp(seconds: seconds, offsetSeconds: Int(offset), milliseconds: milliseconds)
  }

  fileprivate mutating func paths() -> [[UInt8]]? {
    guard let count = number() else { return nil }
    var paths: [[UInt8]] = []
    for _ in 0..<count {
      guard let path = bytes() else { return nil }
      paths.append(Array(path))
    }
    return paths
  }
}
