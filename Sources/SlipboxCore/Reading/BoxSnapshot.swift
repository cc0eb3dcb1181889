import Bytes
package import Git
package import NoteIndex
package import Notes
import Platform
import Text

/// The box at one moment: every read is a function of it.
///
/// Immutable. Costly parts are computed at their first use, once, and cached in the value; several threads may use it at
/// the same time. The notes of the work tree are those of the first request that needs them.
package final class BoxSnapshot: Sendable {
  /// The source of the files of a snapshot.
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
  /// The clock of the request; it fixes `today`.
  package let clock: ClockReading
  /// Receives warnings and progress.
  package let reporter: Reporter
  /// The dates that history determines.
  let times: NoteTimes
  /// Fetches the texts of notes.
  let texts: NoteTexts
  /// The absolute working directory of the request, against which paths are resolved.
  let workingDirectory: [UInt8]
  private let read: @Sendable (BoxSnapshot) throws(SlipboxError) -> NoteContents
  private let computedContents = Computed<NoteContents, SlipboxError>()
  private let computedSchema = Computed<Schema, SlipboxError>()
  private let computedMatcher = Computed<KindMatcher, SlipboxError>()
  private let computedKept = Computed<KeptCatalogue?, SlipboxError>()
  /// The files that git has; a later snapshot may share them.
  let committed: Computed<CommittedFiles, SlipboxError>
  /// The files that are not notes; a later snapshot may share them.
  let others: Computed<OtherFiles, SlipboxError>
  /// The modification times of the stored documents, computed for all of them at once.
  let documentTimes = Computed<DocumentTimes?, SlipboxError>()
  /// The layout of the box, and the file names that a new note can't have.
  let computedLayout = Computed<Layout, SlipboxError>()
  let computedNames = Computed<Set<[UInt8]>, SlipboxError>()

  /// - Parameters:
  ///   - committed: the files that git has, if they are known from an earlier snapshot.
  ///   - others: the files that are not notes, if they are known from an earlier snapshot.
  ///   - unsaved: the texts that replace files, by path.
  ///   - textFailures: the failures of all snapshots that share notes.
  ///   - read: reads the notes, at the first request that needs them.
  init(
    _ box: Box, _ source: Source, settings: Settings, _ context: CommandContext, times: NoteTimes? = nil,
    committed: Computed<CommittedFiles, SlipboxError>? = nil,
    others: Computed<OtherFiles, SlipboxError>? = nil,
    unsaved: [[UInt8]: [UInt8]] = [:], textFailures: TextFailures = TextFailures(),
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
    texts = NoteTexts(box, isAtCommit: commit != nil, unsaved: unsaved, failures: textFailures)
    self.committed = committed ?? Computed()
    self.others = others ?? Computed()
    self.read = read
  }

  /// The same moment with other notes.
  init(
    _ other: BoxSnapshot, read: @escaping @Sendable (BoxSnapshot) throws(SlipboxError) -> NoteContents
  ) {
    (box, source, settings, clock) = (other.box, other.source, other.settings, other.clock)
    (reporter, workingDirectory, times, texts) = (
      other.reporter, other.workingDirectory, other.times, other.texts
    )
    (committed, others) = (other.committed, other.others)
    self.read = read
  }
}

extension BoxSnapshot {
  /// Returns the notes and the ids of their contents.
  func contents() throws(SlipboxError) -> NoteContents {
    try computedContents.value { () throws(SlipboxError) in try read(self) }
  }

  /// The number of failures to read the notes.
  var unreadCount: Int { computedContents.failureCount }

  /// Refuses an answer that was computed without notes.
  ///
  /// - Parameter count: `unreadCount` before the answer was begun.
  /// - Throws: the failure to read the notes.
  func refuseUnreadNotes(since count: Int) throws(SlipboxError) {
    try computedContents.refuseFailures(since: count)
  }

  /// The notes, if an earlier request has read them.
  var knownContents: NoteContents? { computedContents.known }

  /// Returns the catalogue of the box, without the copies that programs for synchronising files left.
  /// - Complexity: one status read of each note's file, once; only changed files are read.
  package func catalogue() throws(SlipboxError) -> Catalogue { try contents().notes.catalogue }

