package import Bytes
import Git
package import NoteIndex
import Notes
import Platform

/// The notes of a work tree as differences from the kept catalogue.
///
/// Two states of one catalogue tell which notes differ, without a look at the others. This holds under the same settings,
/// kinds and history, and on the same day.
package struct CatalogueState: Sendable, Equatable {
  /// A file that was read since the catalogue was made.
  fileprivate struct File: Sendable, Equatable {
    let path: [UInt8]
    /// Identifies its content, its time and its state.
    let mark: UInt64
  }

  /// Identifies the kept catalogue, and the configuration of the repository.
  fileprivate let catalogue: [UInt64]
  /// By path.
  fileprivate let files: [File]
  /// The documents of the catalogue that are no notes now, ascending.
  fileprivate let hidden: [Int]
}

extension CatalogueState {
  /// Whether the kept catalogue is the same, whatever was read since.
  package func isOfSameCatalogue(as other: CatalogueState) -> Bool { catalogue == other.catalogue }

  /// Appends the state.
  package func pack(_ packer: inout BytePacker) {
    packer.append(catalogue.count)
    for number in catalogue { packer.append(signed: Int64(bitPattern: number)) }
    packer.append(files.count)
    for file in files {
      packer.append(file.path)
      packer.append(signed: Int64(bitPattern: file.mark))
    }
    packer.append(hidden.count)
    for document in hidden { packer.append(document) }
  }

  /// Reads a state; nil without one.
  package init?(_ unpacker: inout ByteUnpacker) {
    var catalogue: [UInt64] = []
    var files: [File] = []
    var hidden: [Int] = []
    guard let numbers = unpacker.number() else { return nil }
    for _ in 0..<numbers {
      guard let number = unpacker.signed() else { return nil }
      catalogue.append(UInt64(bitPattern: number))
    }
    guard let fileCount = unpacker.number() else { return nil }
    for _ in 0..<fileCount {
      guard let path = unpacker.array(), let mark = unpacker.signed() else { return nil }
      files.append(File(path: path, mark: UInt64(bitPattern: mark)))
    }
    guard let hiddenCount = unpacker.number() else { return nil }
    for _ in 0..<hiddenCount {
      guard let document = unpacker.number() else { return nil }
      hidden.append(document)
    }
    (self.catalogue, self.files, self.hidden) = (catalogue, files, hidden)
  }
}

extension BoxSnapshot {
  /// The state of the notes of the work tree; nil for notes of a commit, if no catalogue is kept, if a note can't be read, and
  /// if a note is a copy of another one.
  package var catalogueState: CatalogueState? {
    guard let notes = (try? contents())?.workTree, let kept = notes.kept, notes.unreadable.isEmpty,
      notes.notes.originals.isEmpty,
      // The kind of a note may follow from the time of day.
      !kindMatcher().mayMatch
    else { return nil }
    let recent = notes.findings.recent.values.sorted { $0.path.lexicographicallyPrecedes($1.path) }
    let files = recent.map { file in
      var packer = BytePacker()
      packer.append(file.content.bytes)
      packer.append(signed: file.stamp.modified)
      packer.append((file.note == nil ? 0 : 1) + (file.verdict == .note ? 2 : 0))
      return CatalogueState.File(
        path: file.path, mark: packer.bytes.withUnsafeBytes { Checksum.of($0) })
    }
    return CatalogueState(
      catalogue: [kept.snapshot.generation, kept.sources.configuration], files: files,
      hidden: notes.findings.hidden.sorted())
  }

  /// The bytes that git has under the name of a content; nil if it has none.
  package func blob(_ content: ContentID) -> [UInt8]? {
    guard let id = ObjectID(bytes: content.bytes) else { return nil }
    return box.withRepository { try? $0.blob(id) }
  }

  /// The paths of the files that the commits since an earlier one changed, from the root of the box.
  ///
  /// - Returns: nil if these commits are no short line, or if one of them adds, removes or moves a file.
  package func pathsEdited(since earlier: String) -> [[UInt8]]? {
    guard earlier != SnapshotMarks(of: self).historyTip else { return [] }
    guard let old = ObjectID(hex: earlier), var next = times.tip else { return nil }
    let prefix = box.prefix
    return box.withRepository { repository -> [[UInt8]]? in
      var paths: Set<[UInt8]> = []
      for _ in 0..<Self.mostCommits where next != old {
        guard let commit = try? repository.read(next), commit.parents.count == 1,
          let files = try? repository.changedFiles(
            from: commit.parents[0], to: next, under: Array(prefix.dropLast()))
        else { return nil }
        for file in files {
          guard let old = file.old, let new = file.new, old.isRegular, old.mode == new.mode else {
            return nil
          }
          paths.insert(Array(file.path.dropFirst(prefix.count)))
        }
        next = commit.parents[0]
      }
      return next == old ? Array(paths) : nil
    }
  }

  private static let mostCommits = 32

  /// The places of the notes whose contents or times differ from those in an earlier state, ascending.
  ///
  /// - Parameter paths: those of more notes whose places are wanted.
  /// - Returns: nil if more than so many differ, if a file is a note in one of the states alone, or if the states are not of
  ///   one catalogue.
  package func places(
    changedSince earlier: CatalogueState, and paths: [[UInt8]], in entries: Entries, most: Int
  ) -> [Int]? {
    guard let now = catalogueState, now.catalogue == earlier.catalogue,
      let kept = (try? contents())?.workTree?.kept
    else { return nil }
    var old = Dictionary(
      earlier.files.map { ($0.path, $0.mark) }, uniquingKeysWith: { first, _ in first })
    var changed: Set<[UInt8]> = []
    for file in now.files where old.removeValue(forKey: file.path) != file.mark { changed.insert(file.path) }
    // These are as the catalogue has them again, or gone.
    changed.formUnion(old.keys)
    changed.formUnion(paths)
    guard changed.count <= most else { return nil }
    let documents = Set(now.hidden).symmetricDifference(earlier.hidden)
    guard documents.allSatisfy({ changed.contains(kept.table.path(of: kept.snapshot.file(ofDocument: $0))) })
    else { return nil }
    var places: [Int] = []
    var stored = changed
    for place in entries.recentPlaces {
      if stored.remove(entries.path(at: place)) != nil { places.append(place) }
    }
    for path in stored {
      guard let row = kept.table.row(of: path), let document = kept.snapshot.document(ofFile: row),
        let place = entries.place(ofStored: document)
      else { return nil }
      places.append(place)
    }
    return places.sorted()
  }
}
