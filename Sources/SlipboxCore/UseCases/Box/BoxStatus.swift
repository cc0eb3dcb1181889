import Bytes
package import Git
import NoteIndex
import Notes
import Platform
package import Text

/// The uncommitted changes, and the relation of the branch to its upstream.
package struct BoxStatus: Sendable {
  package let branch: String?
  package let upstream: Upstream?
  /// Whether the branch and the one it follows differ only in merges, so that a sync changes neither.
  package let isLevel: Bool
  package let changes: [OutsideChange]
  /// Files whose changes a flag of git's index hides; they are never committed.
  package let hiddenChanges: [HiddenChange]
  /// Changes of tracked files that slip leaves to git.
  package let leftToGit: [ChangeLeftToGit]
  /// Settings, kinds and templates that are not committed.
  package let settingsFiles: [[UInt8]]
  /// Files that notes link to and that are not committed.
  package let linkedFiles: [[UInt8]]
  /// Other files, symbolic links and repositories in the box that git does not track and no note links to.
  package let otherFileCount: Int
  package let operation: Repository.Operation?
  package let noteCount: Int
  /// The notes in which a merge left something to decide.
  package let conflictCount: Int
  /// Copies of notes that a program for synchronising files left, by path.
  package let copies: [[UInt8]]
  package let unreadable: [UnreadableNote]
  /// Those of them that differ from the last commit.
  package let unreadChanges: [UnreadableNote]
  /// The paths that the next commit takes, and the reasons for changes that it leaves.
  package let taken: (paths: [[UInt8]], reasons: [Phrase])
  /// Texts that are in no note: drafts that an editor left, and texts that could not be saved.
  package let keptTexts: [KeptText]
}

extension BoxStatus {
  private static func conflictCount(in snapshot: BoxSnapshot) throws(SlipboxError) -> Int {
    // It is always a query.
    guard let query = try? snapshot.query(["is:conflicted"]) else { return 0 }
    return try snapshot.matches(query).count
  }

  /// The uncommitted changes.
  /// - Complexity: one `fstatat` of each file of the box.
  package init(of snapshot: BoxSnapshot) throws(SlipboxError) {
    let box = snapshot.box
    let outside = OutsideChanges(in: snapshot)
    let committed = try snapshot.committedFiles()
    let linked = try outside.linkedFiles().map(\.path)
    let known = Set(linked)
    var others = 0
    let other = try snapshot.otherFiles()
    for path in other.paths + other.links + other.repositories where !known.contains(path) {
      if try !committed.isTracked(path), try !box.isIgnored(path) { others += 1 }
    }
    let head = try box.git { repository throws(GitError) in try repository.head() }
    let branch: String? = if case .branch(let name, _) = head { name } else { nil }
    let upstream = try box.git { repository throws(GitError) in try repository.remotes.upstream() }
    let isLevel = try upstream.map { (upstream) throws(SlipboxError) in
      guard upstream.ahead > 0, upstream.behind > 0 else { return false }
      return try head.tip.map { (tip) throws(SlipboxError) in try box.isLevel(tip, upstream.tip) } ?? false
    }
    let (changes, hidden, unread) = (try outside.notes(), try outside.hidden(), try outside.unread())
    let settings = try outside.settings()
    let committable = changes.map(\.path) + settings + linked
    let refused = Set(try UncommittedFiles(committable, in: box).refusals.map(\.path))
    let isLeft = { (path: [UInt8]) in refused.contains(path) }
    let named = Set(committable + hidden.map(\.path) + unread.map(\.path))
    let conflicted = Set(changes.lazy.filter { $0.difference == .conflicted }.map(\.path))
    var attributes: [ChangeLeftToGit] = []
    for folder in Set([[]] + (snapshot.folders ?? [])) {
      // The filters of notes depend on it.
      let path = BytePath.join(folder, Array(".gitattributes".utf8))
      let status = try? Files.status(box.absolutePath(path), followLinks: false)
      guard status?.kind == .file, try !committed.isTracked(path), try !box.isIgnored(path) else { continue }
      attributes.append(ChangeLeftToGit(path: path, change: .new))
    }
    let operation = try box.git { repository throws(GitError) in try repository.operation.stopped() }
    let isCommitting = operation == nil && conflicted.isEmpty
    // The commit of an operation has the staged changes.
    let withStaged = isCommitting && box.withRepository { $0.index.damage } == nil
    let left = try ChangesLeftToGit(in: snapshot).changes(besides: named, withStaged: withStaged)
    let refusals = try refused.map { (path) throws(SlipboxError) in
      let isValid = PathCheck.isValid(box.repositoryPath(path))
      let change: ChangeLeftToGit.Change =
        try conflicted.contains(path) ? .conflicted : committed.isTracked(path) ? .changed : .new
      return ChangeLeftToGit(path: path, change: isValid ? change : .unstorable)
    }
    let taken: (paths: [[UInt8]], reasons: [Phrase]) =
      isCommitting
      ? try HeldBackChanges(in: snapshot).taken(of: committable.filter { !isLeft($0) }, changes)
      : (committable, [])
    self.init(
      branch: branch, upstream: upstream, isLevel: isLevel ?? false,
      changes: changes.filter { !isLeft($0.path) }, hiddenChanges: hidden,
      leftToGit: (left + refusals + attributes).sorted { $0.path.lexicographicallyPrecedes($1.path) },
      settingsFiles: settings.filter { !isLeft($0) }, linkedFiles: linked.filter { !isLeft($0) },
      otherFileCount: others,
      operation: operation,
      noteCount: try snapshot.catalogue().entries.count,
      conflictCount: try Self.conflictCount(in: snapshot),
      copies: try snapshot.originalsOfCopies().keys.sorted { $0.lexicographicallyPrecedes($1) },
      unreadable: try snapshot.unreadableNotes(),
      unreadChanges: unread, taken: taken,
      keptTexts: box.keptTexts())
  }
}

