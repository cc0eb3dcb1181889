import Bytes
import Git
import NoteIndex
import Notes
import Platform
import Text

/// The plan of an undo and its conflicts, before anything is written.
package struct UndoPlan {
  /// The plan that undoes all that can be undone. It has no edits if nothing can, or if everything is undone already.
  package let plan: Plan
  /// The changes that can't be undone, by note.
  package let conflicts: [UndoConflict]
  /// The number of notes and other files that the operation changed.
  package let count: Int
}

/// Undoes and redoes operations.
package struct UndoOperation {
  private let snapshot: BoxSnapshot
  private var box: Box { snapshot.box }

  package init(in snapshot: BoxSnapshot) { self.snapshot = snapshot }

  /// Plans the reversal of an operation: from the state after its commit to the state before it.
  ///
  /// Later work on other fields and lines of the notes stays. The commit may also be an undo; then this redoes the
  /// operation.
  /// - Throws: `.notFound` if the commit's parent is beyond the boundary of a shallow clone.
  /// - Complexity: linear in the files that the operation changed.
  package func plan(_ past: PastOperation, reason: String?) throws(SlipboxError) -> UndoPlan {
    let commit = try commitToTakeBack(past)
    let versions: [(old: NoteVersion?, new: NoteVersion?)]
    do throws(SlipboxError) {
      versions = try box.git { repository throws(GitError) in
        try NoteVersion.changed(by: commit, in: repository, below: box.prefix)
      }
    } catch {
      guard error.kind == .notFound, box.isShallow else { throw error }
      throw SlipboxError(
        .notFound, "this clone is shallow: the commit before \(past.shownID) is missing",
        hints: ["git fetch --unshallow fetches it"])
    }
    let known = NoteVersion.joined(versions, OperationTrailers.operation(of: commit).moves)
    let recorded = try RecordedReversals(
      NoteMatching.pairs(known), OperationTrailers.operation(of: commit), box)
    let reversals = recorded.reversals
    var planner = UndoPlanner(snapshot, since: commit.id)
    for reversal in recorded.amended { planner.refuseAmended(reversal) }
    for (number, reversal) in reversals.enumerated() {
      snapshot.reporter.report(.preparing, number, of: reversals.count)
      try planner.leave(reversal)
    }
    try planner.keepReferredNotes()
    planner.idsBefore = Dictionary(
      reversals.compactMap { reversal in reversal.target.map { ($0.path, $0.id) } }, uniquingKeysWith: { $1 })
    for reversal in reversals { try planner.arrive(reversal) }
    var exposed: [[UInt8]] = []
    for reversal in reversals {
      guard let source = reversal.source, let target = reversal.target, source.path != target.path,
        try box.leavesFilter(from: source.path, to: target.path)
      else { continue }
      exposed.append(source.path)
      box.warnOfReadableText(of: source.id.map { "\($0)" } ?? Phrase(source.path), snapshot.reporter)
    }
    var plan = Plan(
      command: past.isUndone ? "redo" : "undo", reason: reason, edits: planner.edits,
      moves: FileReversal.moves(reversals), reversal: past.reversal, subject: { _ in past.subject })
    plan.permissions = try permissions(afterUndoing: reversals, of: commit)
    plan.exposed = exposed
    return UndoPlan(plan: plan, conflicts: planner.conflicts, count: reversals.count + recorded.amended.count)
  }

  /// Returns the permissions of the restored files: those of the file that moves back or, without one, those that git
  /// knows.
  private func permissions(
    afterUndoing reversals: [FileReversal], of commit: Commit
  ) throws(SlipboxError) -> [[UInt8]: FilePermissions] {
    let before = try CommitLookup(box, at: commit.parents.first, count: reversals.count)
    var permissions: [[UInt8]: FilePermissions] = [:]
    for reversal in reversals {
      guard let target = reversal.target, target.path != reversal.source?.path else { continue }
      let source = reversal.source.flatMap {
        // A file that is gone has no permission bits to keep.
        (try? Files.status(box.absolutePath($0.path), followLinks: false)) ?? nil
      }
      if let source {
        permissions[target.path] = FilePermissions(like: source)
      } else if let entry = try before.file(target.path), entry.mode & 0o100 != 0 {
        permissions[target.path] = .executable
      }
    }
    return permissions
  }

  /// Returns the commit whose inverse undoes an operation: its own, or the last one that redid it.
  private func commitToTakeBack(_ past: PastOperation) throws(SlipboxError) -> Commit {
    switch past.role {
    case .stands, .redoable, .passed: return past.commit
    case .doneAgain(let commit):
      return try box.git { repository throws(GitError) in try repository.read(commit) }
    case .takenBack:
      throw SlipboxError(
        .usage, "\(past.shownID) is already undone: \(past.operation.subject)",
        hints: ["\(slip: "redo") reverses the last undo"])
    }
  }
}

