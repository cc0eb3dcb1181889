package import Git
package import NoteIndex
package import Notes
import Platform
import Text

/// Parses the arguments of `--as-of` and `--at`.
extension Box {
  /// Returns the point in the past that a text names: a git revision, an operation, or the end of a date.
  ///
  /// A text that is a date and also the exact name of a branch, a tag or a commit means the branch, tag or commit. The
  /// beginning of a commit id is not an exact name.
  /// - Throws: `.usage` for an empty text, a date in the future, and a text that matches several commits or operations;
  ///   `.notFound` if there is no such commit, or the date is before the first one.
  package func pastPoint(
    _ text: String, _ context: CommandContext
  ) throws(SlipboxError) -> PastPoint {
    guard text.utf8.contains(where: { $0 > 0x20 }) else {
      throw SlipboxError(
        .usage, "an empty text is not a revision or date",
        hints: ["a branch, a tag, a commit, an operation, or a date such as yesterday or 2026-11-01"])
    }
    guard let tip = try tip() else {
      throw SlipboxError(.notFound, "the box has no commits yet", hints: ["\(slip: "commit")"])
    }
    let exact = try git { repository throws(GitError) in try repository.isExactName(text) }
    if !exact, let interval = Self.date(text, context.clock) {
      return try point(text, interval, tip, context)
    }
    let distant = try distantCommit(text, tip, context)
    let commit = if let distant { distant } else { try commit(text, tip) }
    let seconds = try git { repository throws(GitError) in try repository.read(commit) }.committer.seconds
    return PastPoint(name: text, commit: commit, clock: context.clock.at(seconds))
  }

  /// Returns the date of a text. A length of time means the day that long ago, not the time since.
  private static func date(_ text: String, _ clock: ClockReading) -> DateInterval? {
    DateInterval.point(text, clock: clock, looking: .back)
      ?? DateInterval.parse(text, clock: clock, looking: .back)
  }

  /// Returns the last commit of the line of first parents that is not after the end of a date.
  private func point(
    _ text: String, _ date: DateInterval, _ tip: ObjectID, _ context: CommandContext
  ) throws(SlipboxError) -> PastPoint {
    let now = context.clock.now.seconds
    if let start = date.start(clock: context.clock), start > now {
      throw SlipboxError(
        .usage, "\(text) is in the future", hints: ["give a date up to today"])
    }
    let last = min((date.end(clock: context.clock) ?? .max) - 1, now)
    let index = try historyIndex(at: tip, context.reporter)
    let found = try git { _ throws(GitError) in try index.lastCommit(notAfter: last) }
    if let found { return PastPoint(name: text, commit: found, clock: context.clock.at(last)) }
    let first = try git { _ throws(GitError) in try index.oldestCommit().seconds }
    throw beginning(after: text, context.clock.at(first).now)
  }

  /// Returns the error for a date before the first commit.
  private func beginning(after text: String, _ first: Timestamp) -> SlipboxError {
    let time = String(first.rfc3339.prefix(16))
    let day = String(time.prefix(10))
    return SlipboxError(
      .notFound,
      "\(text) is before the first commit\(isShallow ? " of this clone" : ""), of \(time)",
      hints: isShallow ? [Self.deepening] : ["\(day) is the first day with a commit"])
  }

  /// Whether the clone is shallow: the commits at its boundary have parents that are not here.
  package var isShallow: Bool { withRepository { $0.isShallow } }

  private static let deepening: Phrase =
    "this clone is shallow: git fetch --unshallow fetches the rest of its history"
}

extension Box {
  /// The number of generations up to which libgit2 finds an ancestor faster than an index of history is opened.
  private static let near = 256

