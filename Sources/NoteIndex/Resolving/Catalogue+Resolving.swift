import Notes
import Text

extension Catalogue {
  /// How many notes are suggested for a reference that fits none.
  private static let mostCandidates = 5

  /// Finds the note that a reference names.
  ///
  /// A reference is a full id, a path with or without its ending, a file's name, a title, an alias, a slug
  /// or another tool's id; else the beginning of an id, two letters or more. A name as it stands goes
  /// before one that is the same only without case and diacritics. What fits several notes is ambiguous, in
  /// whichever ways it does.
  /// - Parameter fuzzy: whether words of a title will do, for commands that only read.
  /// - Complexity: O(n) for the first few references, O(log n) for many of them where they fit.
  package func resolve(_ reference: String, fuzzy: Bool) -> Resolution {
    var name = Array(reference.utf8)
    if name.starts(with: "./".utf8) { name.removeFirst(2) }
    guard !name.isEmpty else { return .none(candidates: []) }
    let named = names.places(named: name, in: entries)
    if !named.isEmpty { return resolution(named) }
    let prefixed = places(idBeginning: name)
    if !prefixed.isEmpty { return resolution(prefixed) }
    if fuzzy {
      let titled = places(titledLike: FuzzyTitle(reference))
      if !titled.isEmpty { return resolution(titled) }
    }
    return .none(candidates: candidates(for: reference))
  }

  private func resolution(_ places: [Int]) -> Resolution {
    places.count == 1 ? .found(entries[places[0]]) : .ambiguous(places.sorted().map { entries[$0] })
  }

  private func places(idBeginning name: [UInt8]) -> [Int] {
    let prefix = name.map(ASCII.lowerCased)
    guard (2...NoteID.length).contains(prefix.count), prefix.allSatisfy(NoteID.isLetter) else { return [] }
    return idTable.places(beginning: prefix)
  }

  /// The notes whose title or an alias has all words, in their order if any has them so.
  private func places(titledLike words: FuzzyTitle) -> [Int] {
    var (ordered, unordered): ([Int], [Int]) = ([], [])
    for (place, entry) in entries.enumerated() {
      let fits = ([entry.note.title] + entry.note.aliases).map { words.fit($0) }
      if fits.contains(.inOrder) {
        ordered.append(place)
      } else if fits.contains(.anyOrder) {
        unordered.append(place)
      }
    }
    return ordered.isEmpty ? unordered : ordered
  }

  /// The notes that come nearest to a reference.
  private func candidates(for reference: String) -> [Entry] {
    let words = FuzzyTitle(reference)
    let id = NoteID(reference)
    var near: [(place: Int, nearness: Int)] = []
    for (place, entry) in entries.enumerated() {
      var nearness = ([entry.note.title] + entry.note.aliases).reduce(0) { max($0, words.nearness($1)) }
      if let id, let other = entry.note.id, Self.differences(id, other) <= 2 { nearness += 8 }
      if nearness > 0 { near.append((place, nearness)) }
    }
    let best = near.sorted { $0.nearness == $1.nearness ? $0.place < $1.place : $0.nearness > $1.nearness }
    return best.prefix(Self.mostCandidates).map { entries[$0.place] }
  }

  /// In how many letters two ids differ; letters that changed places count once each.
  private static func differences(_ left: NoteID, _ right: NoteID) -> Int {
    zip(left.bytes, right.bytes).count { $0 != $1 }
  }
}