extension PastOperation {
  /// The id as it is shown and typed.
  package var shownID: String { operation.shownID(in: commit.id) }

  /// Whether the operation is an undo, so that its inverse is a redo.
  var isUndone: Bool {
    if case .undo = operation.reversal { return true }
    return false
  }

  /// The kind of reversal under which the inverse of the operation is recorded.
  fileprivate var reversal: Operation.Reversal? {
    switch operation.reversal {
    case .undo(let id, _): .redo(id)
    case .redo(let id): .undo(id, passing: passedOver)
    case nil: operation.id.map { .undo($0, passing: passedOver) }
    }
  }

  /// The description of the inverse, as a person would say it.
  fileprivate var subject: String {
    var subject = operation.subject
    for word in ["Undo: ", "Redo: "] where operation.reversal != nil && subject.hasPrefix(word) {
      subject = String(subject.dropFirst(word.count))
    }
    return (isUndone ? "Redo: " : "Undo: ") + subject
  }
}

/// Combines the reversals of several files: first the removals, then the restored files.
private struct UndoPlanner {
  /// The present and the intended content of a file.
  private struct Step {
    let found: [UInt8]?
    let wanted: [UInt8]?
  }

  private let snapshot: BoxSnapshot
  private var box: Box { snapshot.box }
  private var steps: [[UInt8]: Step] = [:]
  private var order: [[UInt8]] = []
  /// The texts of notes that leave their path, by their path after the operation.
  private var leaving: [[UInt8]: (current: [UInt8], text: [UInt8])] = [:]
  /// The notes that the operation created and that are to be removed.
  private var made: [FileReversal] = []
  private(set) var conflicts: [UndoConflict] = []
  /// The ids of the notes that the operation changed, as they were before, by path.
  var idsBefore: [[UInt8]: NoteID?] = [:]

  /// The commit that is undone.
  private let commit: ObjectID
  /// The later paths of notes, by their path after the operation; nil until they are needed.
  private var moves: [[UInt8]: [UInt8]]?

  init(_ snapshot: BoxSnapshot, since commit: ObjectID) {
    self.snapshot = snapshot
    self.commit = commit
  }

  /// The edits, in the order in which files were met. Each throws if the file has changed since the plan was made.
  var edits: [FileEdit] {
    order.compactMap { path in
      guard let step = steps[path], step.found != step.wanted else { return nil }
      return FileEdit(path: path) { bytes throws(SlipboxError) in
        guard bytes == step.found else {
          throw SlipboxError(
            .busy, "\(path) was changed meanwhile", retry: "try again")
        }
        return step.wanted
      }
    }
  }

  /// Leaves a note as it is, because its change in the commit differs from the one that the operation recorded.
  mutating func refuseAmended(_ reversal: FileReversal) { add(.amended(commit), reversal) }

