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

/// Adds sample notes to a box.
package struct AddSamples {
  private let snapshot: BoxSnapshot

  package init(in snapshot: BoxSnapshot) { self.snapshot = snapshot }

  /// The names that samples must not take.
  ///
  /// - Throws: `.badData` if the box has notes and samples are not forced on it.
  package func namesInUse(isForced: Bool) throws(SlipboxError) -> NamesInUse {
    let entries = try snapshot.catalogue().entries
    guard entries.isEmpty || isForced else {
      throw SlipboxError(
        .badData,
        "the box has \(entries.count == 1 ? "a note" : "\(entries.count) notes"); samples are for an empty box",
        hints: [
          "add \(option: "--force") to add them anyway", "create another box with: \(slip: "init", "DIR")",
        ])
    }
    return NamesInUse(ids: Set(entries.compactMap(\.note.id)), titles: entries.map(\.note.title))
  }

  /// The plan that adds sample records in one commit.
  ///
  /// Kinds that the box declares otherwise than its samples are made are left out.
  /// - Throws: `.badData` if the kinds of the box allow no sample; `.cannotCreate` if ignore rules hide the
  ///   new files.
  package func plan(_ notes: [PreparedNote], reason: String? = nil) throws(SlipboxError) -> Plan {
    let edits = try newFiles(try allowed(notes))
    return Plan(command: "sample", reason: reason, edits: edits) { changes in
      changes.count == 1
        ? "Sample: \(Plan.described(changes))" : "Fill the box with \(changes.count) sample records"
    }
  }

  /// The paths of the notes that the kinds of the box allow, by id.
  /// - Throws: as `plan(_:reason:)`.
  func paths(ofSamples notes: [PreparedNote]) throws(SlipboxError) -> [NoteID: [UInt8]] {
    let allowed = try allowed(notes)
    let edits = try newFiles(allowed)
    return Dictionary(zip(allowed.map(\.id), edits.map(\.path))) { $1 }
  }

  private func path(of note: PreparedNote) -> [UInt8] {
    let own = snapshot.settings.value(of: "path")
    let pattern = own.contains("{id}") && !own.contains("{title}") ? own : FileName.defaultPattern
    return FileName.path(for: note.title, id: note.id, created: note.created, pattern: pattern)
  }

  private func newFiles(_ notes: [PreparedNote]) throws(SlipboxError) -> [FileEdit] {
    try snapshot.settings.refuseBad("path", in: snapshot.box)
    var edits: [FileEdit] = []
    for note in notes {
      let path = path(of: note)
      let shown = Phrase(path)
      if let problem = FileName.problem(in: path) {
        throw SlipboxError(
          .cannotCreate, "\(shown): \(problem)",
          hints: ["\(slip: "config path") shows the pattern of new files"])
      }
      if try snapshot.box.isIgnored(path) {
        let rule = snapshot.box.ignoreRule(path).map { " by \($0)" as Phrase } ?? ""
        throw SlipboxError(
          .cannotCreate, "\(shown) would be ignored\(rule)",
          hints: ["change that rule, or: \(slip: "config path", "PATTERN")"])
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

extension BoxWriter {
  /// Fills an empty box with sample notes and their past: commits of several devices, and a merge of them with HEAD.
  ///
  /// The merge's first parent is the past, so that its dates go up along first parents.
  /// - Parameters:
  ///   - notes: the notes as they are at last; those that the kinds of the box don't allow are left out.
  ///   - beginning: the device, time and id of the first commit, which has the files of HEAD.
  ///   - id: the id of the operation that fills the box.
  /// - Throws: as `AddSamples.plan(_:)` and `take(_:named:allowsLosses:)`.
  package func fill(
    _ snapshot: BoxSnapshot, with notes: [PreparedNote], past steps: [PastStep],
    beginning: (device: String, time: Timestamp, id: OperationID), _ id: OperationID
  ) throws(SlipboxError) -> CommitResult {
    guard let tip = try box.tip() else {
      return try record(try AddSamples(in: snapshot).plan(notes))
    }
    let paths = try AddSamples(in: snapshot).paths(ofSamples: notes)
    let tree = try box.git { repository throws(GitError) in try repository.read(tip).tree }
    let start = try write(
      tree, [], beginning.id, "init", "Make this folder a Slipbox box", beginning.device, beginning.time, nil)
    var writer = PastWriter(box, context, paths: paths, from: start)
    try writer.write(steps)
    let past = try box.git { [remote = writer.remote] repository throws(GitError) in
      try repository.read(remote).tree
    }
    let subject = "Fill the box with \(paths.count) sample \(paths.count == 1 ? "record" : "records")"
    let commit = try write(
      past, [writer.remote, tip], id, "sample", subject, box.device(context), context.clock.now, paths.count)
    let taken = try take(commit, named: "the samples", allowsLosses: true)
    return CommitResult(outcome: .committed(taken.tip), changes: taken.changes, subject: subject)
  }

  private func write(
    _ tree: ObjectID, _ parents: [ObjectID], _ id: OperationID, _ command: String, _ subject: String,
    _ device: String, _ time: Timestamp, _ count: Int?
  ) throws(SlipboxError) -> ObjectID {
    try box.git { repository throws(GitError) in
      let identity = try repository.identity(at: (time.seconds, time.offsetSeconds / 60))
      let operation = Operation(
        id: id, command: command, device: device, author: identity.author, subject: subject, changes: [],
        noteCount: count)
      return try repository.writeCommit(
        tree: tree, parents: parents, message: OperationTrailers.message(of: operation),
        author: identity.author, committer: identity.committer)
    }
  }
}

/// Samples in a box that declares kinds of its own.
extension AddSamples {
  /// Leaves out all samples of a kind if one of them would break the box's own declarations, and says so.
  ///
  /// - Throws: `.badData` if nothing is left.
  /// - Complexity: O(n), O(1) if the box declares no kind.
  func allowed(_ notes: [PreparedNote]) throws(SlipboxError) -> [PreparedNote] {
    guard snapshot.schema().kinds != Schema.builtIn.kinds else { return notes }
    let matcher = KindMatcher(snapshot.schema(), clock: snapshot.clock)
    var left = notes.map { prepared in
      let note = Note(path: Array("\(prepared.id).md".utf8), text: prepared.text)
      let kind = matcher.kind(of: note, created: prepared.created)
      return (prepared: prepared, entry: Entry(note: note, created: prepared.created, kind: kind))
    }
    // Without the groups the tasks in them refer to nothing: each round leaves out one kind.
    while let fault = try firstFault(in: left) {
      snapshot.reporter.warn(
        "no samples of kind \(fault.kind), because this box declares the kind differently: \(fault.message)")
      left.removeAll { $0.prepared.kind == fault.kind }
    }
    guard !left.isEmpty else {
      throw SlipboxError(
        .badData, "every sample is invalid for the kinds of this box",
        hints: ["create another box with: \(slip: "init", "DIR")"])
    }
    return left.map(\.prepared)
  }

  private func firstFault(
    in samples: [(prepared: PreparedNote, entry: Entry)]
  ) throws(SlipboxError) -> (kind: String, message: Phrase)? {
    let all = Catalogue(try snapshot.catalogue().entries + samples.map(\.entry))
    let editor = RecordTable(of: all.entries, snapshot.schema(), executor: nil).editor(clock: snapshot.clock)
    for (prepared, entry) in samples {
      guard let problem = editor.problems(in: entry.note, kind: entry.kind).first else { continue }
      return (prepared.kind, Phrase(problem.message))
    }
    return nil
  }
}