/// A change that slip leaves to git: of the mode or type of a tracked file, of a file that is no note, or of a note that
/// slip can't commit, for example because a program makes its stored form.
package struct ChangeLeftToGit: Sendable, Equatable {
  package enum Change: String, Sendable {
    case new, changed, deleted, executable
    case notExecutable = "not executable"
    case conflicted = "conflicting versions"
    case link = "symbolic link"
    case file = "regular file"
    /// It has the place of a file.
    case folder
    /// It has the place of a file.
    case special = "FIFO, socket or device"
    /// It has the place of a folder with files.
    case linkForFolder = "symbolic link instead of a folder"
    /// It has the place of a folder with files.
    case fileForFolder = "file instead of a folder"
    /// It has the place of a folder with files.
    case repositoryForFolder = "nested repository instead of a folder"
    /// The file is still in HEAD and in the work tree; git's index lacks it.
    case removed = "removed from git's index"
    /// Git can't store a file with this path.
    case unstorable = "path that git can't store"
  }

  /// In the box.
  package let path: [UInt8]
  /// The kind of change; a mode or type is that of the work tree.
  package let change: Change
}

/// Changes of tracked files that slip leaves to git.
private struct ChangesLeftToGit {
  private let snapshot: BoxSnapshot
  private var box: Box { snapshot.box }

  init(in snapshot: BoxSnapshot) { self.snapshot = snapshot }

