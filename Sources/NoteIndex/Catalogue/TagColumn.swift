import Notes

/// The tags of all notes of a catalogue as numbers, so that they are counted without making notes.
package struct TagColumn: Sendable {
  /// The tags by their numbers, each once by its bytes; some may be borne by no note of the catalogue.
  package let names: [String]
  private let entries: Entries
  private let facts: StoredFacts?
  /// The numbers of the tags of the notes that have no facts, by their places.
  private let others: [Int: [Int]]

  /// - Complexity: O(n) in the notes that are in no snapshot, which are few.
  package init(_ entries: Entries) {
    let facts = entries.facts
    var names = facts?.tags ?? []
    var numbers: [[UInt8]: Int] = [:]
    for (number, name) in names.enumerated() { numbers[Array(name.utf8)] = number }
    var others: [Int: [Int]] = [:]
    for place in entries.indices {
      if let facts, let number = entries.storedNumber(at: place), facts.kindNumber(of: number) != nil {
        continue
      }
      others[place] = entries[place].note.tags.map { tag in
        let bytes = Array(tag.utf8)
        if let known = numbers[bytes] { return known }
        numbers[bytes] = names.count
        names.append(tag)
        return names.count - 1
      }
    }
    self.entries = entries
    self.facts = facts
    self.names = names
    self.others = others
  }

  /// Calls the body with the numbers of the tags of a note, in their order, one after another.
  @inline(__always)
  package func forEachTag(at place: Int, _ body: (_ number: Int) -> Void) {
    if let facts, let number = entries.storedNumber(at: place), let tags = facts.tagNumbers(of: number) {
      for tag in tags { body(tag) }
    } else {
      for tag in others[place] ?? [] { body(tag) }
    }
  }

  /// Whether the note at a place has tags.
  package func hasTags(at place: Int) -> Bool {
    if let facts, let number = entries.storedNumber(at: place), let hasTags = facts.hasTags(number) {
      return hasTags
    }
    return others[place].map { !$0.isEmpty } ?? false
  }

  /// Adds up something of all notes, stretch by stretch on several threads.
  ///
  /// - Parameters:
  ///   - initial: the sum of no notes.
  ///   - add: adds the note at a place to the sum of its stretch.
  ///   - join: adds the sum of the next stretch, in the order of the notes.
  package func sum<Sum: Sendable>(
    _ initial: Sum, executor: ParallelExecutor?, _ add: @escaping @Sendable (inout Sum, _ place: Int) -> Void,
    _ join: (inout Sum, Sum) -> Void
  ) -> Sum {
    let count = entries.count
    let parts = max(1, min(32, count / 2_048))
    let sums = ParallelChunks(count: parts, executor: parts > 1 ? executor : nil).mapEach { part in
      var sum = initial
      for place in count * part / parts..<count * (part + 1) / parts { add(&sum, place) }
      return sum
    }
    var sum = initial
    for part in sums { join(&sum, part) }
    return sum
  }
}
