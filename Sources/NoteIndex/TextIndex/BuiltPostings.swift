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