  /// Returns the notes that are copies of others, with the paths of these.
  package func originalsOfCopies() throws(SlipboxError) -> [[UInt8]: [UInt8]] {
    try contents().notes.originals
  }

  /// The folders of the work tree in which notes may be; nil for a commit, and if no catalogue is cached.
  package var folders: [[UInt8]]? {
    guard let notes = (try? contents())?.workTree, let kept = notes.kept else { return nil }
    return kept.table.folders.map(\.path) + notes.findings.recent.paths.map { BytePath.folder(of: $0) }
  }

  /// Returns the notes that could not be read, by path.
  package func unreadableNotes() throws(SlipboxError) -> [UnreadableNote] { try contents().unreadable }

  /// Returns the notes that are encrypted and whose key is missing.
  package func lockedNotes() throws(SlipboxError) -> [UnreadableNote] {
    try unreadableNotes().filter { $0.isStoredForm && $0.cause != .stored(.lfsPointer) }
  }

  /// Returns the built-in kinds and those of the box. A faulty declaration gets one warning.
  package func schema() -> Schema {
    let schema = try? computedSchema.value { () throws(SlipboxError) in
      let (files, unreadable) = KindFiles(in: self).declarations()
      var (schema, problems) = Schema.reading(files)
      schema.add(unreadable)
      for problem in problems.map({ Phrase($0.description) }) {
        reporter.warnUnlessRefused(problem, fact: problem)
      }
      return schema
    }
    // Reading declarations does not throw.
    return schema ?? .builtIn
  }

  /// Returns the matcher for the kinds of notes. A fault in the queries of kinds gets one warning.
  func kindMatcher() -> KindMatcher {
    let matcher = try? computedMatcher.value { () throws(SlipboxError) in
      let matcher = KindMatcher(schema(), clock: clock)
      for problem in matcher.problems.map(KindFiles(in: self).fault) {
        reporter.warnUnlessRefused(problem, fact: problem)
      }
      return matcher
    }
    return matcher ?? KindMatcher(.builtIn, clock: clock)
  }

  /// Returns the files that git has: those of HEAD and of the index, or those of the snapshot's commit.
  package func committedFiles() throws(SlipboxError) -> CommittedFiles {
    try committed.value { () throws(SlipboxError) in
      if case .commit(let id) = source { return try CommittedFiles(box, at: id, withIndex: false) }
      let files = try CommittedFiles(box, at: try box.tip(), withIndex: true)
      CommittedFiles.warnOfIndexDamage(in: box, reporter)
      return files
    }
  }

  /// Returns the catalogue that earlier commands cached, not compared with the files; nil if there is none.
  func keptCatalogue() -> KeptCatalogue? {
    // Opening it does not throw: one that can't be read counts as missing.
    (try? computedKept.value { () throws(SlipboxError) in KeptCatalogue(of: box) }) ?? nil
  }

  /// Returns the files of the box that are not notes.
  /// - Complexity: one status read of each folder and each such file, once.
  func otherFiles() throws(SlipboxError) -> OtherFiles {
    try others.value { () throws(SlipboxError) in try OtherFiles(of: self) }
  }
}

/// The notes of a snapshot, with the ids of their contents.
enum NoteContents: Sendable {
  case workTree(WorkTreeNotes)
  case commit(CommitNotes)

  var notes: ListedNotes {
    switch self {
    case .workTree(let notes): notes.notes
    case .commit(let notes): notes.notes
    }
  }

  /// The files with the name of a note that could not be read, by path.
  var unreadable: [UnreadableNote] {
    switch self {
    case .workTree(let notes): notes.unreadable
    case .commit(let notes): notes.unreadable
    }
  }

  /// The notes of the work tree; nil for those of a commit.
  var workTree: WorkTreeNotes? { if case .workTree(let notes) = self { notes } else { nil } }

  /// The cached catalogue whose documents the stored entries use; nil if there is none.
  var kept: KeptCatalogue? {
    switch self {
    case .workTree(let notes): notes.kept
    case .commit(let notes): notes.kept
    }
  }
}

/// Git's id of the text of a note, with which a client can identify the version that it has read.
extension BoxSnapshot {
  /// Returns the id of the bytes of a note's file; nil if there is no such note.
  ///
  /// - Complexity: O(log n).
  package func contentID(at path: [UInt8]) throws(SlipboxError) -> ObjectID? {
    try contents().content(of: path).flatMap { ObjectID(bytes: $0.id.bytes) }
  }
}

