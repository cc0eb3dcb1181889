package import Notes

/// A note whose running text holds a name, and where it does.
package struct MentioningNote: Sendable {
  /// The place of the note in the catalogue.
  package let place: Int
  /// The names as they stand there, in order, none over another, each with the sentence around it.
  package let mentions: [(text: String, snippet: Snippet)]
}

extension Catalogue {
  /// Whether a name is looked for in running text: one with a single letter, or without any, is not.
  package static func canBeMentioned(_ name: String) -> Bool { MentionPattern(name) != nil }

  /// The places of the notes that have a title or an alias, without regard to case and diacritics, ascending.
  package func places(titled name: String) -> [Int] {
    names.places(named: Array(name.utf8), NameRule([[.foldedTitle]]), .none)
  }

  /// The notes whose running text holds one of some names where it is no link, code, address or tag, those first that do
  /// most often, then the newest.
  ///
  /// - Complexity: that of a search for each name; only the texts of the notes that have its words are read.
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

  /// Where names stand in the running text of a note, in bytes of the file, in order.
  package static func ranges(of names: [String], in note: Note) -> [Range<Int>] {
    let text = note.text
    let prose = Prose(of: text)
    return names.compactMap { MentionPattern($0) }.flatMap { $0.ranges(in: text, prose) }
      .sorted { ($0.lowerBound, $0.upperBound) < ($1.lowerBound, $1.upperBound) }
  }

  private static func mentions(of patterns: [MentionPattern], in note: Note, at place: Int) -> MentioningNote?
  {
    let text = note.text
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
