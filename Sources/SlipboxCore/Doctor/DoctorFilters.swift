import Bytes
import Git
import NoteIndex
import Notes
import Text

/// Notes behind a filter whose text history has in the clear all the same.
extension BoxSnapshot {
  /// - Complexity: linear in the index of history if a filter is configured; else linear in the folders of the box.
  func filterFindings(_ entries: Entries) throws(SlipboxError) -> [Finding] {
    guard source == .workTree, let tip = try box.tip() else { return [] }
    let filtered = try filteredNotes(entries)
    guard !filtered.isEmpty else { return [] }
    let index = try box.historyIndex(at: tip, reporter)
    let (versions, renames) = try box.git { [prefix = box.prefix] _ throws(GitError) in
      (try index.versions { $0.starts(with: prefix) }, try index.renames())
    }
    // A note has been where it was moved from.
    var paths = Dictionary(uniqueKeysWithValues: filtered.map { (box.repositoryPath($0.note.path), $0) })
    for rename in renames.reversed() {
      if paths[rename.from] == nil, let entry = paths[rename.to] { paths[rename.from] = entry }
    }
    var findings: [Finding] = []
    var named: Set<[UInt8]> = []
    for version in versions {
      guard let entry = paths[version.path], !named.contains(entry.note.path),
        let bytes = try? box.stored(version.blob), isText(bytes, of: entry.note)
      else { continue }
      named.insert(entry.note.path)
      let commit = version.began.commit.hex.prefix(8)
      findings.append(
        Finding(
          .filters, entry.note.path,
          "a filter hides this note, but its text is readable in the commit \(commit)",
          remedy: "rewrite the history; slip help sync explains it"))
    }
    return findings
  }

  private func filteredNotes(_ entries: Entries) throws(SlipboxError) -> [Entry] {
    var folders: [[UInt8]: Bool] = [:]
    var found: [Entry] = []
    for place in entries.indices {
      let path = entries.path(at: place)
      let folder = BytePath.folder(of: path)
      if folders[folder] == nil { folders[folder] = try box.mayFilter(in: folder) }
      guard folders[folder] == true else { continue }
      if try box.isFiltered(path) { found.append(entries[place]) }
    }
    return found
  }

  /// Whether the stored form of a file is the note itself.
  private func isText(_ bytes: [UInt8], of note: Note) -> Bool {
    if let id = note.id { return Note(path: note.path, text: NoteText(bytes)).id == id }
    return bytes == note.text.bytes
  }
}
