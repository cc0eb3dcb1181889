package import Bytes
import NoteIndex
import Notes
import Platform
import SlipboxCore

/// The state of a site at its last export, by which the next one finds the pages that it need not make again.
///
/// Only a cache: without it all pages are made.
package struct SiteRecord: Sendable {
  /// A note of the site; links have its number in the record.
  struct Item: Sendable {
    let path: [UInt8]
    let content: ContentID
    let created: Timestamp
    let page: [UInt8]
    let note: SiteNote
    /// The paths of the withheld notes whose titles are in its texts; nil if they were not searched.
    let mentions: [[UInt8]]?
  }

  /// A file of the site.
  struct Output: Sendable, Equatable {
    /// A hash of its inputs; 0 if it is made each time.
    let key: UInt64
    /// The state of the file in the folder of the site.
    let stamp: FileStamp
    /// Its place among the files of the record.
    var number = 0
  }

  /// The facts of the whole site.
  struct Head: Sendable, Equatable {
    /// A hash of what all pages depend on.
    let key: UInt64
    /// A hash of the paths of the files that are no notes.
    let others: UInt64
    /// A hash of the linked files that are not on the site.
    let hiddenFiles: UInt64
    /// The day of the export.
    let day: String
    /// The commit of the notes, whose history has the redirects.
    let tip: String
    /// The number of the notes that the query finds and the site leaves out.
    let withheldCount: Int
    /// The commit of the site; empty if it is in a folder.
    let commit: String
    /// Identifies the site by all of its inputs; 0 if only the notes decide.
    let mark: UInt64
    /// The linked files other than notes, whether or not they are copied.
    let files: [[UInt8]]
    let report: SiteReport
  }

  let head: Head
  let items: [Item]
  let redirects: [Redirect]
  let outputs: [[UInt8]: Output]
  /// The bytes of the notes in runs.
  let runs: [ByteSlice]
}

/// The bytes of a record, in parts, which are made one after another: all at once they would take the memory of the notes
/// once more.
///
/// Frames with their lengths and checksums: the head, stretches of files, the keys of the files with the redirects, runs of
/// notes.
package struct SiteRecordBytes: Sequence, Sendable {
  fileprivate static let heading = Array("slipbox site record 4\n".utf8)
  fileprivate static let frameHeader = 16
  /// Runs of notes are read on several threads.
  static let runLength = 2048

  let head: SiteRecord.Head
  /// How many notes there are.
  let count: Int
  let item: @Sendable (_ number: Int) -> SiteRecord.Item
  let redirects: [Redirect]
  let outputs: [(path: [UInt8], output: SiteRecord.Output)]
  /// The bytes of a run that is as in the last record; nil for another one.
  let sameRun: @Sendable (_ run: Int) -> ByteSlice?

  /// All of them.
  package var bytes: [UInt8] { Array(joined()) }

  package func makeIterator() -> AnyIterator<[UInt8]> {
    let runs = (count + Self.runLength - 1) / Self.runLength
    let stretches = StampedFiles.stretches(of: outputs.map(\.path))
    var next = 0
    return AnyIterator {
      defer { next += 1 }
      switch next {
      case 0: return Self.heading + Self.frame(pack(head, stretches: stretches.count, runs: runs))
      case 1..<stretches.count + 1:
        let files = stretches[next - 1].map { (path: outputs[$0].path, stamp: outputs[$0].output.stamp) }
        return Self.frame(StampedFiles.packed(files))
      case stretches.count + 1: return Self.frame(packedKeys(stretches))
      case stretches.count + 2..<stretches.count + 2 + runs:
        if let same = sameRun(next - stretches.count - 2) { return Self.frame(same.withBytes { Array($0) }) }
        let start = (next - stretches.count - 2) * Self.runLength
        var run = BytePacker()
        for number in start..<Swift.min(start + Self.runLength, count) { item(number).pack(&run) }
        return Self.frame(run.bytes)
      default: return nil
      }
    }
  }

  private static func frame(_ bytes: [UInt8]) -> [UInt8] {
    var frame: [UInt8] = []
    frame.reserveCapacity(frameHeader + bytes.count)
    frame.append(little: UInt64(bytes.count))
    frame.append(little: bytes.withUnsafeBytes { Checksum.of($0) })
    frame += bytes
    return frame
  }

  private func pack(_ head: SiteRecord.Head, stretches: Int, runs: Int) -> [UInt8] {
    var packer = BytePacker()
    packer.append(stretches)
    packer.append(runs)
    packer.append(key: head.key)
    packer.append(key: head.others)
    packer.append(key: head.hiddenFiles)
    packer.append(head.day.utf8)
    packer.append(head.tip.utf8)
    packer.append(head.withheldCount)
    packer.append(head.commit.utf8)
    packer.append(key: head.mark)
    packer.append(head.files)
    packer.append(head.report.lines == nil ? 0 : 1)
    packer.append((head.report.lines ?? []).map { Array($0.utf8) })
    packer.append(key: head.report.list)
    packer.append(head.report.noteCount)
    packer.append(head.report.fileCount)
    return packer.bytes
  }

  /// The keys of the files in the order of the stretches, and the redirects.
  private func packedKeys(_ stretches: [[Int]]) -> [UInt8] {
    var packer = BytePacker()
    for place in stretches.joined() { packer.append(key: outputs[place].output.key) }
    packer.append(redirects.count)
    for redirect in redirects {
      packer.append(redirect.path)
      packer.append(redirect.number)
    }
    return packer.bytes
  }
}

