import Git
import NoteIndex
package import Notes
import Text

/// A whole note that has no file yet, such as a sample record.
package struct PreparedNote: Sendable {
  package let id: NoteID
  package let title: String
  package let kind: String
  package let created: Timestamp
  package let text: NoteText

  package init(id: NoteID, title: String, kind: String, created: Timestamp, text: NoteText) {
    self.id = id
    self.title = title
    self.kind = kind
    self.created = created
    self.text = text
  }
}

/// The ids and titles of a box, which prepared notes must not take.
package struct NamesInUse: Sendable {
  package let ids: Set<NoteID>
  package let titles: [String]
}

extension BoxSnapshot {
  /// The names that samples must not take.
  ///
  /// - Throws: `.badData` where the box has notes and samples are not forced on it.
  package func namesForSamples(isForced: Bool) throws(SlipboxError) -> NamesInUse {
    let entries = try catalogue().entries
    guard entries.isEmpty || isForced else {
      throw SlipboxError(
        .badData,
        "the box has \(entries.count == 1 ? "a note" : "\(entries.count) notes"), and samples are for an empty one",
        hints: ["slip sample --force adds them all the same", "slip init DIR makes another box"])
    }
    return NamesInUse(ids: Set(entries.compactMap(\.note.id)), titles: entries.map(\.note.title))
  }

  /// The plan that adds sample records in one commit.
  ///
  /// Kinds that the box declares otherwise than its samples are made are left out.
  /// - Throws: `.badData` where the kinds of the box allow no sample; `.cannotCreate` where ignore rules hide the
  ///   new files.
  package func addingSamples(_ notes: [PreparedNote], reason: String? = nil) throws(SlipboxError) -> Plan {
    let edits = try newFiles(try allowed(notes))
    return Plan(command: "sample", reason: reason, edits: edits) { changes in
      changes.count == 1
        ? "Sample: \(Plan.described(changes))" : "Fill the box with \(changes.count) sample records"
    }
  }

  private func newFiles(_ notes: [PreparedNote]) throws(SlipboxError) -> [FileEdit] {
    try settings.refuseBad("path")
    var edits: [FileEdit] = []
    for note in notes {
      let path = FileName.path(
        for: note.title, id: note.id, created: note.created, pattern: settings.pathPattern)
      let shown = Visible.escape(path)
      if let problem = FileName.problem(in: path) {
        throw SlipboxError(
          .cannotCreate, "\(shown): \(problem)", hints: ["slip config path shows the pattern of new files"])
      }
      if try box.isIgnored(path) {
        let rule = box.ignoreRule(path).map { " by \(Visible.escape($0))" } ?? ""
        throw SlipboxError(
          .cannotCreate, "\(shown) would be ignored\(rule)",
          hints: ["change that rule, or: slip config path PATTERN"])
      }
      edits.append(
        FileEdit(path: path) { bytes throws(SlipboxError) in
          guard bytes == nil else { throw SlipboxError(.cannotCreate, "\(shown) exists already") }
          return note.text.bytes
        })
    }
    return edits
  }
}
