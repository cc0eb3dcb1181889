import Bytes
import Git
import NoteIndex
package import Notes
import Platform
import Text

/// Creates snapshots of the work tree: one scan of the files, compared with the cached catalogue.
package struct WorkTreeReader: Sendable {
  let box: Box
  let context: CommandContext

  package init(_ box: Box, _ context: CommandContext) {
    self.box = box
    self.context = context
  }

  /// Returns a snapshot of the work tree at the moment of the first request that needs its notes.
  ///
  /// - Parameter isLenient: whether the default settings are used if the settings can't be read.
  /// - Throws: `.configuration` if the settings can't be read.
  package func snapshot(isLenient: Bool = false) throws(SlipboxError) -> BoxSnapshot {
    let bytes = try box.bytes(at: Settings.boxFile)
    let settings: Settings
    do throws(SlipboxError) { settings = try Settings.ofBox(bytes, isLenient: isLenient) } catch {
      throw error.naming(originOf: Settings.boxFile, in: box)
    }
    if let bytes, !isLenient, MergeMarkers.isAnywhere(in: bytes), Settings(bytes).problem != nil {
      let origin = FileOrigin(of: Settings.boxFile, in: box).map { "; \($0.phrase)" as Phrase } ?? ""
      context.reporter.warnOnce(
        "\(Settings.boxFile) has git's conflict markers; both versions are used, and \(slip: "heal") merges them"
          + origin)
    }
    InlineFields.use(settings.inlineFields)
    let isOfSite = [Layout.Name.hugo, .jekyll].contains { $0.rawValue == settings.layoutName }
    TextConventions.use(.shortcodes, isOfSite)
    let reader = LayoutReader(box: box) { _ in }
    let names = reader.pageNames(settings.layoutName)
    if names != nil || TextConventions.has(.pageNames) { PageNames.use(names) }
    TextConventions.use(.colonTags, reader.hasColonTags(settings.layoutName))
    box.refreshExclusions(settings)
    return snapshot(settings) { [self] (snapshot) throws(SlipboxError) in .workTree(try load(for: snapshot)) }
  }

  private func snapshot(
    _ settings: Settings, times: NoteTimes? = nil, committed: Computed<CommittedFiles, SlipboxError>? = nil,
    others: Computed<OtherFiles, SlipboxError>? = nil,
    read: @escaping @Sendable (BoxSnapshot) throws(SlipboxError) -> NoteContents
  ) -> BoxSnapshot {
    BoxSnapshot(
      box, .workTree, settings: settings, context, times: times, committed: committed, others: others,
      read: read)
  }
}

extension WorkTreeReader {
  /// The number of newly read files above which a whole snapshot is written at once.
  private static let mostForLog = 4_096
  /// The number of files beside the cached documents above which every answer is slower than one scan of the whole box.
  private static let mostRecent = 8_192

  /// Returns the next snapshot after some files have changed; all others must be unchanged.
  ///
  /// - Complexity: a check of the files that may have changed, if only those have.
  package func snapshot(
    after snapshot: BoxSnapshot, _ changes: WatchedChanges
  ) throws(SlipboxError) -> BoxSnapshot {
    guard !changes.isEverythingNew, let notes = snapshot.knownContents?.workTree else {
      return self.snapshot(snapshot.settings) { [self] (next) throws(SlipboxError) in
        .workTree(try load(for: next))
      }
    }
    let committed = changes.isGitNew ? nil : snapshot.committed
    let times = changes.isGitNew ? nil : snapshot.times
    let others = changes.areOthersNew ? nil : snapshot.others
    return self.snapshot(snapshot.settings, times: times, committed: committed, others: others) {
      [self] (next) throws(SlipboxError) in
      if let refreshed = try refreshed(notes, changes, for: next) { return .workTree(refreshed) }
      return .workTree(try load(for: next))
    }
  }

  /// Returns the notes after some files were checked again; nil if the whole box has to be scanned.
  private func refreshed(
    _ notes: WorkTreeNotes, _ changes: WatchedChanges, for snapshot: BoxSnapshot
  ) throws(SlipboxError) -> WorkTreeNotes? {
    guard let kept = notes.kept, notes.findings.recent.count < Self.mostRecent else { return nil }
    let paths = notes.touched(by: changes, kept)
    // The target of a link may change the file that another path leads to.
    guard paths.isDisjoint(with: notes.findings.links), paths.isDisjoint(with: notes.findings.linked.keys)
    else { return nil }
    let changed = box.folder.changes(among: paths, since: kept.table)
    guard changed.links.isEmpty else { return nil }
    let new = try findings(kept, changed, kept.sources, for: snapshot)
    let merged = notes.merged(new, paths, kept)
    return WorkTreeNotes(try CatalogueMaking(snapshot, kept).notes(merged), kept, merged)
  }

