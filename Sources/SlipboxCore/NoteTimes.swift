import Git
package import NoteIndex
package import Notes
import Platform

/// When notes were created and modified, as far as that follows from history and not from the note itself.
///
/// History is only asked where a note does not say when it was created, and for `modified`.
package final class NoteTimes {
  /// From so many notes on, the times of all are worked out in one go.
  private static let manyNotes = 500

  private let box: Slipbox
  private var history: PathTimesTable?
  private var hasAskedHistory = false
  private var askedTip: ObjectID?
  private var ofDocuments: [Timestamp]?

  init(of box: Slipbox) { self.box = box }

  /// The creation date of a note that does not give it: its first commit's, else its file's.
  func created(undated path: [UInt8], _ stamp: FileStamp) -> Timestamp {
    if let times = times(of: path) { return Timestamp(times.first) }
    return fileTime(FileTime(nanosecondsSince1970: stamp.modified))
  }

  /// The commit under which the times are worked out: by now the branch may be at another one.
  var tip: ObjectID? {
    _ = table()
    return askedTip
  }

  /// Whether history knows the file at a path.
  func isInHistory(_ path: [UInt8]) -> Bool { times(of: path) != nil }

  /// When a note was last changed: the author time of the last commit that changed its file, or the file's own time
  /// while it differs from HEAD.
  package func modified(_ entry: Entry) -> Timestamp {
    guard let content = try? box.noteStore().content(of: entry.note.path) else { return entry.created }
    return modified(entry.note.path, content.id, content.modified, times(of: entry.note.path))
  }

  /// When notes were last changed, in their order.
  ///
  /// - Complexity: O(m log n) for a few, O(n) for many.
  package func modified(of matches: [Match]) -> [Timestamp] {
    guard matches.count >= Self.manyNotes, let documents = timesOfDocuments() else {
      return matches.map { modified($0.entry) }
    }
    return matches.map { match in
      match.entries.storedNumber(at: match.place).map { documents[$0] } ?? modified(match.entry)
    }
  }

  /// When the note at a place of a catalogue was last changed, for queries that ask it of all of them.
  func modified(at place: Int, in entries: Entries) -> Timestamp {
    guard let number = entries.storedNumber(at: place), let documents = timesOfDocuments() else {
      return modified(entries[place])
    }
    return documents[number]
  }

  /// The times of the documents of the snapshot, by their numbers; nil where there is none.
  private func timesOfDocuments() -> [Timestamp]? {
    if let ofDocuments { return ofDocuments }
    guard let kept = (try? box.noteStore())?.kept else { return nil }
    var result = [Timestamp](
      repeating: Timestamp(seconds: 0, offsetSeconds: 0), count: kept.snapshot.documentCount)
    // Rows are in the order of their paths, and so is the table of history.
    var cursor = table()?.cursor()
    for row in 0..<kept.table.count {
      guard let number = kept.snapshot.document(ofFile: row) else { continue }
      let path = kept.table.path(of: row)
      let modified = FileTime(nanosecondsSince1970: kept.table.stamp(of: row).modified)
      result[number] = self.modified(
        path, kept.snapshot.content(ofFile: row), modified, cursor?.times(of: path))
    }
    ofDocuments = result
    return result
  }

  private func modified(
    _ path: [UInt8], _ content: ContentID, _ file: FileTime, _ times: PathTimes?
  ) -> Timestamp {
    guard let times else { return fileTime(file) }
    let isSame = ContentID(times.blob.bytes) == content || isSameToGit(path, times.blob)
    return isSame ? Timestamp(times.modified) : fileTime(file)
  }

  /// Whether git's filters, such as that of line ends, make a blob of the file.
  private func isSameToGit(_ path: [UInt8], _ blob: ObjectID) -> Bool {
    guard let bytes = try? box.bytes(at: path) else { return false }
    return (try? box.repository.contentID(of: bytes, path: box.repositoryPath(path))) == blob
  }

  private func fileTime(_ time: FileTime) -> Timestamp {
    let seconds = time.seconds
    return Timestamp(seconds: seconds, offsetSeconds: box.surroundings.clock.offset(seconds))
  }

  private func times(of path: [UInt8]) -> PathTimes? { table()?[box.repositoryPath(path)] }

  private func table() -> PathTimesTable? {
    if hasAskedHistory { return history }
    hasAskedHistory = true
    askedTip = try? box.tip()
    guard let tip = askedTip else { return nil }
    let cache = BytePath.join(box.stateFolder, Array("path-times".utf8))
    do {
      history = try box.repository.pathTimesTable(at: tip, under: box.prefix, cache: cache)
    } catch {
      box.surroundings.warn("history could not be read: \(error.message)")
    }
    return history
  }
}

extension Timestamp {
  fileprivate init(_ time: CommitTime) {
    self.init(seconds: time.seconds, offsetSeconds: time.offsetMinutes * 60)
  }
}