/// Small files of the box itself: settings, kinds, templates.
extension BoxSnapshot {
  /// Returns the bytes of a file of the box; nil if there is none.
  package func bytes(at path: [UInt8]) throws(SlipboxError) -> [UInt8]? {
    switch source {
    case .workTree: return try box.bytes(at: path)
    case .commit(let commit): return try box.bytes(at: path, in: commit)
    }
  }

  /// Returns the names of the files in a folder of the box; empty if there is no such folder.
  package func names(in folder: [UInt8]) throws(SlipboxError) -> [[UInt8]] {
    switch source {
    case .workTree:
      do throws(SystemError) {
        return try Files.list(box.absolutePath(folder))
      } catch {
        if error.isMissing { return [] }
        throw SlipboxError(error)
      }
    case .commit(let commit):
      let prefix = box.repositoryPath(folder)
      let files = try box.git { repository throws(GitError) in try repository.files(at: commit, under: prefix)
      }
      let names = files.map { Array($0.path.dropFirst(prefix.count + 1)) }
      return names.filter { !$0.contains(UInt8(ascii: "/")) }
    }
  }
}

extension Box {
  private static let mostLinks = 40

  /// Returns the bytes of a file in a commit, through symbolic links inside the box as in the work tree; nil if there is
  /// none.
  func bytes(at path: [UInt8], in commit: ObjectID) throws(SlipboxError) -> [UInt8]? {
    var path = path
    for _ in 0..<Self.mostLinks {
      let name = repositoryPath(path)
      guard let entry = try git({ repository throws(GitError) in try repository.file(name, at: commit) })
      else {
        return nil
      }
      guard entry.mode == TreeEntry.symbolicLink else { return try content(of: entry) }
      let bytes = try stored(entry.id)
      guard bytes.first != UInt8(ascii: "/"),
        let target = BytePath.normalised(BytePath.join(BytePath.folder(of: path), bytes))
      else { return nil }
      path = target
    }
    return nil
  }
}

// MARK: Layout

extension BoxSnapshot {
  /// Returns whether a line end inside a paragraph is shown as a line break. Notes of the past are shown with the present
  /// setting of the box: a commit may be older than the settings.
  ///
  /// - Throws: `.configuration` if the layout is not known.
  package func breaksLines() throws(SlipboxError) -> Bool {
    guard case .commit = source else { return try layout().breaksLines }
    let reader = LayoutReader(box: box) { _ in }
    let now = Settings((try? box.bytes(at: Settings.boxFile)) ?? [])
    return try now.layout(adapting: reader.adapting).breaksLines
  }

  /// Returns the layout of the box, with the settings of the program beside slip.
  ///
  /// - Throws: `.configuration` if the layout is not known.
  package func layout() throws(SlipboxError) -> Layout {
    let reader = LayoutReader(box: box) { _ in }
    return try computedLayout.value { () throws(SlipboxError) in
      do throws(SlipboxError) { return try settings.layout(adapting: reader.adapting) } catch {
        throw error.naming(originOf: Settings.boxFile, in: box)
      }
    }
  }
}

/// The settings of the program beside slip, such as those of Obsidian.
struct ProgramSettings {
  private let snapshot: BoxSnapshot

  init(in snapshot: BoxSnapshot) { self.snapshot = snapshot }

  /// Returns the exclusions that the settings of a program name, if git does not have these settings; nil if other clones
  /// have them.
  func exclusionsOfThisClone(_ name: Layout.Name) throws(SlipboxError) -> ExcludedPaths? {
    let committed = try snapshot.committedFiles()
    for file in LayoutReader(box: snapshot.box, ignore: { _ in }).files(of: name) {
      if try !committed.isTracked(file) { return snapshot.box.excluded }
    }
    return nil
  }

  /// Returns the ignored settings, each as one line.
  func ignored() -> [Phrase] {
    var ignored: [Phrase] = []
    guard let name = Layout.Name(rawValue: snapshot.settings.layoutName) else { return [] }
    _ = LayoutReader(box: snapshot.box) { ignored.append($0) }.adapting(Layout(name))
    return ignored
  }
}