  /// Reads the notes of a box.
  private func load(for snapshot: BoxSnapshot) throws(SlipboxError) -> WorkTreeNotes {
    guard let kept = snapshot.keptCatalogue() else { return try build(for: snapshot) }
    let changes = walk(since: kept.table)
    // Few requests read the table of files again.
    kept.snapshot.unloadPages()
    if changes.ignoreFilesMayDiffer || differsMostly(changes, kept) { return try build(for: snapshot) }
    let findings = try findings(kept, changes, kept.sources, for: snapshot)
    // The words of a note that is locked now don't stay on disk.
    if findings.unreadable.contains(where: { $0.isStoredForm && kept.hasNote(at: $0.path) }) {
      return try build(for: snapshot)
    }
    if findings.read.count > Self.mostForLog {
      // If that fails, the next command retries.
      _ = try? fold(kept, changes, findings, kept.sources, snapshot.times)
    } else if let length = CatalogueCache(box).keep(findings.read, of: kept),
      length > CatalogueCache.longestLog
    {
      context.startMaintenance(box.root)
    }
    return WorkTreeNotes(try CatalogueMaking(snapshot, kept).notes(findings), kept, findings)
  }

  /// Returns whether most files have to be read, as in a copy of a box. In that case one pass over all files reads none
  /// twice.
  private func differsMostly(_ changes: TableChanges, _ kept: KeptCatalogue) -> Bool {
    let count = changes.changed.count + changes.added.count
    return count > Self.mostForLog && count > kept.table.count / 2
  }

  /// Reads the files that differ from the cached catalogue.
  private func findings(
    _ kept: KeptCatalogue?, _ changes: TableChanges, _ sources: IgnoreSources, for snapshot: BoxSnapshot
  ) throws(SlipboxError) -> FileFindings {
    try NoteReader(
      box, context.reporter, kept, changes, sources,
      committed: { () throws(SlipboxError) in try snapshot.committedFiles() }
    ).findings()
  }

  /// Compacts the cached catalogue and its log, so that later commands find everything in one place.
  package func foldCatalogue() throws(SlipboxError) {
    let snapshot = try snapshot()
    guard let kept = snapshot.keptCatalogue() else {
      _ = try build(for: snapshot)
      return
    }
    let changes = walk(since: kept.table)
    if changes.ignoreFilesMayDiffer {
      _ = try build(for: snapshot)
      return
    }
    let findings = try findings(kept, changes, kept.sources, for: snapshot)
    do throws(SlipboxError) {
      _ = try fold(kept, changes, findings, kept.sources, snapshot.times)
    } catch {
      // The cached catalogue is damaged, or a file has been removed again: all files are read again.
      _ = try build(for: snapshot)
    }
  }

  /// Reads every note, and caches the result.
  private func build(for snapshot: BoxSnapshot) throws(SlipboxError) -> WorkTreeNotes {
    // The rules are read before any file is judged by them, so that a later change of them shows.
    let sources = IgnoreSources(of: box)
    let changes = walk(since: .empty)
    let findings = try findings(nil, changes, sources, for: snapshot)
    guard let kept = try fold(nil, changes, findings, sources, snapshot.times) else {
      return WorkTreeNotes(try CatalogueMaking(snapshot, nil).notes(findings), nil, findings)
    }
    // The cached catalogue has all notes except those to which symbolic links lead.
    let rest = FileFindings(
      recent: NoteFiles(findings.linked), linked: findings.linked, links: findings.links,
      unreadable: findings.unreadable, temporaries: findings.temporaries)
    return WorkTreeNotes(try CatalogueMaking(snapshot, kept).notes(rest), kept, rest)
  }

  /// Merges the cached catalogue and the files that differ from it into a new one, and stores that.
  private func fold(
    _ kept: KeptCatalogue?, _ changes: TableChanges, _ findings: FileFindings, _ sources: IgnoreSources,
    _ times: NoteTimes
  ) throws(SlipboxError) -> KeptCatalogue? {
    var made = try CatalogueFolding(box, times, kept, changes, findings, sources).snapshot()
    let file = CatalogueCache(box).keep(
      made.parts, generation: made.generation, hasIgnoreRules: made.hasIgnoreRules)
    if let file, file.withBytes({ CatalogueFile.generation(of: $0) }) == made.generation {
      // They are mapped from the file, so they need not be in memory too.
      made.parts = .none
      return CatalogueFile(file).flatMap { KeptCatalogue($0, recent: [:], sources) }
    }
    let bytes = ByteSlice(copying: Array(made.parts.joined()))
    return CatalogueFile(bytes).flatMap { KeptCatalogue($0, recent: [:], sources) }
  }

