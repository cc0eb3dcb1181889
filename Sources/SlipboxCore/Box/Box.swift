import Bytes
package import Git
import NoteIndex
import Notes
package import Platform
import Synchronization
import Text

/// An opened box: its folder and its repository, without its contents.
package struct Box: Sendable {
  /// The absolute path of the box.
  package let root: [UInt8]
  /// The prefix that turns a path in the box into a path in the repository: empty, or a folder with its slash.
  package let prefix: [UInt8]
  /// The git directory. A linked worktree has its own.
  package let gitDirectory: [UInt8]
  /// The git directory that all worktrees share.
  package let commonDirectory: [UInt8]
  /// The root of the work tree, absolute.
  package let workTree: [UInt8]
  /// The files of the box; no symbolic link leads out of it.
  package let folder: BoxFolder
  let exclusions = ExclusionRules()
  let renames = CommitRenames()
  private let repository: SharedRepository
  private let readers: RepositoryPool

  /// Opens the box at an absolute path.
  /// - Throws: `.notFound` if it is in no repository, `.configuration` if it can't be used, `.notPermitted` if its owner
  ///   is another user.
  package init(at root: [UInt8]) throws(SlipboxError) {
    let found: Repository?
    do throws(GitError) { found = try Repository.discover(from: root) } catch { throw SlipboxError(error) }
    guard let repository = found else {
      throw SlipboxError(
        .notFound, "\(root) is not in a git repository",
        hints: ["make one with: \(slip: "init", .value(root))"])
    }
    guard let workTree = repository.workTree else {
      throw SlipboxError(
        .notFound, "\(root) is in a bare repository, which has no working tree",
        hints: ["clone it with git clone and use the clone"])
    }
    guard let relative = BytePath.relative(root, to: workTree) else {
      let settings = Phrase(typed: repository.commonDirectory / "config")
      throw SlipboxError(
        .configuration,
        "the repository of \(root) has its working tree in \(workTree) (core.worktree)",
        hints: [
          "git config --file \(settings) --unset core.worktree makes it use its own folder"
        ])
    }
    self.root = root
    self.workTree = workTree
    gitDirectory = repository.gitDirectory
    commonDirectory = repository.commonDirectory
    prefix = relative.isEmpty ? [] : relative + [UInt8(ascii: "/")]
    // A git directory inside the work tree may have another name than .git.
    let real = Files.realPath(root) ?? root
    let closed = Set([repository.gitDirectory, repository.commonDirectory]).compactMap {
      BytePath.relative($0, to: real)
    }
    do throws(SystemError) { folder = try BoxFolder(root, closed: closed) } catch {
      throw SlipboxError(error)
    }
    // A vault of Dendron has the label of a wiki link before the bar.
    TextConventions.use(.labelsFirst, ((try? folder.status(Array("dendron.yml".utf8))) ?? nil) != nil)
    readers = RepositoryPool(repository.another)
    self.repository = SharedRepository(repository)
  }

  /// The folder inside the git directory with the lock of the box and the record of an interrupted operation.
  ///
  /// All users of a shared repository write there. The files of one user are in `privateFolder`.
  package var stateFolder: [UInt8] { BytePath.join(gitDirectory, Array("slipbox".utf8)) }

  /// The file of the intent record.
  var intentFile: [UInt8] { BytePath.join(stateFolder, Array("intent".utf8)) }

  /// The file that marks the locks of git's that the writer of the box takes.
  var lockMarkFile: [UInt8] { stateFolder / "lock-mark" }

  /// The folder of saved operations, which are not committed yet.
  var savedFolder: [UInt8] { privateFolder / "saved" }

  /// The folder in which this user's caches, drafts and saved texts are stored.
  ///
  /// It is the state folder itself for the user who owns that, and for a user who may not write there. Each other user of
  /// a shared repository has a folder in it.
  package var privateFolder: [UInt8] {
    guard let owner = ((try? Files.status(stateFolder, followLinks: true)) ?? nil)?.owner,
      owner != Files.userID, Files.isWritable(stateFolder)
    else { return stateFolder }
    return BytePath.join(stateFolder, Array("user-\(Files.userID)".utf8))
  }

  /// The file of the lock that the one writer of the box holds.
  var lockFile: [UInt8] { BytePath.join(stateFolder, Array("lock".utf8)) }

  /// The file of the cached index of history.
  var historyFile: [UInt8] { BytePath.join(privateFolder, Array("history".utf8)) }

  /// Returns the path in the repository of a file of the box.
  func repositoryPath(_ path: [UInt8]) -> [UInt8] { prefix + path }

  /// Returns the absolute path of a file of the box.
  package func absolutePath(_ path: [UInt8]) -> [UInt8] { BytePath.join(root, path) }
}

