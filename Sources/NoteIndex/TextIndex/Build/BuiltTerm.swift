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