  /// Removes a note from its present path, or changes it there.
  mutating func leave(_ reversal: FileReversal) throws(SlipboxError) {
    guard let source = reversal.source else { return }
    guard let path = try currentPath(of: source), let found = try box.bytes(at: path) else {
      try refuseLeftOut(source.path)
      // A note that the operation created and that is gone is undone already.
      if reversal.target != nil { add(.deleted, reversal) }
      return
    }
    let isUnchanged = try isUnchanged(found, at: path, since: source)
    guard let target = reversal.target else {
      guard path == source.path else { return add(.moved, reversal, at: path) }
      guard isUnchanged else { return add(.grown, reversal, at: path) }
      put(nil, at: path, found: found)
      made.append(reversal)
      return
    }
    let carried = FileReversal.carried(
      from: try box.content(of: source.blob, at: source.path),
      to: try box.content(of: target.blob, at: target.path), over: found, at: path,
      isUnchanged: isUnchanged)
    switch carried {
    case .failure(let fields): add(.changed(fields.names), reversal, at: path)
    case .success(let text):
      if source.path == target.path {
        put(text, at: path, found: found)
      } else if path == source.path {
        leaving[source.path] = (path, text)
        put(nil, at: path, found: found)
      } else if path == target.path {
        put(text, at: path, found: found)
      } else {
        add(.moved, reversal, at: path)
      }
    }
  }

  /// Returns whether git stores a text as that of a version, or the text differs from it only in lines of baked blocks.
  private func isUnchanged(
    _ found: [UInt8], at path: [UInt8], since version: NoteVersion
  ) throws(SlipboxError) -> Bool {
    if try box.stores(found, at: path, as: version.blob) { return true }
    let text = NoteText(found)
    guard FileName.isNote(path), !BakedBlock.all(in: text).isEmpty else { return false }
    return BakedBlock.aligning(
      NoteText(try box.content(of: version.blob, at: version.path)), to: text) == text
  }

  /// Refuses a file that git has and a sparse checkout leaves out: it was not deleted.
  private func refuseLeftOut(_ path: [UInt8]) throws(SlipboxError) {
    let name = box.repositoryPath(path)
    let isLeftOut = try box.git { repository throws(GitError) in
      guard repository.sparseCheckout.isOn else { return false }
      return try repository.index.entries().contains { $0.path == name && $0.skipWorktree }
    }
    if isLeftOut { throw Box.outsideCheckout(path, isThere: false) }
  }

  /// Restores a note at its former path, if it is not there.
  mutating func arrive(_ reversal: FileReversal) throws(SlipboxError) {
    guard let target = reversal.target else { return }
    let text: [UInt8]
    if let source = reversal.source {
      guard let left = leaving[source.path] else { return }
      text = left.text
    } else {
      let entry = TreeEntry(path: box.repositoryPath(target.path), id: target.blob, mode: 0o100644)
      text = try box.checkedOut([entry])[0]
    }
    let known = steps[target.path]
    let found: [UInt8]?
    if let known { found = known.found } else { found = try box.bytes(at: target.path) }
    let standing = known == nil ? found : known?.wanted
    if let standing {
      if try isUnchanged(standing, at: target.path, since: target) { return }
      stay(reversal)
      return add(.occupied, reversal)
    }
    if reversal.source == nil, let id = target.id,
      let other = try snapshot.catalogue().entry(id: id)?.note.path,
      idsBefore[other] != .some(id),
      steps[other]?.wanted != nil || steps[other] == nil, try box.bytes(at: other) != nil,
      try !hadID(id, beside: other)
    {
      return add(.taken(by: other), reversal)
    }
    put(text, at: target.path, found: found)
  }

  /// Returns whether the file that has an id now had it when the operation was done: two files had one id then.
  private mutating func hadID(_ id: NoteID, beside path: [UInt8]) throws(SlipboxError) -> Bool {
    let before = try movesSince().first { $0.value == path }?.key ?? path
    let (name, commit) = (box.repositoryPath(before), commit)
    let entry = try box.git { repository throws(GitError) in try repository.file(name, at: commit) }
    return try version(entry)?.id == id
  }