extension Box {
  /// Lends the repository to a body, and converts its failure to an error of the core.
  package func git<Result>(
    _ body: (Repository) throws(GitError) -> Result
  ) throws(SlipboxError) -> Result {
    do throws(GitError) { return try repository.use(body) } catch { throw SlipboxError(error) }
  }

  /// Lends the repository to a body that can't fail because of git.
  func withRepository<Result, Failure>(
    _ body: (Repository) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try repository.use(body)
  }

  /// Lets a command fetch, once and when necessary, the history that a partial clone left at its remote.
  func fetchLeftHistory(_ context: CommandContext) {
    guard context.historyFetch != .never else { return }
    let reporter = context.reporter
    let mayAsk = context.historyFetch == .asking
    withRepository {
      $0.allowFetchOfPromisedObjects { [prefix] repository throws(GitError) in
        let use = NetworkUse(mayAsk: mayAsk) { reporter.report(.fetching, $0, of: $1) }
        try repository.remotes.fetchPromised(below: prefix, use)
      }
    }
  }

  /// Returns the commit to which HEAD points; nil before the first one.
  package func tip() throws(SlipboxError) -> ObjectID? {
    try git { repository throws(GitError) in try repository.head().tip }
  }

  /// Returns the bytes of a file of the box; nil if there is none.
  func bytes(at path: [UInt8]) throws(SlipboxError) -> [UInt8]? { try file(at: path)?.bytes }

  /// Returns the bytes of a file of the box and its status before they were read; nil if there is none.
  func file(at path: [UInt8]) throws(SlipboxError) -> (bytes: [UInt8], status: FileStatus)? {
    do throws(SystemError) {
      return try folder.read(path, limit: nil)
    } catch {
      if error.isMissing { return nil }
      throw SlipboxError(error)
    }
  }

  /// Returns the content of a file of the box that is or was stored as a blob; see `FileConversion.content(of:at:)`.
  func content(of id: ObjectID, at path: [UInt8]) throws(SlipboxError) -> [UInt8] {
    let name = repositoryPath(path)
    return try git { repository throws(GitError) in try repository.conversion.content(of: id, at: name) }
  }

  /// Returns the content of a regular file of a commit, by its path from the root of the repository.
  func content(of entry: TreeEntry) throws(SlipboxError) -> [UInt8] {
    try git { repository throws(GitError) in try repository.conversion.content(of: entry.id, at: entry.path) }
  }

  /// Returns the bytes of a blob as it is stored: the target of a symbolic link.
  func stored(_ id: ObjectID) throws(SlipboxError) -> [UInt8] {
    try git { repository throws(GitError) in try repository.blob(id) }
  }

  /// Returns the content of a file of the box that is stored as a blob. Several threads may call this at the same time.
  package func contentBesideOthers(of id: ObjectID, at path: [UInt8]) throws(SlipboxError) -> [UInt8] {
    let name = repositoryPath(path)
    do throws(GitError) {
      return try readers.use { repository throws(GitError) in
        try repository.conversion.content(of: id, at: name)
      }
    } catch {
      throw SlipboxError(error)
    }
  }

  /// Returns the id of the blob that git would store for a file of the box.
  func contentID(of bytes: [UInt8], at path: [UInt8]) throws(SlipboxError) -> ObjectID {
    let name = repositoryPath(path)
    return try git { repository throws(GitError) in
      try repository.conversion.contentID(of: bytes, path: name)
    }
  }

  /// Creates the state folder if it is missing, so that all users of a shared repository may write there.
  func makeStateFolder() throws(SystemError) { try makeSharedFolder(stateFolder) }

  /// Creates a folder inside the git directory if it is missing, so that all users of a shared repository may write
  /// there.
  func makeSharedFolder(_ folder: [UInt8]) throws(SystemError) {
    guard try Files.status(folder, followLinks: true)?.kind != .directory else { return }
    try Files.makeDirectory(folder)
    withRepository { $0.permissions.share(folder) }
  }

  /// Creates the folder for this user's caches, drafts and saved texts.
  func makePrivateFolder() throws(SystemError) {
    try makeStateFolder()
    try Files.makeDirectory(privateFolder)
  }

  /// Acquires the lock of the box's one writer, whose file all users of a shared repository may open.
  func acquireLock(timeoutMilliseconds: Int, onWait: () -> Void = {}) throws(LockError) -> FileLock {
    let lock = try FileLock.acquire(lockFile, timeoutMilliseconds: timeoutMilliseconds, onWait: onWait)
    withRepository { $0.permissions.share(lockFile) }
    return lock
  }

