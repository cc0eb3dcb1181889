package import Git
package import NoteIndex
package import Notes
import Platform
import Text

/// Searches all past versions of notes for text.
package struct HistorySearch {
  /// The number of contents that are read between two checks for enough hits.
  private static let batch = 1_024
  /// The number of contents that one thread reads in sequence.
  private static let runLength = 16

  private let snapshot: BoxSnapshot
  private let query: Query

  /// - Throws: `.usage` if the query has a condition that only all notes of one time can answer.
  package init(_ snapshot: BoxSnapshot, _ query: Query) throws(SlipboxError) {
    guard !query.asksOthers else {
      throw SlipboxError(
        .usage, "history can't be searched by links or dependencies",
        hints: ["remove links:, linked-by:, is:orphan, is:blocked and is:blocking"])
    }
    self.snapshot = snapshot
    var plain = query
    (plain.sort, plain.limit) = ([], nil)
    self.query = plain
  }

  /// Returns the periods in which notes had matching content, the one that ended last first.
  ///
  /// - Parameter limit: the maximum number of hits.
  /// - Throws: `.inputOutput` if a content can't be read.
  /// - Complexity: linear in the bytes of all contents; less if a limit is reached.
  package func hits(limit: Int?) throws(SlipboxError) -> [HistoryHit] {
    let box = snapshot.box
    guard limit ?? 1 > 0, let tip = try box.tip() else { return [] }
    let versions = try versions(of: box, tip)
    var stretches = HistoryStretches(versions)
    let progress = ReadingProgress(of: versions.count, snapshot.reporter)
    var rest = stretches.order[...]
    while !rest.isEmpty, limit == nil || stretches.count < limit ?? .max {
      let batch = rest.prefix(Self.batch)
      rest = rest.dropFirst(batch.count)
      stretches.add(try look(into: batch.map { versions[$0] }), for: Array(batch))
      progress.advance(by: batch.count)
    }
    return try stretches.hits(limit: limit) { (version) throws(SlipboxError) in
      try look(into: [version]).first ?? nil
    }
  }

  private func versions(of box: Box, _ tip: ObjectID) throws(SlipboxError) -> [FileVersion] {
    let index = try box.historyIndex(at: tip, snapshot.reporter)
    return try box.git { _ throws(GitError) in try index.versions { box.isNoteFile($0) } }
  }

  /// Searches some contents, and returns the results in their order; nil for a content without a match.
  private func look(into versions: [FileVersion]) throws(SlipboxError) -> [FoundVersion?] {
    let box = snapshot.box
    let order = box.withRepository { $0.readingOrder(of: versions.map(\.blob)) }
    let runs = stride(from: 0, to: order.count, by: Self.runLength).map {
      order[$0..<min($0 + Self.runLength, order.count)]
    }
    let (query, matcher) = (query, snapshot.kindMatcher())
    let results = concurrentMap(runs, chunk: 1) { run -> Result<[FoundVersion?], SlipboxError> in
      Result { () throws(SlipboxError) in
        var found: [FoundVersion?] = []
        for place in run { found.append(try Self.find(query, in: versions[place], box, matcher)) }
        return found
      }
    }
    var found = [FoundVersion?](repeating: nil, count: versions.count)
    for (run, result) in zip(runs, results) {
      for (place, version) in zip(run, try result.get()) { found[place] = version }
    }
    return found
  }

  private static func find(
    _ query: Query, in version: FileVersion, _ box: Box, _ matcher: KindMatcher
  ) throws(SlipboxError) -> FoundVersion? {
    let path = Array(version.path.dropFirst(box.prefix.count))
    let bytes = try box.contentBesideOthers(of: version.blob, at: path)
    if box.storedForm(in: bytes, of: path, isInWorkTree: false) != nil { return nil }
    let note = Note(path: path, text: NoteText(bytes))
    let began = Timestamp(version.began.time)
    let created = note.created ?? began
    let entry = Entry(note: note, created: created, kind: matcher.kind(of: note, created: created))
    let found = Catalogue([entry]).search(query, modified: { _ in began })
    return found.first.map { FoundVersion(entry: entry, snippets: $0.snippets) }
  }
}

/// A content with a match.
struct FoundVersion: Sendable {
  let entry: Entry
  let snippets: [Snippet]
}

/// The contents with matches, with consecutive ones joined.
struct HistoryStretches {
  /// The result of the search of one content.
  private enum Look {
    case nothing
    case found(FoundVersion)
  }

  private let versions: [FileVersion]
  /// The places of the contents, the one that ended last first.
  let order: [Int]
  /// The places of the contents that a commit ended.
  private let endedBy: [ObjectID: [Int]]
  private var looks: [Int: Look] = [:]

  /// - Parameter versions: the contents by path, and from the oldest to the latest.
  init(_ versions: [FileVersion]) {
    self.versions = versions
    let ends = versions.map { $0.ended?.time.seconds ?? .max }
    order = versions.indices.sorted { left, right in
      if ends[left] != ends[right] { return ends[left] > ends[right] }
      let (one, two) = (versions[left].began.time.seconds, versions[right].began.time.seconds)
      // The later version of a path has the higher index.
      return one == two ? left > right : one > two
    }
    var endedBy: [ObjectID: [Int]] = [:]
    for (place, version) in versions.enumerated() {
      if let commit = version.ended?.commit { endedBy[commit, default: []].append(place) }
    }
    self.endedBy = endedBy
  }

  /// Adds the results for contents, by their places.
  mutating func add(_ found: [FoundVersion?], for places: [Int]) {
    for (place, found) in zip(places, found) { looks[place] = found.map { .found($0) } ?? .nothing }
  }

  /// The number of stretches so far.
  var count: Int {
    var heads = Set(looks.compactMap { place, look in if case .found = look { place } else { nil } })
    for (place, look) in looks {
      if case .found(let found) = look, let former = predecessor(of: place, found) { heads.remove(former) }
    }
    return heads.count
  }

  /// Returns the stretches as hits.
  /// - Parameter look: searches a content that was not searched yet.
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

  /// Returns the content that a note had before this one, linked by the commit between them. It is the content at the
  /// same path. At another path, the bytes must be the same or, if known, the id.
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

/// A period in which a note had matching content.
package struct HistoryHit: Sendable {
  /// A commit at the beginning or the end of the period.
  package struct End: Sendable, Equatable {
    package let commit: ObjectID
    package let time: Timestamp
  }

  /// The last version of the note with a match.
  package let entry: Entry
  /// The blob id of that version.
  package let blob: ObjectID
  package let began: End
  /// The commit that removed the match or deleted the note; nil if the note still has the match.
  package let ended: End?
  /// The number of consecutive contents of the note with a match.
  package let versions: Int
  /// Lines of the last version with a match.
  package let snippets: [Snippet]
}
