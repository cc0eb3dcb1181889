import Bytes
import NoteIndex
import Notes
import Platform

/// Notes that git filters encrypt, and notes whose text everybody can read in history.
extension BoxSnapshot {
  /// The paths of the notes that a filter encrypts, unless a note at a path has the same filter.
  ///
  /// A list in a note that is stored as plain text would publish their titles.
  /// - Complexity: O(n) in the notes of folders for which attributes name a filter.
  package func encryptedNotes(apartFrom path: [UInt8]) throws(SlipboxError) -> Set<[UInt8]> {
    let entries = try catalogue().entries
    let own = box.encryption(of: path)
    var mayFilter: [[UInt8]: Bool] = [:]
    var found: Set<[UInt8]> = []
    for place in entries.indices {
      let path = entries.path(at: place)
      let folder = BytePath.folder(of: path)
      if mayFilter[folder] == nil { mayFilter[folder] = try box.mayFilter(in: folder) }
      guard mayFilter[folder] == true, let filter = box.encryption(of: path), filter != own else { continue }
      found.insert(path)
    }
    return found
  }

  /// The same moment as if some notes were not in the box.
  package func without(_ paths: Set<[UInt8]>) -> BoxSnapshot {
    guard !paths.isEmpty else { return self }
    return BoxSnapshot(self) { [self] (next) throws(SlipboxError) in
      switch try contents() {
      case .workTree(let notes): return .workTree(try Self.without(paths, notes, for: next))
      case .commit(let notes):
        let entries = notes.notes.catalogue.entries
        let shown = entries.indices.filter { !paths.contains(entries.path(at: $0)) }.map { entries[$0] }
        return .commit(
          CommitNotes(
            notes: ListedNotes(shown, linkedBy: next.settings.sameNames), unreadable: notes.unreadable,
            kept: nil, files: notes.files.filter { !paths.contains($0.path) }))
      }
    }
  }

  private static func without(
    _ paths: Set<[UInt8]>, _ notes: WorkTreeNotes, for snapshot: BoxSnapshot
  ) throws(SlipboxError) -> WorkTreeNotes {
    var findings = notes.findings
    for path in paths {
      if let row = notes.kept?.table.row(of: path), let document = notes.kept?.snapshot.document(ofFile: row)
      {
        findings.hidden.insert(document)
      }
      findings.recent[path] = nil
    }
    return WorkTreeNotes(
      try CatalogueMaking(snapshot, notes.kept).notes(findings), notes.kept, findings)
  }
}
