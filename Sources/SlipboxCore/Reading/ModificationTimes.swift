import Bytes
import Git
package import NoteIndex
package import Notes
import Platform

/// The modification times of the documents of a cached catalogue, by their numbers.
struct DocumentTimes: Sendable {
  let times: [Timestamp]
}

/// `modified`: the author time of the last commit that changed a note's file, or the file's own time while it differs
/// from HEAD.
///
/// The commit that adopted a folder does not count as a change. If no other commit changed a note, its time is that of
/// its file if that is earlier than the commit, otherwise its creation date.
struct ModificationTimes {
  private let snapshot: BoxSnapshot
  private let times: NoteTimes

  init(in snapshot: BoxSnapshot) {
    self.snapshot = snapshot
    times = snapshot.times
  }

  /// The number of notes from which the times of all notes are computed in one pass.
  private static let manyNotes = 500

  private var isOfWorkTree: Bool { snapshot.source == .workTree }

  /// Returns the modification time of a note.
  ///
  /// - Complexity: one read of the file, if the notes of the work tree have not been read.
  func modified(_ entry: Entry) -> Timestamp {
    let path = entry.note.path
    if isOfWorkTree, snapshot.knownContents == nil, let file = try? snapshot.box.folder.read(path, limit: nil)
    {
      let content = ContentID(ObjectID(ofBlob: file.bytes).bytes)
      return modified(path, content, file.status.modified, times.times(of: path)) { entry.created }
    }
    // In a commit a file is never different from history.
    if !isOfWorkTree, let times = times.times(of: path) {
      return committed(times, file: nil) { entry.created }
    }
    // If the file can't be read, the notes are read, which reports the reason.
    guard let content = try? snapshot.contents().content(of: entry.note.path) else { return entry.created }
    return modified(entry.note.path, content.id, content.modified, times.times(of: entry.note.path)) {
      entry.created
    }
  }

  /// Returns the modification times of notes, in their order.
  ///
  /// - Complexity: O(m log n) for a few, O(n) for many.
  func modified(of matches: [Match]) -> [Timestamp] {
    if !isOfWorkTree, matches.count >= Self.manyNotes { return modifiedInCommit(matches) }
    guard matches.count >= Self.manyNotes, let documents = allDocumentTimes() else {
      return matches.map { modified($0.entry) }
    }
    return matches.map { match in
      match.entries.storedNumber(at: match.place).map { documents.times[$0] } ?? modified(match.entry)
    }
  }

  /// Returns the same as `modified(of:)`, with one pass over history in the order of the paths.
  private func modifiedInCommit(_ matches: [Match]) -> [Timestamp] {
    let paths = matches.map { $0.entries.path(at: $0.place) }
    var result = [Timestamp](repeating: Timestamp(seconds: 0, offsetSeconds: 0), count: matches.count)
    var cursor = times.cursor()
    for place in paths.indices.sorted(by: { ByteOrder.precedes(paths[$0], paths[$1]) }) {
      let times = times.times(of: paths[place], &cursor)
      let entry = { matches[place].entry }
      result[place] = times.map { committed($0, file: nil) { entry().created } } ?? modified(entry())
    }
    times.unloadPages()
    return result
  }

  /// Returns a function that returns the modification time of the note at a place of the catalogue, for queries that need
  /// it for all notes.
  func modified(in entries: Entries) -> (_ place: Int) -> Timestamp {
    { place in
      guard let number = entries.storedNumber(at: place), let documents = allDocumentTimes() else {
        return modified(entries[place])
      }
      return documents.times[number]
    }
  }

  /// Returns the times of all stored documents; nil if no catalogue is cached.
  private func allDocumentTimes() -> DocumentTimes? {
    let times = try? snapshot.documentTimes.value { () throws(SlipboxError) in
      try snapshot.contents().kept.map { documentTimes(of: $0) }
    }
    // If the notes can't be read, the request itself has failed.
    return times ?? nil
  }

  private func documentTimes(of kept: KeptCatalogue) -> DocumentTimes {
    var result = [Timestamp](
      repeating: Timestamp(seconds: 0, offsetSeconds: 0), count: kept.snapshot.documentCount)
    // Rows are in the order of their paths, and so is the table of history.
    var cursor = times.cursor()
    for row in 0..<kept.table.count {
      guard let number = kept.snapshot.document(ofFile: row) else { continue }
      let path = kept.table.path(of: row)
      let modified = FileTime(nanosecondsSince1970: kept.table.stamp(of: row).modified)
      result[number] = self.modified(
        path, kept.snapshot.content(ofFile: row), modified, times.times(of: path, &cursor)
      ) { kept.snapshot.created(ofDocument: number) }
    }
    kept.snapshot.unloadPages()
    times.unloadPages()
    return DocumentTimes(times: result)
  }

  private func modified(
    _ path: [UInt8], _ content: ContentID, _ file: FileTime, _ times: PathTimes?, created: () -> Timestamp
  ) -> Timestamp {
    guard let times else { return self.times.fileTime(file) }
    if !isOfWorkTree || ContentID(times.blob.bytes) == content || isSameToGit(path, content, times.blob) {
      return committed(times, file: isOfWorkTree ? file : nil, created: created)
    }
    return self.times.fileTime(file)
  }

  /// Returns the modification time of a file that does not differ from history.
  private func committed(_ times: PathTimes, file: FileTime?, created: () -> Timestamp) -> Timestamp {
    guard self.times.isAsAdopted(times) else { return Timestamp(times.modified) }
    if let file, file.seconds < times.modified.seconds { return self.times.fileTime(file) }
    return created()
  }

  /// Returns whether git's filters, such as the conversion of line ends, produce a blob from the content that a file had
  /// in this snapshot.
  ///
  /// A file that can't be read, or has changed since, counts as different: the answer must be the same at each request.
  private func isSameToGit(_ path: [UInt8], _ content: ContentID, _ blob: ObjectID) -> Bool {
    guard let bytes = try? snapshot.box.bytes(at: path), ContentID(ObjectID(ofBlob: bytes).bytes) == content
    else {
      return false
    }
    return (try? snapshot.box.contentID(of: bytes, at: path)) == blob
  }
}

extension BoxSnapshot {
  /// Returns the modification time of a note. See `ModificationTimes`.
  ///
  /// - Complexity: one read of the file, if the notes of the work tree have not been read.
  package func modified(_ entry: Entry) -> Timestamp { ModificationTimes(in: self).modified(entry) }

  /// Returns the modification times of notes, in their order.
  ///
  /// - Complexity: O(m log n) for a few, O(n) for many.
  package func modified(of matches: [Match]) -> [Timestamp] {
    ModificationTimes(in: self).modified(of: matches)
  }
}
