import Bytes

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
