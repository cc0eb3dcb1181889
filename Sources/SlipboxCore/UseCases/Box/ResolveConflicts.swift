import Git
package import NoteIndex
package import Notes
import Text

/// Finds and ends the conflicts that merges left in notes.
package struct ResolveConflicts {
  private let snapshot: BoxSnapshot

  package init(in snapshot: BoxSnapshot) { self.snapshot = snapshot }

  /// The conflicts of a note, with the time and the author of each version.
  ///
  /// The versions of all parts are in one order of devices, so that a number means the same device in each.
  ///
  /// - Complexity: linear in the commits since the value that is in the note was written.
  package func conflicts(of entry: Entry) throws(SlipboxError) -> [NoteConflict] {
    let conflicts = NoteConflict.all(in: try Self.merged(entry.note).text)
    let store = RepositoryMergeStore(snapshot.box)
    let path = snapshot.box.repositoryPath(entry.note.path)
    // If the file was edited since, the time of its values is unknown.
    guard !conflicts.isEmpty, let tip = try snapshot.box.tip(),
      try store.file(path, at: tip)?.id == ObjectID(ofBlob: entry.note.text.bytes)
    else { return NoteConflict.inOneOrder(conflicts) }
    let origins = ChangeOrigins(store)
    var dated: [NoteConflict] = []
    for conflict in conflicts {
      let start = try self.start(of: conflict, in: entry.note, path) ?? tip
      let stamp = try conflict.part.flatMap { (part) throws(SlipboxError) in
        try origins.stamp(of: part, at: path, in: start)
      }
      dated.append(stamp.map(conflict.standing(since:)) ?? conflict)
    }
    return NoteConflict.inOneOrder(dated)
  }

  /// The oldest commit in which a note has the versions of a conflict: a later one may only have brought them back, as an
  /// undo does. Nil if they are not of a field.
  private func start(
    of conflict: NoteConflict, in note: Note, _ path: [UInt8]
  ) throws(SlipboxError) -> ObjectID? {
    guard case .note(.field(let name))? = conflict.part, let tip = try snapshot.box.tip() else { return nil }
    let facts = { (text: NoteText) in
      (text.conflictEntries.filter { $0.field == name }, FrontMatter(text)[name])
    }
    let wanted = facts(try note.text)
    return try versions(at: path, in: tip).last { facts($0.text) == wanted }?.commit
  }

  /// The texts that a file had, newest first, each with its commit.
  private func versions(
    at path: [UInt8], in tip: ObjectID
  ) throws(SlipboxError) -> [(commit: ObjectID, text: NoteText)] {
    let commits = try snapshot.box.git { repository throws(GitError) in
      var commits: [ObjectID] = []
      try repository.history.visit(from: tip, touching: [path], limit: Self.mostCommits) { commit in
        commits.append(commit.id)
        return true
      }
      return commits
    }
    let store = RepositoryMergeStore(snapshot.box)
    var versions: [(commit: ObjectID, text: NoteText)] = []
    for commit in commits {
      guard let entry = try store.file(path, at: commit), entry.isRegular else { continue }
      versions.append((commit, NoteText(try store.content(of: entry))))
    }
    return versions
  }

  /// Reports the values by which a note breaks its kind with a choice, and refuses those that no device had stored: somebody
  /// wrote them into the field `conflicts`.
  private func checkValues(of entry: Entry, becoming text: NoteText) throws(SlipboxError) {
    let (note, editor) = (entry.note, ChangeRecords(in: snapshot).editor)
    let known = Set(editor.problems(in: note, kind: entry.kind).map(\.message))
    let new = Note(path: note.path, text: text)
    let problems = editor.problems(in: new, kind: entry.kind).filter { !known.contains($0.message) }
    guard !problems.isEmpty else { return }
    let past = try snapshot.box.tip().map { (tip) throws(SlipboxError) in
      try versions(at: snapshot.box.repositoryPath(note.path), in: tip).map { FrontMatter($0.text) }
    }
    for problem in problems {
      let value = new.frontMatter[problem.field]
      guard value == nil || (past ?? []).contains(where: { $0[problem.field] == value }) else {
        throw SlipboxError(
          .badData, about: note.mention, Phrase(problem.message),
          hints: (problem.hint.map { [$0] } ?? []) + ["edit the note: \(slip: "edit", .note(note))"])
      }
      snapshot.reporter.warnOnce("\(note.mention): \(problem.message)")
    }
  }

  /// So many commits of a note are read.
  private static let mostCommits = 200

  /// A note with git's conflict markers as slip merges its versions; another note as it is.
  private static func merged(_ note: Note) throws(SlipboxError) -> Note {
    let text = try note.text
    guard MergeMarkers.firstLine(in: text.bytes) != nil else { return note }
    return Note(path: note.path, text: MarkedText.settled(text.bytes, rules: MergeRules()))
  }

  /// The refusal for a note without a conflict; it has a hint if the field `conflicts` holds something else.
  package static func nothing(in note: Note) -> SlipboxError {
    if let line = (try? note.text)?.strayVersionLine {
      return SlipboxError(
        .badData,
        "\(note.mention) has a comment of a conflict in line \(line), without the others around its versions",
        hints: ["choose the text and remove the comments: \(slip: "edit", .note(note))"])
    }
    guard note.frontMatter[ConflictEntry.fieldName] != nil else {
      return SlipboxError(.notFound, "\(note.mention) has no conflict")
    }
    return SlipboxError(
      .notFound,
      "\(note.mention) has no conflict that slip can settle, though its field conflicts is not empty",
      hints: ["if the note is as it should be, clear the field: \(slip: "set", .note(note), "conflicts:")"])
  }

  /// Refuses a note that git could not merge: its conflict is in git's index or between git's markers, not in the note.
  package func refuseConflictOfGit(in note: Note) throws(SlipboxError) {
    let name = snapshot.box.repositoryPath(note.path)
    let unmerged = try snapshot.box.git { repository throws(GitError) in
      try repository.index.unmergedPaths()
    }
    if unmerged.contains(name) {
      let operation = try snapshot.box.git { repository throws(GitError) in
        try repository.operation.stopped()
      }
      if let operation, snapshot.box.hasStoppedMerge {
        throw SlipboxError(
          .busy, "\(note.path) has conflicting versions in git's index",
          hints: snapshot.box.wayOut(of: operation))
      }
      try OutsideChange.refuseConflicted([OutsideChange(path: note.path, difference: .conflicted)])
    }
    guard MergeMarkers.firstLine(in: try Self.merged(note).text.bytes) != nil else { return }
    throw SlipboxError(
      .badData, "\(note.mention) has conflict markers of git whose versions can't be merged",
      hints: ["remove them in an editor: \(slip: "edit", .note(note))"])
  }

  /// The plan that resolves conflicts of a note.
  ///
  /// - Parameters:
  ///   - choice: the versions to keep.
  ///   - fields: the parts to resolve; empty for all.
  /// - Throws: `.notFound` if the note has no such conflict, `.usage` for a version that does not exist.
  package func plan(
    _ entry: Entry, _ choice: ConflictChoice, fields: [String], reason: String?
  ) throws(SlipboxError) -> Plan {
    let note = entry.note
    let name = note.mention
    try refuseConflictOfGit(in: note)
    let conflicts = try self.conflicts(of: entry)
    let known = Set(conflicts.map(\.name))
    if let unknown = fields.first(where: { field in !known.contains { $0.isSameName(as: field) } }) {
      let there = known.sorted().map { Phrase($0) }.joined(separator: ", ")
      throw SlipboxError(
        .notFound, "\(name) has no conflict of \(unknown)",
        hints: [known.isEmpty ? "it has no conflicts" : "it has conflicts of: \(there)"])
    }
    guard !conflicts.isEmpty else { throw Self.nothing(in: note) }
    let chosen = known.filter { name in fields.isEmpty || fields.contains { $0.isSameName(as: name) } }
    let parts = conflicts.filter { chosen.contains($0.name) }
    try refuseMixture(parts, choice, note)
    if case .version(let number) = choice, NoteConflict.mayMixSides(parts) {
      snapshot.reporter.warnOnce(
        "\(name) does not name the sides of all versions: version \(number) may be of different sides")
    }
    var place: [UInt8]? = note.path
    for conflict in conflicts where chosen.contains(conflict.name) {
      place =
        try self.place(of: conflict, choice, note) ?? (conflict.name == ConflictEntry.note ? nil : place)
    }
    let names = chosen.sorted().joined(separator: ", ")
    let decision = place == nil ? "delete " : chosen.contains(ConflictEntry.note) ? "keep " : ""
    let subject = "Resolve \(names): \(decision)\(note.title)"
    let keepsTitles = try snapshot.layout().keepsFormerTitles
    let settle = { (note: Note) throws(SlipboxError) in
      try Self.settled(
        Self.merged(note), conflicts.filter { chosen.contains($0.name) }, choice, keepsTitles: keepsTitles)
    }
    let resolved = try settle(note)
    try checkValues(of: entry, becoming: resolved)
    let isRetitled = !Note(path: note.path, text: resolved).title.hasSameBytes(as: note.title)
    if let place, place != note.path || isRetitled {
      if place != note.path { try PlaceCheck(in: snapshot).refuseUnusable(place) }
      if try snapshot.box.leavesFilter(from: note.path, to: place) {
        snapshot.box.warnOfReadableText(of: note.mention, snapshot.reporter)
      }
      let rename = NoteRename(entry, to: place, change: settle)
      return try RenameNotes(in: snapshot).plan([rename], command: "resolve", reason: reason, inPlace: "") {
        _ in subject
      }
    }
    let edit = FileEdit(path: note.path) { (bytes) throws(SlipboxError) in
      guard try bytes == note.text.bytes else {
        throw FileEdit.changedMeanwhile(note)
      }
      return place == nil ? nil : resolved.bytes
    }
    return Plan(command: "resolve", reason: reason, edits: [edit]) { _ in subject }
  }

  /// Refuses a number that means one device in a part and another device in another part.
  ///
  /// With three devices, a part may have versions of only two of them.
  private func refuseMixture(
    _ conflicts: [NoteConflict], _ choice: ConflictChoice, _ note: Note
  ) throws(SlipboxError) {
    guard case .version(let number) = choice else { return }
    var first: (part: String, device: String)?
    for conflict in conflicts where conflict.versions.indices.contains(number - 1) {
      let device = conflict.versions[number - 1].device
      guard !device.isEmpty else { continue }
      if let first, first.device != device {
        if first.part == conflict.name {
          throw SlipboxError(
            .usage, "version \(number) of \(first.part) is from \(first.device) and from \(device)",
            hints: ["choose in an editor: \(slip: "resolve", .note(note), "--edit")"])
        }
        throw SlipboxError(
          .usage,
          """
          version \(number) is from \(first.device) in \(first.part) and from \(device) in \(conflict.name): \
          choose one part
          """,
          hints: [
            "for example: \(slip: "resolve", .note(note), "--keep", .value("\(number)"), .value(first.part))"
          ])
      }
      first = first ?? (conflict.name, device)
    }
  }

  /// The text of a note with some parts settled, one after the other.
  private static func settled(
    _ note: Note, _ conflicts: [NoteConflict], _ choice: ConflictChoice, keepsTitles: Bool
  ) throws(SlipboxError) -> NoteText {
    var text = try note.text
    var names: [String] = []
    for conflict in conflicts where !names.contains(conflict.name) { names.append(conflict.name) }
    for name in names {
      // The regions of a body are settled together.
      let current = conflicts.filter { $0.name == name }
      do throws(ConflictChoiceError) {
        text = try text.resolving(current, choice)
      } catch {
        throw refusal(error, of: note)
      }
      guard name == "title", keepsTitles else { continue }
      // Each device may have written links by the title that it knew.
      do throws(EditError) {
        let titles = current.flatMap(\.versions).compactMap(\.value?.text)
        text = try text.adding(aliases: titles, at: note.path, order: fieldOrder)
      } catch {
        throw SlipboxError(error, note: note.mention, typed: .note(note))
      }
    }
    return text
  }

  /// The path of a note by a choice; nil if the note is deleted, or the conflict is not about its path.
  private func place(
    of conflict: NoteConflict, _ choice: ConflictChoice, _ note: Note
  ) throws(SlipboxError) -> [UInt8]? {
    guard case .version(let number) = choice, conflict.versions.indices.contains(number - 1) else {
      return note.path
    }
    let version = conflict.versions[number - 1]
    switch conflict.name {
    case ConflictEntry.note: return version.isInNote ? note.path : nil
    case ConflictEntry.path where !version.isInNote:
      let path = version.value?.text.map { Array($0.utf8.dropFirst(snapshot.box.prefix.count)) }
      guard let path, FileName.isNote(path) else {
        throw SlipboxError(.badData, "\(note.mention): the path of that version is not valid for a note")
      }
      return path
    default: return note.path
    }
  }

  private static func refusal(_ error: ConflictChoiceError, of note: Note) -> SlipboxError {
    let name = note.mention
    switch error {
    case .noVersion(let part, let count):
      return SlipboxError(
        .usage, "\(name) has \(count) versions of \(part)",
        hints: ["\(slip: "resolve", .note(note)) shows them"])
    case .single(let part):
      return SlipboxError(
        .usage, "\(part) has a single value: choose one version",
        hints: ["for example: \(slip: "resolve", .note(note), "--keep 1")"])
    case .edit(let error): return SlipboxError(error, note: name, typed: .note(note))
    }
  }
}

extension NoteConflict {
  /// The part of its file that is the first version; nil for a body, whose versions have labels of their own.
  fileprivate var part: FilePart? {
    switch name {
    case MergePart.body.name: nil
    case ConflictEntry.note: .content
    case ConflictEntry.path: .path
    default: .note(.field(name))
    }
  }
}
