import Bytes
import NoteIndex
import Notes

extension NoteWeb {
  /// The weight of each part of a score: common links, tags and words.
  private static let (linkWeight, tagWeight, wordWeight) = (1.0, 0.6, 1.0)
  /// A common link or tag of full rarity is worth half of the maximum of its part.
  private static let half = 1.0
  /// The minimum similarity of words, if they alone relate two notes.
  private static let leastLikeness = 0.06

  /// Returns the notes that have most in common with the note at a place, the nearest first.
  ///
  /// Common links and tags count by their rarity (bibliographic coupling and co-citation for links), words as
  /// `Catalogue.likeness` weighs them. Each part has a maximum, so that none of them decides alone.
  /// - Complexity: that of three backlink queries and of a search.
  package func related(to place: Int) throws(SlipboxError) -> [RelatedNote] {
    var ties: [Int: Ties] = [:]
    let neighbours = try neighbours(of: place)
    countSharedTargets(of: place, neighbours.to, &ties)
    try countSharedSources(of: place, neighbours.from, &ties)
    let tags = countSharedTags(of: place, &ties)
    let likeness = try snapshot.asking { $0.likeness(at: place, executor: Processors.all) }
    for (other, found) in likeness.notes {
      if ties[other] == nil, found.likeness < Self.leastLikeness || found.words.count < 2 { continue }
      ties[other, default: Ties()].likeness = found.likeness
    }
    ties[place] = nil
    let connected = Set(neighbours.to + neighbours.from)
    let found = ties.map { other, ties in
      RelatedNote(
        place: other, score: score(ties), isConnected: connected.contains(other),
        bothLinkTo: Self.ordered(ties.targets), bothLinkedFrom: Self.ordered(ties.sources),
        tags: Self.ordered(ties.tags).map { tags[$0] },
        words: (likeness.notes[other]?.words ?? []).map { likeness.words[$0] })
    }
    return found.sorted { $0.score == $1.score ? $0.place < $1.place : $0.score > $1.score }
  }

  /// The links and tags that two notes have in common, each with its weight from 0 to 1.
  private struct Ties {
    var targets: [Int: Double] = [:]
    var sources: [Int: Double] = [:]
    var tags: [Int: Double] = [:]
    var likeness = 0.0
  }

  private func score(_ ties: Ties) -> Double {
    let part = { (sum: Double) in sum / (sum + Self.half) }
    let links = ties.targets.values.reduce(0, +) + ties.sources.values.reduce(0, +)
    return Self.linkWeight * part(links) + Self.tagWeight * part(ties.tags.values.reduce(0, +))
      + Self.wordWeight * ties.likeness.squareRoot()
  }

  private static func ordered(_ weights: [Int: Double]) -> [Int] {
    weights.sorted { $0.value == $1.value ? $0.key < $1.key : $0.value > $1.value }.map(\.key)
  }

  /// Returns the rarity of a property that a number of all notes share: from 1 for two of them to 0 for all.
  private func rarity(_ count: Int) -> Double {
    guard entries.count > 2, count < entries.count else { return 0 }
    return min(
      1,
      CLibrary.logarithm(Double(entries.count) / Double(count))
        / CLibrary.logarithm(Double(entries.count) / 2))
  }

  /// Returns the places that a note is connected to, and those that are connected to it, each once.
  private func neighbours(of place: Int) throws(SlipboxError) -> (to: [Int], from: [Int]) {
    let to = Set(try connections(from: [place])[0].compactMap(\.place))
    return (to.sorted(), Set(connections(to: [place])[0].map(\.source)).sorted())
  }

  private func countSharedTargets(of place: Int, _ targets: [Int], _ ties: inout [Int: Ties]) {
    for (target, found) in zip(targets, connections(to: targets)) {
      let sources = Set(found.map(\.source))
      let weight = rarity(sources.count)
      for source in sources where source != place && source != target {
        ties[source, default: Ties()].targets[target] = weight
      }
    }
  }

  private func countSharedSources(
    of place: Int, _ sources: [Int], _ ties: inout [Int: Ties]
  ) throws(SlipboxError) {
    for (source, found) in zip(sources, try connections(from: sources)) {
      let targets = Set(found.compactMap(\.place))
      let weight = rarity(targets.count)
      for target in targets where target != place && target != source {
        ties[target, default: Ties()].sources[source] = weight
      }
    }
  }

  /// - Returns: the tags by their numbers, in the spelling of the note.
  private func countSharedTags(of place: Int, _ ties: inout [Int: Ties]) -> [String] {
    let column = TagColumn(entries)
    let own = entries[place].note.tags
    let keys = own.map { TagName.key($0) }
    guard !keys.isEmpty else { return [] }
    let wanted = column.names.map { name in keys.firstIndex(of: TagName.key(name)) }
    let bearers = column.sum([Int: [Int]](), executor: Processors.all) { sum, other in
      column.forEachTag(at: other) { number in
        if let key = wanted[number] { sum[key, default: []].append(other) }
      }
    } _: { sum, part in
      sum.merge(part) { $0 + $1 }
    }
    for (key, places) in bearers {
      let weight = rarity(Set(places).count)
      for other in places where other != place { ties[other, default: Ties()].tags[key] = weight }
    }
    return own
  }
}

extension Connection {
  /// The place of the note that it leads to; nil if it leads to none, or to several.
  package var place: Int? { if case .note(let place) = target { place } else { nil } }
}

/// A note that has much in common with another one, with the common properties.
package struct RelatedNote: Sendable {
  /// The place of the note in the catalogue.
  package let place: Int
  /// The score: a sum of parts of at most 1 for links, tags and words.
  package let score: Double
  /// Whether one of the two links or refers to the other.
  package let isConnected: Bool
  /// The notes that both link or refer to, the most significant first.
  package let bothLinkTo: [Int]
  /// The notes that link or refer to both, the most significant first.
  package let bothLinkedFrom: [Int]
  /// The tags that both have, the rarest first.
  package let tags: [String]
  /// The rare words that both contain, the most significant first.
  package let words: [String]
}
