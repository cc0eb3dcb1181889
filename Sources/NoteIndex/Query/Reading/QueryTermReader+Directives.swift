import Bytes

/// `sort:` and `limit:`, which ask nothing of a note.
extension QueryTermReader {
  func sortKeys(_ word: QueryWord) throws(QueryFault) -> [SortKey] {
    var keys: [SortKey] = []
    for part in QueryValue.alternatives(of: word.value, isProse: false) {
      keys.append(try SortKey(part, in: word.range))
    }
    return keys
  }

  func limit(_ word: QueryWord) throws(QueryFault) -> Int {
    let digits = word.value.bytes
    if !digits.isEmpty, digits.allSatisfy(ASCII.isDigit), let number = Int(word.value.text) { return number }
    throw QueryFault(
      "limit: needs a whole number", at: word.value.range ?? word.range, hint: "as in limit:20")
  }
}
