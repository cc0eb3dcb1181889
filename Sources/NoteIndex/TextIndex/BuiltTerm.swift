import Bytes
import func Glibc.free
import func Glibc.realloc

/// One term of an index that is being built, with its postings so far.
///
/// The postings are numbers: a document is twice its distance from the one before plus 1, then the first
/// place in it; a further place is twice its distance from the one before. A zero and a byte stand before the
/// first place in a field other than the body, or than the one before; the place counts from the field's
/// beginning.
struct BuiltTerm {
  let low: UInt64
  let high: UInt64
  /// Where the bytes of a term longer than 16 begin in the table's text.
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

  /// Whether a document, which is none before the last one, has the term already.
  func isIn(_ document: UInt32) -> Bool { document &+ 1 == nextDocument }

  /// Adds a place in a document, which is none before the last one.
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
    // What malloc gives in any case.
    capacity = capacity == 0 ? 24 : capacity < 1 << 10 ? capacity * 2 + 8 : capacity / 2 * 3
    guard let memory = realloc(bytes, Int(capacity)) else {
      preconditionFailure("no memory for an index")
    }
    bytes = memory.assumingMemoryBound(to: UInt8.self)
  }

  /// The postings, valid until more are added.
  var postings: UnsafeRawBufferPointer { UnsafeRawBufferPointer(start: bytes, count: Int(used)) }

  /// Frees the postings; the term is not used after that.
  mutating func release() {
    free(bytes)
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

  /// How many bytes are left, at least as many as the places of all documents that are left take.
  var remaining: Int { numbers.remaining }

  /// Writes the places of the document as distances, if it has the word in its body alone, and goes to the
  /// next document; else does nothing and returns 0.
  ///
  /// - Parameter target: with room for `remaining` bytes more than a number takes; moved to their end.
  /// - Returns: how many places there are.
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
