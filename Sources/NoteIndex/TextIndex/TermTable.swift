import Bytes

/// The terms of an index that is being built, found by their letters.
final class TermTable {
  /// The terms in the order in which they were met.
  private(set) var terms: UnsafeMutablePointer<BuiltTerm>
  private(set) var count = 0
  private var capacity = 1 << 12
  /// For each slot by hash: the upper half of the hash above the number of a term plus 1; 0 for an empty slot.
  private var slots: UnsafeMutablePointer<UInt64>
  /// One less than the number of slots, which is a power of two.
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

  /// Returns the content of the first slot for a hash.
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

  /// Returns the number of the term of a word; a new word gets a new term.
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
    return CLibrary.compare(text.bytes + Int(term.pointee.textStart), bytes, count: word.count) == 0
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

  /// Compares a word with another one: negative if it precedes the other, zero if they are equal.
  func order(_ other: ScannedWord) -> Int {
    if low != other.low { return low.byteSwapped < other.low.byteSwapped ? -1 : 1 }
    if high != other.high { return high.byteSwapped < other.high.byteSwapped ? -1 : 1 }
    if let bytes, let others = other.bytes {
      let order = CLibrary.compare(bytes, others, count: min(count, other.count))
      if order != 0 { return order }
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

/// One term of an index under construction, with its postings so far.
///
/// The postings are numbers. A document is twice its distance from the previous one plus 1, then the first place in it. A
/// further place is twice its distance from the previous place.
///
/// If a place is the first in a field other than the body, a zero and a byte with the field precede it. Such a place
/// counts from the beginning of the field.
struct BuiltTerm {
  let low: UInt64
  let high: UInt64
  /// The start of the bytes of a term longer than 16 in the table's text.
  let textStart: UInt32
  let count: UInt8
  private(set) var documentCount: UInt32 = 0
  /// The number after the document that was added last; 0 before the first.
  private var nextDocument: UInt32 = 0
  private var lastPlace: UInt32 = 0
  private var used: UInt32 = 0
  private var capacity: UInt32 = 0
  private var bytes: UnsafeMutablePointer<UInt8>?
  /// Makes a term as large as a line of the processor's cache.
  private let padding: UInt64 = 0

  init(_ word: ScannedWord, textStart: UInt32) {
    low = word.low
    high = word.high
    count = UInt8(word.count)
    self.textStart = textStart
  }

  /// The most bytes that one place takes.
  private static let longest: UInt32 = 12

  /// Whether the last added document, or a later one, has the term already.
  func isIn(_ document: UInt32) -> Bool { document &+ 1 == nextDocument }

  /// Adds a place in the last added document or in a later one.
  @inline(__always)
  mutating func add(_ place: UInt32, in document: UInt32) {
    if used &+ Self.longest > capacity { grow() }
    guard let bytes else { return }
    if document &+ 1 != nextDocument {
      let distance = document &+ 1 &- nextDocument
      used &+= UInt32(truncatingIfNeeded: NumberCode.write(distance << 1 | 1, to: bytes + Int(used)))
      nextDocument = document &+ 1
      documentCount &+= 1
      lastPlace = 0
      if place >> WordPlace.fieldShift != 0 { enter(place >> WordPlace.fieldShift) }
      used &+= UInt32(truncatingIfNeeded: NumberCode.write(place &- lastPlace, to: bytes + Int(used)))
    } else if (place ^ lastPlace) >> WordPlace.fieldShift != 0 {
      enter(place >> WordPlace.fieldShift)
      used &+= UInt32(truncatingIfNeeded: NumberCode.write(place &- lastPlace, to: bytes + Int(used)))
    } else {
      let distance = place &- lastPlace
      used &+= UInt32(truncatingIfNeeded: NumberCode.write(distance << 1, to: bytes + Int(used)))
    }
    lastPlace = place
  }

  /// Notes that the next place counts from the beginning of a field.
  @inline(never)
  private mutating func enter(_ field: UInt32) {
    guard let bytes else { return }
    bytes[Int(used)] = 0
    bytes[Int(used) + 1] = UInt8(truncatingIfNeeded: field)
    used += 2
    lastPlace = field << WordPlace.fieldShift
  }

  @inline(never)
  private mutating func grow() {
    // The smallest allocation that malloc makes.
    capacity = capacity == 0 ? 24 : capacity < 1 << 10 ? capacity * 2 + 8 : capacity / 2 * 3
    CLibrary.resize(&bytes, to: Int(capacity))
  }

  /// The postings, valid until more are added.
  var postings: UnsafeRawBufferPointer { UnsafeRawBufferPointer(start: bytes, count: Int(used)) }

  /// Frees the postings; the term is not used after that.
  mutating func release() {
    CLibrary.release(bytes)
    (bytes, used, capacity) = (nil, 0, 0)
  }
}

/// Reads the postings of a term that is being built, document by document.
struct BuiltPostings {
  private var numbers: NumberReader
  /// The document that was read last; `none` after the last one.
  private(set) var document: UInt32 = .max
  private var next: UInt32 = 0
  /// A number of the next document that was read already; 0 at the end.
  private var pending: UInt32

  static let none = UInt32.max

  init(_ term: borrowing BuiltTerm) {
    numbers = NumberReader(term.postings)
    pending = numbers.read()
    advance()
  }

  /// Goes to the next document.
  @inline(__always)
  private mutating func advance() {
    guard pending != 0 else {
      document = Self.none
      return
    }
    document = next &+ pending >> 1 &- 1
    next = document &+ 1
  }

  /// The number of remaining bytes, at least the size of the places of all remaining documents.
  var remaining: Int { numbers.remaining }

  /// Writes the places of the document as distances, if it has the word in its body alone, and advances to the next
  /// document. Otherwise does nothing and returns 0.
  ///
  /// - Parameter target: with room for `remaining` bytes plus one number; moved to the end of the written bytes.
  /// - Returns: the number of places.
  @inline(__always)
  mutating func writeBody(to target: inout UnsafeMutablePointer<UInt8>) -> Int {
    let start = numbers.remaining
    let first = numbers.read()
    guard first != 0 else {
      numbers.goBack(to: start)
      return 0
    }
    var end = target + NumberCode.write(first, to: target)
    var count = 1
    var following: UInt32 = 0
    while numbers.remaining > 0 {
      let number = numbers.read()
      if number & 1 != 0 {
        following = number
        break
      }
      guard number != 0 else {
        numbers.goBack(to: start)
        return 0
      }
      end += NumberCode.write(number >> 1, to: end)
      count &+= 1
    }
    pending = following
    target = end
    advance()
    return count
  }

  /// Reads the places of the document into `places`, in ascending order, and goes to the next document.
  @inline(__always)
  mutating func read(into places: PlaceList) {
    places.removeAll()
    var last: UInt32 = 0
    var isAscending = true
    var number = numbers.read()
    if number == 0 {
      last = numbers.read() << WordPlace.fieldShift
      number = numbers.read()
    }
    last &+= number
    places.append(last)
    pending = 0
    while numbers.remaining > 0 {
      number = numbers.read()
      if number & 1 != 0 {
        pending = number
        break
      }
      if number == 0 {
        let base = numbers.read() << WordPlace.fieldShift
        number = numbers.read()
        if base &+ number < last { isAscending = false }
        last = base &+ number
      } else {
        last &+= number >> 1
      }
      places.append(last)
    }
    if !isAscending { places.sort() }
    advance()
  }
}
