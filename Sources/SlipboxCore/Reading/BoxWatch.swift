import Bytes
import Git
import NoteIndex
import Notes
import Platform

/// Waits for changes of a box: of its notes, its settings, and of git's state of it.
///
/// The system wakes it, with one watch per folder. If it is created before the notes are read, it misses no later change.
/// If the system can't report all changes, the whole box counts as changed every few seconds.
package final class BoxWatch {
  /// The event that ended a wait.
  package enum WatchEvent: Sendable, Equatable {
    case changes(WatchedChanges)
    /// The size of the terminal has changed.
    case resized
    /// The reader of the output has disconnected.
    case outputClosed
  }

  let root: [UInt8]
  let git: GitPlaces
  /// The system's watch; nil if the system can't report all changes.
  private(set) var watch: FolderWatch?
  /// The files that are notes only because symbolic links lead to them.
  private(set) var linked: Set<[UInt8]> = []
  /// Whether there are links with the names of notes, including broken ones.
  var hasLinks = false
  /// The folders of nested repositories, which contain no notes of the box.
  private(set) var repositories: Set<[UInt8]> = []

  /// Begins to watch a box.
  /// - Parameter mostFolders: the maximum number of folders that are watched one by one.
  package init(_ box: Box, mostFolders: Int = .max) {
    root = box.root
    git = GitPlaces(box)
    watch = DirectoryWalk.isLocal(root) ? try? FolderWatch() : nil
    guard let watch else { return }
    do throws(SystemError) {
      _ = try add(tree: root, isRoot: true)
      watchSettings()
      for folder in git.folders { try? watch.add(folder) }
      watchBranch()
    } catch {
      self.watch = nil
    }
    if watch.count > mostFolders { self.watch = nil }
  }

  /// Whether the system reports every change.
  package var isComplete: Bool { watch != nil }

  /// Also watches the files that are notes only through symbolic links, once the notes are read.
  package func watchLinkedFiles(of snapshot: BoxSnapshot) throws(SlipboxError) {
    linked = try snapshot.contents().workTree?.linkedPaths ?? []
    for path in linked { try? watch?.add(BytePath.folder(of: BytePath.join(root, path))) }
  }

  /// Watches a folder and those below it.
  /// - Returns: the notes in them.
  func add(tree folder: [UInt8], isRoot: Bool) throws(SystemError) -> [[UInt8]] {
    guard let tree = try watch?.add(tree: folder, isRoot: isRoot) else { return [] }
    repositories.formUnion(tree.repositories)
    hasLinks = hasLinks || tree.links.contains { FileName.isNote($0) }
    return (tree.files + tree.links).compactMap { BytePath.relative($0, to: root) }.filter {
      FileName.isNote($0)
    }
  }

  func watchSettings() {
    for name in [".slipbox", ".slipbox/kinds"] { try? watch?.add(BytePath.join(root, Array(name.utf8))) }
  }

  func watchBranch() {
    if let folder = git.branchFolder() { try? watch?.add(folder) }
  }
}

extension BoxWatch {
  /// The length of a wait if the system can't report changes.
  private static let lookingMilliseconds: Int64 = 2_000
  /// The debounce: the time without events before changes are answered, and the maximum number of rounds to wait for it.
  private static let quietMilliseconds: Int64 = 50
  private static let mostRounds = 20
  /// Days begin at a quarter of an hour in every zone, and then queries such as `due:today` have another result.
  private static let quarterSeconds: Int64 = 900

  /// Waits until the box has changed or a quarter of an hour has begun.
  ///
  /// - Parameters:
  ///   - output: a descriptor whose reader may disconnect.
  ///   - now: the present, in seconds since 1970.
  package func next(output: Int32, now: Int64) -> WatchEvent {
    let untilQuarter = (Self.quarterSeconds - now % Self.quarterSeconds) * 1_000
    while true {
      let limit = isComplete ? untilQuarter : Self.lookingMilliseconds
      switch FolderWatch.wait(watch, output: output, atMost: limit) {
      case .resized: return .resized
      case .outputClosed: return .outputClosed
      case .timeout:
        var news = WatchedChanges()
        news.isEverythingNew = !isComplete
        return .changes(news)
      case .changes:
        let news = gather(output)
        if !news.isEmpty { return .changes(news) }
      }
    }
  }

  /// Collects events until none arrives for a moment: programs change many files at once.
  private func gather(_ output: Int32) -> WatchedChanges {
    var news = WatchedChanges()
    for _ in 0..<Self.mostRounds {
      for event in watch?.events() ?? [] { take(event, &news) }
      guard case .changes = FolderWatch.wait(watch, output: output, atMost: Self.quietMilliseconds) else {
        break
      }
    }
    return news
  }
}

extension BoxWatch {
  /// Watches a box until the reader of the output disconnects, and calls `look` after each change.
  ///
  /// The first call covers the whole box, so it finds changes from before the watch existed. If a call fails, the next
  /// one covers the whole box again: for example, settings may be half written.
  /// - Parameters:
  ///   - output: a descriptor whose reader may disconnect; a negative one has none.
  ///   - look: creates the next snapshot after some changes, or returns the previous one.
  package static func follow(
    _ box: Box, output: Int32, _ look: (WatchedChanges) throws(SlipboxError) -> BoxSnapshot
  ) {
    var watch = BoxWatch(box)
    var changes = WatchedChanges(everything: true)
    while true {
      do throws(SlipboxError) {
        let snapshot = try look(changes)
        // If links can't be followed, their targets are not watched.
        try? watch.watchLinkedFiles(of: snapshot)
        changes = WatchedChanges()
      } catch {
        changes = WatchedChanges(everything: true)
      }
      switch watch.next(output: output, now: LocalClock.now().seconds) {
      case .resized: continue
      case .outputClosed: return
      case .changes(let news):
        if news.isEverythingNew, watch.isComplete { watch = BoxWatch(box) }
        if !changes.isEverythingNew { changes = news }
      }
    }
  }
}

