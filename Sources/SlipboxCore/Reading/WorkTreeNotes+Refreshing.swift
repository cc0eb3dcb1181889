import NoteIndex
import Notes
import Platform

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
