import Bytes
package import Notes
import Text

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

/// Tells of a stored note whether its front-matter or a tag may hold one of some words, without making the note.
package struct FrontMatterFilter: Sendable {
  private let searches: [ByteSearch]

  package init(_ words: [String]) {
    // A backslash may begin the escape of any letter. A name of ASCII letters alone has the letters of its
    // folded form.
    searches = (words + ["\\"]).map { ByteSearch(Folding.fold(Array($0.utf8)[...])) }
  }

  /// Whether one of the words may stand in a stored summary.
  fileprivate func mayStand(in summary: UnsafeRawBufferPointer) -> Bool {
    var mayStand = false
    let isSound = NoteSummary.forEachName(in: summary) { bytes in
      // Letters beyond ASCII are folded in many ways.
      mayStand = searches.contains { $0.first(in: bytes) != nil } || !ASCII.isAll(bytes)
      return !mayStand
    }
    return mayStand || !isSound
  }
}

extension Entries {
  /// Whether what is stored of a note may hold one of some words, without making the note.
  ///
  /// - Complexity: O(n) in the length of the front-matter.
  package func mayHold(_ words: FrontMatterFilter, at place: Int) -> Bool {
    guard let summary = record(at: place) else { return true }
    return words.mayStand(in: summary)
  }
}
