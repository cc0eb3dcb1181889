import Bytes
import Git
import NoteIndex
import Notes
import Platform
import Text

/// The notes of the work tree: the cached catalogue, compared with the files.
///
/// Unchanged files are not opened. The answers are the same with the cached catalogue, without it, and if it is damaged.
struct WorkTreeNotes: Sendable {
  let notes: ListedNotes
  /// The files with the name of a note that could not be read, by path.
  let unreadable: [UnreadableNote]
  /// Temporary files that a command did not remove.
  let temporaries: [[UInt8]]
  /// The cached catalogue; nil if none could be created.
  let kept: KeptCatalogue?
  /// The differences between the files and the cached catalogue, without data that is only needed while they are read.
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

  /// Returns the content id of a note's file, and the time of its last write; nil if the file is not known.
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
  /// Returns the content id of a note's file, and the time of its last write; nil if the file is not known.
  ///
  /// - Complexity: O(log n).
  func content(of path: [UInt8]) -> (id: ContentID, modified: FileTime)? {
    switch self {
    case .workTree(let notes): notes.content(of: path)
    case .commit(let notes): notes.content(of: path).map { ($0, FileTime(nanosecondsSince1970: 0)) }
    }
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
  /// - Complexity: O(n + m log m) for m files that differ from the cached catalogue.
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
        // A file that was read again is among the recent ones.
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
  /// Returns the files that have to be checked.
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
    // Git may now track a file that its rules leave out, or no longer track it.
    if changes.isGitNew { paths.formUnion(findings.recent.values.filter { $0.verdict != .note }.map(\.path)) }
    // A file that was temporarily unreadable may become readable without a change.
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

/// The notes of a box without the copies that programs for synchronising files left beside them.
///
/// A copy remains a file that is committed and synced. Until it is merged, it is in no list, and nothing writes to it.
struct ListedNotes: Sendable {
  /// The notes without the copies.
  let catalogue: Catalogue
  /// The notes that are copies, with the paths of the notes that they are copies of.
  let originals: [[UInt8]: [UInt8]]

  init(_ entries: [Entry], linkedBy sameNames: SameNameRule) {
    self.init(nil, hiding: [], adding: entries, linkedBy: sameNames)
  }

  /// - Parameters:
  ///   - hidden: the numbers of stored entries that are left out.
  ///   - sameNames: the rule for the target of a link that matches the names of several notes.
  /// - Complexity: linear in the entries that are not stored, and in the stored ones whose names may be those of copies.
  init(
    _ kept: (notes: KeptCatalogue, stored: StoredEntries)?, hiding hidden: Set<Int>,
    adding entries: [Entry], linkedBy sameNames: SameNameRule
  ) {
    let found = CopySearch(kept?.notes, hidden, entries)?.copies ?? []
    originals = Dictionary(found.map { ($0.path, $0.original) }, uniquingKeysWith: { first, _ in first })
    let hidden = hidden.union(found.compactMap(\.document))
    let entries = found.isEmpty ? entries : entries.filter { [originals] in originals[$0.note.path] == nil }
    catalogue =
      if let stored = kept?.stored {
        Catalogue(stored, hiding: hidden, adding: entries, linkedBy: sameNames)
      } else {
        Catalogue(entries, linkedBy: sameNames)
      }
  }
}

/// Searches for copies among the notes of a box.
private struct CopySearch {
  private struct Candidate {
    let path: [UInt8]
    let name: ConflictCopy
    let id: NoteID?
    /// The number of the stored entry.
    var document: Int?
  }

  private let kept: KeptCatalogue?
  private let hidden: Set<Int>
  private let candidates: [Candidate]
  private let certain: Set<[UInt8]>
  private let recent: [[UInt8]: NoteID?]

  /// Returns nil if no name is that of a copy.
  init?(_ kept: KeptCatalogue?, _ hidden: Set<Int>, _ entries: [Entry]) {
    var candidates: [Candidate] = []
    for row in kept?.conditions.copyRows ?? [] {
      guard let kept, let document = kept.snapshot.document(ofFile: row), !hidden.contains(document) else {
        continue
      }
      let path = kept.table.path(of: row)
      if let name = ConflictCopy(path) {
        let id = kept.snapshot.key(ofDocument: document).id
        candidates.append(Candidate(path: path, name: name, id: id, document: document))
      }
    }
    for entry in entries where ConflictCopy.mayBeOne(entry.note.path) {
      if let name = ConflictCopy(entry.note.path) {
        candidates.append(Candidate(path: entry.note.path, name: name, id: entry.note.id))
      }
    }
    guard !candidates.isEmpty else { return nil }
    self.kept = kept
    self.hidden = hidden
    self.candidates = candidates
    certain = Set(candidates.lazy.filter(\.name.isCertain).map(\.path))
    recent = Dictionary(entries.map { ($0.note.path, $0.note.id) }, uniquingKeysWith: { first, _ in first })
  }

  var copies: [(path: [UInt8], original: [UInt8], document: Int?)] {
    candidates.compactMap { candidate in
      original(of: candidate).map { (candidate.path, $0, candidate.document) }
    }
  }

  /// Returns the path of the note that a file is a copy of: the note that its name names, otherwise one with its id,
  /// which was moved meanwhile. Returns nil if the file is a note of its own.
  private func original(of copy: Candidate) -> [UInt8]? {
    if let id = self.id(ofNoteAt: copy.name.original) {
      // The name alone is enough, unless the note has another id.
      let mayLackID = copy.name.isCertain && (id == nil || copy.id == nil)
      if mayLackID || (id != nil && id == copy.id) { return copy.name.original }
    }
    guard copy.name.isCertain, let id = copy.id else { return nil }
    let others = paths(of: id).filter { $0 != copy.path }.sorted { $0.lexicographicallyPrecedes($1) }
    if let note = others.first(where: { !certain.contains($0) }) { return note }
    // If there are only copies, the first one is listed.
    return others.first { $0.lexicographicallyPrecedes(copy.path) }
  }

  /// Returns the id of a note; nil if there is no such note.
  private func id(ofNoteAt path: [UInt8]) -> NoteID?? {
    if let id = recent[path] { return id }
    guard let kept, let row = kept.table.row(of: path), let document = kept.snapshot.document(ofFile: row),
      !hidden.contains(document)
    else { return nil }
    return .some(kept.snapshot.key(ofDocument: document).id)
  }

  private func paths(of id: NoteID) -> [[UInt8]] {
    let stored = kept.map { kept in
      kept.snapshot.documents(idBeginning: id.bytes).filter { !hidden.contains($0) }
        .map { kept.table.path(of: kept.snapshot.file(ofDocument: $0)) }
    }
    return (stored ?? []) + recent.filter { $0.value == id }.keys
  }
}
