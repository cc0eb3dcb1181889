import Bytes
import Git
import NoteIndex
import Notes
import Platform
import Synchronization
import Text

/// The dates of notes that history determines and not the note itself.
///
/// History is read when a note first needs it: if the note has no creation date, and for `modified`.
final class NoteTimes: Sendable {
  /// The history of the files as it was at the first request.
  private struct History: Sendable {
    let tip: ObjectID?
    let index: HistoryIndex?
  }

  private let box: Box
  private let commit: ObjectID?
  private let clock: ClockReading
  private let reporter: Reporter
  private let history = Computed<History, SlipboxError>()
  /// The time of the last failure to read history.
  private let lastFailure = Mutex<ContinuousClock.Instant?>(nil)
  /// The time of the first commit of the box's settings, and whether commits of that second adopted the folder.
  private let adoption = Mutex<(settings: Int64?, commits: [ObjectID: Bool])?>(nil)
  /// The commits that removed notes: only these may have renamed a note and changed it.
  private let deletingCommits = Computed<Set<ObjectID>, SlipboxError>()
  /// The times of files that the commit does not have, by their paths.
  private let gone: [[UInt8]: PathTimes]

  /// - Parameters:
  ///   - commit: the commit whose history is used; nil for that of HEAD.
  ///   - gone: the times of files that the commit does not have, if they are needed.
  init(_ box: Box, at commit: ObjectID?, _ context: CommandContext, gone: [[UInt8]: PathTimes] = [:]) {
    self.box = box
    self.gone = gone
    self.commit = commit
    clock = context.clock
    reporter = context.reporter
  }

  /// Returns the creation date of a note without a date of its own: the date of its first commit, otherwise of its file.
  func created(undated path: [UInt8], _ stamp: FileStamp) -> Timestamp {
    if let times = times(of: path) { return Timestamp(first(of: path, times)) }
    return fileTime(FileTime(nanosecondsSince1970: stamp.modified))
  }

  /// Returns the time of the commit that first added a file, under any path; nil if history does not have the file.
  func firstCommit(of path: [UInt8]) -> CommitTime? { times(of: path).map { first(of: path, $0) } }

  /// The maximum number of moves through which a note is followed.
  private static let mostMoves = 100

  /// Returns the time at which a file was first added, under any path, even if a commit renamed and changed it.
  private func first(of path: [UInt8], _ times: PathTimes) -> CommitTime {
    var (path, times) = (path, times)
    for _ in 0..<Self.mostMoves {
      guard let former = formerPath(of: path, in: times.firstBy),
        let earlier = answer({ () throws(GitError) in
          try known().index?.times(of: box.repositoryPath(former), before: times.firstBy)
        })
      else { break }
      (path, times) = (former, earlier)
    }
    return times.first
  }

  /// Returns the path from which a commit renamed a note; nil if it did not.
  private func formerPath(of path: [UInt8], in commit: ObjectID) -> [UInt8]? {
    guard let index = known().index else { return nil }
    let deleting = try? deletingCommits.value { () throws(SlipboxError) in
      try box.git { _ throws(GitError) in try index.deletingCommits { box.isNoteFile($0) } }
    }
    guard deleting?.contains(commit) == true else { return nil }
    return box.renames.formerPaths(in: commit) {
      // A commit that can't be read has no renames.
      let renames =
        (try? box.withRepository { repository in
          try RenameReader(repository, below: box.prefix).pathsInBox(renamedBy: commit)
        }) ?? [:]
      return Dictionary(renames.map { ($0.value, $0.key) }, uniquingKeysWith: { first, _ in first })
    }[path]
  }

  /// Returns the paths among some whose notes may have another creation date than at an earlier commit. History dates a
  /// note by the commit that added it, so notes that existed at the earlier commit keep their date.
  ///
  /// - Complexity: linear in the history and the paths.
  func redatable(_ paths: [[UInt8]], since earlier: ObjectID?) -> [[UInt8]] {
    guard let earlier, let index = known().index, let tip = known().tip else { return paths }
    let added = paths.map { times(of: $0)?.firstBy }
    let kept = answer { () throws(GitError) -> Set<ObjectID>? in
      guard try index.ancestors(of: tip, among: [earlier])?.isEmpty == false else { return nil }
      return try index.ancestors(of: earlier, among: Array(Set(added.compactMap { $0 })))
    }
    guard let kept else { return paths }
    return zip(paths, added).filter { !($0.1.map(kept.contains) ?? false) }.map(\.0)
  }

  /// The commit under which the times are computed: the branch may have moved since.
  var tip: ObjectID? { known().tip }

  /// Returns whether history has the file at a path.
  func isInHistory(_ path: [UInt8]) -> Bool { times(of: path) != nil }

