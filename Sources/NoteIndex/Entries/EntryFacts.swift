package import Notes

/// The facts of a catalogue's entries that are stored, and so known without making their notes.
package struct EntryFacts: Sendable {
  private let entries: Entries
  private let facts: StoredFacts?

  package init(_ entries: Entries) {
    self.entries = entries
    facts = entries.facts
  }

  /// The kind that the note at a place counts as; nil where only the note tells.
  package func kind(at place: Int) -> String? {
    guard let facts else { return nil }
    return entries.kindNumber(at: place, facts).map { facts.kinds[$0] }
  }

  /// The flags of the note at a place; nil where only the text tells.
  package func flags(at place: Int) -> NoteFacts.Flags? {
    guard let facts, let number = entries.storedNumber(at: place), facts.kindNumber(of: number) != nil else {
      return nil
    }
    return facts.flags(of: number)
  }

  /// The places of the entries of some kinds, ascending; only those whose kind their facts don't tell are made.
  ///
  /// - Complexity: O(n).
  package func places(ofKinds kinds: Set<String>, executor: ParallelExecutor?) -> [Int] {
    let areWanted = facts.map { $0.kinds.map(kinds.contains) } ?? []
    return entries.places(executor) { [entries, facts] place in
      if let facts, let kind = entries.kindNumber(at: place, facts) { return areWanted[kind] }
      return kinds.contains(entries[place].kind)
    }
  }
}

extension Entries {
  /// Applies a function to stretches of places, perhaps on many threads, and joins what it returns in the order of the
  /// places.
  ///
  /// - Parameter length: how many places a stretch has, where it is more than a share of the work.
  package func flatMapChunks<Result: Sendable>(
    of length: Int? = nil, executor: ParallelExecutor?,
    _ transform: @escaping @Sendable (_ places: Range<Int>) -> [Result]
  ) -> [Result] {
    ParallelChunks(count: count, executor: executor, length: length ?? ParallelChunks.length).map(transform)
      .flatMap { $0 }
  }
}
extension Entries {
  /// The number of the kind that the note at a place counts as; nil where only the note tells.
  func kindNumber(at place: Int, _ facts: StoredFacts) -> Int? {
    guard let number = storedNumber(at: place), let kind = facts.kindNumber(of: number),
      hasOwnKind(number, facts)
    else { return nil }
    return kind
  }
}
