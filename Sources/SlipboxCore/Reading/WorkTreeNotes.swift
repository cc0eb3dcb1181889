import Git
import NoteIndex
import Notes
import Platform

/// The notes of the work tree: what is kept of them, held against the files.
///
/// Unchanged files are not opened. With the kept catalogue, without it, or where it is damaged, the answers are the same.
struct WorkTreeNotes: Sendable {
  /// The notes.
  let catalogue: Catalogue
  /// Notes by their names that could not be read, by path.
  let unreadable: [UnreadableNote]
  /// Temporary files that a command did not remove.
  let temporaries: [[UInt8]]
  /// The kept catalogue; nil where none could be made.
  let kept: KeptCatalogue?
  /// The differences of the files from the kept catalogue, without what is only needed while they are read.
  let findings: FileFindings

  init(_ catalogue: Catalogue, _ kept: KeptCatalogue?, _ findings: FileFindings) {
    self.catalogue = catalogue
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
