/// Puts the words that a scanner finds into the table.
///
/// Words wait until some are together, for the memory where their terms are is then fetched for all at once.
final class WordIntake: WordReceiver {
  let table = TermTable()
  private(set) var lengths: [DocumentLengths] = []
  private var document: UInt32 = 0
  /// The place of the next word.
  private var place: UInt32 = 0
  private var lastPlace: UInt32 = 0
  private var field = TextField.body
  /// The place of the next word of each field.
  private var places = [UInt32](repeating: 0, count: TextField.count)
  /// Words that have no place for there are too many.
  private var excess: UInt32 = 0
  private let waiting = WaitingWords()

  var nextDocument: Int { lengths.last.map { Int($0.document) + 1 } ?? 0 }

  func begin(_ document: UInt32) {
    empty()
    self.document = document
    lengths.append(DocumentLengths(document: document))
    for index in places.indices { places[index] = UInt32(index) << WordPlace.fieldShift + 1 }
  }

  func beginText(of field: TextField) {
    self.field = field
    place = places[Int(field.rawValue)]
    lastPlace = UInt32(field.rawValue) << WordPlace.fieldShift + WordPlace.highestNumber
    excess = 0
  }

  @inline(__always)
  func receive(_ word: ScannedWord) {
    guard place < lastPlace else {
      excess &+= 1
      return
    }
    let hash = word.hash
    if word.count <= 16 {
      if waiting.isFull { empty() }
      waiting.append(word, hash, place)
    } else {
      // Another step: a new term may move all others.
      let term = table.term(word, hash)
      table.terms[term].add(place, in: document)
    }
    place &+= 1
  }

  func receive(sign: ScannedWord) {
    let term = table.term(sign, sign.hash)
    if !table.terms[term].isIn(document) { table.terms[term].add(1, in: document) }
  }

  /// Adds the waiting words to their terms.
  @inline(never)
  func empty() { waiting.empty(into: table, document) }

  func endText() {
    guard !lengths.isEmpty else { return }
    let words = place - places[Int(field.rawValue)] + excess
    // A number is left out between two texts.
    places[Int(field.rawValue)] = min(place + 1, lastPlace)
    switch field {
    case .title: lengths[lengths.count - 1].title += words
    case .body: lengths[lengths.count - 1].body += words
    case .alias, .tag, .other: break
    }
  }
}
