import Git
import NoteIndex
import Notes
import Text

/// What a sample box is to be.
package struct SampleRequest: Sendable {
  /// How many records in all.
  package var count: Int
  /// What the records follow from, together with the time; nil: another box every time.
  package var seed: UInt64?
  /// Whether notes that are there already are no reason to refuse.
  package var isForced: Bool

  /// The number of records unless another is asked for: 5 tags of 10 issues, 20 books, 5 groups, 30 tasks, 20 notes.
  package static let usualCount = SampleCounts.usual.reduce(0) { $0 + $1.count }
  /// The most that are made at once.
  package static let largestCount = 100_000

  package init(count: Int = usualCount, seed: UInt64? = nil, isForced: Bool = false) {
    self.count = count
    self.seed = seed
    self.isForced = isForced
  }
}

extension Slipbox {
  /// The plan that fills the box with sample records, in one commit.
  ///
  /// The same request gives the same files, byte for byte, for the same time and the same notes before it.
  /// Kinds that the box declares otherwise than its samples are made are left out.
  /// - Throws: `.badData` where the box has notes and the request is not forced, or its own kinds allow no sample;
  ///   `.cannotCreate` where ignore rules hide the new files.
  package func sampling(_ request: SampleRequest, reason: String? = nil) throws(SlipboxError) -> Plan {
    let entries = try catalogue().entries
    guard entries.isEmpty || request.isForced else {
      throw SlipboxError(
        .badData,
        "the box has \(entries.count == 1 ? "a note" : "\(entries.count) notes"), and samples are for an empty one",
        hints: ["slip sample --force adds them all the same", "slip init DIR makes another box"])
    }
    Progress.report(.preparing, 0, of: request.count)
    var maker = SampleMaker(
      clock: surroundings.clock, random: SampleRandom(seed: request.seed ?? surroundings.random.next()),
      takenIDs: Set(entries.compactMap(\.note.id)), takenTitles: entries.map(\.note.title))
    let records = try allowed(maker.records(SampleCounts(total: request.count)))
    let edits = try newFiles(records)
    return Plan(command: "sample", reason: reason, edits: edits) { changes in
      changes.count == 1
        ? "Sample: \(Plan.described(changes))" : "Fill the box with \(changes.count) sample records"
    }
  }

  private func newFiles(_ records: [SampleRecord]) throws(SlipboxError) -> [FileEdit] {
    var edits: [FileEdit] = []
    for record in records {
      let path = FileName.path(
        for: record.title, id: record.id, created: record.created, pattern: settings.pathPattern)
      let shown = Visible.escape(path)
      if let problem = FileName.problem(in: path) {
        throw SlipboxError(
          .cannotCreate, "\(shown): \(problem)", hints: ["slip config path shows the pattern of new files"])
      }
      if try isIgnored(path) {
        let rule = repository.ignoreRule(repositoryPath(path)).map { " by \(Visible.escape($0))" } ?? ""
        throw SlipboxError(
          .cannotCreate, "\(shown) would be ignored\(rule)",
          hints: ["change that rule, or: slip config path PATTERN"])
      }
      edits.append(
        FileEdit(path: path) { bytes throws(SlipboxError) in
          guard bytes == nil else { throw SlipboxError(.cannotCreate, "\(shown) exists already") }
          return record.text.bytes
        })
    }
    return edits
  }
}
