import NoteIndex
import Notes
import Text

/// Samples in a box that declares kinds of its own.
extension BoxSnapshot {
  /// Leaves out all samples of a kind where one of them would break the box's own declarations, and says so.
  ///
  /// - Throws: `.badData` where nothing is left.
  /// - Complexity: O(n), O(1) where the box declares no kind.
  func allowed(_ notes: [PreparedNote]) throws(SlipboxError) -> [PreparedNote] {
    guard schema().kinds != Schema.builtIn.kinds else { return notes }
    let matcher = KindMatcher(schema(), clock: clock)
    var left = notes.map { prepared in
      let note = Note(path: Array("\(prepared.id).md".utf8), text: prepared.text)
      let kind = matcher.kind(of: note, created: prepared.created)
      return (prepared: prepared, entry: Entry(note: note, created: prepared.created, kind: kind))
    }
    // Without the groups the tasks in them refer to nothing: each round leaves out one kind.
    while let fault = try firstFault(in: left) {
      reporter.warn(
        "no samples of kind \(fault.kind), because this box declares the kind differently: \(fault.message)")
      left.removeAll { $0.prepared.kind == fault.kind }
    }
    guard !left.isEmpty else {
      throw SlipboxError(
        .badData, "every sample is invalid for the kinds of this box",
        hints: ["create another box with: slip init DIR"])
    }
    return left.map(\.prepared)
  }

  private func firstFault(
    in samples: [(prepared: PreparedNote, entry: Entry)]
  ) throws(SlipboxError) -> (kind: String, message: String)? {
    let all = Catalogue(try catalogue().entries + samples.map(\.entry))
    let editor = RecordTable(of: all.entries, schema(), executor: nil).editor(clock: clock)
    for (prepared, entry) in samples {
      guard let problem = editor.problems(in: entry.note, kind: entry.kind).first else { continue }
      return (prepared.kind, Visible.escape(problem.message))
    }
    return nil
  }
}
