import Bytes
import NoteIndex
import Notes
import Platform

/// The records of contents that the work tree need not have, such as those of past commits, in the format of their file.
///
/// A head with the version is followed by frames. Each frame is a table of contents in the order of their ids, followed
/// by the records. The checksum of a table is verified when the file is opened, that of a record at its first read. An
/// incomplete frame, which a killed command left, ends the file.
struct PastRecords: Sendable {
  /// A table with its records, by their places in the file.
  private struct Frame: Sendable {
    let count: Int
    let table: Int
    let records: Int
  }

  private static let magic = Array("slippast".utf8)
  private static let headLength = 16
  private static let frameHeader = 16
  /// The length of a row: the id of a content, the end of its record in the frame, and the checksum of the record.
  private static let rowLength = 32

  private let bytes: ByteSlice
  private let frames: [Frame]
  /// The number of valid bytes of the file.
  let length: Int

  /// Opens the bytes of a file; nil if they are not of this version.
  /// - Complexity: linear in the number of records.
  init?(_ bytes: ByteSlice) {
    guard let (frames, length) = bytes.withBytes({ Self.frames(in: $0) }) else { return nil }
    self.bytes = bytes
    self.frames = frames
    self.length = length
  }

  /// Returns the valid frames, and the number of valid bytes of the file; nil if the bytes are not of this version.
  private static func frames(in memory: UnsafeRawBufferPointer) -> (frames: [Frame], length: Int)? {
    guard memory.count >= Self.headLength,
      memory[rebased: 0..<Self.headLength].elementsEqual(Self.head)
    else { return nil }
    var frames: [Frame] = []
    var next = Self.headLength
    while memory.count - next >= Self.frameHeader {
      let (count, recordsLength) = (Int(memory.little32(at: next)), Int(memory.little32(at: next + 4)))
      let table = next + Self.frameHeader
      let records = table + count * Self.rowLength
      guard count > 0, records + recordsLength <= memory.count,
        Self.sum(of: memory[rebased: next..<next + 8], memory[rebased: table..<records])
          == memory.little64(at: next + 8)
      else { break }
      frames.append(Frame(count: count, table: table, records: records))
      next = records + recordsLength
    }
    return (frames, next)
  }

  /// The beginning of a file: its name, its version, and that of the records.
  static var head: [UInt8] {
    var head = magic
    let fields = InlineFields.areRead ? 2 + InlineFields.reading.rawValue : 1
    head.append(little: UInt32(fields + (TextConventions.has(.shortcodes) ? 8 : 0)))
    head.append(little: CatalogueFile.version)
    return head
  }

  /// Returns a frame of records of different contents.
  static func frame(_ records: [(content: ContentID, record: [UInt8])]) -> [UInt8] {
    let rows = records.map { (id: $0.content.bytes, record: $0.record) }.sorted { $0.id.precedes($1.id) }
    var table: [UInt8] = []
    table.reserveCapacity(rows.count * rowLength)
    var end = 0
    for row in rows {
      end += row.record.count
      table += row.id
      table.append(little: UInt32(truncatingIfNeeded: end))
      table.append(little: row.record.withUnsafeBytes(Checksum.of))
    }
    var frame: [UInt8] = []
    frame.reserveCapacity(frameHeader + table.count + end)
    frame.append(little: UInt32(truncatingIfNeeded: rows.count))
    frame.append(little: UInt32(truncatingIfNeeded: end))
    let sum = frame.withUnsafeBytes { head in table.withUnsafeBytes { Self.sum(of: head, $0) } }
    frame.append(little: sum)
    frame += table
    for row in rows { frame += row.record }
    return frame
  }

  private static func sum(of head: UnsafeRawBufferPointer, _ table: UnsafeRawBufferPointer) -> UInt64 {
    Checksum.of(head) ^ Checksum.of(table)
  }
}

extension PastRecords {
  /// The valid bytes, to be stored in another file.
  var sound: [UInt8] { bytes.withBytes { Array($0[rebased: 0..<length]) } }

  /// Returns the records of some contents, in their order; nil if there is no valid one.
  ///
  /// - Complexity: linear in the number of records, or O(m log n) for m contents in a frame of many more.
  func records(of contents: [ContentID]) -> [ByteSlice?] {
    bytes.withBytes { records(of: contents, in: $0) }
  }

  private func records(of contents: [ContentID], in memory: UnsafeRawBufferPointer) -> [ByteSlice?] {
    let ids = contents.map(\.bytes)
    let order = ids.indices.sorted { ids[$0].precedes(ids[$1]) }
    var result = [ByteSlice?](repeating: nil, count: ids.count)
    for frame in frames {
      var row = 0
      for place in order where result[place] == nil {
        ids[place].withUnsafeBytes { id in
          row = self.row(notBefore: id, from: row, in: frame, memory)
          guard row < frame.count, compare(row, of: frame, id, memory) == 0 else { return }
          result[place] = record(row, of: frame, memory)
        }
        if row == frame.count { break }
      }
    }
    return result
  }