  /// Leaves a note at its path, because it can't move to its former one.
  private mutating func stay(_ reversal: FileReversal) {
    guard let source = reversal.source, let left = leaving[source.path] else { return }
    keep(left.current)
  }

  /// Leaves a file as it was found.
  private mutating func keep(_ path: [UInt8]) {
    guard let step = steps[path] else { return }
    steps[path] = Step(found: step.found, wanted: step.found)
  }

  /// Keeps notes that the operation created if remaining records refer to them.
  mutating func keepReferredNotes() throws(SlipboxError) {
    let goingPaths = Set(made.map(\.path))
    var entries: [Entry] = []
    for reversal in made {
      if let entry = try snapshot.catalogue().entry(path: reversal.path) { entries.append(entry) }
    }
    guard !entries.isEmpty else { return }
    let table = try RecordTable(in: snapshot)
    let referrers = table.referrers(reachedFrom: entries)
    for reversal in made {
      let staying = (referrers[reversal.path] ?? []).map(\.referrer.note.path).filter { path in
        // A record that the same operation changes back may refer to it no longer.
        !goingPaths.contains(path) && steps[path] == nil
      }
      guard !staying.isEmpty else { continue }
      keep(reversal.path)
      add(.referred(staying), reversal)
    }
  }

  /// Returns the present path of a note, by its version after the operation; nil if the note is gone.
  private mutating func currentPath(of source: NoteVersion) throws(SlipboxError) -> [UInt8]? {
    if let bytes = try box.bytes(at: source.path) {
      guard let id = source.id, FileName.isNote(source.path) else { return source.path }
      let found = Note(path: source.path, text: NoteText(bytes)).id
      if found == nil || found == id { return source.path }
    }
    guard let id = source.id else { return try movedPath(source.path) }
    return try snapshot.catalogue().entry(id: id)?.note.path
  }

  /// Returns the path to which later commits moved a note without an id, found by its bytes; nil if they did not.
  private mutating func movedPath(_ path: [UInt8]) throws(SlipboxError) -> [UInt8]? {
    try movesSince()[path]
  }

  /// Returns the new paths of the files that later commits moved, by their old ones.
  private mutating func movesSince() throws(SlipboxError) -> [[UInt8]: [UInt8]] {
    if let moves { return moves }
    guard let tip = try box.tip() else { return [:] }
    var files: [(old: NoteVersion?, new: NoteVersion?)] = []
    for file in try box.git({ repository throws(GitError) in
      try repository.changedFiles(from: commit, to: tip, under: Array(box.prefix.dropLast()))
    }) where (file.old == nil) != (file.new == nil) {
      files.append((try version(file.old), try version(file.new)))
    }
    let pairs = NoteMatching.pairs(files).compactMap { pair in
      pair.old.flatMap { old in pair.new.map { (old.path, $0.path) } }
    }
    let found = Dictionary(pairs, uniquingKeysWith: { first, _ in first })
    moves = found
    return found
  }

  private func version(_ entry: TreeEntry?) throws(SlipboxError) -> NoteVersion? {
    guard let entry else { return nil }
    let path = Array(entry.path.dropFirst(box.prefix.count))
    guard FileName.isNote(path) else { return NoteVersion(path: path, blob: entry.id) }
    return NoteVersion(path: path, bytes: try box.content(of: entry.id, at: path), blob: entry.id)
  }

  private mutating func put(_ text: [UInt8]?, at path: [UInt8], found: [UInt8]?) {
    if steps[path] == nil { order.append(path) }
    steps[path] = Step(found: found, wanted: text)
  }

  private mutating func add(_ reason: UndoConflict.Reason, _ reversal: FileReversal, at path: [UInt8]? = nil)
  {
    let place = path ?? reversal.path
    let version = reversal.source ?? reversal.target
    let title = version?.bytes.map { Note(path: place, text: NoteText($0)).title } ?? ""
    conflicts.append(UndoConflict(path: place, id: reversal.id, title: title, reason: reason))
  }
}