  /// Runs a check of the files that killed commands leave, while no command writes; returns nil if one does.
  func whileNobodyWrites<Result>(_ look: () -> Result) -> Result? {
    let lock: FileLock?
    do throws(LockError) {
      lock = try acquireLock(timeoutMilliseconds: 0)
    } catch {
      if error == .busy { return nil }
      // If the lock can't be created, no command can be writing.
      lock = nil
    }
    defer { withExtendedLifetime(lock) {} }
    return look()
  }

  /// Returns whether the blob of a file's bytes has an id; false if git would create it with a program, which is not run
  /// here.
  func stores(_ bytes: [UInt8], at path: [UInt8], as id: ObjectID) throws(SlipboxError) -> Bool {
    do throws(SlipboxError) {
      if try contentID(of: bytes, at: path) == id { return true }
      // A filter may store equal text in other bytes each time.
      return try isFiltered(path) && (try? content(of: id, at: path)) == bytes
    } catch {
      guard error.kind == .configuration else { throw error }
      return false
    }
  }

  /// Returns the reason why a file can't be committed here: git can't store its path, or an attribute requires a program.
  /// Returns nil if it can.
  package func refusal(of path: [UInt8]) -> SlipboxError? {
    let name = repositoryPath(path)
    do throws(SlipboxError) {
      try git { repository throws(GitError) in try repository.attributes.refuseUnstorable(name) }
      return nil
    } catch {
      return error
    }
  }

  /// Returns the error for committing a file that sparse checkout leaves out of the work tree, which git-add(1) refuses
  /// too.
  static func outsideCheckout(_ path: [UInt8], isThere: Bool) -> SlipboxError {
    let folder = BytePath.folder(of: path)
    // Only a pattern of its own restores a file at the root.
    let pattern = folder.isEmpty ? [UInt8(ascii: "/")] + path : folder
    let addition: Phrase = "git sparse-checkout add \(typed: pattern)"
    let commit: Phrase = "or commit it with: git add --sparse \(typed: path) and git commit"
    return SlipboxError(
      .configuration, "\(path) is outside the sparse checkout, so git does not add it",
      hints: [(folder.isEmpty ? "add it: " : "add its folder: ") + addition] + (isThere ? [commit] : []))
  }

  /// Returns whether git has a complete blob of some bytes.
  func holdsBlob(of bytes: [UInt8]) -> Bool {
    withRepository { repository in
      // If git can't compute the stored bytes, or can't read the blob, the bytes exist nowhere else.
      let path = repositoryPath(Array("slip.tmp".utf8))
      guard let id = try? repository.conversion.contentID(of: bytes, path: path) else {
        return false
      }
      return (try? repository.blob(id)) != nil
    }
  }
}

extension Box {
  /// Returns whether a path of the repository is that of a note of the box: by its name, in no hidden folder, and not
  /// excluded.
  func isNoteFile(_ name: [UInt8]) -> Bool {
    let path = Array(name.dropFirst(prefix.count))
    return FileName.isNote(path)
      && !path.split(separator: UInt8(ascii: "/")).contains { $0.first == UInt8(ascii: ".") }
      && !excluded.covers(path)
  }
}

/// Runs a call of the operating system, and converts its failure to an error of the core.
func system<T>(_ body: () throws(SystemError) -> T) throws(SlipboxError) -> T {
  do { return try body() } catch { throw SlipboxError(error) }
}

/// A repository that several threads may use, one after the other.
///
/// libgit2's handles belong to one thread at a time. The lock is recursive, so that a call may be nested in another.
final class SharedRepository: @unchecked Sendable {
  private let repository: Repository
  private let lock = RecursiveLock()

  init(_ repository: Repository) { self.repository = repository }

  /// Lends the repository to a body, which must not store it.
  func use<Result, Failure>(_ body: (Repository) throws(Failure) -> Result) throws(Failure) -> Result {
    try lock.withLock { () throws(Failure) in try body(repository) }
  }
}

/// Repositories for many threads: each is lent to one of them at a time.
///
/// Reads of objects need no shared state, so no thread waits.
final class RepositoryPool: Sendable {
  /// A repository that belongs to the thread that has taken it out of the pool.
  private final class Lent: @unchecked Sendable {
    let repository: Repository

    init(_ repository: Repository) { self.repository = repository }
  }

  private let make: @Sendable () throws(GitError) -> Repository
  /// The repositories that no thread uses now.
  private let free = Mutex<[Lent]>([])

  init(_ make: @escaping @Sendable () throws(GitError) -> Repository) { self.make = make }

  /// Lends a repository to a body, which must not store it.
  func use<Result>(_ body: (Repository) throws(GitError) -> Result) throws(GitError) -> Result {
    let known = free.withLock { $0.popLast() }
    let lent: Lent
    if let known { lent = known } else { lent = Lent(try make()) }
    defer { free.withLock { $0.append(lent) } }
    return try body(lent.repository)
  }
}