  /// Returns the first row from one on whose content is not before another: a few steps, then a binary search.
  private func row(
    notBefore id: UnsafeRawBufferPointer, from start: Int, in frame: Frame, _ memory: UnsafeRawBufferPointer
  ) -> Int {
    var (low, step) = (start, 1)
    while low < frame.count, compare(low, of: frame, id, memory) < 0 {
      var high = min(low + step, frame.count)
      guard high == frame.count || compare(high, of: frame, id, memory) >= 0 else {
        (low, step) = (high, step * 2)
        continue
      }
      low += 1
      while low < high {
        let middle = (low + high) / 2
        if compare(middle, of: frame, id, memory) < 0 { low = middle + 1 } else { high = middle }
      }
    }
    return low
  }

  private func compare(
    _ row: Int, of frame: Frame, _ id: UnsafeRawBufferPointer, _ memory: UnsafeRawBufferPointer
  ) -> Int {
    let start = frame.table + row * Self.rowLength
    return ByteOrder.compare(memory[rebased: start..<start + ContentID.length], id)
  }

  private func record(_ row: Int, of frame: Frame, _ memory: UnsafeRawBufferPointer) -> ByteSlice? {
    let place = frame.table + row * Self.rowLength + ContentID.length
    let start = row == 0 ? 0 : Int(memory.little32(at: place - Self.rowLength))
    let end = Int(memory.little32(at: place))
    guard start <= end, frame.records + end <= bytes.count else { return nil }
    let record = bytes[frame.records + start..<frame.records + end]
    return record.withBytes { Checksum.of($0) } == memory.little64(at: place + 4) ? record : nil
  }
}

extension [UInt8] {
  fileprivate func precedes(_ other: [UInt8]) -> Bool { ByteOrder.precedes(self, other) }
}

/// The file in which the records of past contents are cached for later commands.
///
/// It only grows, or is replaced as a whole, so that it may be mapped. A command that can't write it continues without
/// it.
struct PastRecordsCache: Sendable {
  /// The minimum number of records that are cached: fewer are computed again as fast as they are found.
  static let fewest = 32

  private let box: Box
  private let folder: [UInt8]
  /// The size in bytes above which the file is started again.
  private let longest: Int

  init(_ box: Box, longest: Int = 256 << 20) {
    self.box = box
    folder = box.privateFolder
    self.longest = longest
  }

  /// The path of the file.
  var file: [UInt8] { BytePath.join(folder, Array("past".utf8)) }

  /// Returns the cached records; nil if there are none that can be read.
  func records() -> PastRecords? {
    // A cache that can't be read counts as missing.
    ((try? Files.map(file)) ?? nil).flatMap { PastRecords($0.bytes.slice) }
  }

  /// Stores more records. A failure has no effect.
  ///
  /// - Parameter isDamaged: whether a record of the file was found to be damaged, so that all of it is dropped.
  func keep(_ records: [(content: ContentID, record: [UInt8])], isDamaged: Bool = false) {
    guard records.count >= Self.fewest || isDamaged && !records.isEmpty else { return }
    try? box.makePrivateFolder()
    let lockFile = BytePath.join(folder, Array("past.lock".utf8))
    guard let lock = try? FileLock.acquire(lockFile, timeoutMilliseconds: 0) else { return }
    defer { withExtendedLifetime(lock) {} }
    let frame = PastRecords.frame(fitting(records))
    let mapped = (try? Files.map(file)) ?? nil
    guard !isDamaged, let mapped, let known = PastRecords(mapped.bytes.slice),
      known.length + frame.count <= longest
    else {
      try? Files.replaceCache(file, with: [PastRecords.head, frame])
      return
    }
    if known.length == mapped.bytes.count {
      // The file is never truncated: another command may have it mapped.
      _ = try? Files.appendToCache(file, frame, at: known.length)
    } else {
      try? Files.replaceCache(file, with: [known.sound, frame])
    }
  }

  /// Returns as many of the records as fit into half of the maximum file size, each content once.
  private func fitting(
    _ records: [(content: ContentID, record: [UInt8])]
  ) -> [(content: ContentID, record: [UInt8])] {
    var seen: Set<ContentID> = []
    var room = longest / 2
    return records.filter { record in
      room -= record.record.count
      return room >= 0 && seen.insert(record.content).inserted
    }
  }
}
