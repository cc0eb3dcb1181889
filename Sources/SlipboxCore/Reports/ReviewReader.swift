import Git
import NoteIndex
package import Notes
import Text

/// Creates reviews: reads the commits of some days, and the changes of each from their trees.
package struct ReviewReader {
  /// The number of consecutive commits before the period that ends the search: the clock of a single one may have been
  /// wrong.
  private static let mostOldCommits = 64
  private static let mostBusy = 5

  private let snapshot: BoxSnapshot
  private let context: CommandContext
  private let first: CivilDate
  private let last: CivilDate

  /// - Parameters:
  ///   - snapshot: the present box, whose kinds and titles are used.
  ///   - first: the first day.
  ///   - last: the last day.
  package init(
    _ snapshot: BoxSnapshot, _ context: CommandContext, from first: CivilDate, through last: CivilDate
  ) throws(SlipboxError) {
    guard first <= last else {
      throw SlipboxError(.usage, "the review would begin on \(first) and end before that, on \(last)")
    }
    self.snapshot = snapshot
    self.context = context
    self.first = first
    self.last = last
  }

  /// Returns the review of the days.
  ///
  /// - Complexity: linear in their commits and in the changes of these.
  package func review() throws(SlipboxError) -> Review {
    let clock = context.clock
    let (start, end) = (clock.start(of: first), clock.start(of: last.adding(days: 1)))
    let (commits, adopting, firstSeconds, isCut) = try commits(from: start, before: end)
    var days: [CivilDate: Int] = [:]
    for commit in commits {
      let seconds = commit.author.seconds
      let day = Timestamp(seconds: seconds, offsetSeconds: clock.offset(seconds)).civilDate
      days[day, default: 0] += 1
    }
    let tracks = try tracks(of: commits)
    let items = ReviewItems(tracks, in: snapshot)
    return Review(
      first: first, last: last, events: items.events(snapshot.schema()), renamings: items.renamings,
      newTags: try newTags(from: start, before: end, adopting?.id), newLinks: items.newLinks(),
      busiest: items.busiest(Self.mostBusy), days: days, noteCount: tracks.count,
      adoptedCount: try adopting.map { (commit) throws(SlipboxError) in try adoptedCount(commit) } ?? 0,
      begins: firstSeconds.map { Timestamp(seconds: $0, offsetSeconds: clock.offset($0)).civilDate },
      isCut: isCut)
  }

  /// Returns the commits of the days that are not merges, the oldest first. The commit that adopted the folder is
  /// separate, because it is not a change of its notes. Also returns the time of the first commit if all of them are
  /// after the days.
  private func commits(
    from start: Int64, before end: Int64
  ) throws(SlipboxError) -> (commits: [Commit], adopting: Commit?, first: Int64?, isCut: Bool) {
    var commits: [Commit] = []
    var adopting: Commit?
    var tooOld = 0
    var oldest = Int64.max
    try BoxHistory(of: snapshot).visit { entry in
      let commit = entry.commit
      oldest = min(oldest, commit.committer.seconds)
      tooOld = commit.committer.seconds < start ? tooOld + 1 : 0
      let authored = commit.author.seconds
      if authored >= start, authored < end, commit.parents.count < 2 {
        if OperationTrailers.adoptsFolder(commit) { adopting = commit } else { commits.append(commit) }
      }
      return tooOld < Self.mostOldCommits
    }
    let isCut = snapshot.box.isShallow && oldest >= start
    let first = oldest >= end && oldest < .max && !isCut ? oldest : nil
    return (commits.reversed(), adopting, first, isCut)
  }

  /// Returns the number of notes that the commit which adopted the folder added.
  private func adoptedCount(_ commit: Commit) throws(SlipboxError) -> Int {
    let box = snapshot.box
    let files = try box.git { repository throws(GitError) in
      try repository.changedFiles(
        from: commit.parents.first, to: commit.id, under: Array(box.prefix.dropLast()))
    }
    return files.count { $0.old == nil && box.isNoteFile($0.path) }
  }

  private func tracks(of commits: [Commit]) throws(SlipboxError) -> [ReviewTrack] {
    let versions = VersionPairs(snapshot.box)
    let states = ReviewStates(snapshot)
    var tracks: [ReviewTrack] = []
    var places: [NoteName: Int] = [:]
    for (number, commit) in commits.enumerated() {
      context.reporter.report(.reading, number, of: commits.count)
      for pair in try pairs(of: commit, versions) {
        let names = [pair.old, pair.new].compactMap { $0 }.flatMap(\.names)
        let place: Int
        if let known = names.lazy.compactMap({ places[$0] }).first {
          place = known
        } else {
          guard let track = ReviewTrack(pair) else { continue }
          place = tracks.count
          tracks.append(track)
        }
        tracks[place].add(pair, states)
        // Another note may later have the former path of this one.
        if let old = pair.old, old.path != pair.new?.path { places[.path(old.path)] = nil }
        for name in (pair.new ?? pair.old).map(\.names) ?? [] { places[name] = place }
      }
    }
    return tracks
  }

  private func pairs(
    of commit: Commit, _ versions: VersionPairs
  ) throws(SlipboxError) -> [VersionPair] {
    do throws(GitError) {
      return try snapshot.box.withRepository { repository throws(GitError) in
        try versions.pairs(of: commit, in: repository)
      }
    } catch {
      // The changes of the first commit of a shallow clone are unknown.
      if case .missing = error.reason, snapshot.box.isShallow { return [] }
      throw SlipboxError(error)
    }
  }

  /// Returns the tags that a note has at the end and none had at the beginning.
  ///
  /// - Parameter adoption: the commit of the days that adopted the folder, whose tags are not new.
  private func newTags(
    from start: Int64, before end: Int64, _ adoption: ObjectID?
  ) throws(SlipboxError) -> [String] {
    let line = try CommitLine(of: snapshot.box, context)
    guard let last = line.commit(before: end) else { return [] }
    let first = line.commit(before: start) ?? adoption
    let before = try first.map { id throws(SlipboxError) in try tags(at: id) } ?? []
    let known = Set(before.map { TagName.key($0) })
    return last == first
      ? [] : try tags(at: last).filter { !known.contains(TagName.key($0)) }
  }

  private func tags(at commit: ObjectID) throws(SlipboxError) -> [String] {
    let past = try CommitReader(snapshot.box, context.at(context.clock)).snapshot(of: commit)
    return try BoxTags(of: past).counts().filter { $0.all > 0 }.map(\.name)
  }
}

