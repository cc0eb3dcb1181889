import Bytes

/// Reports changes in folders: by the kernel on Linux, elsewhere by reading the folders again and again.
///
/// A folder is watched by itself, without those below it. The first change after `add` is reported; a caller that lists
/// the folder after `add` misses none.
package final class FolderWatch {
  /// A reported change.
  package enum Event: Sendable, Equatable {
    /// A name in a folder was made, written, renamed or removed, or has another mode or time.
    case name([UInt8], in: [UInt8], isFolder: Bool, isGone: Bool)
    /// A watched folder itself was removed or renamed.
    case folderGone([UInt8])
    /// More happened than the system could keep: anything may have changed.
    case overflow
  }

  /// Nil if the folders are polled.
  private let queue: ChangeQueue?
  /// The folders by their numbers; one folder may be known by several paths.
  private var paths: [Int32: Set<[UInt8]>] = [:]
  private var numbers: [[UInt8]: Int32] = [:]
  private var poll = FolderPoll()
  /// The changes that a wait has found by polling.
  private var polled: [Event] = []

  /// - Throws: `EMFILE` if the user has too many watches of this kind.
  package convenience init() throws(SystemError) { try self.init(polling: !ChangeQueue.isAvailable) }

  /// - Parameter polling: whether the portable form is used.
  init(polling: Bool) throws(SystemError) { queue = polling ? nil : try ChangeQueue() }

  /// How many folders are watched.
  package var count: Int { queue == nil ? poll.count : numbers.count }

  /// Watches a folder by its absolute path; one that is watched already stays so.
  /// - Throws: `ENOSPC` if the user watches too many folders; `ENOENT` and the like.
  package func add(_ folder: [UInt8], followingLink: Bool = true) throws(SystemError) {
    guard let queue else { return try poll.add(folder, followingLink: followingLink) }
    let number = try queue.add(folder, followingLink: followingLink)
    if let old = numbers[folder], old != number { forget(folder, old) }
    numbers[folder] = number
    paths[number, default: []].insert(folder)
  }

  /// Watches a folder and those below it no longer.
  package func remove(below folder: [UInt8]) {
    poll.remove(below: folder)
    let prefix = folder + [UInt8(ascii: "/")]
    for (path, number) in numbers where path == folder || path.starts(with: prefix) {
      forget(path, number)
      if paths[number] == nil { queue?.remove(number) }
    }
  }

  private func forget(_ folder: [UInt8], _ number: Int32) {
    numbers[folder] = nil
    paths[number]?.remove(folder)
    if paths[number]?.isEmpty == true { paths[number] = nil }
  }
}

extension FolderWatch {
  /// Takes the changes reported so far, without waiting.
  package func events() -> [Event] {
    guard let queue else {
      defer { polled = [] }
      return polled + poll.changes()
    }
    var events: [Event] = []
    for notice in queue.takeAll() { take(notice, &events) }
    return events
  }

  private func take(_ notice: ChangeQueue.Notice, _ events: inout [Event]) {
    if notice.isOverflow { events.append(.overflow) }
    // Of a folder that is watched no longer the last events may still come.
    guard let folders = paths[notice.number] else { return }
    for folder in folders {
      if !notice.name.isEmpty {
        events.append(
          .name(notice.name, in: folder, isFolder: notice.isFolder, isGone: notice.isGone))
      } else if notice.isFolderGone {
        events.append(.folderGone(folder))
      }
      if notice.isLast { forget(folder, notice.number) }
    }
  }

  /// Reads the folders again, if they are polled.
  /// - Returns: whether something has changed.
  private func hasPolledChanges() -> Bool {
    guard queue == nil else { return false }
    polled += poll.changes()
    return !polled.isEmpty
  }
}

extension FolderWatch {
  /// The entries of folders when their watch began, by absolute paths.
  package struct Tree: Sendable {
    /// The files, and the links.
    package var files: [[UInt8]] = []
    package var links: [[UInt8]] = []
    /// The folders that hold a repository of their own. They are watched, for it may go away, but nothing in them.
    package var repositories: [[UInt8]] = []
  }

  /// Watches a folder and all below it that a walk enters: no hidden folders, and no folders inside of nested
  /// repositories.
  ///
  /// - Parameter isRoot: whether it is the root of the walk itself, which may be a link and contain a repository.
  /// - Throws: `ENOSPC` if the user watches too many folders. A folder that can't be read is left out.
  package func add(tree folder: [UInt8], isRoot: Bool) throws(SystemError) -> Tree {
    let reader = FolderReader()
    var tree = Tree()
    var waiting = [folder]
    while let next = waiting.popLast() {
      let isFirst = isRoot && next == folder
      do throws(SystemError) {
        try add(next, followingLink: isFirst)
      } catch {
        guard error.code != SystemError.Code.noSpace, error.code != SystemError.Code.noMemory else {
          throw error
        }
        continue
      }
      let found = entries(of: next, reader)
      if found.holdsRepository, !isFirst {
        tree.repositories.append(next)
      } else {
        tree.files += found.files
        tree.links += found.links
        waiting += found.folders
      }
    }
    return tree
  }

  private struct Entries {
    var files: [[UInt8]] = []
    var links: [[UInt8]] = []
    var folders: [[UInt8]] = []
    var holdsRepository = false
  }

  /// The entries of a folder; empty if it can't be read.
  private func entries(of folder: [UInt8], _ reader: FolderReader) -> Entries {
    var entries = Entries()
    guard let open = try? Descriptor.open(folder, [.reading, .folder, .withoutWaiting]) else {
      return entries
    }
    try? reader.forEach(in: open, folder) { name, hint in
      guard name.first != UInt8(ascii: ".") else {
        if name.elementsEqual(".git".utf8) { entries.holdsRepository = true }
        return
      }
      let path = BytePath.path(of: name, in: folder)
      switch hint {
      case .directory: entries.folders.append(path)
      case .symbolicLink: entries.links.append(path)
      case .file, .other: entries.files.append(path)
      case .unknown:
        switch (try? Files.status(path))?.kind {
        case .directory: entries.folders.append(path)
        case .symbolicLink: entries.links.append(path)
        default: entries.files.append(path)
        }
      }
    }
    return entries
  }
}

extension FolderWatch {
  /// The cause that ended a wait.
  package enum Awakening: Sendable {
    /// Something has changed: see `events()`.
    case changes
    /// The terminal has another size, or the command goes on after it was stopped.
    case resized
    /// Nobody reads the output any more.
    case outputClosed
    case timeout
  }

  /// Waits until something happens.
  ///
  /// - Parameters:
  ///   - watch: nil if nothing is watched.
  ///   - output: a descriptor whose reader may go away.
  ///   - milliseconds: how long at most.
  package static func wait(_ watch: FolderWatch?, output: Int32, atMost milliseconds: Int64) -> Awakening {
    var left = milliseconds
    while true {
      let isPolling = watch.map { $0.queue == nil } ?? false
      let slice = isPolling ? min(left, FolderPoll.intervalMilliseconds) : left
      var streams = Polled([(output, .closing), (watch?.queue?.descriptor.number, .reading)])
      // Without `endWaitsForRedrawing` these are for other threads, which would not hear of them.
      let count = streams.wait(
        milliseconds: slice, orFor: Signals.redrawing.filter { Signals.hasHandler($0) })
      if count < 0 { return .resized }
      if streams.isClosed(0) { return .outputClosed }
      if streams.isReady(1) || watch?.hasPolledChanges() == true { return .changes }
      left -= slice
      if left <= 0 { return .timeout }
    }
  }
}