  /// Returns the commit many generations before HEAD, such as `HEAD~50000`; nil for other texts and if history is
  /// shorter.
  ///
  /// Libgit2 would read every commit in between.
  private func distantCommit(
    _ text: String, _ tip: ObjectID, _ context: CommandContext
  ) throws(SlipboxError) -> ObjectID? {
    let parts = text.split(separator: "~", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2, let generations = Int(parts[1]), generations > Self.near else { return nil }
    let start: ObjectID?
    do throws(GitError) {
      start = try withRepository { repository throws(GitError) in
        try repository.commit(revision: String(parts[0]))
      }
    } catch {
      // An invalid name is reported when the whole text is looked up.
      return nil
    }
    guard start == tip else { return nil }
    let index = try historyIndex(at: tip, context.reporter)
    return try git { _ throws(GitError) in try index.ancestor(generations) }
  }

  /// Returns the commit of a revision or an operation.
  private func commit(_ text: String, _ tip: ObjectID) throws(SlipboxError) -> ObjectID {
    let operations = OperationLookup(self, tip)
    if let id = OperationID(text), let commit = try operations.commit(of: id) { return commit }
    let found: ObjectID?
    do throws(GitError) {
      found = try withRepository { repository throws(GitError) in try repository.commit(revision: text) }
    } catch {
      guard error.reason == .ambiguous else { throw SlipboxError(error) }
      throw SlipboxError(
        .usage, "\(text) is an ambiguous commit id",
        hints: ["give more characters"])
    }
    if let found { return found }
    if let commit = try operations.commit(beginning: text) { return commit }
    let shown = text.count > 100 ? text.prefix(100) + "…" : text[...]
    let hints: [Phrase] = ["\(slip: "log") shows the commits; dates are 2026-11-01, yesterday, 3w"]
    throw SlipboxError(
      .notFound, "there is no revision, operation or date \(shown)",
      hints: (isShallow ? [Self.deepening] : []) + hints)
  }
}

/// A point in the past of a box: a commit, and the clock of a query at that time.
package struct PastPoint: Sendable {
  /// The revision or date as it was typed.
  package let name: String
  package let commit: ObjectID
  /// The end of a date, or the time of a revision's commit.
  package let clock: ClockReading
}

extension Box {
  /// Returns a snapshot of the box at a point in the past.
  package func snapshot(
    at point: PastPoint, isLenient: Bool = false, _ context: CommandContext
  ) throws(SlipboxError) -> BoxSnapshot {
    try CommitReader(self, context.reading(point.clock)).snapshot(of: point.commit, isLenient: isLenient)
  }
}

/// Finds the commits of operations by their ids, in the history of a commit.
struct OperationLookup {
  /// The minimum number of letters that abbreviate an id.
  private static let shortest = 4
  /// The maximum number of operations that an error names.
  private static let mostNamed = 5

  private let box: Box
  private let tip: ObjectID

  init(_ box: Box, _ tip: ObjectID) {
    self.box = box
    self.tip = tip
  }

  /// Returns the youngest commit of an operation; nil if there is none.
  /// - Complexity: linear in the commits since.
  func commit(of id: OperationID) throws(SlipboxError) -> ObjectID? {
    var found: ObjectID?
    try visit(id.description) { operation, commit in
      if operation.id == id { found = commit.id }
      return found == nil
    }
    return found
  }

  /// Returns the youngest commit of the one operation whose id begins with a text; nil if there is none, or the text
  /// can't be the beginning of an id.
  /// - Throws: `.usage` if several ids begin with the text.
  /// - Complexity: linear in the commits.
  func commit(beginning text: String) throws(SlipboxError) -> ObjectID? {
    let letters = Array(text.utf8)
    guard letters.count >= Self.shortest, letters.count < 2 * NoteID.length,
      letters.allSatisfy({ NoteID.isLetter($0) })
    else { return nil }
    var found: [(id: OperationID, commit: Commit)] = []
    try visit(text) { operation, commit in
      if let id = operation.id, id.description.hasPrefix(text), !found.contains(where: { $0.id == id }) {
        found.append((id, commit))
      }
      return true
    }
    guard found.count > 1 else { return found.first?.commit.id }
    let named: [Phrase] = found.prefix(Self.mostNamed).map { "  \($0.id)  \($0.commit.subject)" }
    throw SlipboxError(
      .usage, "\(text) matches \(found.count) operations",
      hints: ["give more characters:"] + named + SlipboxError.more(found.count - named.count))
  }

