import func Glibc.memcmp

/// The terms of an index that is being built, found by their letters.
final class TermTable {
  /// The terms in the order in which they were met.
  private(set) var terms: UnsafeMutablePointer<BuiltTerm>
  private(set) var count = 0
  private var capacity = 1 << 12
  /// For each place by hash: the upper half of the hash above the number of a term plus 1; 0 where there is
  /// none.
  private var slots: UnsafeMutablePointer<UInt64>
  /// One less than how many places there are, a power of two.
  private var lastSlot: UInt64 = 1 << 14 - 1
  /// The letters of terms longer than 16 bytes.
  private let text = ByteSink()

  init() {
    terms = Self.noTerms(capacity)
    slots = Self.noSlots(lastSlot)
  }

  /// Makes room for terms, none of which lies in two lines of the cache.
  private static func noTerms(_ capacity: Int) -> UnsafeMutablePointer<BuiltTerm> {
    let size = capacity * MemoryLayout<BuiltTerm>.stride
    return UnsafeMutableRawPointer.allocate(byteCount: size, alignment: 64)
      .bindMemory(to: BuiltTerm.self, capacity: capacity)
  }

  private static func noSlots(_ last: UInt64) -> UnsafeMutablePointer<UInt64> {
    let slots = UnsafeMutablePointer<UInt64>.allocate(capacity: Int(last) + 1)
    slots.initialize(repeating: 0, count: Int(last) + 1)
    return slots
  }

  deinit {
    for index in 0..<count { terms[index].release() }
    terms.deallocate()
    slots.deallocate()
  }

  /// Returns what stands at the first place for a hash.
  @inline(__always)
  func firstSlot(_ hash: UInt64) -> UInt64 { slots[Int(truncatingIfNeeded: hash & lastSlot)] }

  /// Returns the number of the term that a slot holds, if it is that of a word of at most 16 bytes; -1 if
  /// not.
  @inline(__always)
  func shortTerm(_ slot: UInt64, _ word: ScannedWord, _ hash: UInt64) -> Int {
    guard slot != 0, (slot ^ hash) >> 32 == 0 else { return -1 }
    let number = Int(truncatingIfNeeded: slot & 0xFFFF_FFFF) &- 1
    let term = terms + number
    let isSame =
      term.pointee.low == word.low && term.pointee.high == word.high && Int(term.pointee.count) == word.count
    return isSame ? number : -1
  }

  /// Returns the number of the term of a word, which is made if it is new.
  func term(_ word: ScannedWord, _ hash: UInt64) -> Int {
    var slot = hash & lastSlot
    while true {
      let entry = slots[Int(truncatingIfNeeded: slot)]
      if entry == 0 { return insert(word, hash) }
      let number = shortTerm(entry, word, hash)
      if number >= 0, word.count <= 16 || hasSameRest(terms + number, word) { return number }
      slot = (slot &+ 1) & lastSlot
    }
  }

  @inline(never)
  private func hasSameRest(_ term: UnsafeMutablePointer<BuiltTerm>, _ word: ScannedWord) -> Bool {
    guard let bytes = word.bytes else { return false }
    return memcmp(text.bytes + Int(term.pointee.textStart), bytes, word.count) == 0
  }

  @inline(never)
  private func insert(_ word: ScannedWord, _ hash: UInt64) -> Int {
    if (count + 1) * 2 > Int(lastSlot) { growSlots() }
    if count == capacity { growTerms() }
    let start = text.count
    if let bytes = word.bytes { text.append(UnsafeRawBufferPointer(start: bytes, count: word.count)) }
    (terms + count).initialize(to: BuiltTerm(word, textStart: UInt32(start)))
    count += 1
    place(UInt64(count), hash)
    return count - 1
  }

  /// Puts the number of a term into the first free place for its hash.
  private func place(_ number: UInt64, _ hash: UInt64) {
    var slot = hash & lastSlot
    while slots[Int(slot)] != 0 { slot = (slot &+ 1) & lastSlot }
    slots[Int(slot)] = hash & ~0xFFFF_FFFF | number
  }

  private func growSlots() {
    slots.deallocate()
    lastSlot = lastSlot * 4 + 3
    slots = Self.noSlots(lastSlot)
    for index in 0..<count { place(UInt64(index + 1), word(index).hash) }
  }

  private func growTerms() {
    capacity *= 2
    let larger = Self.noTerms(capacity)
    larger.moveInitialize(from: terms, count: count)
    terms.deallocate()
    terms = larger
  }

  /// The letters of a term, valid until the next new one.
  func word(_ index: Int) -> ScannedWord {
    let term = terms[index]
    let length = Int(term.count)
    if length <= 16 { return ScannedWord(low: term.low, high: term.high, count: length) }
    return ScannedWord(text.bytes + Int(term.textStart), count: length)
  }

  /// The numbers of some terms in the order of their bytes.
  ///
  /// - Complexity: O(n log n).
  func sorted(_ numbers: ArraySlice<Int32>) -> [Int32] {
    var keys = numbers.map { (low: terms[Int($0)].low.byteSwapped, number: $0) }
    keys.sort { left, right in
      left.low == right.low
        ? word(Int(left.number)).precedes(word(Int(right.number))) : left.low < right.low
    }
    return keys.map(\.number)
  }
}

extension ScannedWord {
  /// Whether a word comes before another one, byte by byte.
  ///
  /// No word holds a zero, so that the zeros after its end put a shorter word first.
  func precedes(_ other: ScannedWord) -> Bool { order(other) < 0 }

  /// A negative number where a word comes before another one, zero where they are the same.
  func order(_ other: ScannedWord) -> Int {
    if low != other.low { return low.byteSwapped < other.low.byteSwapped ? -1 : 1 }
    if high != other.high { return high.byteSwapped < other.high.byteSwapped ? -1 : 1 }
    if let bytes, let others = other.bytes {
      let order = memcmp(bytes, others, min(count, other.count))
      if order != 0 { return Int(order) }
    }
    return count - other.count
  }

  /// Appends the letters.
  func append(to sink: ByteSink) {
    if let bytes {
      sink.append(UnsafeRawBufferPointer(start: bytes, count: count))
      return
    }
    withUnsafeBytes(of: (low.littleEndian, high.littleEndian)) { letters in
      sink.append(UnsafeRawBufferPointer(rebasing: letters.prefix(count)))
    }
  }
}
