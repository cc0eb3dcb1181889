import Bytes
import Notes
import Text

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