  /// Visits the operations whose commit messages contain a text, the youngest first.
  private func visit(
    _ text: String, _ body: (Operation, Commit) -> Bool
  ) throws(SlipboxError) {
    let mark = Array(": \(text)".utf8)
    try box.git { repository throws(GitError) in
      try repository.history.visit(from: tip, touching: []) { commit in
        guard commit.messageHolds(mark) else { return true }
        return body(OperationTrailers.operation(of: commit), commit)
      }
    }
  }
}

/// The past versions of notes that are named by their present names.
package struct PastNotes {
  private let now: BoxSnapshot
  private let point: PastPoint
  /// The box at that point.
  package let snapshot: BoxSnapshot

  package init(of now: BoxSnapshot, at point: PastPoint, _ context: CommandContext) throws(SlipboxError) {
    self.init(of: now, at: point, in: try now.box.snapshot(at: point, context))
  }

  /// - Parameter snapshot: the box at the point.
  package init(of now: BoxSnapshot, at point: PastPoint, in snapshot: BoxSnapshot) {
    self.now = now
    self.point = point
    self.snapshot = snapshot
  }

  /// Returns the notes that REFs name, each once, in their order.
  package func entries(_ references: [String], fuzzy: Bool) throws(SlipboxError) -> [Entry] {
    var seen: Set<[UInt8]> = []
    var entries: [Entry] = []
    for reference in references {
      let entry = try entry(reference, fuzzy: fuzzy)
      if seen.insert(entry.note.path).inserted { entries.append(entry) }
    }
    return entries
  }

  /// Returns the past version of the note that a REF names now. If it names none now, returns the note that it named
  /// then.
  ///
  /// A note with an id is found by the id, others by their path at that time, as `slip log` follows it.
  /// - Throws: as `NoteLookup.entry`; `.notFound` if the note did not exist then.
  package func entry(_ reference: String, fuzzy: Bool) throws(SlipboxError) -> Entry {
    let present: Entry
    do throws(SlipboxError) {
      present = try NoteLookup(in: now).entry(reference, fuzzy: fuzzy)
    } catch {
      guard error.kind == .notFound else { throw error }
      return try formerEntry(reference, fuzzy: fuzzy)
    }
    if let entry = try entry(of: present) { return entry }
    throw SlipboxError(
      .notFound, "\(present.note.mention) was not in the box as of \(point.name)",
      hints: [
        "it was created \(present.created.rfc3339.prefix(16)); \(slip: "log", .note(present.note)) shows its commits"
      ])
  }

  /// Returns the past version of a present note; nil if the note did not exist then.
  package func entry(of present: Entry) throws(SlipboxError) -> Entry? {
    let path = present.note.path
    guard let id = present.note.id else {
      guard let former = try formerPath(of: path) else { return nil }
      return try committedEntry(former)
    }
    // Most notes have not moved.
    if let entry = try committedEntry(path), entry.note.id == id { return entry }
    return try snapshot.catalogue().entry(id: id)
  }

  /// Returns the note in the file at a path of the commit, without reading others; nil if there is no such file.
  private func committedEntry(_ path: [UInt8]) throws(SlipboxError) -> Entry? {
    guard FileName.isNote(path), let bytes = try snapshot.bytes(at: path) else { return nil }
    let note = Note(path: path, text: NoteText(bytes))
    let noFile = FileStamp(size: 0, modified: 0, changed: 0, inode: 0)
    let created = note.created ?? snapshot.times.created(undated: path, noFile)
    return Entry(note: note, created: created, kind: snapshot.kindMatcher().kind(of: note, created: created))
  }

  private func formerPath(of path: [UInt8]) throws(SlipboxError) -> [UInt8]? {
    let box = snapshot.box
    guard let tip = try box.tip() else { return nil }
    let index = try box.historyIndex(at: tip, snapshot.reporter)
    let former = try box.git { repository throws(GitError) -> [UInt8]? in
      let trail = try NoteTrail(
        of: box.repositoryPath(path), id: nil, in: repository, index, below: box.prefix)
      // A note that was never committed may have been at its path on another branch.
      return trail.eras.isEmpty ? box.repositoryPath(path) : try trail.path(at: point.commit)
    }
    return former.map { Array($0.dropFirst(box.prefix.count)) }
  }

  private func formerEntry(_ reference: String, fuzzy: Bool) throws(SlipboxError) -> Entry {
    do throws(SlipboxError) {
      return try NoteLookup(in: snapshot).entry(reference, fuzzy: fuzzy)
    } catch {
      guard case .noNote(reference, _)? = error.fact else { throw error }
      throw SlipboxError(
        .notFound,
        "no note \(reference), neither now nor as of \(point.name)",
        hints: error.hints)
    }
  }
}