  /// The changes of tracked files against git's index that slip leaves to git, by path.
  ///
  /// - Parameters:
  ///   - known: paths of the box that are named otherwise, such as notes that slip commits.
  ///   - withStaged: whether the changes of git's index against HEAD are among them.
  /// - Complexity: O(n) in the entries of the index; only files whose status is not that of the index are read.
  func changes(
    besides known: Set<[UInt8]>, withStaged: Bool
  ) throws(SlipboxError) -> [ChangeLeftToGit] {
    let prefix = box.prefix
    let entries = try box.git { repository throws(GitError) in try repository.index.entries() }
    let stamps = try noteStamps()
    var next = 0
    var found: [ChangeLeftToGit] = []
    var unknown: [[UInt8]] = []
    var obstacles = Obstacles(box)
    var repositories: Set<[UInt8]> = []
    for entry in entries where entry.path.starts(with: prefix) {
      let path = Array(entry.path.dropFirst(prefix.count))
      if entry.stage > 0 {
        guard !known.contains(path), found.last?.path != path else { continue }
        found.append(ChangeLeftToGit(path: path, change: .conflicted))
        continue
      }
      while next < stamps.count, stamps[next].path.lexicographicallyPrecedes(path) {
        unknown.append(stamps[next].path)
        next += 1
      }
      if next < stamps.count, stamps[next].path == path {
        next += 1
        if entry.describes(stamps[next - 1].stamp) { continue }
      }
      guard entry.hidingFlag == nil, !known.contains(path) else { continue }
      if let obstacle = try obstacles.obstacle(above: path) {
        if found.last != obstacle { found.append(obstacle) }
        continue
      }
      var difference = try change(of: path, entry)
      if difference == nil, withStaged { difference = try stagedChange(of: path, entry) }
      guard let change = difference else { continue }
      if change == .deleted, let repository = box.nestedRepository(above: path) {
        guard repositories.insert(repository).inserted else { continue }
        found.append(ChangeLeftToGit(path: repository, change: .repositoryForFolder))
        continue
      }
      found.append(ChangeLeftToGit(path: path, change: change))
    }
    unknown += stamps[next...].map(\.path)
    let removed = try removedFromIndex(among: unknown.filter { !known.contains($0) })
    found += removed.map { ChangeLeftToGit(path: $0, change: .removed) }
    if withStaged { found += try stagedDeletions(besides: known.union(removed), prefix) }
    return found.sorted { $0.path.lexicographicallyPrecedes($1.path) }
  }

  /// The staged change of a file, without those of notes, whose content is the staged one.
  private func stagedChange(
    of path: [UInt8], _ entry: IndexEntry
  ) throws(SlipboxError) -> ChangeLeftToGit.Change? {
    guard !FileName.isNote(path), entry.isFile, !entry.intentToAdd else { return nil }
    guard let head = try snapshot.committedFiles().file(path) else { return .new }
    return head.id == entry.id && head.mode == entry.mode ? nil : .changed
  }

  /// The files, without notes, whose deletion is staged.
  private func stagedDeletions(
    besides known: Set<[UInt8]>, _ prefix: [UInt8]
  ) throws(SlipboxError) -> [ChangeLeftToGit] {
    let committed = try snapshot.committedFiles()
    var found: [ChangeLeftToGit] = []
    for file in try committed.files() where file.isRegular && !FileName.isNote(file.path) {
      let path = Array(file.path.dropFirst(prefix.count))
      guard !known.contains(path), try !committed.isTracked(path) else { continue }
      found.append(ChangeLeftToGit(path: path, change: box.isThere(path) ? .removed : .deleted))
    }
    return found
  }

  /// Those of the notes without an entry in git's index that HEAD has.
  private func removedFromIndex(among paths: [[UInt8]]) throws(SlipboxError) -> [[UInt8]] {
    guard !paths.isEmpty else { return [] }
    let committed = try snapshot.committedFiles()
    var removed: [[UInt8]] = []
    for path in paths where try committed.file(path) != nil { removed.append(path) }
    return removed
  }

  private func noteStamps() throws(SlipboxError) -> [(path: [UInt8], stamp: FileStamp)] {
    var stamps: [(path: [UInt8], stamp: FileStamp)] = []
    try snapshot.contents().workTree?.visitFiles { (file) throws(SlipboxError) in
      stamps.append((file.path, file.stamp))
    }
    return stamps
  }

  private func change(
    of path: [UInt8], _ entry: IndexEntry
  ) throws(SlipboxError) -> ChangeLeftToGit.Change? {
    let status = try system { () throws(SystemError) in
      try Files.status(box.absolutePath(path), followLinks: false)
    }
    guard let status else { return .deleted }
    if entry.isSubmodule {
      return box.withRepository { $0.index.isSubmoduleChanged(entry.path) } ? .changed : nil
    }
    if entry.describes(status) { return nil }
    let (file, indexed) = (
      try box.workTreeFile(at: path), TreeEntry(path: entry.path, id: entry.id, mode: entry.mode)
    )
    switch file.state {
    case .absent, .leftOut: return status.kind == .directory ? .folder : .special
    case .link where indexed.mode != TreeEntry.symbolicLink: return .link
    case .file where !indexed.isRegular: return indexed.mode == TreeEntry.symbolicLink ? .file : nil
    case .link, .file: break
    }
    // For files that are git's own, no program runs. A note may be the same, with a new time alone.
    let runsFilters = FileName.isNote(path)
    if try box.isCommitted(indexed, file, runsFilters: runsFilters) { return nil }
    guard try box.holds(indexed, file, entry, runsFilters: runsFilters), let mode = file.state.mode else {
      return .changed
    }
    return mode & 0o100 == 0 ? .notExecutable : .executable
  }
}

