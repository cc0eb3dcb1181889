import Bytes
import Git
import NoteIndex
import Notes
import Text

/// Notes behind a filter whose text history has in the clear all the same.
extension BoxSnapshot {
  /// A note is followed to its earlier paths by renames, by its id and, if it has none, by its bytes.
  /// - Complexity: linear in the index of history, and in the versions of notes at paths that the box no longer has, if
  ///   a filter hides notes; else linear in the folders of the box.
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
    let former = FormerPaths(
      filtered, present: Set(entries.indices.map { box.repositoryPath(entries.path(at: $0)) }))
    var findings: [Finding] = []
    var named: Set<[UInt8]> = []
    for version in versions {
      guard named.count < filtered.count, let entry = hiddenNote(version, paths, former),
        named.insert(entry.note.path).inserted
      else { continue }
      let commit = version.began.commit.hex.prefix(8)
      findings.append(
        Finding(
          .filters, entry.note.path,
          "a filter hides this note, but its text is readable in the commit \(commit)",
          remedy: "rewrite the history; slip help sync explains it"))
    }
    return findings
  }

  /// The note behind a filter whose text a version of history is.
  private func hiddenNote(
    _ version: FileVersion, _ paths: [[UInt8]: Entry], _ former: FormerPaths
  ) -> Entry? {
    let known = paths[version.path]
    guard known != nil || former.mayHold(version.path), let bytes = try? box.stored(version.blob) else {
      return nil
    }
    if let known { return isText(bytes, of: known.note) ? known : nil }
    return former.entry(with: bytes, at: version.path)
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

/// Notes behind a filter, to be found again at paths where they were before.
private struct FormerPaths {
  private let present: Set<[UInt8]>
  private let byID: [NoteID: Entry]
  /// The notes without an id.
  private let byBytes: [[UInt8]: Entry]

  /// - Parameter present: the paths of the notes of the box, from the root of the repository.
  init(_ entries: [Entry], present: Set<[UInt8]>) {
    self.present = present
    byID = Dictionary(
      entries.compactMap { entry in entry.note.id.map { ($0, entry) } },
      uniquingKeysWith: { first, _ in first })
    byBytes = Dictionary(
      entries.filter { $0.note.id == nil && !$0.note.text.bytes.isEmpty }.map { ($0.note.text.bytes, $0) },
      uniquingKeysWith: { first, _ in first })
  }

  /// Whether a note may have been at a path: one of a note, at which the box has none now.
  func mayHold(_ path: [UInt8]) -> Bool { FileName.isNote(path) && !present.contains(path) }

  /// The note whose text was stored at a path.
  func entry(with bytes: [UInt8], at path: [UInt8]) -> Entry? {
    byBytes[bytes] ?? Note(path: path, text: NoteText(bytes)).id.flatMap { byID[$0] }
  }
}
