import Bytes
import Glibc

/// Has the system tell what changes in folders. Wraps inotify(7).
///
/// A folder is watched by itself, without those below it. The first change after `add` is told; whoever lists a folder
/// after that misses none.
package final class FolderWatch {
  /// What has changed.
  package enum Event: Sendable, Equatable {
    /// A name in a folder was made, written, renamed or removed, or has another mode or time.
    case name([UInt8], in: [UInt8], isFolder: Bool, isGone: Bool)
    /// A watched folder itself was removed or renamed.
    case folderGone([UInt8])
    /// More happened than the system could keep: anything may have changed.
    case overflow
  }

  let descriptor: Descriptor
  /// The folders by their numbers; one folder may be known by several paths.
  private var paths: [Int32: Set<[UInt8]>] = [:]
  private var numbers: [[UInt8]: Int32] = [:]

  /// - Throws: `EMFILE` where the user has too many watches of this kind.
  package init() throws(SystemError) {
    let number = inotify_init1(Int32(IN_CLOEXEC) | Int32(IN_NONBLOCK))
    guard number >= 0 else { throw SystemError("watch", []) }
    descriptor = Descriptor(owning: number)
  }

  /// How many folders are watched.
  package var count: Int { numbers.count }

  /// Watches a folder by its absolute path; one that is watched already stays so.
  /// - Throws: `ENOSPC` where the user watches too many folders; `ENOENT` and the like.
  package func add(_ folder: [UInt8], followingLink: Bool = true) throws(SystemError) {
    let path = try terminated(folder, "watch")
    let flags = Self.changes | (followingLink ? 0 : UInt32(IN_DONT_FOLLOW))
    let number = inotify_add_watch(descriptor.number, path, flags)
    guard number >= 0 else { throw SystemError("watch", folder) }
    if let old = numbers[folder], old != number { forget(folder, old) }
    numbers[folder] = number
    paths[number, default: []].insert(folder)
  }

  /// Watches a folder and those below it no longer.
  package func remove(below folder: [UInt8]) {
    let prefix = folder + [UInt8(ascii: "/")]
    for (path, number) in numbers where path == folder || path.starts(with: prefix) {
      forget(path, number)
      if paths[number] == nil { inotify_rm_watch(descriptor.number, number) }
    }
  }

  private func forget(_ folder: [UInt8], _ number: Int32) {
    numbers[folder] = nil
    paths[number]?.remove(folder)
    if paths[number]?.isEmpty == true { paths[number] = nil }
  }

  private static let changes = UInt32(
    IN_CREATE | IN_DELETE | IN_MOVED_FROM | IN_MOVED_TO | IN_MODIFY | IN_CLOSE_WRITE | IN_ATTRIB
      | IN_DELETE_SELF | IN_MOVE_SELF | IN_ONLYDIR | IN_EXCL_UNLINK)
}

extension FolderWatch {
  /// Takes what has been told so far, without waiting.
  package func events() -> [Event] {
    var events: [Event] = []
    withUnsafeTemporaryAllocation(byteCount: 1 << 16, alignment: 8) { buffer in
      while true {
        let length = retrying { read(descriptor.number, buffer.baseAddress, buffer.count) }
        guard length > 0 else { return }
        take(UnsafeRawBufferPointer(rebasing: buffer[..<length]), &events)
      }
    }
    return events
  }

  /// Reads `struct inotify_event`: number, mask, cookie, length of the name (4 bytes each), name with NULs behind it.
  private func take(_ buffer: UnsafeRawBufferPointer, _ events: inout [Event]) {
    var offset = 0
    while offset + 16 <= buffer.count {
      let number = buffer.load(fromByteOffset: offset, as: Int32.self)
      let mask = buffer.load(fromByteOffset: offset + 4, as: UInt32.self)
      let length = Int(buffer.load(fromByteOffset: offset + 12, as: UInt32.self))
      guard length <= buffer.count - offset - 16 else { return }
      let name = buffer[(offset + 16)..<(offset + 16 + length)].prefix { $0 != 0 }
      take(number, mask, Array(name), &events)
      offset += 16 + length
    }
  }

