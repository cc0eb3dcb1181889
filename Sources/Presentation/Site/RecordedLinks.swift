import Bytes

/// The links between a record's notes, twelve bytes each: source, target and flags, in the order of the sources.
enum RecordedLinks {
  struct Link: Sendable {
    let source: Int
    let target: Int
    let flags: Int

    var isEmbed: Bool { flags & 1 != 0 }
    var isToPart: Bool { flags & 2 != 0 }
    var isAmbiguous: Bool { flags & 4 != 0 }

    init(source: Int, _ link: SiteLink) {
      (self.source, target, flags) = (source, link.number, link.flags)
    }

    fileprivate init(source: Int, target: Int, flags: Int) {
      (self.source, self.target, self.flags) = (source, target, flags)
    }
  }

  private static let length = 12

  static func packed(_ links: some Collection<[SiteLink]>) -> [UInt8] {
    var bytes: [UInt8] = []
    for (source, links) in links.enumerated() {
      for link in links { append(Link(source: source, link), to: &bytes) }
    }
    return bytes
  }

  private static func append(_ link: Link, to bytes: inout [UInt8]) {
    bytes.append(little: UInt32(link.source))
    bytes.append(little: UInt32(link.target))
    bytes.append(little: UInt32(link.flags))
  }

  /// The bytes with other links of some sources.
  static func packed(_ old: ByteSlice, replacing links: [Int: [SiteLink]]) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(old.count + 64)
    let sources = links.keys.sorted()
    old.withBytes { old in
      var done = 0
      for source in sources {
        let start = offset(ofSource: source, in: old)
        bytes.append(contentsOf: old[done..<start])
        for link in links[source] ?? [] { append(Link(source: source, link), to: &bytes) }
        done = offset(ofSource: source + 1, in: old)
      }
      bytes.append(contentsOf: old[done...])
    }
    return bytes
  }

  private static func offset(ofSource source: Int, in bytes: UnsafeRawBufferPointer) -> Int {
    var (low, high) = (0, bytes.count / length)
    while low < high {
      let middle = (low + high) / 2
      if Int(bytes.little32(at: middle * length)) < source { low = middle + 1 } else { high = middle }
    }
    return low * length
  }

  /// The links to some notes.
  ///
  /// - Parameter isWanted: by the numbers of the notes.
  static func links(in bytes: ByteSlice, to isWanted: [Bool]) -> [Link] {
    bytes.withBytes { bytes in
      var found: [Link] = []
      var offset = 0
      while offset + length <= bytes.count {
        let target = Int(bytes.little32(at: offset + 4))
        if target < isWanted.count, isWanted[target] {
          found.append(
            Link(
              source: Int(bytes.little32(at: offset)), target: target,
              flags: Int(bytes.little32(at: offset + 8))))
        }
        offset += length
      }
      return found
    }
  }
}

/// The times of the last changes of a record's notes, eight bytes each.
enum RecordedTimes {
  static func packed(_ seconds: some Collection<Int64>) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(8 * seconds.count)
    for second in seconds { bytes.append(little: UInt64(bitPattern: second)) }
    return bytes
  }

  static func seconds(in bytes: ByteSlice) -> [Int64] {
    bytes.withBytes { bytes in
      stride(from: 0, to: bytes.count, by: 8).map { Int64(bitPattern: bytes.little64(at: $0)) }
    }
  }
}

/// The words of the notes that the last exports read again: a later one removes them from the search.
enum RecordedWords {
  /// More notes are forgotten.
  static let most = 512

  static func packed(_ words: [Int: Set<[UInt8]>]) -> [UInt8] {
    var packer = BytePacker()
    packer.append(words.count)
    for (number, words) in words.sorted(by: { $0.key < $1.key }) {
      packer.append(number)
      packer.append(words.count)
      for word in words.sorted(by: { $0.lexicographicallyPrecedes($1) }) { packer.append(word) }
    }
    return packer.bytes
  }

  /// - Returns: nil if the bytes are not a record of words.
  static func words(in bytes: ByteSlice) -> [Int: Set<[UInt8]>]? {
    bytes.withBytes { bytes in
      var unpacker = ByteUnpacker(bytes)
      guard let count = unpacker.number() else { return nil }
      var all: [Int: Set<[UInt8]>] = [:]
      for _ in 0..<count {
        guard let number = unpacker.number(), let wordCount = unpacker.number() else { return nil }
        var words: Set<[UInt8]> = []
        for _ in 0..<wordCount {
          guard let word = unpacker.array() else { return nil }
          words.insert(word)
        }
        all[number] = words
      }
      return unpacker.isAtEnd ? all : nil
    }
  }
}
