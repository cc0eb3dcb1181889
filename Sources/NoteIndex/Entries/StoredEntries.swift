package import Notes

/// Entries in the catalogue's order that are made when they are asked for.
package protocol StoredEntries: AnyObject, Sendable {
  var count: Int { get }
  func entry(_ number: Int) -> Entry
  func key(_ number: Int) -> EntryKey
  func created(_ number: Int) -> Timestamp
  func path(_ number: Int) -> [UInt8]
  /// The keys of all names and links, once they are in tables.
  var keys: StoredKeys { get }
  /// The values of fields, once they are to be kept.
  var fields: StoredFields { get }
  /// The key of the name of a note's file.
  func fileNameKey(_ number: Int) -> LinkKey?
  /// The facts of all notes in columns; nil where they can't be read.
  var facts: StoredFacts? { get }
  /// Whether a note counts as the kind that its facts name.
  func hasOwnKind(_ number: Int, _ facts: StoredFacts) -> Bool
  /// The index of the words of all notes; nil where there is none.
  var texts: StoredTexts? { get }
  /// Sees to it that what is stored is made anew, because it was found to be damaged.
  func reportDamage()
  /// The stored summary of a note, in place; nil where it can't be read.
  func record(_ number: Int) -> UnsafeRawBufferPointer?
}

extension StoredEntries {
  /// The names of a note, which is not made where they are stored.
  func names(_ number: Int) -> NamesOfNote {
    let facts = record(number).flatMap(NoteSummary.facts(in:))
    return facts?.names(at: path(number), id: key(number).id) ?? NamesOfNote(entry(number).note)
  }

  /// The number of the first entry from a number on that does not stand before another one.
  ///
  /// - Complexity: O(log n).
  func firstNumber(after entry: Entry, from start: Int) -> Int {
    let own = EntryKey(entry)
    var (low, high) = (start, count)
    while low < high {
      let middle = (low + high) / 2
      let other = key(middle)
      let isBefore =
        other.precedes(own) || !own.precedes(other) && path(middle).lexicographicallyPrecedes(entry.note.path)
      if isBefore { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