  /// Returns the time and the content of a file's last change; nil if history does not have the file.
  func times(of path: [UInt8]) -> PathTimes? {
    if let times = gone[path] { return times }
    let index = known().index
    return answer { () throws(GitError) in try index?.times(of: box.repositoryPath(path)) }
  }

  /// Returns whether a file was last changed by the commit that adopted the folder, which does not count as a change.
  func isAsAdopted(_ times: PathTimes) -> Bool {
    let known = adoption.withLock { $0 }
    let settings = known.map(\.settings) ?? self.times(of: Settings.boxFile)?.first.seconds
    guard times.modified.seconds == settings else {
      if known == nil { adoption.withLock { $0 = (settings, [:]) } }
      return false
    }
    if let answer = known?.commits[times.modifiedBy] { return answer }
    // A commit that can't be read counts as a change.
    let commit = try? box.withRepository { repository in try repository.read(times.modifiedBy) }
    let answer = commit.map(OperationTrailers.adoptsFolder) ?? false
    adoption.withLock { state in
      var commits = state?.commits ?? [:]
      commits[times.modifiedBy] = answer
      state = (settings, commits)
    }
    return answer
  }

  /// Returns a cursor over the files of history in the order of their paths; nil if there is no history.
  func cursor() -> HistoryCursor? { known().index?.cursor() }

  /// Releases the memory of the pages of the history index, after a pass over all of it.
  func unloadPages() { known().index?.unloadPages() }

  /// Returns the times of a file by a cursor; its path is relative to the box.
  func times(of path: [UInt8], _ cursor: inout HistoryCursor?) -> PathTimes? {
    if let times = gone[path] { return times }
    return answer { () throws(GitError) in try cursor?.times(of: path) }
  }

  /// Returns the answer of history. If it can't be read, a warning is given once and the files' own times count.
  private func answer<Answer>(_ question: () throws(GitError) -> Answer?) -> Answer? {
    do throws(GitError) {
      return try question()
    } catch {
      reporter.warnUnlessRefused("history could not be read: \(error.message)", fact: Phrase(error.message))
      return nil
    }
  }

  /// Returns a file's own time with the time zone offset of the request.
  func fileTime(_ time: FileTime) -> Timestamp {
    let seconds = time.seconds
    return Timestamp(seconds: seconds, offsetSeconds: clock.offset(seconds))
  }

  /// The time for which a failure is cached: every note needs history, and each attempt may be slow.
  private static let retryInterval = Duration.seconds(1)

  private func known() -> History {
    if let known = history.known { return known }
    let isTooEarly = lastFailure.withLock { last in
      last.map { ContinuousClock.now - $0 < Self.retryInterval } ?? false
    }
    guard !isTooEarly else { return History(tip: commit, index: nil) }
    do throws(SlipboxError) {
      return try history.value(read)
    } catch {
      lastFailure.withLock { $0 = ContinuousClock.now }
      reporter.warnUnlessRefused("history could not be read: \(error.message)", fact: error.message)
      return History(tip: commit, index: nil)
    }
  }

  /// Returns the commit whose history is used; nil before the first one.
  private func shownCommit() throws(SlipboxError) -> ObjectID? {
    if let commit { return commit }
    return try box.tip()
  }

  private func read() throws(SlipboxError) -> History {
    guard let tip = try shownCommit() else { return History(tip: nil, index: nil) }
    return History(tip: tip, index: try box.historyIndex(at: tip, reporter))
  }
}

extension Box {
  /// Returns the cached index of the history of the box, limited to the ancestors of a commit.
  func historyIndex(at tip: ObjectID, _ reporter: Reporter) throws(SlipboxError) -> HistoryIndex {
    let cache = historyFile
    return try git { repository throws(GitError) in
      try repository.history.index(
        at: tip, under: prefix, cache: cache, progress: { reporter.report(.reading, $0, of: $1) })
    }
  }
}

extension Timestamp {
  init(_ time: CommitTime) {
    self.init(seconds: time.seconds, offsetSeconds: time.offsetMinutes * 60)
  }
}

/// The renames of commits, each read once while a box is open.
final class CommitRenames: Sendable {
  private let known = Mutex<[ObjectID: [[UInt8]: [UInt8]]]>([:])

  /// Returns the former paths of the notes that a commit renamed, by the new ones.
  func formerPaths(in commit: ObjectID, _ read: () -> [[UInt8]: [UInt8]]) -> [[UInt8]: [UInt8]] {
    if let paths = known.withLock({ $0[commit] }) { return paths }
    let paths = read()
    known.withLock { $0[commit] = paths }
    return paths
  }
}
