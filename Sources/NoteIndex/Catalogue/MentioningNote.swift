import Bytes
package import Notes
import Text

/// A note whose running text mentions a name, with the places of the mentions.
package struct MentioningNote: Sendable {
  /// The place of the note in the catalogue.
  package let place: Int
  /// The names as written there, in order, without overlaps, each with the sentence around it.
  package let mentions: [(text: String, snippet: Snippet)]
}

extension Catalogue {
  /// Whether mentions of a name are searched for: not for a name with a single letter or without any.
  package static func canBeMentioned(_ name: String) -> Bool { MentionPattern(name) != nil }

  /// The places of the notes that have a title or an alias, without regard to case and diacritics, ascending.
  package func places(titled name: String) -> [Int] {
    names.places(named: Array(name.utf8), NameRule([[.foldedTitle]]), .none)
  }

  /// Finds the notes whose running text mentions one of some names outside links, code, addresses and tags.
  ///
  /// Notes with the most mentions come first, then the newest.
  /// - Complexity: a search for each name; only the texts of the notes that have its words are read.
  package func mentions(of names: [String], executor: ParallelExecutor? = nil) -> [MentioningNote] {
    let patterns = names.compactMap { MentionPattern($0) }
    let answers = TextAnswers(entries, executor)
    var places: Set<Int> = []
    for pattern in patterns {
      places.formUnion(answers.places(of: TextTerm(scope: .body, pattern: pattern.words)))
    }
    let candidates = places.sorted()
    let found = ParallelChunks(count: candidates.count, executor: executor).map { [entries] stretch in
      stretch.compactMap { Self.mentions(of: patterns, in: entries[candidates[$0]].note, at: candidates[$0]) }
    }.flatMap { $0 }
    return found.sorted {
      $0.mentions.count == $1.mentions.count ? $0.place < $1.place : $0.mentions.count > $1.mentions.count
    }
  }

  /// Returns the ranges of names in the running text of a note, in bytes of the file, in order.
  package static func ranges(of names: [String], in text: NoteText) -> [Range<Int>] {
    let prose = Prose(of: text)
    return names.compactMap { MentionPattern($0) }.flatMap { $0.ranges(in: text, prose) }
      .sorted { ($0.lowerBound, $0.upperBound) < ($1.lowerBound, $1.upperBound) }
  }

  private static func mentions(of patterns: [MentionPattern], in note: Note, at place: Int) -> MentioningNote?
  {
    let text = note.textOrEmpty
    let prose = Prose(of: text)
    let ranges = patterns.flatMap { $0.ranges(in: text, prose) }.sorted {
      $0.lowerBound == $1.lowerBound ? $0.upperBound > $1.upperBound : $0.lowerBound < $1.lowerBound
    }
    var kept: [Range<Int>] = []
    for range in ranges where range.lowerBound >= kept.last?.upperBound ?? 0 { kept.append(range) }
    guard !kept.isEmpty else { return nil }
    let sentences = SentenceFinder(text)
    let lines = text.positions(of: kept.map(\.lowerBound)).map(\.line)
    return MentioningNote(
      place: place,
      mentions: zip(kept, lines).map { range, line in
        (String(decoding: text.bytes[range], as: UTF8.self), sentences.snippet(around: range, line: line))
      })
  }
}

/// A name of a note as it may appear in running text, regardless of case and diacritics.
struct MentionPattern: Sendable {
  /// The search for names with at most this many letters is case-sensitive: `Go`, `CI`.
  private static let fewLetters = 3

  /// The words of the name.
  let words: TextPattern
  /// The bytes before its first word and after its last, folded, such as the `++` of `C++`.
  private let (before, after): ([UInt8], [UInt8])
  /// From the first word to the last, folded, with single blanks.
  private let core: [UInt8]
  /// The same as written; nil if case does not matter.
  private let exact: [UInt8]?

  /// - Returns: nil for a name without letters and digits, and for one that is a single one of them.
  init?(_ name: String) {
    let bytes = Array(name.utf8)
    let ranges = Words.ranges(in: bytes[...])
    guard let first = ranges.first, let last = ranges.last, let pattern = WordPattern(bytes, isPrefix: false)
    else { return nil }
    let letters = ranges.reduce(0) { $0 + String(decoding: bytes[$1], as: UTF8.self).unicodeScalars.count }
    // A single Chinese character is as specific as a word.
    let isIdeograph = bytes[first].first.map { $0 >= 0xE3 } ?? false
    guard letters > 1 || isIdeograph || ranges[0].count < bytes.count else { return nil }
    words = .words(pattern)
    before = Folding.fold(Self.joined(bytes[..<first.lowerBound])[...])
    after = Folding.fold(Self.joined(bytes[last.upperBound...])[...])
    let written = Self.joined(bytes[first.lowerBound..<last.upperBound])
    core = Folding.fold(written[...])
    exact = letters <= Self.fewLetters && !isIdeograph ? written : nil
  }

  /// Returns the ranges of the name in the running text of a note, in bytes of the file, in order.
  func ranges(in text: NoteText, _ prose: Prose) -> [Range<Int>] {
    words.highlights(in: text.bytes[text.body]).compactMap { range in
      let whole = range.lowerBound - before.count..<range.upperBound + after.count
      guard prose.holds(range), fits(range, of: text.bytes), prose.holds(whole) else { return nil }
      return whole
    }
  }

  private func fits(_ range: Range<Int>, of bytes: [UInt8]) -> Bool {
    let written = Self.joined(bytes[range])
    if let exact { guard written == exact else { return false } }
    guard Folding.fold(written[...]) == core else { return false }
    let lead = bytes[max(0, range.lowerBound - before.count)..<range.lowerBound]
    let trail = bytes[range.upperBound..<min(bytes.count, range.upperBound + after.count)]
    return Folding.fold(lead) == before && Folding.fold(trail) == after
  }

  /// A text with single blanks for blanks and line ends, and for the marks of quotations behind these.
  private static func joined(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
    var result: [UInt8] = []
    var isAfterLine = false
    for byte in bytes {
      if byte == UInt8(ascii: ">"), isAfterLine { continue }
      if byte > 0x20 {
        result.append(byte)
        isAfterLine = false
      } else {
        if byte == UInt8(ascii: "\n") { isAfterLine = true }
        if result.last != 0x20 { result.append(0x20) }
      }
    }
    return result
  }
}