/// A kept record, of which each part is checked and read when it is needed.
package struct SiteRecordFile: Sendable {
  /// A frame with its checksum.
  private struct Frame: Sendable {
    let bytes: ByteSlice
    let sum: UInt64

    var isSound: Bool { bytes.withBytes { Checksum.of($0) } == sum }
  }

  let head: SiteRecord.Head
  private let files: [Frame]
  private let keys: Frame
  private let runs: [Frame]

  /// Opens a record; nil if the bytes are not one of this version, or if its head is damaged.
  ///
  /// - Complexity: linear in the number of its parts.
  package init?(_ bytes: ByteSlice) {
    guard let frames = Self.frames(bytes), let first = frames.first, first.isSound else { return nil }
    let read = first.bytes.withBytes { bytes -> (head: SiteRecord.Head, stretches: Int, runs: Int)? in
      var unpacker = ByteUnpacker(bytes)
      guard let stretches = unpacker.number(), let runs = unpacker.number(),
        let head = SiteRecord.Head(&unpacker), unpacker.isAtEnd
      else { return nil }
      return (head, stretches, runs)
    }
    guard let read, read.stretches < frames.count, frames.count == 2 + read.stretches + read.runs else {
      return nil
    }
    head = read.head
    files = Array(frames[1..<1 + read.stretches])
    keys = frames[1 + read.stretches]
    runs = Array(frames[(2 + read.stretches)...])
  }

  private static func frames(_ bytes: ByteSlice) -> [Frame]? {
    let heading = SiteRecordBytes.heading
    return bytes.withBytes { memory in
      guard memory.starts(with: heading) else { return nil }
      var (frames, offset): ([Frame], _) = ([], heading.count)
      while offset < memory.count {
        let start = offset + SiteRecordBytes.frameHeader
        guard start <= memory.count, let length = Int(exactly: memory.little64(at: offset)),
          length <= memory.count - start
        else { return nil }
        frames.append(Frame(bytes: bytes[start..<start + length], sum: memory.little64(at: offset + 8)))
        offset = start + length
      }
      return frames
    }
  }

  /// The commit of the site; empty if it is in a folder.
  package var commit: String { head.commit }

  package var report: SiteReport { head.report }

  /// Whether the files of the site are as the export left them, in the order of the record; nil if the record is damaged.
  ///
  /// - Complexity: one call of the system a file.
  package func areIntact(in folder: [UInt8]) -> [Bool]? {
    guard files.allSatisfy(\.isSound) else { return nil }
    return StampedFiles.areIntact(files.map(\.bytes), below: folder)
  }

  /// The whole record; nil if it is damaged.
  ///
  /// - Complexity: linear in the notes, their links and the files.
  package func record() -> SiteRecord? {
    let items = concurrentMap(runs, threads: Threads.processors, chunk: 1) { run -> [SiteRecord.Item]? in
      guard run.isSound else { return nil }
      return run.bytes.withBytes { bytes in
        var unpacker = ByteUnpacker(bytes)
        var items: [SiteRecord.Item] = []
        while !unpacker.isAtEnd {
          guard let item = SiteRecord.Item(&unpacker) else { return nil }
          items.append(item)
        }
        return items
      }
    }
    let stretches = files.map { $0.isSound ? StampedFiles.files(in: $0.bytes) : nil }
    guard keys.isSound, !items.contains(where: { $0 == nil }), !stretches.contains(where: { $0 == nil })
    else { return nil }
    return keys.bytes.withBytes { bytes in
      var unpacker = ByteUnpacker(bytes)
      var outputs: [[UInt8]: SiteRecord.Output] = [:]
      outputs.reserveCapacity(stretches.reduce(0) { $0 + ($1?.count ?? 0) })
      var number = 0
      for file in stretches.lazy.flatMap({ $0 ?? [] }) {
        guard let key = unpacker.key() else { return nil }
        outputs[file.path] = SiteRecord.Output(key: key, stamp: file.stamp, number: number)
        number += 1
      }
      guard let count = unpacker.number() else { return nil }
      var redirects: [Redirect] = []
      for _ in 0..<count {
        guard let path = unpacker.bytes(), let number = unpacker.number() else { return nil }
        redirects.append(Redirect(path: Array(path), number: number))
      }
      return SiteRecord(
        head: head, items: Array(items.lazy.flatMap { $0 ?? [] }), redirects: redirects, outputs: outputs,
        runs: runs.map(\.bytes))
    }
  }
}

