import Bytes
import Notes
import Text

/// The ways that look at all ids or at all titles.
extension NameResolver {
  func scanned(_ way: NameWay, _ name: [UInt8], _ rule: NameRule) -> [Int] {
    switch way {
    case .idPrefix: places(idBeginning: name)
    case .fuzzyTitle: places(titledLike: FuzzyTitle(String(decoding: name, as: UTF8.self)))
    default: []
    }
  }

  private func places(idBeginning name: [UInt8]) -> [Int] {
    let prefix = name.map(ASCII.lowerCased)
    guard (2...NoteID.length).contains(prefix.count), prefix.allSatisfy(NoteID.isLetter) else { return [] }
    return ids.places(beginning: prefix)
  }

  /// The notes whose title or an alias has all words, in their order if any has them so.
  private func places(titledLike words: FuzzyTitle) -> [Int] {
    var (ordered, unordered): ([Int], [Int]) = ([], [])
    for place in entries.indices {
      let names = entries.names(at: place)
      let fits = ([names.title] + names.aliases).map { words.fit($0) }
      if fits.contains(.inOrder) {
        ordered.append(place)
      } else if fits.contains(.anyOrder) {
        unordered.append(place)
      }
    }
    return ordered.isEmpty ? unordered : ordered
  }
}

extension NameResolver {
  /// The most notes that are suggested for a name that fits none.
  private static let mostCandidates = 5
  /// The most notes that are suggested for the words of a title.
  private static let mostTitled = 10

  /// The notes that come nearest to a name that fits none: those that a command which reads would take it for, else the
  /// nearest first.
  ///
  /// - Complexity: O(n) in the names of all notes.
  /// - Returns: the first of them, and the number of the others.
  func near(_ name: String, _ rule: NameRule) -> (places: [Int], more: Int) {
    let words = FuzzyTitle(name)
    if rule.kind == nil {
      let titled = places(titledLike: words)
      if !titled.isEmpty {
        return (Array(titled.prefix(Self.mostTitled)), max(0, titled.count - Self.mostTitled))
      }
    }
    let id = NoteID(name)
    var near: [(place: Int, nearness: Int)] = []
    for place in places(of: rule) {
      let names = entries.names(at: place)
      var nearness = ([names.title] + names.aliases).reduce(0) { max($0, words.nearness($1)) }
      if let id, let other = names.id, Self.differences(id, other) <= 2 { nearness += 8 }
      if nearness > 0 { near.append((place, nearness)) }
    }
    let best = near.sorted { $0.nearness == $1.nearness ? $0.place < $1.place : $0.nearness > $1.nearness }
    return (best.prefix(Self.mostCandidates).map(\.place), max(0, best.count - Self.mostCandidates))
  }

  /// The number of letters in which two ids differ; letters that changed places count once each.
  private static func differences(_ left: NoteID, _ right: NoteID) -> Int {
    zip(left.bytes, right.bytes).count { $0 != $1 }
  }
}
