import Git
package import NoteIndex
import Notes
package import Platform

/// The notes of the work tree: what is kept of them, held against the files.
///
/// Unchanged files are not opened. With the kept catalogue, without it, or where it is damaged, the answers are the same.
struct WorkTreeNotes: Sendable {
  let notes: ListedNotes
  /// Notes by their names that could not be read, by path.
  let unreadable: [UnreadableNote]
  /// Temporary files that a command did not remove.
  let temporaries: [[UInt8]]
  /// The kept catalogue; nil where none could be made.
  let kept: KeptCatalogue?
  /// The differences of the files from the kept catalogue, without what is only needed while they are read.
  let findings: FileFindings

  init(_ notes: ListedNotes, _ kept: KeptCatalogue?, _ findings: FileFindings) {
    self.notes = notes
    self.kept = kept
    self.findings = FileFindings(
      recent: findings.recent, linked: findings.linked, links: findings.links, hidden: findings.hidden,
      unreadable: findings.unreadable, temporaries: findings.temporaries)
    temporaries = findings.temporaries
    unreadable = findings.unreadable.sorted { $0.path.lexicographicallyPrecedes($1.path) }
  }

  /// The files that are notes only because symbolic links lead to them.
  var linkedPaths: Set<[UInt8]> { Set(findings.linked.keys) }

  /// The content of a note's file, and when it was last written; nil where the file is not known.
  ///
  /// - Complexity: O(log n).
  func content(of path: [UInt8]) -> (id: ContentID, modified: FileTime)? {
    if let file = findings.recent[path] {
      return (file.content, FileTime(nanosecondsSince1970: file.stamp.modified))
    }
    guard let kept, let row = kept.table.row(of: path) else { return nil }
    let modified = kept.table.stamp(of: row).modified
    return (kept.snapshot.content(ofFile: row), FileTime(nanosecondsSince1970: modified))
  }
}

extension NoteContents {
  /// The content of a note's file, and when it was last written; nil where the file is not known.
  ///
  /// - Complexity: O(log n).
  func content(of path: [UInt8]) -> (id: ContentID, modified: FileTime)? {
    switch self {
    case .workTree(let notes): notes.content(of: path)
    case .commit(let notes): notes.content(of: path).map { ($0, FileTime(nanosecondsSince1970: 0)) }
    }
  }
}

extension BoxSnapshot {
  /// The contents of the notes at some places of the catalogue; nil if one is not known, or can't be read.
  ///
  /// - Complexity: O(m log n).
  package func contentIDs(at places: [Int], of entries: Entries) -> [ContentID]? {
    guard let contents = try? contents() else { return nil }
    let found = concurrentMap(places) { contents.content(of: entries.path(at: $0))?.id }
    let known = found.compactMap { $0 }
    return known.count == places.count ? known : nil
  }

  /// The paths of the files that are no notes; nil if the folders can't be read, or if a sparse checkout leaves files out.
  package var otherPaths: [[UInt8]]? {
    guard source == .workTree, !box.withRepository({ $0.sparseCheckout.isOn }) else { return nil }
    return try? otherFiles().paths
  }

  /// The commit whose history the answers know; empty without one.
  package var historyTip: String { times.tip?.hex ?? "" }

  /// The state of a file of the work tree; nil if there is none.
  package func stamp(at path: [UInt8]) -> FileStamp? {
    (try? box.folder.status(path)).flatMap { $0 }.map { FileStamp($0) }
  }
}

extension WorkTreeNotes {
  /// A note's file with its status and the id of its content.
  struct File: Sendable {
    let path: [UInt8]
    let stamp: FileStamp
    let content: ContentID
  }

  /// Visits the files of all notes, by path.
  /// - Complexity: O(n + m log m) for m files that differ from the kept catalogue.
  func visitFiles(_ visit: (File) throws(SlipboxError) -> Void) throws(SlipboxError) {
    let recent = findings.recent.values.filter { $0.note != nil }.sorted {
      $0.path.lexicographicallyPrecedes($1.path)
    }
    var next = 0
    func visitRecent(before path: [UInt8]?) throws(SlipboxError) {
      while next < recent.count, path.map({ recent[next].path.lexicographicallyPrecedes($0) }) ?? true {
        try visit(File(path: recent[next].path, stamp: recent[next].stamp, content: recent[next].content))
        next += 1
      }
    }
    if let kept {
      for row in 0..<kept.table.count {
        guard let document = kept.snapshot.document(ofFile: row), !findings.hidden.contains(document) else {
          continue
        }
        let path = kept.table.path(of: row)
        // A file that was read anew stands among the recent ones.
        if findings.recent[path] != nil { continue }
        if next < recent.count { try visitRecent(before: path) }
        try visit(
          File(path: path, stamp: kept.table.stamp(of: row), content: kept.snapshot.content(ofFile: row)))
      }
    }
    try visitRecent(before: nil)
  }
}

extension WorkTreeNotes {
  /// The files that have to be looked at.
  func touched(by changes: WatchedChanges, _ kept: KeptCatalogue) -> Set<[UInt8]> {
    var paths = changes.paths
    for folder in changes.goneFolders {
      let prefix = folder + [UInt8(ascii: "/")]
      paths.formUnion(findings.recent.paths.filter { $0.starts(with: prefix) })
      var row = kept.table.position(of: prefix)
      while row < kept.table.count {
        let path = kept.table.path(of: row)
        guard path.starts(with: prefix) else { break }
        paths.insert(path)
        row += 1
      }
    }
    // Git may have come to track a file that its rules leave out, or no longer do so.
    if changes.isGitNew { paths.formUnion(findings.recent.values.filter { $0.verdict != .note }.map(\.path)) }
    // A file that could not be read for a moment need not change to become readable.
    paths.formUnion(findings.unreadable.map(\.path).filter { findings.recent[$0] != nil })
    return paths
  }

  func merged(_ new: FileFindings, _ paths: Set<[UInt8]>, _ kept: KeptCatalogue) -> FileFindings {
    var merged = findings
    for path in paths {
      merged.recent[path] = nil
      if let row = kept.table.row(of: path), let document = kept.snapshot.document(ofFile: row) {
        merged.hidden.remove(document)
      }
    }
    merged.recent.merge(new.recent)
    merged.hidden.formUnion(new.hidden)
    let known = paths.union(new.recent.paths).union(new.unreadable.map(\.path))
    merged.unreadable = findings.unreadable.filter { !known.contains($0.path) } + new.unreadable
    return merged
  }
}