extension Note {
  /// The names that identify the note in later changes.
  fileprivate var names: [NoteName] { (id.map { [.id($0)] } ?? []) + [.path(path)] }
}

/// The notes of a review with their present titles, sorted by their changes.
struct ReviewItems {
  private let pairs: [(track: ReviewTrack, item: Review.Item)]
  private let snapshot: BoxSnapshot
  private let catalogue: Catalogue?

  init(_ tracks: [ReviewTrack], in snapshot: BoxSnapshot) {
    self.snapshot = snapshot
    // If the present notes can't be read, the last titles are used.
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

  /// Returns the changes of each note: created and not deleted again, the last change of its state, deleted. A record
  /// that was ended and deleted has both.
  func events(_ schema: Schema) -> [Review.Event] {
    var groups: [Key: [Review.Item]] = [:]
    for (track, item) in pairs {
      if track.isThere, !track.wasThere { groups[Key(.made, track.kind), default: []].append(item) }
      if !track.isThere, track.wasThere { groups[Key(.deleted, track.kind), default: []].append(item) }
      let key: Key
      switch track.shift {
      case .ended(let action)?: key = Key(.ended, track.kind, action)
      case .moved(let action)? where track.isThere: key = Key(.moved, track.kind, action)
      case .reopened? where track.isThere: key = Key(.reopened, track.kind)
      case .moved?, .reopened?, nil: continue
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

  /// Notes whose title differs from that at the beginning.
  var renamings: [Review.Renaming] {
    pairs.compactMap { track, item in
      track.formerTitle.map { Review.Renaming(item: item, oldTitle: $0) }
    }
  }

  /// Returns the new links, with the present titles of the notes to which they lead.
  func newLinks() -> [Review.NewLink] {
    guard let entries = catalogue?.entries else { return [] }
    let linking = pairs.filter { !$0.track.newLinks.isEmpty }
    let graph = LinkGraph(entries, executor: Processors.all)
    let resolved = graph.links(of: linking.map { .note($0.track.note) })
    let tracks = Dictionary(pairs.map { ($0.item.path, $0.track) }, uniquingKeysWith: { first, _ in first })
    var found: [Review.NewLink] = []
    for (pair, links) in zip(linking, resolved) {
      let new = Set(pair.track.newLinks.map(\.target))
      var seen: Set<Int> = []
      for link in links where new.contains(link.link.target) {
        guard case .note(let place) = link.meaning, seen.insert(place).inserted else { continue }
        // A link to a renamed note is not new.
        if let target = tracks[entries.path(at: place)], pair.track.linked(to: target) { continue }
        found.append(Review.NewLink(from: pair.item, to: entries[place].note.title))
      }
    }
    return found
  }

  /// Returns the notes with the most commits, more than one each.
  func busiest(_ limit: Int) -> [Review.Busy] {
    let busy = pairs.filter { $0.track.isThere && $0.track.count > 1 }.map {
      Review.Busy(item: $0.item, count: $0.track.count)
    }
    let places = busy.indices.sorted { (busy[$1].count, $0) < (busy[$0].count, $1) }
    return places.prefix(limit).map { busy[$0] }
  }
}
