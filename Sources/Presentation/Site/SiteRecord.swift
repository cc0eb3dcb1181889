import Bytes
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
    /// The paths of the withheld notes whose titles are in its texts; nil if nobody looked for them.
    let mentions: [[UInt8]]?
  }

  /// A file of the site.
  struct Output: Sendable, Equatable {
    /// A hash of what it was made of; 0 if it is made each time.
    let key: UInt64
    /// The state of the file in the folder of the site.
    let stamp: FileStamp
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
  }

  let head: Head
  let items: [Item]
  let redirects: [Redirect]
  let outputs: [[UInt8]: Output]

  /// The commit of the site; empty if it is in a folder.
  package var commit: String { head.commit }
}

/// The bytes of a record, in parts, which are made one after another: all at once they would take the memory of the notes
/// once more.
///
/// Frames with their lengths: the head, runs of notes, redirects and files, a hash of the others.
package struct SiteRecordBytes: Sequence, Sendable {
  fileprivate static let heading = Array("slipbox site record 3\n".utf8)
  /// Runs of notes are read on several threads.
  fileprivate static let runLength = 2048

  let head: SiteRecord.Head
  /// How many notes there are.
  let count: Int
  let item: @Sendable (_ number: Int) -> SiteRecord.Item
  let redirects: [Redirect]
  let outputs: [(path: [UInt8], output: SiteRecord.Output)]

  /// All of them.
  package var bytes: [UInt8] { Array(joined()) }

  package func makeIterator() -> AnyIterator<[UInt8]> {
    let runs = (count + Self.runLength - 1) / Self.runLength
    var (next, sum) = (0, PageKey())
    return AnyIterator {
      defer { next += 1 }
      var frame = BytePacker()
      switch next {
      case 0: pack(head, runs: runs, &frame)
      case 1...runs:
        let start = (next - 1) * Self.runLength
        for number in start..<Swift.min(start + Self.runLength, count) { item(number).pack(&frame) }
      case runs + 1: packOutputs(&frame)
      case runs + 2: frame.append(key: sum.value)
      default: return nil
      }
      sum.add(frame.bytes)
      var framed = BytePacker()
      framed.append(frame.bytes)
      return next == 0 ? Self.heading + framed.bytes : framed.bytes
    }
  }

  private func pack(_ head: SiteRecord.Head, runs: Int, _ packer: inout BytePacker) {
    packer.append(runs)
    packer.append(key: head.key)
    packer.append(key: head.others)
    packer.append(key: head.hiddenFiles)
    packer.append(head.day.utf8)
    packer.append(head.tip.utf8)
    packer.append(head.commit.utf8)
    packer.append(head.withheldCount)
  }

  private func packOutputs(_ packer: inout BytePacker) {
    packer.append(redirects.count)
    for redirect in redirects {
      packer.append(redirect.path)
      packer.append(redirect.number)
    }
    packer.append(outputs.count)
    for (path, output) in outputs {
      packer.append(path)
      packer.append(key: output.key)
      packer.append(output.stamp)
    }
  }
}

extension SiteRecord {
  /// Reads a record; nil if the bytes are not one of this version, or damaged.
  ///
  /// - Complexity: linear in the notes, their links and the files.
  package init?(_ bytes: [UInt8]) {
    guard bytes.starts(with: SiteRecordBytes.heading) else { return nil }
    let record = bytes.withUnsafeBytes { bytes in
      SiteRecord(UnsafeRawBufferPointer(rebasing: bytes.dropFirst(SiteRecordBytes.heading.count)))
    }
    guard let record else { return nil }
    self = record
  }

  /// The frames, without the hash at the end; nil if it is not theirs.
  private static func frames(_ bytes: UnsafeRawBufferPointer) -> [UnsafeRawBufferPointer]? {
    var (frames, unpacker): ([UnsafeRawBufferPointer], _) = ([], ByteUnpacker(bytes))
    while !unpacker.isAtEnd {
      guard let frame = unpacker.range() else { return nil }
      frames.append(bytes[rebased: frame])
    }
    guard let last = frames.popLast() else { return nil }
    var sum = PageKey()
    for frame in frames { sum.add(frame) }
    var end = ByteUnpacker(last)
    return end.key() == sum.value && end.isAtEnd ? frames : nil
  }

  private init?(_ bytes: UnsafeRawBufferPointer) {
    guard let frames = Self.frames(bytes), let first = frames.first else { return nil }
    var start = ByteUnpacker(first)
    guard let runs = start.number(), runs == frames.count - 2, let head = Head(&start) else { return nil }
    let packed = frames[1...runs].map { Frame(bytes: $0) }
    let items = concurrentMap(packed, threads: Threads.processors, chunk: 1) { frame -> [Item?] in
      var unpacker = ByteUnpacker(frame.bytes)
      var items: [Item?] = []
      while !unpacker.isAtEnd {
        let item = Item(&unpacker)
        items.append(item)
        if item == nil { break }
      }
      return items
    }
    let whole = items.joined().compactMap { $0 }
    var unpacker = ByteUnpacker(frames[runs + 1])
    guard whole.count == items.reduce(0, { $0 + $1.count }), let count = unpacker.number() else { return nil }
    var redirects: [Redirect] = []
    for _ in 0..<count {
      guard let path = unpacker.bytes(), let number = unpacker.number() else { return nil }
      redirects.append(Redirect(path: Array(path), number: number))
    }
    guard let files = unpacker.number() else { return nil }
    var outputs: [[UInt8]: Output] = [:]
    outputs.reserveCapacity(files)
    for _ in 0..<files {
      guard let path = unpacker.bytes(), let key = unpacker.key(), let stamp = unpacker.stamp() else {
        return nil
      }
      outputs[Array(path)] = Output(key: key, stamp: stamp)
    }
    (self.head, self.items, self.redirects, self.outputs) = (head, whole, redirects, outputs)
  }

  /// Bytes that threads read while the record is made of them.
  private struct Frame: @unchecked Sendable {
    let bytes: UnsafeRawBufferPointer
  }
}

extension SiteRecord.Head {
  fileprivate init?(_ unpacker: inout ByteUnpacker) {
    guard let key = unpacker.key(), let others = unpacker.key(), let hiddenFiles = unpacker.key(),
      let day = unpacker.text(), let tip = unpacker.text(), let commit = unpacker.text(),
      let withheldCount = unpacker.number()
    else { return nil }
    self.init(
      key: key, others: others, hiddenFiles: hiddenFiles, day: day, tip: tip, withheldCount: withheldCount,
      commit: commit)
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

  fileprivate mutating func append(_ stamp: FileStamp) {
    append(signed: stamp.size)
    append(signed: stamp.modified)
    append(signed: stamp.changed)
    append(key: stamp.inode)
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

  fileprivate mutating func stamp() -> FileStamp? {
    guard let size = signed(), let modified = signed(), let changed = signed(), let inode = key() else {
      return nil
    }
    return FileStamp(size: size, modified: modified, changed: changed, inode: inode)
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
