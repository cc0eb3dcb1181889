import NoteIndex
import Notes

/// The notes of a review with their titles of now, sorted into what happened to them.
struct ReviewItems {
  private let pairs: [(track: ReviewTrack, item: Review.Item)]
  private let snapshot: BoxSnapshot
  private let catalogue: Catalogue?

  init(_ tracks: [ReviewTrack], in snapshot: BoxSnapshot) {
    self.snapshot = snapshot
    // Without the notes of now the last titles stand.
    let catalogue = try? snapshot.catalogue()
    self.catalogue = catalogue
    pairs = tracks.map { ($0, Self.item($0, catalogue)) }
  }

  private static func item(_ track: ReviewTrack, _ catalogue: Catalogue?) -> Review.Item {
    let note = track.note
    let entry = note.id.flatMap { catalogue?.entry(id: $0) } ?? catalogue?.entry(path: note.path)
    return Review.Item(
      id: note.id, path: entry?.note.path ?? note.path, title: entry?.note.title ?? note.title,
      kind: entry?.kind ?? track.kind, isDeleted: entry == nil && catalogue != nil || !track.isThere)
  }

  /// What happened, each note once: made and not deleted again, or the last change of its state.
  func events(_ schema: Schema) -> [Review.Event] {
    var groups: [Key: [Review.Item]] = [:]
    for (track, item) in pairs {
      if track.isThere, !track.wasThere { groups[Key(.made, track.kind), default: []].append(item) }
      if !track.isThere, track.wasThere { groups[Key(.deleted, track.kind), default: []].append(item) }
      guard track.isThere, let shift = track.shift else { continue }
      let key: Key =
        switch shift {
        case .ended(let action): Key(.ended, track.kind, action)
        case .moved(let action): Key(.moved, track.kind, action)
        case .reopened: Key(.reopened, track.kind)
        }
      groups[key, default: []].append(item)
    }
    var ranks: [String: Int] = [:]
    for (rank, kind) in schema.kinds.enumerated() { ranks[kind.name] = rank }
    let keys = groups.keys.sorted { left, right in
      let order = { (key: Key) in (key.rank, ranks[key.kind] ?? .max) }
      if order(left) != order(right) { return order(left) < order(right) }
      return (left.kind, left.action ?? "") < (right.kind, right.action ?? "")
    }
    return keys.map { key in
      Review.Event(what: key.what, kind: key.kind, action: key.action, items: groups[key] ?? [])
    }
  }

  private struct Key: Hashable {
    let what: Review.Event.What
    let kind: String
    let action: String?

    init(_ what: Review.Event.What, _ kind: String, _ action: String? = nil) {
      self.what = what
      self.kind = kind
      self.action = action
    }

    var rank: Int { Review.Event.What.allCases.firstIndex(of: what) ?? 0 }
  }

  /// Notes that bear another title than at the beginning.
  var renamings: [Review.Renaming] {
    pairs.compactMap { track, item in
      track.formerTitle.map { Review.Renaming(item: item, oldTitle: $0) }
    }
  }

  /// The links that are new, with the titles of the notes that they lead to now.
  func newLinks() -> [Review.NewLink] {
    guard let entries = catalogue?.entries else { return [] }
    let linking = pairs.filter { !$0.track.newLinks.isEmpty }
    let graph = LinkGraph(entries, executor: BoxSnapshot.executor)
    let resolved = graph.links(of: linking.map { .note($0.track.note) })
    var found: [Review.NewLink] = []
    for (pair, links) in zip(linking, resolved) {
      let new = Set(pair.track.newLinks.map(\.target))
      var seen: Set<Int> = []
      for link in links where new.contains(link.link.target) {
        guard case .note(let place) = link.meaning, seen.insert(place).inserted else { continue }
        found.append(Review.NewLink(from: pair.item, to: entries[place].note.title))
      }
    }
    return found
  }

  /// The notes that most commits changed, more than one each.
  func busiest(_ limit: Int) -> [Review.Busy] {
    let busy = pairs.filter { $0.track.isThere && $0.track.count > 1 }.map {
      Review.Busy(item: $0.item, count: $0.track.count)
    }
    let places = busy.indices.sorted { (busy[$1].count, $0) < (busy[$0].count, $1) }
    return places.prefix(limit).map { busy[$0] }
  }
}
