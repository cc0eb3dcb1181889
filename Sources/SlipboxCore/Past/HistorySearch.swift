import Git
package import NoteIndex
import Notes
import Platform

/// Looks for text in everything that notes ever were.
package struct HistorySearch {
  /// So many contents are read before it is asked whether enough was found.
  private static let batch = 1_024
  /// So many contents are read one after another by one thread.
  private static let runLength = 16

  private let snapshot: BoxSnapshot
  private let query: Query

  /// - Throws: `.usage` where the query asks what only all notes of one time tell.
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

  /// The times for which notes held what is looked for, those first that ended last.
  ///
  /// - Parameter limit: the most that are wanted.
  /// - Throws: `.inputOutput` where a content can't be read.
  /// - Complexity: linear in the bytes of all contents; less where a limit is reached.
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

  /// What is found in some contents, in their order; nil where nothing is.
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
    let note = Note(path: path, text: NoteText(try box.blobBesideOthers(version.blob)))
    let began = Timestamp(version.began.time)
    let created = note.created ?? began
    let entry = Entry(note: note, created: created, kind: matcher.kind(of: note, created: created))
    let found = Catalogue([entry]).search(query, modified: { _ in began })
    return found.first.map { FoundVersion(entry: entry, snippets: $0.snippets) }
  }
}

/// A content in which something was found.
struct FoundVersion: Sendable {
  let entry: Entry
  let snippets: [Snippet]
}