extension SiteRecord {
  /// Reads a record; nil if the bytes are not one of this version, or damaged.
  ///
  /// - Complexity: linear in the notes, their links and the files.
  package init?(_ bytes: [UInt8]) {
    guard let record = SiteRecordFile(ByteSlice(copying: bytes))?.record() else { return nil }
    self = record
  }
}

extension SiteRecord.Head {
  fileprivate init?(_ unpacker: inout ByteUnpacker) {
    guard let key = unpacker.key(), let others = unpacker.key(), let hiddenFiles = unpacker.key(),
      let day = unpacker.text(), let tip = unpacker.text(), let withheldCount = unpacker.number(),
      let commit = unpacker.text(), let mark = unpacker.key(), let files = unpacker.paths(),
      let hasLines = unpacker.number(), let lines = unpacker.paths(), let list = unpacker.key(),
      let noteCount = unpacker.number(), let fileCount = unpacker.number()
    else { return nil }
    let report = SiteReport(
      lines: hasLines == 0 ? nil : lines.map { String(decoding: $0, as: UTF8.self) }, list: list,
      noteCount: noteCount, fileCount: fileCount)
    self.init(
      key: key, others: others, hiddenFiles: hiddenFiles, day: day, tip: tip, withheldCount: withheldCount,
      commit: commit, mark: mark, files: files, report: report)
  }
}

extension SiteRecord.Item {
  fileprivate func pack(_ packer: inout BytePacker) {
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

  fileprivate init?(_ unpacker: inout ByteUnpacker) {
    guard let path = unpacker.bytes(), let content = unpacker.bytes(), let created = unpacker.time(),
      let page = unpacker.bytes(), let title = unpacker.text(), let day = unpacker.text(),
      let kind = unpacker.text(), let tagCount = unpacker.number()
    else { return nil }
    var tags: [String] = []
    for _ in 0..<tagCount {
      guard let tag = unpacker.text() else { return nil }
      tags.append(tag)
    }
    guard let modified = unpacker.time(), let names = unpacker.key(), let flags = unpacker.number(),
      let own = unpacker.bytes(), let linkCount = unpacker.number()
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
        address: address, hasAliases: isSet(1), names: names, isRetitled: isSet(2), leads: leads),
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
