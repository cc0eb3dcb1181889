package import Git
package import NoteIndex
package import Notes
import Platform
import Text

/// The box at one moment: every read is a function of it.
///
/// Immutable. Costly parts are worked out when they are first asked for, once, and kept in the value; several threads
/// may ask at the same time. The notes of the work tree are those of the first question that needs them.
package final class BoxSnapshot: Sendable {
  /// The files that a snapshot is a picture of.
  package enum Source: Sendable, Equatable {
    /// The files as they are on disk.
    case workTree
    /// The files of a commit.
    case commit(ObjectID)
  }

  package let box: Box
  package let source: Source
  /// The settings of the box.
  package let settings: Settings
  /// The clock of the question; `today` is fixed by it.
  package let clock: ClockReading
  /// Receives warnings and progress.
  package let reporter: Reporter
  /// The dates that follow from history.
  let times: NoteTimes
  /// Fetches the texts of notes.
  let texts: NoteTexts
  /// The absolute working directory of the question, from which paths are read.
  let workingDirectory: [UInt8]
  private let read: @Sendable (BoxSnapshot) throws(SlipboxError) -> NoteContents
  private let computedContents = Computed<NoteContents>()
  private let computedSchema = Computed<Schema>()
  private let computedMatcher = Computed<KindMatcher>()
  private let computedCommitted: Computed<CommittedFiles>
  private let computedKept = Computed<KeptCatalogue?>()
  private let computedOthers: Computed<OtherFiles>
  private let computedModified = Computed<DocumentTimes?>()

  /// - Parameters:
  ///   - committed: the files that git has, where they are known from an earlier snapshot.
  ///   - others: the files that are no notes, where they are known from an earlier snapshot.
  ///   - unsaved: the texts that stand in the place of files, by path.
  ///   - read: reads the notes, at the first question that needs them.
  init(
    _ box: Box, _ source: Source, settings: Settings, _ context: CommandContext, times: NoteTimes? = nil,
    committed: Computed<CommittedFiles>? = nil, others: Computed<OtherFiles>? = nil,
    unsaved: [[UInt8]: [UInt8]] = [:],
    read: @escaping @Sendable (BoxSnapshot) throws(SlipboxError) -> NoteContents
  ) {
    self.box = box
    self.source = source
    self.settings = settings
    clock = context.clock
    reporter = context.reporter
    workingDirectory = context.workingDirectory
    let commit: ObjectID? = if case .commit(let id) = source { id } else { nil }
    self.times = times ?? NoteTimes(box, at: commit, context)
    texts = NoteTexts(box, isAtCommit: commit != nil, unsaved: unsaved)
    computedCommitted = committed ?? Computed()
    computedOthers = others ?? Computed()
    self.read = read
  }
}

extension BoxSnapshot {
  /// The notes and the ids of their contents.
  func contents() throws(SlipboxError) -> NoteContents {
    try computedContents.value { () throws(SlipboxError) in try read(self) }
  }

  /// How often the notes could not be read.
  var unreadCount: Int { computedContents.failureCount }

  /// Refuses an answer that was made without notes.
  ///
  /// - Parameter count: `unreadCount` before the answer was begun.
  /// - Throws: why the notes could not be read.
  func refuseUnreadNotes(since count: Int) throws(SlipboxError) {
    try computedContents.refuseFailures(since: count)
  }

  /// The notes, where an earlier question has read them.
  var knownContents: NoteContents? { computedContents.known }

  /// The catalogue of the box.
  /// - Complexity: one look at each note's file, once; only what changed is read.
  package func catalogue() throws(SlipboxError) -> Catalogue { try contents().catalogue }

  /// The notes that could not be read, by path.
  package func unreadableNotes() throws(SlipboxError) -> [UnreadableNote] { try contents().unreadable }

  /// The built-in kinds and those of the box; a faulty declaration is warned of once.
  package func schema() -> Schema {
    let schema = try? computedSchema.value { () throws(SlipboxError) in
      let (files, unreadable) = declarations()
      var (schema, problems) = Schema.reading(files)
      schema.add(unreadable)
      for problem in problems.map(\.description) { reporter.warnUnlessRefused(problem, fact: problem) }
      return schema
    }
    // Reading declarations does not throw.
    return schema ?? .builtIn
  }

  /// Tells the kinds of notes; faults in the queries of kinds are warned of once.
  func kindMatcher() -> KindMatcher {
    let matcher = try? computedMatcher.value { () throws(SlipboxError) in
      let matcher = KindMatcher(schema(), clock: clock)
      for problem in matcher.problems.map(declarationFault) {
        reporter.warnUnlessRefused(problem, fact: problem)
      }
      return matcher
    }
    return matcher ?? KindMatcher(.builtIn, clock: clock)
  }

  /// The files that git has: those of HEAD and of the index, or of the commit that this is a picture of.
  package func committedFiles() throws(SlipboxError) -> CommittedFiles {
    try computedCommitted.value { () throws(SlipboxError) in
      if case .commit(let id) = source { return try CommittedFiles(box, at: id, withIndex: false) }
      let files = try CommittedFiles(box, at: try box.tip(), withIndex: true)
      warnOfIndexDamage()
      return files
    }
  }

  private func warnOfIndexDamage() {
    switch box.withRepository({ $0.indexDamage }) {
    case nil: break
    case .missing:
      reporter.warnOnce("git's index is missing; the next change rebuilds it from the last commit")
    case .damaged:
      reporter.warnOnce(
        "git's index can't be read; the next change saves a copy and rebuilds it from the last commit")
    }
  }

  /// The same files for the next snapshot, worked out at most once for both.
  var sharedCommitted: Computed<CommittedFiles> { computedCommitted }

  /// The same files that are no notes for a snapshot of the same moment.
  var sharedOthers: Computed<OtherFiles> { computedOthers }

  /// The catalogue that earlier commands kept, not held against the files; nil where there is none.
  func keptCatalogue() -> KeptCatalogue? {
    // Opening it does not throw: one that can't be read is none.
    (try? computedKept.value { () throws(SlipboxError) in KeptCatalogue(of: box) }) ?? nil
  }

  /// The files of the box that are no notes.
  /// - Complexity: one look at each folder and each such file, once.
  func otherFiles() throws(SlipboxError) -> OtherFiles {
    try computedOthers.value { () throws(SlipboxError) in try readOtherFiles() }
  }

  /// When the stored documents were last changed, worked out for all of them at once.
  func documentTimes(
    _ compute: () throws(SlipboxError) -> DocumentTimes?
  ) throws(SlipboxError) -> DocumentTimes? {
    try computedModified.value(compute)
  }

  /// Throws the first failure to fetch a note's text, so that no answer is given from an empty one.
  package func refuseUnreadTexts() throws(SlipboxError) { try texts.refuseFailures() }
}
