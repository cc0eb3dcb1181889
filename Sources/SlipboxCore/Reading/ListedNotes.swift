import NoteIndex
import Notes
import Platform
import Text

/// The notes of a box without the copies that programs for synchronising files left beside them.
///
/// A copy stays a file that is committed and synced. It is in no list, and nothing writes to it, until it is merged.
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
  ///   - sameNames: which note a link means if it fits the names of several.
  /// - Complexity: linear in the entries that are not stored, and in the stored ones whose names may be those of copies.
  init(
    _ kept: (notes: KeptCatalogue, stored: CatalogueFileEntries)?, hiding hidden: Set<Int>,
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

/// Looks for copies among the notes of a box.
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

  /// - Returns: nil if no name is that of a copy.
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

  /// The path of the note that a file is a copy of: the one that its name tells, else one with its id, which was moved
  /// meanwhile; nil if it is a note of its own.
  private func original(of copy: Candidate) -> [UInt8]? {
    if let id = self.id(ofNoteAt: copy.name.original) {
      // The name alone is enough, unless the note has another id.
      let mayLackID = copy.name.isCertain && (id == nil || copy.id == nil)
      if mayLackID || (id != nil && id == copy.id) { return copy.name.original }
    }
    guard copy.name.isCertain, let id = copy.id else { return nil }
    let others = paths(of: id).filter { $0 != copy.path }.sorted { $0.lexicographicallyPrecedes($1) }
    if let note = others.first(where: { !certain.contains($0) }) { return note }
    // Of copies alone, the first one is listed.
    return others.first { $0.lexicographicallyPrecedes(copy.path) }
  }

  /// The id of a note; nil if there is no such note.
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

extension BoxSnapshot {
  /// The notes that are copies of others, with the paths of these.
  package func originalsOfCopies() throws(SlipboxError) -> [[UInt8]: [UInt8]] {
    try contents().notes.originals
  }
}