  private func take(_ number: Int32, _ mask: UInt32, _ name: [UInt8], _ events: inout [Event]) {
    let has = { (flag: Int) in mask & UInt32(truncatingIfNeeded: flag) != 0 }
    if has(Int(IN_Q_OVERFLOW)) { events.append(.overflow) }
    // Of a folder that is watched no longer the last events may still come.
    guard let folders = paths[number] else { return }
    for folder in folders {
      if name.isEmpty {
        if has(Int(IN_DELETE_SELF)) || has(Int(IN_MOVE_SELF)) { events.append(.folderGone(folder)) }
      } else {
        events.append(
          .name(
            name, in: folder, isFolder: has(Int(IN_ISDIR)),
            isGone: has(Int(IN_DELETE)) || has(Int(IN_MOVED_FROM))))
      }
      if has(Int(IN_IGNORED)) { forget(folder, number) }
    }
  }
}

extension FolderWatch {
  /// What was found in folders when they came to be watched, by absolute paths.
  package struct Tree: Sendable {
    /// The files, and the links.
    package var files: [[UInt8]] = []
    package var links: [[UInt8]] = []
    /// The folders that hold a repository of their own. They are watched, for it may go away, but nothing in them.
    package var repositories: [[UInt8]] = []
  }

  /// Watches a folder and all below it that a walk goes into: not hidden ones, nor what is in those that hold a
  /// repository of their own.
  ///
  /// - Parameter isRoot: whether it is the folder of the walk itself, which may be a link and hold a repository.
  /// - Throws: `ENOSPC` where the user watches too many folders. A folder that can't be read is left out.
  package func add(tree folder: [UInt8], isRoot: Bool) throws(SystemError) -> Tree {
    let reader = FolderReader()
    var tree = Tree()
    var waiting = [folder]
    while let next = waiting.popLast() {
      let isFirst = isRoot && next == folder
      do throws(SystemError) {
        try add(next, followingLink: isFirst)
      } catch {
        guard error.code != ENOSPC, error.code != ENOMEM else { throw error }
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

  /// What a folder holds; nothing where it can't be read.
  private func entries(of folder: [UInt8], _ reader: FolderReader) -> Entries {
    var entries = Entries()
    guard let open = try? Descriptor.open(folder, O_RDONLY | O_DIRECTORY | O_NONBLOCK) else { return entries }
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
  /// What ended a wait.
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
  ///   - watch: nil where nothing is watched.
  ///   - output: a descriptor whose reader may go away.
  ///   - milliseconds: how long at most.
  package static func wait(_ watch: FolderWatch?, output: Int32, atMost milliseconds: Int64) -> Awakening {
    var streams = [
      pollfd(fd: output, events: 0, revents: 0),
      pollfd(fd: watch?.descriptor.number ?? -1, events: Int16(POLLIN), revents: 0),
    ]
    var time = timespec(tv_sec: Int(milliseconds / 1_000), tv_nsec: Int(milliseconds % 1_000) * 1_000_000)
    var mask = sigset_t()
    pthread_sigmask(SIG_BLOCK, nil, &mask)
    // Without `endWaitsForRedrawing` these are for other threads, which would not hear of them.
    for signal in Signals.redrawing where Signals.hasHandler(signal) { sigdelset(&mask, signal) }
    guard let poll = LinuxCalls.poll else { return .timeout }
    let count = poll(&streams, UInt(streams.count), &time, &mask)
    if count < 0 { return .resized }
    if streams[0].revents & Int16(POLLERR | POLLHUP | POLLNVAL) != 0 { return .outputClosed }
    return streams[1].revents != 0 ? .changes : .timeout
  }
}

extension Signals {
  /// The signals after which a screen is drawn again.
  static let redrawing = [SIGWINCH, SIGCONT]

  /// From here on a change of the terminal's size, and going on after a stop, end a wait of `FolderWatch`; at other
  /// times they are held back.
  package static func endWaitsForRedrawing() {
    var held = set(of: redrawing)
    pthread_sigmask(SIG_BLOCK, &held, nil)
    var action = sigaction()
    action.__sigaction_handler.sa_handler = ignoreSignal
    for signal in redrawing { replace(signal, by: action) }
  }
}

/// Does nothing but end a wait. A free function: a callback written in a main-actor context would trap.
private func ignoreSignal(_ signal: Int32) {}
