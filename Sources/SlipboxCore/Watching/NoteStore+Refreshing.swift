import NoteIndex
import Notes
import Platform

extension NoteStore {
  /// More files than this beside the snapshot make every answer slower than one look at the whole box.
  private static let mostRecent = 8_192

  /// The files that are notes only because symbolic links lead to them.
  var linkedPaths: Set<[UInt8]> { Set(findings.linked.keys) }

  /// The notes with some files looked at again; nil where the whole box has to be.
  ///
  /// All other files must be as they were when this was read.
  /// - Complexity: A look at each of the files, and no other call of the system.
  func refreshed(_ box: Slipbox, _ news: BoxNews) throws(SlipboxError) -> NoteStore? {
    guard let kept, findings.recent.count < Self.mostRecent else { return nil }
    let paths = touched(by: news, kept)
    // Where a link leads to may change what another path stands for.
    guard paths.isDisjoint(with: findings.links), paths.isDisjoint(with: findings.linked.keys) else {
      return nil
    }
    let changes = box.folder.changes(among: paths, since: kept.table)
    guard changes.links.isEmpty else { return nil }
    let new = try NoteReader(box, kept, changes, kept.sources).findings()
    return try CatalogueMaking(box, kept, merged(new, paths, kept)).store()
  }

  /// The files that have to be looked at.
  private func touched(by news: BoxNews, _ kept: KeptCatalogue) -> Set<[UInt8]> {
    var paths = news.paths
    for folder in news.goneFolders {
      let prefix = folder + [UInt8(ascii: "/")]
      paths.formUnion(findings.recent.keys.filter { $0.starts(with: prefix) })
      var row = kept.table.position(of: prefix)
      while row < kept.table.count {
        let path = kept.table.path(of: row)
        guard path.starts(with: prefix) else { break }
        paths.insert(path)
        row += 1
      }
    }
    // Git may have come to track a file that its rules leave out, or no longer do so.
    if news.isGitNew { paths.formUnion(findings.recent.values.filter { $0.verdict != .note }.map(\.path)) }
    return paths
  }

  private func merged(_ new: FileFindings, _ paths: Set<[UInt8]>, _ kept: KeptCatalogue) -> FileFindings {
    var merged = findings
    for path in paths {
      merged.recent[path] = nil
      if let row = kept.table.row(of: path), let document = kept.snapshot.document(ofFile: row) {
        merged.hidden.remove(document)
      }
    }
    merged.recent.merge(new.recent) { $1 }
    merged.hidden.formUnion(new.hidden)
    let known = paths.union(new.recent.keys).union(new.unreadable.map(\.path))
    merged.unreadable = findings.unreadable.filter { !known.contains($0.path) } + new.unreadable
    return merged
  }
}
