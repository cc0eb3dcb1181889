package import Git
package import NoteIndex
package import Notes
import Platform
import Text

/// An opened box: its folder, its repository and its settings.
///
/// Not `Sendable`, because a repository is not: one command, one thread, one box.
package final class Slipbox {
  /// The absolute path of the box.
  package let root: [UInt8]
  /// The repository that holds it.
  package let repository: Repository
  /// What to put before a path of the box to name it in the repository: empty, or a folder with its slash.
  package let prefix: [UInt8]
  /// The settings of the box.
  package let settings: Settings
  package var surroundings: Surroundings
  let folder: BoxFolder

  /// Opens the box at an absolute path.
  /// - Throws: `.notFound` where no repository holds it, `.configuration` where it can't be used, `.notPermitted`
  ///   where its owner is someone else.
  package init(at root: [UInt8], _ surroundings: Surroundings) throws(SlipboxError) {
    let found = try git { () throws(GitError) in try Repository.discover(from: root) }
    guard let repository = found else {
      throw SlipboxError(
        .notFound, "\(Visible.escape(root)) is not in a git repository",
        hints: ["make one with: slip init \(Visible.escape(root))"])
    }
    guard let workTree = repository.workTree, let relative = BytePath.relative(root, to: workTree) else {
      throw SlipboxError(
        .notFound, "\(Visible.escape(root)) is in a bare repository, which has no files to work on",
        hints: ["git clone it and use the clone"])
    }
    self.root = root
    self.repository = repository
    self.surroundings = surroundings
    prefix = relative.isEmpty ? [] : relative + [UInt8(ascii: "/")]
    folder = try system { () throws(SystemError) in try BoxFolder(root) }
    settings = try Self.settings(of: folder)
  }

  /// Finds the box of a command and opens it.
  package static func open(named: [UInt8]?, _ surroundings: Surroundings) throws(SlipboxError) -> Slipbox {
    let box = try Slipbox(at: try BoxLocation.find(named: named, in: surroundings), surroundings)
    box.takeUpInterrupted()
    return box
  }

  private static func settings(of folder: BoxFolder) throws(SlipboxError) -> Settings {
    guard let file = try? folder.read(Settings.boxFile, limit: 1 << 20) else { return Settings([]) }
    let settings = Settings(file.bytes)
    if let problem = settings.problem {
      throw SlipboxError(
        .configuration,
        ".slipbox/config.yaml: line \(problem.line), column \(problem.column): \(problem.message)",
        hints: ["mend the file with an editor"])
    }
    return settings
  }

  /// The folder inside the git directory where the box keeps its cache, locks and drafts.
  package var stateFolder: [UInt8] { BytePath.join(repository.gitDirectory, Array("slipbox".utf8)) }

  /// The name of a file of the box in the repository.
  func repositoryPath(_ path: [UInt8]) -> [UInt8] { prefix + path }

  /// The absolute path of a file of the box.
  package func absolutePath(_ path: [UInt8]) -> [UInt8] { BytePath.join(root, path) }

  /// The commit that the box stands on, or nil before the first one.
  package func tip() throws(SlipboxError) -> ObjectID? {
    switch try git({ () throws(GitError) in try repository.head() }) {
    case .branch(_, let tip): tip
    case .detached(let commit): commit
    }
  }

  /// What a note is called in messages: its id, else its path, safe to show.
  package static func name(of note: Note) -> String {
    if note.path.isEmpty { return "the new note" }
    return note.id?.description ?? Visible.escape(note.path)
  }

  /// The files as git has them and as they are now.
  /// - Complexity: linear in the files of the box, once a command.
  package func committedState() throws(SlipboxError) -> CommittedState {
    if let known = knownState { return known }
    let state = try CommittedState(of: self)
    knownState = state
    return state
  }

  /// Every note of the box.
  /// - Complexity: linear in the bytes of the box, once a command.
  package func notes() throws(SlipboxError) -> NoteFolder {
    if let known = knownNotes { return known }
    let notes = try NoteFolder(of: self)
    knownNotes = notes
    return notes
  }

  /// The catalogue of the box.
  package func catalogue() throws(SlipboxError) -> Catalogue {
    return try noteStore().catalogue
  }

  /// What tells the kinds of notes; faults in the queries of kinds are named once.
  func kindMatcher() -> KindMatcher {
    let matcher = KindMatcher(schema(), clock: surroundings.clock)
    for problem in matcher.problems { warnOnce(declarationFault(problem)) }
    return matcher
  }

  /// The notes as they are on disk, with what is kept of them.
  /// - Complexity: one look at each file of the box, once a command; only what changed is read.
  func noteStore() throws(SlipboxError) -> NoteStore {
    if let known = knownStore { return known }
    let store = try NoteStore.load(self)
    knownStore = store
    return store
  }

  /// The temporary files that a walk of this command has found; nil where it has not walked.
  var knownTemporaries: [[UInt8]]? { knownStore?.temporaries }

  /// Whether the notes are known as they are on disk, so that nothing is spared by not looking.
  var hasWalked: Bool { knownStore != nil }

  /// What is kept of the notes, not held against the files; nil where nothing is.
  func keptCatalogue() -> KeptCatalogue? {
    if let known = knownKept { return known }
    knownKept = KeptCatalogue(of: self)
    return knownKept
  }

  /// The notes that could not be read, with the reason.
  package func unreadableNotes() throws(SlipboxError) -> [(path: [UInt8], reason: String)] {
    try noteStore().unreadable
  }

  /// When the notes were created and modified.
  package func noteTimes() throws(SlipboxError) -> NoteTimes {
    if let known = knownTimes { return known }
    let times = NoteTimes(of: self)
    knownTimes = times
    return times
  }

  /// Forgets what was read, after a change.
  func forget() {
    knownState = nil
    knownNotes = nil
    knownStore = nil
    knownKept = nil
    knownTimes = nil
  }

  /// Takes notice of what may have changed since the notes were read; all else is known as it is.
  ///
  /// - Parameter surroundings: those of the next answer, for time goes on.
  /// - Complexity: A look at the files that may have changed, where only those have.
  package func refresh(_ news: BoxNews, _ surroundings: Surroundings) throws(SlipboxError) {
    self.surroundings = surroundings
    (knownSchema, knownNotes, saidWarnings) = (nil, nil, [])
    if news.isGitNew || news.isEverythingNew { (knownState, knownTimes) = (nil, nil) }
    guard !news.isEverythingNew, let store = try knownStore?.refreshed(self, news) else {
      return forget()
    }
    knownStore = store
  }

  /// The files of an interrupted operation that this command took up.
  var recoveredPaths: [[UInt8]] = []
  var hasSaidWhatIsSkipped = false
  var knownSchema: Schema?
  var saidWarnings: Set<String> = []
  private var knownState: CommittedState?
  private var knownNotes: NoteFolder?
  private var knownStore: NoteStore?
  private var knownKept: KeptCatalogue?
  private var knownTimes: NoteTimes?
}