/// The files in the places of folders with tracked files.
private struct Obstacles {
  private let box: Box
  private var known: [[UInt8]: ChangeLeftToGit?] = [:]

  init(_ box: Box) { self.box = box }

  /// - Complexity: one look at each folder above the path if the folder is new.
  mutating func obstacle(above path: [UInt8]) throws(SlipboxError) -> ChangeLeftToGit? {
    let folder = BytePath.folder(of: path)
    if let known = known[folder] { return known }
    let found = try box.obstacle(above: path).map { obstacle in
      ChangeLeftToGit(
        path: obstacle.path,
        change: obstacle.kind == .symbolicLink
          ? .linkForFolder : obstacle.kind == .file ? .fileForFolder : .special)
    }
    known[folder] = found
    return found
  }
}

/// The files of a box that other programs changed and that slip commits.
package struct UncommittedFiles: Sendable {
  package let paths: [[UInt8]]
  /// Files that only git can commit, with the reason.
  package let refusals: [(path: [UInt8], reason: SlipboxError)]

  /// - Parameter chosen: files of the box, of which some may be gone.
  package init(_ chosen: [[UInt8]], in box: Box) throws(SlipboxError) {
    box.withRepository { $0.attributes.forget() }
    let leftOut = try box.git { repository throws(GitError) in
      try repository.sparseCheckout.leftOut(of: chosen.map(box.repositoryPath))
    }
    let renamed = try StagedRenames(of: chosen.filter { !box.isThere($0) }, in: box)
    let refusals = chosen.compactMap { path -> (path: [UInt8], reason: SlipboxError)? in
      guard box.isThere(path) else { return renamed.refusal(of: path).map { (path, $0) } }
      let isOut = leftOut.contains(box.repositoryPath(path))
      return (isOut ? Box.outsideCheckout(path, isThere: true) : box.refusal(of: path)).map { (path, $0) }
    }
    let refused = Set(refusals.map(\.path))
    paths = chosen.filter { !refused.contains($0) }
    self.refusals = refusals
  }
}

/// Notes whose names are staged to change to names that slip does not commit, such as `note.txt` or a path outside the box.
///
/// A commit of the deletion alone would leave the text in no commit.
private struct StagedRenames {
  /// The new names in the repository, by the notes' paths in the box.
  private var targets: [[UInt8]: [UInt8]] = [:]
  private let box: Box

  /// - Parameter gone: notes that the last commit has and the work tree has not.
  /// - Complexity: linear in the entries of the index if a deletion is staged, else in the notes that are gone.
  init(of gone: [[UInt8]], in box: Box) throws(SlipboxError) {
    self.box = box
    guard !gone.isEmpty else { return }
    let entries = try box.git { repository throws(GitError) in try repository.index.entries() }
    let staged = gone.filter { entries.entry(at: box.repositoryPath($0)) == nil }
    guard !staged.isEmpty else { return }
    let committed = try CommitLookup(box, at: try box.tip(), count: staged.count)
    var notes: [ObjectID: [UInt8]] = [:]
    for path in staged {
      if let blob = try committed.file(path)?.id { notes[blob] = path }
    }
    for entry in entries {
      guard let note = notes[entry.id] else { continue }
      let isInBox = entry.path.starts(with: box.prefix)
      guard !isInBox || !FileName.isNote(Array(entry.path.dropFirst(box.prefix.count))) else { continue }
      targets[note] = entry.path
    }
  }

  func refusal(of path: [UInt8]) -> SlipboxError? {
    guard let target = targets[path] else { return nil }
    let names = [box.repositoryPath(path), target].map { Phrase(typed: $0) }.joined(separator: " ")
    return SlipboxError(
      .busy,
      "\(path) is staged as renamed to \(target), which slip does not commit",
      hints: ["run git commit, or unstage it with: git restore --staged -- \(names)"])
  }
}
