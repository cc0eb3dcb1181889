import Git
package import NoteIndex
package import Notes
import Platform

/// When notes were created and modified, as far as that follows from history and not from the note itself.
///
/// History is only asked where a note does not say when it was created, and for `modified`.
package final class NoteTimes {
  private let box: Slipbox
  private var history: [[UInt8]: Repository.PathTimes]?
  private var modifiedTimes: [[UInt8]: Timestamp] = [:]

  init(of box: Slipbox) { self.box = box }

  /// The creation date of a note: its own, else its first commit's, else its file's.
  package func created(_ file: NoteFolder.File) -> Timestamp {
    if let own = file.note.created { return own }
    if let first = pathTimes()[box.repositoryPath(file.note.path)]?.first {
      return Timestamp(seconds: first.seconds, offsetSeconds: first.offsetMinutes * 60)
    }
    return fileTime(file.status.modified)
  }

  /// The creation date of a note that does not give it: its first commit's, else its file's.
  func created(undated path: [UInt8], _ stamp: FileStamp) -> Timestamp {
    if let first = pathTimes()[box.repositoryPath(path)]?.first {
      return Timestamp(seconds: first.seconds, offsetSeconds: first.offsetMinutes * 60)
    }
    return fileTime(FileTime(nanosecondsSince1970: stamp.modified))
  }

  /// Whether history knows the file at a path.
  func isInHistory(_ path: [UInt8]) -> Bool { pathTimes()[box.repositoryPath(path)] != nil }

  /// When a note was last changed: the author time of the last commit that changed its file, or the file's own time
  /// while it differs from HEAD.
  package func modified(_ entry: Entry) -> Timestamp {
    let path = entry.note.path
    if let known = modifiedTimes[path] { return known }
    let time = derivedModified(entry)
    modifiedTimes[path] = time
    return time
  }

  private func derivedModified(_ entry: Entry) -> Timestamp {
    let path = entry.note.path
    guard let status = try? Files.status(box.absolutePath(path), followLinks: true) else {
      return entry.created
    }
    let difference = try? box.difference(path, status, bytes: entry.note.text.bytes)
    if difference == .unchanged, let times = pathTimes()[box.repositoryPath(path)] {
      let last = times.modified
      return Timestamp(seconds: last.seconds, offsetSeconds: last.offsetMinutes * 60)
    }
    return fileTime(status.modified)
  }

  private func fileTime(_ time: FileTime) -> Timestamp {
    let seconds = time.seconds
    return Timestamp(seconds: seconds, offsetSeconds: box.surroundings.clock.offset(seconds))
  }

  private func pathTimes() -> [[UInt8]: Repository.PathTimes] {
    if let history { return history }
    var found: [[UInt8]: Repository.PathTimes] = [:]
    if let tip = try? box.tip() {
      let cache = BytePath.join(box.stateFolder, Array("path-times".utf8))
      do {
        found = try box.repository.pathTimes(at: tip, under: box.prefix, cache: cache)
      } catch {
        box.surroundings.warn("history could not be read: \(error.message)")
      }
    }
    history = found
    return found
  }
}
