import NoteIndex
import Notes
import Text

/// Samples in a box that declares kinds of its own.
extension Slipbox {
  /// Leaves out all samples of a kind where one of them would break the box's own declarations, and says so.
  ///
  /// - Throws: `.badData` where nothing is left.
  /// - Complexity: O(n), O(1) where the box declares no kind.
  func allowed(_ records: [SampleRecord]) throws(SlipboxError) -> [SampleRecord] {
    guard schema().kinds != Schema.builtIn.kinds else { return records }
    let matcher = KindMatcher(schema(), clock: surroundings.clock)
    var left = records.map { record in
      let note = Note(path: Array("\(record.id).md".utf8), text: record.text)
      let kind = matcher.kind(of: note, created: record.created)
      return (record: record, entry: Entry(note: note, created: record.created, kind: kind))
    }
    // Without the groups the tasks in them refer to nothing: each round leaves out one kind.
    while let fault = try firstFault(in: left) {
      surroundings.warn(
        "no samples of kind \(fault.kind), which this box declares otherwise: \(fault.message)")
      left.removeAll { $0.record.kind == fault.kind }
    }
    guard !left.isEmpty else {
      throw SlipboxError(
        .badData, "every sample would break a kind of this box", hints: ["slip init DIR makes another box"])
    }
    return left.map(\.record)
  }

  private func firstFault(
    in samples: [(record: SampleRecord, entry: Entry)]
  ) throws(SlipboxError) -> (kind: String, message: String)? {
    let all = Catalogue(try catalogue().entries + samples.map(\.entry))
    let editor = RecordTable(of: all.entries, schema()).editor(clock: surroundings.clock)
    for (record, entry) in samples {
      guard let problem = editor.problems(in: entry.note, kind: entry.kind).first else { continue }
      return (record.kind, Visible.escape(problem.message))
    }
    return nil
  }
}
