package import Bytes
import NoteIndex
import Notes
import Platform
package import SlipboxCore

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
    var tip: String
    /// The number of the notes that the query finds and the site leaves out.
    let withheldCount: Int
    /// The commit of the site; empty if it is in a folder.
    let commit: String
    /// Identifies the site by all of its inputs; 0 if only the notes decide.
    var mark: UInt64
    /// The linked files other than notes, whether or not they are copied.
    let files: [[UInt8]]
    let report: SiteReport
    /// Identifies all that the site is made of but the notes; 0 if that is not known.
    var setting: UInt64 = 0
    /// The notes of the box; nil if their state is not known.
    var state: CatalogueState?
    /// How many notes the box has.
    var entryCount = 0
    /// The places in the catalogue of the notes that are not on the site, ascending.
    var hidden: [Int] = []
    /// Whether a note of the site has tags.
    var hasTags = false
    /// The number of the note whose text is on the front page; nil without one.
    var home: Int?
  }

  let head: Head
  let items: [Item]
  /// The words of the notes that the last exports read again, by their numbers.
  let words: [Int: Set<[UInt8]>]
  let redirects: [Redirect]
  let outputs: [[UInt8]: Output]
  /// The bytes of the notes in runs.
  let runs: [ByteSlice]
}

/// The bytes of a record, in parts, which are made one after another: all at once they would take the memory of the notes
/// once more.
///
/// Frames with their lengths and checksums: the head, stretches of files, the keys of the files, the redirects, the times of
/// the notes, their links, the words of some notes, the names of the notes of the catalogue, runs of notes.
package struct SiteRecordBytes: Sequence, Sendable {
  static let heading = Array("slipbox site record 5\n".utf8)
  static let frameHeader = 16
  /// So many frames are between those of the files and those of the notes.
  static let middleCount = 6
  /// Runs of notes are read on several threads.
  static let runLength = 512

  let head: SiteRecord.Head
  /// How many notes there are.
  let count: Int
  let item: @Sendable (_ number: Int) -> SiteRecord.Item
  let notes: SiteNotes
  /// The words of some notes by their numbers.
  let words: [Int: Set<[UInt8]>]
  /// The table of the names of the notes of the catalogue.
  let names: @Sendable () -> ByteSlice
  let redirects: [Redirect]
  let outputs: [(path: [UInt8], output: SiteRecord.Output)]
  /// The bytes of a run that is as in the last record; nil for another one.
  let sameRun: @Sendable (_ run: Int) -> ByteSlice?

  /// All of them.
  package var bytes: [UInt8] { Array(joined()) }

  package func makeIterator() -> AnyIterator<[UInt8]> {
    let runs = (count + Self.runLength - 1) / Self.runLength
    let stretches = StampedFiles.stretches(of: outputs.map(\.path))
    let firstRun = stretches.count + 1 + Self.middleCount
    var next = 0
    return AnyIterator {
      defer { next += 1 }
      switch next {
      case 0: return Self.heading + Self.frame(head.packed(stretches: stretches.count, runs: runs))
      case 1..<stretches.count + 1:
        let files = stretches[next - 1].map { (path: outputs[$0].path, stamp: outputs[$0].output.stamp) }
        return Self.frame(StampedFiles.packed(files))
      case stretches.count + 1:
        var keys: [UInt8] = []
        keys.reserveCapacity(8 * outputs.count)
        for place in stretches.joined() { keys.append(little: outputs[place].output.key) }
        return Self.frame(keys)
      case stretches.count + 2: return Self.frame(packedRedirects())
      case stretches.count + 3:
        return Self.frame(RecordedTimes.packed(notes.times))
      case stretches.count + 4:
        return Self.frame(RecordedLinks.packed(notes.lazy.map(\.leads.links)))
      case stretches.count + 5: return Self.frame(RecordedWords.packed(words))
      case stretches.count + 6: return Self.frame(names().withBytes { Array($0) })
      case firstRun..<firstRun + runs:
        if let same = sameRun(next - firstRun) { return Self.frame(same.withBytes { Array($0) }) }
        let start = (next - firstRun) * Self.runLength
        return Self.frame(
          RecordedNotes.packed((start..<Swift.min(start + Self.runLength, count)).lazy.map { item($0) }))
      default: return nil
      }
    }
  }

  static func frame(_ bytes: [UInt8]) -> [UInt8] {
    var frame: [UInt8] = []
    frame.reserveCapacity(frameHeader + bytes.count)
    frame.append(little: UInt64(bytes.count))
    frame.append(little: bytes.withUnsafeBytes { Checksum.of($0) })
    frame += bytes
    return frame
  }

  static func frame(_ bytes: ByteSlice, sum: UInt64) -> [UInt8] {
    var frame: [UInt8] = []
    frame.reserveCapacity(frameHeader + bytes.count)
    frame.append(little: UInt64(bytes.count))
    frame.append(little: sum)
    bytes.withBytes { frame.append(contentsOf: $0) }
    return frame
  }

  private func packedRedirects() -> [UInt8] {
    var packer = BytePacker()
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
  struct Frame: Sendable {
    let bytes: ByteSlice
    let sum: UInt64

    var isSound: Bool { bytes.withBytes { Checksum.of($0) } == sum }
  }

  let head: SiteRecord.Head
  private let frames: [Frame]
  /// Stretches of files.
  let stretches: Range<Int>
  let runs: Range<Int>

  /// The numbers of the frames between those of the files and those of the notes.
  var keys: Int { stretches.upperBound }
  var redirects: Int { keys + 1 }
  var times: Int { keys + 2 }
  var links: Int { keys + 3 }
  var words: Int { keys + 4 }
  var names: Int { keys + 5 }

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
    guard let read, read.stretches < frames.count,
      frames.count == 1 + read.stretches + SiteRecordBytes.middleCount + read.runs
    else { return nil }
    head = read.head
    self.frames = frames
    stretches = 1..<1 + read.stretches
    runs = frames.count - read.runs..<frames.count
  }

  /// The bytes of a frame.
  subscript(frame: Int) -> ByteSlice { frames[frame].bytes }

  /// The bytes of the record with another head and some other frames, in parts.
  func parts(_ head: SiteRecord.Head, replacing others: [Int: [UInt8]]) -> AnySequence<[UInt8]> {
    let first = SiteRecordBytes.frame(head.packed(stretches: stretches.count, runs: runs.count))
    return AnySequence(
      frames.indices.lazy.map { number -> [UInt8] in
        if number == 0 { return SiteRecordBytes.heading + first }
        if let other = others[number] { return SiteRecordBytes.frame(other) }
        return SiteRecordBytes.frame(frames[number].bytes, sum: frames[number].sum)
      })
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
    let files = frames[stretches]
    guard files.allSatisfy(\.isSound) else { return nil }
    return StampedFiles.areIntact(files.map(\.bytes), below: folder)
  }

  /// Has links resolved by the names that the record has, if they are those of the same catalogue.
  package func lendNames(to snapshot: BoxSnapshot) {
    guard let state = head.state, let now = snapshot.catalogueState, now.isOfSameCatalogue(as: state),
      frames[names].isSound, let entries = try? snapshot.catalogue().entries
    else { return }
    entries.useNamesTable(self[names])
  }

  /// The notes, each read when it is needed; nil if the record is damaged.
  ///
  /// - Complexity: linear in the bytes of the record, without decoding them.
  func notes() -> RecordedNotes? {
    let frames = Array(frames[keys...])
    guard !concurrentMap(frames, { $0.isSound }).contains(false) else { return nil }
    return RecordedNotes(runs.map { self[$0] })
  }

  /// The whole record; nil if it is damaged.
  ///
  /// - Complexity: linear in the notes, their links and the files.
  package func record() -> SiteRecord? {
    guard let notes = notes(), let words = RecordedWords.words(in: self[words]) else { return nil }
    let items = concurrentMap(Array(0..<runs.count), threads: Threads.processors, chunk: 1) { run in
      notes.range(ofRun: run).map { notes.item($0) }
    }
    let stretches = frames[stretches].map { $0.isSound ? StampedFiles.files(in: $0.bytes) : nil }
    guard !stretches.contains(where: { $0 == nil }), let redirects = readRedirects() else { return nil }
    var outputs: [[UInt8]: SiteRecord.Output] = [:]
    outputs.reserveCapacity(self[keys].count / 8)
    var number = 0
    let areRead = self[keys].withBytes { keys in
      for file in stretches.lazy.flatMap({ $0 ?? [] }) {
        guard 8 * number + 8 <= keys.count else { return false }
        outputs[file.path] = SiteRecord.Output(
          key: keys.little64(at: 8 * number), stamp: file.stamp, number: number)
        number += 1
      }
      return 8 * number == keys.count
    }
    guard areRead else { return nil }
    return SiteRecord(
      head: head, items: Array(items.joined()), words: words, redirects: redirects, outputs: outputs,
      runs: runs.map { self[$0] })
  }

  private func readRedirects() -> [Redirect]? {
    self[redirects].withBytes { bytes in
      var unpacker = ByteUnpacker(bytes)
      guard let count = unpacker.number() else { return nil }
      var redirects: [Redirect] = []
      for _ in 0..<count {
        guard let path = unpacker.bytes(), let number = unpacker.number() else { return nil }
        redirects.append(Redirect(path: Array(path), number: number))
      }
      return redirects
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
