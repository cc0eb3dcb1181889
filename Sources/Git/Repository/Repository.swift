import Bytes
import CLibgit2
import Glibc
import Platform

/// A git repository: values in, values out, no handle of libgit2 ever leaves it.
///
/// What can be answered from small files (HEAD, refs, the index, cached times) is; libgit2 is started and the repository
/// opened when an object, an attribute or the configuration is first needed. `GIT_*` variables that name another
/// repository are not obeyed.
package final class Repository {
  /// The root of the work tree, absolute and without a trailing slash; nil for a bare repository.
  package let workTree: [UInt8]?
  /// The git folder, in a linked worktree its own.
  package let gitDirectory: [UInt8]
  /// The git folder that all worktrees share; the same as `gitDirectory` where there is one.
  package let commonDirectory: [UInt8]
  /// How long a lock of another program is waited for.
  package var lockTimeoutMilliseconds = 5_000

  /// A commit that a killed command was to make the first of its branch; nil where there is none such.
  package var firstCommit: ObjectID?

  let environment: GitEnvironment
  let layout: RepositoryLayout
  private var opened: OpenRepository?
  /// What a partial clone left at its remote; all that read the repository share it.
  let promised: PromisedObjects
  /// The objects that can be read without libgit2.
  let objectFiles: ObjectFiles
  /// What is being written together.
  var collection: ObjectCollection?
  var knownDeflater: Deflater?
  /// What `core.sharedRepository` says; nil if it was not read yet.
  var knownSharedMode: SharedMode?
  /// The index as it was last read, as long as the file has not changed.
  var knownIndex: KnownIndex?
  /// The mark of the locks that are taken; without one they are not known again after a crash.
  package var lockMark: LockMark?
  /// The locks that `tryHolding()` took.
  var heldLocks: HeldLocks?
  /// HEAD's files in place of an index that could not be read.
  var standInIndex: (tip: ObjectID, entries: IndexEntries)?
  /// Why the index was not read, where it is damaged or missing; nil where it was, or was not asked for.
  package internal(set) var indexDamage: IndexDamage?
  /// Whether git's filters have been told of the attribute files that exist only in the index.
  var knowsSparseAttributes = false
  /// The folder above which all files of rules were last seen to be plain files.
  var checkedRuleFolder: [UInt8]?

  init(_ layout: RepositoryLayout, environment: GitEnvironment, promised: PromisedObjects = .init())
    throws(GitError)
  {
    self.layout = layout
    self.environment = environment
    self.promised = promised
    gitDirectory = layout.gitDirectory
    commonDirectory = layout.commonDirectory
    objectFiles = ObjectFiles(layout.commonDirectory / "objects")
    let configuration = try layout.configuration()
    if layout.isOwned, layout.isPlain(configuration) {
      workTree = layout.workTree
      return
    }
    let opened = try OpenRepository(layout, environment: environment)
    self.opened = opened
    workTree = git_repository_workdir(opened.repository).map { path in
      let bytes = Array(String(cString: path).utf8)
      let plain = bytes.count > 1 && bytes.last == UInt8(ascii: "/") ? Array(bytes.dropLast()) : bytes
      return Files.realPath(plain) ?? plain
    }
  }

  /// The repository as libgit2 has it, opened on the first call.
  func open() throws(GitError) -> OpenRepository {
    if let opened { return opened }
    let fresh = try OpenRepository(layout, environment: environment)
    opened = fresh
    return fresh
  }

  /// Makes another value of the same repository, for another thread.
  package var another: @Sendable () throws(GitError) -> Repository {
    { [layout, environment, promised] () throws(GitError) in
      try Repository(layout, environment: environment, promised: promised)
    }
  }

  /// Whether libgit2 was needed so far.
  var isOpen: Bool { opened != nil }

  /// Whether the history is cut: the commits at the cut have parents that are not here.
  package var isShallow: Bool {
    RawFile.status(commonDirectory / "shallow").map { $0.size > 0 } ?? false
  }
}

extension Repository {
  /// Repeats an attempt that answers false while a lock file of another program is in the way.
  /// - Throws: `locked`, with the path of the lock and its age, when the time is over.
  func waitingForLock(_ lock: [UInt8], _ attempt: () throws(GitError) -> Bool) throws(GitError) {
    guard try Waiting.retrying(milliseconds: lockTimeoutMilliseconds, attempt) else { throw .locked(lock) }
  }
}

/// libgit2's objects and its last error belong to one thread.
@available(*, unavailable) extension Repository: Sendable {}
