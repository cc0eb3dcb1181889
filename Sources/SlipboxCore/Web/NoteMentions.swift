package import NoteIndex
import Notes

/// Where notes name another one without a link to it.
package struct NoteMentions: Sendable {
  package let notes: [MentioningNote]
  /// The names that are too short to be looked for.
  package let tooShort: [String]
  /// The names that other notes have too, each with the number of these.
  package let shared: [(name: String, others: Int)]
}

extension BoxSnapshot {
  /// The notes whose running text holds the title or an alias of a note, those first that do most often.
  ///
  /// - Complexity: that of `Catalogue.mentions`.
  package func mentions(of entry: Entry) throws(SlipboxError) -> NoteMentions {
    let catalogue = try catalogue()
    var seen: Set<String> = []
    let titles =
      !entry.note.hasOwnTitle && entry.note.title == Note.untitled
      ? entry.note.aliases : [entry.note.title] + entry.note.aliases
    let names = titles.filter { seen.insert($0).inserted }
    let own = catalogue.place(path: entry.note.path)
    let found = catalogue.mentions(of: names, executor: Self.executor).filter { $0.place != own }
    try refuseUnreadTexts()
    let shared =
      found.isEmpty ? [] : names.map { ($0, catalogue.places(titled: $0).filter { $0 != own }.count) }
    return NoteMentions(
      notes: found, tooShort: names.filter { !Catalogue.canBeMentioned($0) },
      shared: shared.filter { $0.1 > 0 })
  }
}