extension BoxWatch {
  /// Adds the effect of an event on the box to the changes.
  func take(_ event: FolderWatch.Event, _ news: inout WatchedChanges) {
    switch event {
    case .overflow: news.isEverythingNew = true
    case .folderGone(let folder):
      if BytePath.relative(folder, to: root) != nil || folder == git.directory { take(gone: folder, &news) }
    case .name(let name, let folder, let isFolder, let isGone):
      if git.folders.contains(folder) || folder.starts(with: git.branches) {
        take(git: name, in: folder, &news)
      }
      guard let relative = BytePath.relative(folder, to: root) else { return }
      let path = BytePath.join(relative, name)
      if repositories.contains(folder) {
        if name.elementsEqual(".git".utf8) { news.isEverythingNew = true }
      } else if isFolder {
        take(folder: path, isGone: isGone, &news)
      } else {
        take(file: path, name, &news)
      }
    }
  }

  /// Handles a removed folder. The folder above it reports the removal, unless that one is not watched.
  private func take(gone folder: [UInt8], _ news: inout WatchedChanges) {
    if folder == root || folder == git.directory || isOfSettings(BytePath.relative(folder, to: root) ?? []) {
      news.isEverythingNew = true
    }
  }

  private func take(git name: [UInt8], in folder: [UInt8], _ news: inout WatchedChanges) {
    if git.areRules(name, in: folder) {
      news.isEverythingNew = true
    } else if git.isState(name, in: folder) {
      news.isGitNew = true
      watchBranch()
    }
  }

  private func take(folder path: [UInt8], isGone: Bool, _ news: inout WatchedChanges) {
    let absolute = BytePath.join(root, path)
    if FileName.isHidden(path) {
      // Of hidden folders only those with settings matter, and a repository that is created or removed in a subfolder.
      let isNested = BytePath.name(of: path).elementsEqual(".git".utf8) && !BytePath.folder(of: path).isEmpty
      if isNested || isOfSettings(path) { news.isEverythingNew = true }
      return
    }
    watch?.remove(below: absolute)
    news.areOthersNew = true
    if isGone { news.goneFolders.insert(path) }
    do throws(SystemError) {
      news.paths.formUnion(try add(tree: absolute, isRoot: false))
    } catch {
      // The limit of watches is reached: a new box watch determines how to continue.
      news.isEverythingNew = true
    }
  }

  private func take(file path: [UInt8], _ name: [UInt8], _ news: inout WatchedChanges) {
    if isOfSettings(path) {
      if !DirectoryWalk.isTemporary(name) { news.isEverythingNew = true }
    } else if name.elementsEqual(".gitignore".utf8) || name.elementsEqual(".git".utf8) && path != name {
      news.isEverythingNew = true
    } else if linked.contains(path) {
      news.paths.insert(path)
    } else if FileName.isHidden(path) || DirectoryWalk.isTemporary(name) {
      return
    } else if FileName.isNote(path) {
      news.paths.insert(path)
      if (try? Files.status(BytePath.join(root, path)))?.kind == .symbolicLink { hasLinks = true }
    } else if hasLinks {
      // Only the links themselves show the new target of a link.
      news.isEverythingNew = true
    } else {
      news.areOthersNew = true
    }
  }

  private func isOfSettings(_ path: [UInt8]) -> Bool {
    path.elementsEqual(".slipbox".utf8) || path.starts(with: ".slipbox/".utf8)
  }
}

/// The files of git that affect the answers of a box, besides its notes.
struct GitPlaces {
  private let box: Box
  private let rules: Set<[UInt8]>
  /// The folders of HEAD, the index, the configuration and the ignore rules outside of the box.
  let folders: Set<[UInt8]>
  /// The folder of the branches.
  let branches: [UInt8]

  init(_ box: Box) {
    self.box = box
    let common = box.commonDirectory
    rules = Set(
      box.withRepository { $0.settings.files } + [BytePath.join(common, Array("info/exclude".utf8))])
    branches = BytePath.join(common, Array("refs/heads".utf8))
    folders = Set([box.gitDirectory, common, branches] + rules.map(BytePath.folder))
  }

  /// The git folder of the work tree.
  var directory: [UInt8] { box.gitDirectory }

  /// Returns whether a file contains ignore rules, or the path of such a file.
  func areRules(_ name: [UInt8], in folder: [UInt8]) -> Bool { rules.contains(BytePath.join(folder, name)) }

  /// Returns whether a file determines the commit of the box, or its staged files.
  func isState(_ name: [UInt8], in folder: [UInt8]) -> Bool {
    guard !name.reversed().starts(with: ".lock".utf8.reversed()) else { return false }
    if folder.starts(with: branches) { return true }
    let states = ["HEAD", "index", "packed-refs"].map { Array($0.utf8) }
    return [directory, box.commonDirectory].contains(folder) && states.contains(name)
  }

  /// Returns the folder of the file of the present branch, or the nearest existing one above it; nil if HEAD is detached.
  func branchFolder() -> [UInt8]? {
    // If HEAD can't be read, no branch is watched.
    let head = try? box.git { repository throws(GitError) in try repository.head() }
    guard case .branch(let name, _)? = head else { return nil }
    return BytePath.folder(of: BytePath.join(branches, Array(name.utf8)))
  }
}
