import Git
import NoteIndex
import Notes
import Platform

/// The notes of a box as they are on disk now: what is kept of them, held against the files.
///
/// Unchanged files are not opened. With what is kept, without it, or where it is damaged, the answers are the same.
struct NoteStore {
  /// The notes.
  let catalogue: Catalogue
  /// Notes by their names that could not be read, by path, with the reason.
  let unreadable: [(path: [UInt8], reason: String)]
  /// Temporary files that a command did not remove.
  let temporaries: [[UInt8]]
  /// The snapshot; nil where none could be made.
  let kept: KeptCatalogue?
  /// What the files came to, but for what is only needed while they are read.
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

extension NoteStore {
  /// Above this many files that were read anew, a whole snapshot is made at once.
  private static let mostForLog = 4_096
  /// Above this many bytes of log, a whole snapshot is made where nobody waits for it.
  static let longestLog = 1 << 20

  /// Reads the notes of a box.
  static func load(_ box: Slipbox) throws(SlipboxError) -> NoteStore {
    guard let kept = box.keptCatalogue() else { return try build(box) }
    let changes = walk(box, since: kept.table)
    if changes.ignoreFilesMayDiffer || differsMostly(changes, kept) { return try build(box) }
    let findings = try NoteReader(box, kept, changes, kept.sources).findings()
    if findings.read.count > mostForLog {
      // Where that can't be, the next command tries again.
      _ = try? fold(box, kept, changes, findings, kept.sources)
    } else if let length = box.keep(findings.read, of: kept), length > longestLog {
      box.surroundings.startMaintenance(box.root)
    }
    return try CatalogueMaking(box, kept, findings).store()
  }

  /// Whether most files have to be read, as in a copy of a box: then one pass over all does without reading any twice.
  private static func differsMostly(_ changes: TableChanges, _ kept: KeptCatalogue) -> Bool {
    let count = changes.changed.count + changes.added.count
    return count > mostForLog && count > kept.table.count / 2
  }

  /// Makes one snapshot of all that is kept and has changed since.
  static func fold(_ box: Slipbox) throws(SlipboxError) {
    guard let kept = KeptCatalogue(of: box) else {
      _ = try build(box)
      return
    }
    let changes = walk(box, since: kept.table)
    if changes.ignoreFilesMayDiffer {
      _ = try build(box)
      return
    }
    let findings = try NoteReader(box, kept, changes, kept.sources).findings()
    do throws(SlipboxError) {
      _ = try fold(box, kept, changes, findings, kept.sources)
    } catch {
      // What is kept is damaged, or a file is gone again: all is read anew.
      _ = try build(box)
    }
  }

  /// Reads every note, and keeps what it finds.
  private static func build(_ box: Slipbox) throws(SlipboxError) -> NoteStore {
    // Looked at before any file is judged by them: a later change of the rules shows.
    let sources = IgnoreSources(of: box)
    let changes = walk(box, since: .empty)
    let findings = try NoteReader(box, nil, changes, sources).findings()
    guard let kept = try fold(box, nil, changes, findings, sources) else {
      return try CatalogueMaking(box, nil, findings).store()
    }
    // All that was found is in the snapshot, but for what symbolic links lead to.
    let rest = FileFindings(
      recent: findings.linked, linked: findings.linked, links: findings.links,
      unreadable: findings.unreadable, temporaries: findings.temporaries)
    return try CatalogueMaking(box, kept, rest).store()
  }

  /// Puts all that is known into a new snapshot, and keeps that.
  private static func fold(
    _ box: Slipbox, _ kept: KeptCatalogue?, _ changes: TableChanges, _ findings: FileFindings,
    _ sources: IgnoreSources
  ) throws(SlipboxError) -> KeptCatalogue? {
    var made = try CatalogueFolding(box, kept, changes, findings, sources).snapshot()
    let file = box.keep(made.parts, generation: made.generation, hasIgnoreRules: made.hasIgnoreRules)
    if let file, Snapshot.generation(of: file.bytes) == made.generation {
      // Mapped from there they need not be here too.
      made.parts = []
      return Snapshot(file.bytes, owner: file).flatMap { KeptCatalogue($0, recent: [:], sources) }
    }
    let fixed = FixedBytes(Array(made.parts.joined()))
    return Snapshot(fixed.bytes, owner: fixed).flatMap { KeptCatalogue($0, recent: [:], sources) }
  }

  private static func walk(_ box: Slipbox, since table: FileTable) -> TableChanges {
    DirectoryWalk.changes(under: box.root, since: table, include: { FileName.isNote($0) })
  }
}
