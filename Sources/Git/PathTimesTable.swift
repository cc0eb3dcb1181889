/// The times of many files in one run of bytes, sorted by path: what the cache file holds.
package struct PathTimesTable: Sendable {
  /// What a table was made for.
  struct Key: Equatable {
    let head: ObjectID
    let cut: ObjectID
    let prefix: [UInt8]
  }

  let key: Key
  let bytes: [UInt8]
  /// How many files it holds.
  package let count: Int
  private let records: Int
  private let names: Int

  private static let magic = Array("sliptim1".utf8)
  /// Magic, checksum, head, cut, lengths of prefix and names, count.
  private static let headerSize = 8 + 8 + 20 + 20 + 4 + 4 + 4
  /// End of the name, modified, first, their offsets, commit.
  private static let recordSize = 4 + 8 + 8 + 2 + 2 + 20

  /// Reads a table; nil where the bytes are not one, whole and sound.
  init?(bytes: [UInt8]) {
    guard bytes.count >= Self.headerSize, bytes.starts(with: Self.magic),
      bytes.wide(at: 8) == Self.checksum(bytes), let head = ObjectID(bytes: bytes[16..<36]),
      let cut = ObjectID(bytes: bytes[36..<56])
    else { return nil }
    let prefixLength = Int(bytes.number(at: 56))
    let namesLength = Int(bytes.number(at: 60))
    count = Int(bytes.number(at: 64))
    records = Self.headerSize + prefixLength
    names = records + count * Self.recordSize
    guard names + namesLength == bytes.count else { return nil }
    key = Key(head: head, cut: cut, prefix: Array(bytes[Self.headerSize..<records]))
    self.bytes = bytes
    guard endsAscend(namesLength) else { return nil }
  }

  private func endsAscend(_ length: Int) -> Bool {
    var last = 0
    for number in 0..<count {
      let end = nameEnd(number)
      guard end >= last, end <= length else { return false }
      last = end
    }
    return true
  }

  private func nameEnd(_ number: Int) -> Int { Int(bytes.number(at: records + number * Self.recordSize)) }

  /// The path of a file by its number in the order of paths.
  func path(_ number: Int) -> ArraySlice<UInt8> {
    bytes[(names + (number == 0 ? 0 : nameEnd(number - 1)))..<(names + nameEnd(number))]
  }

  func times(_ number: Int) -> PathTimes {
    let start = records + number * Self.recordSize
    let time: (Int, Int) -> CommitTime = { seconds, offset in
      CommitTime(
        seconds: Int64(bitPattern: bytes.wide(at: seconds)),
        offsetMinutes: Int(Int16(bitPattern: bytes.short(at: offset))))
    }
    return PathTimes(
      modified: time(start + 4, start + 20), first: time(start + 12, start + 22),
      modifiedBy: ObjectID(bytes: bytes[(start + 24)..<(start + 44)]) ?? .zero)
  }

  /// The number of a path; nil where it is not in the table.
  func number(of path: [UInt8]) -> Int? {
    var low = 0
    var high = count
    while low < high {
      let middle = (low + high) / 2
      if self.path(middle).precedes(path[...]) { low = middle + 1 } else { high = middle }
    }
    return low < count && self.path(low).elementsEqual(path) ? low : nil
  }

  /// The times of a file. Complexity: O(log n).
  package subscript(_ path: [UInt8]) -> PathTimes? { number(of: path).map { times($0) } }

  /// All files with their times.
  package var dictionary: [[UInt8]: PathTimes] {
    var result: [[UInt8]: PathTimes] = [:]
    result.reserveCapacity(count)
    for number in 0..<count { result[Array(path(number))] = times(number) }
    return result
  }

  /// A sum that no ordinary damage leaves as it is: eight bytes at a time, each step mixed by a product.
  private static func checksum(_ bytes: [UInt8]) -> UInt64 {
    bytes.withUnsafeBytes { buffer in
      var sum: UInt64 = 0x9E37_79B9_7F4A_7C15 ^ UInt64(buffer.count)
      var offset = 16
      while offset + 8 <= buffer.count {
        sum = (sum ^ buffer.loadUnaligned(fromByteOffset: offset, as: UInt64.self)) &* 0xFF51_AFD7_ED55_8CCD
        sum ^= sum >> 32
        offset += 8
      }
      while offset < buffer.count {
        sum = (sum ^ UInt64(buffer[offset])) &* 0xFF51_AFD7_ED55_8CCD
        sum ^= sum >> 32
        offset += 1
      }
      return sum
    }
  }
}

extension PathTimesTable {
  /// Puts a table together, file by file in the order of paths.
  struct Builder {
    private let key: Key
    private var records: [UInt8] = []
    private var names: [UInt8] = []
    private var count: UInt32 = 0

    init(_ key: Key) { self.key = key }

    mutating func append(_ path: ArraySlice<UInt8>, _ times: PathTimes) {
      names.append(contentsOf: path)
      count += 1
      records.append(number: UInt32(truncatingIfNeeded: names.count))
      records.append(wide: UInt64(bitPattern: times.modified.seconds))
      records.append(wide: UInt64(bitPattern: times.first.seconds))
      for time in [times.modified, times.first] {
        records.append(short: UInt16(bitPattern: Int16(truncatingIfNeeded: time.offsetMinutes)))
      }
      times.modifiedBy.append(to: &records)
    }

    /// The finished table.
    func table() throws(GitError) -> PathTimesTable {
      var bytes = PathTimesTable.magic + [0, 0, 0, 0, 0, 0, 0, 0]
      key.head.append(to: &bytes)
      key.cut.append(to: &bytes)
      bytes.append(number: UInt32(truncatingIfNeeded: key.prefix.count))
      bytes.append(number: UInt32(truncatingIfNeeded: names.count))
      bytes.append(number: count)
      bytes += key.prefix + records + names
      var sum: [UInt8] = []
      sum.append(wide: PathTimesTable.checksum(bytes))
      bytes.replaceSubrange(8..<16, with: sum)
      guard let table = PathTimesTable(bytes: bytes) else {
        throw GitError(.other, "there are too many files")
      }
      return table
    }
  }
}

extension [UInt8] {
  /// The number in eight bytes, the highest first.
  func wide(at offset: Int) -> UInt64 {
    self.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: offset, as: UInt64.self).bigEndian }
  }

  /// Appends a number in eight bytes, the highest first.
  mutating func append(wide: UInt64) { Swift.withUnsafeBytes(of: wide.bigEndian) { append(contentsOf: $0) } }
}
