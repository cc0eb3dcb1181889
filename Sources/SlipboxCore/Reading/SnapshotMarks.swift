import Bytes
import Git
package import NoteIndex
import Notes
package import Platform

/// Marks that identify a snapshot: by its files, contents and history. A client compares them to decide whether an
/// earlier answer is still valid.
package struct SnapshotMarks {
  private let snapshot: BoxSnapshot

  package init(of snapshot: BoxSnapshot) { self.snapshot = snapshot }

  /// Returns the content ids of the notes at some places of the catalogue; nil if one is not known, or can't be read.
  ///
  /// - Complexity: O(m) for notes of the cached catalogue, O(m log n) for others.
  package func contentIDs(at places: [Int], of entries: Entries) -> [ContentID]? {
    guard let contents = try? snapshot.contents() else { return nil }
    let kept = contents.workTree?.kept?.snapshot
    let found = concurrentMap(places) { place -> ContentID? in
      if let kept, let number = entries.storedNumber(at: place) {
        return kept.content(ofFile: kept.file(ofDocument: number))
      }
      return contents.content(of: entries.path(at: place))?.id
    }
    let known = found.compactMap { $0 }
    return known.count == places.count ? known : nil
  }

  /// The paths of the files that are not notes; nil if the folders can't be read, or if a sparse checkout leaves files
  /// out.
  package var otherPaths: [[UInt8]]? {
    guard snapshot.source == .workTree, !snapshot.box.withRepository({ $0.sparseCheckout.isOn }) else {
      return nil
    }
    return try? snapshot.otherFiles().paths
  }

  /// The mark of the notes of the work tree with their contents and creation dates. Under the same settings, kinds and
  /// history, and on the same day, equal marks mean equal notes. Nil for notes of a commit, if no catalogue is cached,
  /// and if a note can't be read.
  ///
  /// - Complexity: that of reading the notes; then O(m log m) in those that differ from the cached catalogue.
  package var notesMark: UInt64? {
    guard let notes = (try? snapshot.contents())?.workTree, let kept = notes.kept, notes.unreadable.isEmpty,
      // The kind of a note may depend on the time of day.
      !snapshot.kindMatcher().mayMatch
    else { return nil }
    var packer = BytePacker()
    packer.append(signed: Int64(bitPattern: kept.snapshot.generation))
    packer.append(signed: Int64(bitPattern: kept.sources.configuration))
    let recent = notes.findings.recent.values.sorted { $0.path.lexicographicallyPrecedes($1.path) }
    for file in recent {
      packer.append(file.path)
      packer.append(file.content.bytes)
      packer.append(signed: file.stamp.modified)
      packer.append((file.note == nil ? 0 : 1) + (file.verdict == .note ? 2 : 0))
    }
    for document in notes.findings.hidden.sorted() { packer.append(document) }
    return packer.bytes.withUnsafeBytes { Checksum.of($0) }
  }

  /// The commit whose history the answers use; empty without one.
  package var historyTip: String { snapshot.times.tip?.hex ?? "" }

  /// Returns the status of a file of the work tree; nil if there is none.
  package func stamp(at path: [UInt8]) -> FileStamp? {
    (try? snapshot.box.folder.status(path)).flatMap { $0 }.map { FileStamp($0) }
  }

  /// Returns whether another snapshot of the work tree has the same notes, settings and kinds, all from the same cached
  /// catalogue.
  ///
  /// - Complexity: O(m) in the files that differ from the cached catalogue.
  package func areOfSameNotes(as other: BoxSnapshot) throws(SlipboxError) -> Bool {
    guard let own = try snapshot.contents().workTree, let others = try other.contents().workTree,
      let generation = own.kept?.snapshot.generation, generation == others.kept?.snapshot.generation,
      own.findings.hidden == others.findings.hidden, snapshot.settings.text == other.settings.text,
      snapshot.schema().kinds == other.schema().kinds
    else { return false }
    let files = { (notes: WorkTreeNotes) in
      Dictionary(
        notes.findings.recent.values.map { ($0.path, $0.content) }, uniquingKeysWith: { first, _ in first })
    }
    return files(own) == files(others)
  }
}
