import Git
import NoteIndex
import Notes

/// The contents in which something was found, those that follow on each other put together.
struct HistoryStretches {
  /// A content that was looked into.
  private enum Look {
    case nothing
    case found(FoundVersion)
  }

  private let versions: [FileVersion]
  /// The places of the contents, those first that ended last.
  let order: [Int]
  /// The places of the contents that a commit ended.
  private let endedBy: [ObjectID: [Int]]
  private var looks: [Int: Look] = [:]

  /// - Parameter versions: by path, and from the oldest to the latest.
  init(_ versions: [FileVersion]) {
    self.versions = versions
    let ends = versions.map { $0.ended?.time.seconds ?? .max }
    order = versions.indices.sorted { left, right in
      if ends[left] != ends[right] { return ends[left] > ends[right] }
      let (one, two) = (versions[left].began.time.seconds, versions[right].began.time.seconds)
      // Of one path the later stands behind.
      return one == two ? left > right : one > two
    }
    var endedBy: [ObjectID: [Int]] = [:]
    for (place, version) in versions.enumerated() {
      if let commit = version.ended?.commit { endedBy[commit, default: []].append(place) }
    }
    self.endedBy = endedBy
  }

  /// Takes what was found in contents, by their places.
  mutating func add(_ found: [FoundVersion?], for places: [Int]) {
    for (place, found) in zip(places, found) { looks[place] = found.map { .found($0) } ?? .nothing }
  }

  /// How many stretches there are so far.
  var count: Int {
    var heads = Set(looks.compactMap { place, look in if case .found = look { place } else { nil } })
    for (place, look) in looks {
      if case .found(let found) = look, let former = predecessor(of: place, found) { heads.remove(former) }
    }
    return heads.count
  }

  /// The stretches as they are told.
  /// - Parameter look: looks into a content that was not looked into yet.
  mutating func hits(
    limit: Int?, look: (FileVersion) throws(SlipboxError) -> FoundVersion?
  ) throws(SlipboxError) -> [HistoryHit] {
    var hits: [HistoryHit] = []
    var isTold = [Bool](repeating: false, count: versions.count)
    for place in order where hits.count < limit ?? .max {
      guard !isTold[place], case .found(let last) = looks[place] else { continue }
      var (first, found, count) = (place, last, 1)
      isTold[place] = true
      while let former = predecessor(of: first, found), !isTold[former] {
        if looks[former] == nil { add([try look(versions[former])], for: [former]) }
        guard case .found(let earlier) = looks[former] else { break }
        isTold[former] = true
        (first, found, count) = (former, earlier, count + 1)
      }
      let version = versions[place]
      hits.append(
        HistoryHit(
          entry: last.entry, blob: version.blob, began: HistoryHit.End(versions[first].began),
          ended: version.ended.map { HistoryHit.End($0) }, versions: count, snippets: last.snippets))
    }
    return hits
  }

  /// The content that a note had before this one, by the commit between them: at the same path, or at another one the
  /// same bytes or, as far as is known, the same id.
  private func predecessor(of place: Int, _ found: FoundVersion) -> Int? {
    let version = versions[place]
    let candidates = endedBy[version.began.commit] ?? []
    if let same = candidates.first(where: { $0 != place && versions[$0].path == version.path }) {
      return same
    }
    return candidates.first { candidate in
      guard candidate != place else { return false }
      if versions[candidate].blob == version.blob { return true }
      guard let id = found.entry.note.id, case .found(let other) = looks[candidate] else { return false }
      return other.entry.note.id == id
    }
  }
}

extension HistoryHit.End {
  init(_ end: FileVersion.End) { self.init(commit: end.commit, time: Timestamp(end.time)) }
}