  /// Returns the files that differ from a table.
  ///
  /// A scan may find a note that a command is moving at neither path. The note is at the new path before it is removed
  /// from the old one, so a second scan finds it.
  private func walk(since table: FileTable) -> TableChanges {
    let walk = { DirectoryWalk.changes(under: box.root, since: table, include: { FileName.isNote($0) }) }
    let changes = walk()
    return changes.removed.isEmpty || !isBeingWritten ? changes : walk()
  }

  /// Whether a command of slip is writing files, or a commit was made less than two seconds ago.
  private var isBeingWritten: Bool {
    if ((try? Files.status(box.intentFile)) ?? nil) != nil { return true }
    let index = (try? Files.status(BytePath.join(box.gitDirectory, Array("index".utf8)))) ?? nil
    return index.map { $0.modified.seconds + 1 >= context.clock.now.seconds } ?? false
  }
}

extension WorkTreeReader {
  /// Returns a snapshot of the same moment in which texts replace some files, as an editor has them. The files need not
  /// exist.
  ///
  /// Nothing is written, and no file is read. Texts that equal their files have no effect.
  /// - Parameter texts: the texts, by paths in the box.
  /// - Complexity: O(n) at the first request, without building a note; that of parsing the texts.
  package func snapshot(
    of snapshot: BoxSnapshot, with texts: [[UInt8]: [UInt8]]
  ) -> BoxSnapshot {
    BoxSnapshot(
      box, .workTree, settings: snapshot.settings, context, times: snapshot.times,
      committed: snapshot.committed, others: snapshot.others, unsaved: texts
    ) { (next) throws(SlipboxError) in
      let contents = try snapshot.contents()
      guard let notes = contents.workTree else { return contents }
      return .workTree(try overlaid(notes, texts, for: next))
    }
  }

  private func overlaid(
    _ notes: WorkTreeNotes, _ texts: [[UInt8]: [UInt8]], for snapshot: BoxSnapshot
  ) throws(SlipboxError) -> WorkTreeNotes {
    var findings = notes.findings
    for (path, bytes) in texts {
      if let row = notes.kept?.table.row(of: path), let document = notes.kept?.snapshot.document(ofFile: row)
      {
        findings.hidden.insert(document)
      }
      let now = snapshot.clock.now.seconds
      let stamp = FileStamp(
        size: Int64(bytes.count), modified: now * 1_000_000_000, changed: now * 1_000_000_000, inode: 0)
      findings.recent[path] = NoteFile(
        path: path, bytes: bytes, stamp: stamp, isRacy: true, verdict: .note)
    }
    return WorkTreeNotes(
      try CatalogueMaking(snapshot, notes.kept).notes(findings), notes.kept, findings)
  }
}

extension BoxSnapshot {
  /// Returns whether a text equals that of the note with a path, byte by byte, as far as this snapshot has read it.
  ///
  /// - Complexity: O(n) in the bytes of the text.
  package func holds(_ text: [UInt8], at path: [UInt8]) throws(SlipboxError) -> Bool {
    try contents().content(of: path)?.id == ContentID(ObjectID(ofBlob: text).bytes)
  }
}

extension BoxSnapshot {
  /// Returns the note with a path, its text read now; nil if there is none.
  ///
  /// - Complexity: O(log n), without a table of all paths; that of reading the note.
  package func note(at path: [UInt8]) throws(SlipboxError) -> Note? {
    let contents = try contents()
    guard case .workTree(let notes) = contents else { return try catalogue().entry(path: path)?.note }
    guard notes.isNote(path), notes.notes.originals[path] == nil, let content = contents.content(of: path)
    else { return nil }
    return Note(path: path, text: NoteText(try texts.bytes(path, content.id, nil)))
  }
}

extension WorkTreeNotes {
  /// Returns whether there is a note with a path.
  fileprivate func isNote(_ path: [UInt8]) -> Bool {
    if let file = findings.recent[path] { return file.note != nil }
    guard let kept, let row = kept.table.row(of: path), let document = kept.snapshot.document(ofFile: row)
    else {
      return false
    }
    return !findings.hidden.contains(document)
  }
}

/// The files of a box that may have changed since it was last read.
package struct WatchedChanges: Sendable, Equatable {
  /// The files that may differ, relative to the box.
  package var paths: Set<[UInt8]> = []
  /// The folders that were removed or renamed, with all their contents.
  package var goneFolders: Set<[UInt8]> = []
  /// Whether files other than notes may have been added, changed or removed.
  package var areOthersNew = false
  /// Whether git's index or the commit of the box may have changed.
  package var isGitNew = false
  /// Whether anything may have changed: settings, ignore rules, or more than the system could report.
  package var isEverythingNew = false

  package init(everything: Bool = false) { isEverythingNew = everything }

  package var isEmpty: Bool { self == WatchedChanges() }
}
