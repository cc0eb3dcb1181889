import Git
import NoteIndex
import Notes
import Platform

/// Reads the files that differ from the cached catalogue.
struct NoteReader {
  private let box: Box
  private let reporter: Reporter
  private let committed: () throws(SlipboxError) -> CommittedFiles
  private let kept: KeptCatalogue?
  private let changes: TableChanges
  private let hasIgnoreRules: Bool
  private let folder: BoxFolder
  private let excluded: ExcludedPaths

  /// The maximum size of a file that is read as a note, in bytes. See Decisions/0035.
  static let sizeLimit = 64 << 20

  /// - Parameters:
  ///   - committed: returns the files that git has; called only if ignore rules leave a file out.
  ///   - sources: the files on which the ignore rules depend.
  init(
    _ box: Box, _ reporter: Reporter, _ kept: KeptCatalogue?, _ changes: TableChanges,
    _ sources: IgnoreSources, committed: @escaping () throws(SlipboxError) -> CommittedFiles
  ) {
    self.box = box
    self.reporter = reporter
    self.committed = committed
    self.kept = kept
    self.changes = changes
    folder = box.folder
    excluded = box.excluded
    hasIgnoreRules = sources.hasRules || !changes.ignoreFiles.isEmpty
  }

  /// A file to be read.
  private struct Wanted {
    let path: [UInt8]
    let stamp: FileStamp
    let verdict: IgnoreStatus
    /// The row of a file that may be the same as in the snapshot.
    var suspect: Int?
    /// The row that a file will have in the first snapshot.
    var row: Int?
  }

  /// Reads the files that differ, on several threads.
  func findings() throws(SlipboxError) -> FileFindings {
    var findings = FileFindings()
    var wanted: [Wanted] = []
    findings.temporaries = changes.temporaries
    findings.unreadable = changes.problems.map { UnreadableNote(path: $0.path, cause: .failure($0.reason)) }
    for row in changes.changed.map(\.row) + changes.removed { hide(row, &findings) }
    if let kept {
      for change in changes.changed {
        try consider(kept.table.path(of: change.row), change.status, &findings, &wanted)
      }
      for suspect in changes.suspect { try consider(suspect: suspect, kept, &findings, &wanted) }
      try considerSpecialRows(kept, &findings, &wanted)
    }
    for (row, found) in changes.added.enumerated() {
      try consider(found.path, found.status, row: kept == nil ? row : nil, &findings, &wanted)
    }
    if kept == nil { findings.texts = TextIndexBuilders(lanes: Turns.lanes) }
    read(wanted, &findings)
    findings.links = Set(changes.links.map(\.path))
    try readLinked(&findings)
    return findings
  }

  private func hide(_ row: Int, _ findings: inout FileFindings) {
    if let document = kept?.snapshot.document(ofFile: row) { findings.hidden.insert(document) }
  }

  /// Takes a file from the log, or adds it to those to be read.
  private func consider(
    _ path: [UInt8], _ status: FileStatus, row: Int? = nil, _ findings: inout FileFindings,
    _ wanted: inout [Wanted]
  ) throws(SlipboxError) {
    let stamp = FileStamp(status)
    if let known = kept?.recent[path], known.stamp == stamp, !known.isRacy {
      if known.verdict == .note {
        findings.recent[path] = known
      } else if try isTrackedNote(path) {
        wanted.append(Wanted(path: path, stamp: stamp, verdict: .onlyIfTracked))
      } else {
        findings.recent[path] = noNote(path, stamp)
      }
      return
    }
    let isExcluded = excluded.covers(path)
    let isIgnored = hasIgnoreRules && !isExcluded ? try box.isIgnored(path) : isExcluded
    if isIgnored, try !isTrackedNote(path) {
      let file = noNote(path, stamp)
      findings.recent[path] = file
      findings.read.append(file)
    } else {
      let verdict: IgnoreStatus = isIgnored ? .onlyIfTracked : .note
      wanted.append(Wanted(path: path, stamp: stamp, verdict: verdict, row: row))
    }
  }

  /// Adds a file that may be the same as in the snapshot to those to be read, unless it is ignored.
  private func consider(
    suspect: TableChanges.Row, _ kept: KeptCatalogue, _ findings: inout FileFindings,
    _ wanted: inout [Wanted]
  ) throws(SlipboxError) {
    let (path, stamp) = (kept.table.path(of: suspect.row), FileStamp(suspect.status))
    let verdict = kept.snapshot.verdict(ofFile: suspect.row)
    if verdict == .onlyIfTracked, try !isTrackedNote(path) {
      hide(suspect.row, &findings)
      findings.recent[path] = noNote(path, stamp)
    } else {
      wanted.append(Wanted(path: path, stamp: stamp, verdict: verdict, suspect: suspect.row))
    }
  }

  /// Returns whether git tracks an ignored file and no setting excludes it.
  private func isTrackedNote(_ path: [UInt8]) throws(SlipboxError) -> Bool {
    if excluded.covers(path) { return false }
    return try committed().isTracked(path)
  }

  /// Returns the record of a file that the ignore rules or the settings leave out.
  private func noNote(_ path: [UInt8], _ stamp: FileStamp) -> NoteFile {
    NoteFile(noNote: path, stamp: stamp, isRacy: changes.isRacy(stamp), verdict: .onlyIfTracked)
  }

  /// Checks again files that are notes only while git tracks them, and files that could not be read.
  private func considerSpecialRows(
    _ kept: KeptCatalogue, _ findings: inout FileFindings, _ wanted: inout [Wanted]
  ) throws(SlipboxError) {
    guard !kept.conditions.specialRows.isEmpty else { return }
    let gone = Set(changes.removed + changes.changed.map(\.row) + changes.suspect.map(\.row))
    for row in kept.conditions.specialRows where !gone.contains(row) {
      let path = kept.table.path(of: row)
      let verdict = kept.snapshot.verdict(ofFile: row)
      var isNote = verdict == .note
      if !isNote { isNote = try isTrackedNote(path) }
      if !isNote {
        hide(row, &findings)
        // A refresh finds the hidden note by its path, and shows it if git tracks it again.
        if kept.snapshot.document(ofFile: row) != nil {
          findings.recent[path] = noNote(path, kept.table.stamp(of: row))
        }
      } else if kept.snapshot.document(ofFile: row) == nil {
        wanted.append(Wanted(path: path, stamp: kept.table.stamp(of: row), verdict: verdict))
      }
    }
  }

  private func read(_ wanted: [Wanted], _ findings: inout FileFindings) {
    let runs = readInRuns(wanted, findings.texts)
    if kept == nil { findings.recent.reserveCapacity(wanted.count) }
    for (file, result) in zip(wanted, runs.joined()) {
      switch result {
      case .success(let read): take(read, suspect: file.suspect, &findings)
      case .failure(.stored(let form)):
        leaveOut(file, &findings)
        findings.unreadable.append(UnreadableNote(path: file.path, cause: .stored(form)))
      case .failure(.system(let error)):
        leaveOut(file, &findings)
        if !error.isMissing {
          findings.unreadable.append(
            UnreadableNote(path: file.path, cause: Self.cause(error, file.stamp.size)))
        }
      }
    }
  }

  /// Hides the cached record of a file that is not read; later commands retry.
  private func leaveOut(_ file: Wanted, _ findings: inout FileFindings) {
    if let row = file.suspect { hide(row, &findings) }
    findings.recent[file.path] = NoteFile(
      noNote: file.path, stamp: file.stamp, isRacy: true, verdict: file.verdict)
  }

  private static func cause(_ error: SystemError, _ size: Int64) -> UnreadableNote.Cause {
    error.isTooLarge ? .tooLarge(tooLarge(size)) : .failure(error.reason)
  }

  private enum Failure: Error {
    case system(SystemError)
    case stored(StoredForm)
  }

  static func tooLarge(_ size: Int64) -> String {
    "\(size >> 20) MB, over the limit of \(sizeLimit >> 20) MB for a note"
  }

  /// The number of files that one thread reads in sequence.
  private static let runLength = 64
  /// The number of threads, enough to keep a disk busy; files in memory are read as fast by many as by few.
  private static let readingThreads = 16

  /// Reads files on several threads, a run of files at a time on each.
  private func readInRuns(
    _ wanted: [Wanted], _ texts: TextIndexBuilders?
  ) -> [[Result<NoteFile, Failure>]] {
    let starts = stride(from: 0, to: wanted.count, by: Self.runLength)
    let runs = starts.map { $0..<min($0 + Self.runLength, wanted.count) }
    let progress = ReadingProgress(of: wanted.count, reporter)
    guard let texts else {
      return concurrentMap(runs, threads: Self.readingThreads) { [box, changes] run in
        defer { progress.advance(by: run.count) }
        return run.map { Self.read(wanted[$0], box, changes).map(\.file) }
      }
    }
    let turns = Turns(lanes: Turns.lanes)
    return concurrentMap(Array(runs.enumerated()), threads: Self.readingThreads, chunk: 1) {
      [box, changes] number, run in
      defer { progress.advance(by: run.count) }
      let results = run.map { Self.read(wanted[$0], box, changes) }
      turns.take(number) { lane in
        texts.fill(lane: lane) { builder in
          for (index, result) in zip(run, results) {
            guard let row = wanted[index].row, case .success(let read) = result else { continue }
            builder.begin(row)
            builder.add(read.note)
          }
        }
      }
      return results.map { $0.map(\.file) }
    }
  }

  private static func read(
    _ wanted: Wanted, _ box: Box, _ changes: TableChanges
  ) -> Result<(file: NoteFile, note: Note), Failure> {
    do throws(SystemError) {
      let file = try box.folder.read(wanted.path, limit: Self.sizeLimit)
      if let form = box.storedForm(in: file.bytes, of: wanted.path) { return .failure(.stored(form)) }
      let stamp = FileStamp(file.status)
      let note = Note(path: wanted.path, text: NoteText(file.bytes))
      let isRacy = changes.isRacy(stamp)
      return .success((NoteFile(note, stamp: stamp, isRacy: isRacy, verdict: wanted.verdict), note))
    } catch {
      return .failure(.system(error))
    }
  }

  private func take(_ file: NoteFile, suspect: Int?, _ findings: inout FileFindings) {
    if let row = suspect, let kept {
      let isSame = kept.snapshot.content(ofFile: row) == file.content
      if isSame, kept.snapshot.document(ofFile: row) != nil { return }
      hide(row, &findings)
    }
    findings.recent.append(file)
    // The first snapshot includes all of them at once.
    if kept != nil { findings.read.append(file) }
  }

  /// Reads the targets of symbolic links as notes, unless they are notes by themselves. A target over the size limit is
  /// reported by its link, and not read.
  private func readLinked(_ findings: inout FileFindings) throws(SlipboxError) {
    for link in changes.links {
      guard let target = box.target(of: link.path), findings.recent[target.path] == nil,
        kept?.table.row(of: target.path) == nil, !excluded.covers(target.path)
      else { continue }
      let file: (bytes: [UInt8], status: FileStatus)
      do throws(SystemError) {
        file = try folder.read(target.path, limit: Self.sizeLimit)
      } catch {
        // Other targets, such as folders, are not notes.
        if error.isTooLarge, let status = try? folder.status(target.path) {
          findings.unreadable.append(
            UnreadableNote(path: link.path, cause: Self.cause(error, status.size)))
        }
        continue
      }
      if let form = box.storedForm(in: file.bytes, of: target.path) {
        findings.unreadable.append(UnreadableNote(path: link.path, cause: .stored(form)))
        continue
      }
      let stamp = FileStamp(file.status)
      let note = NoteFile(path: target.path, bytes: file.bytes, stamp: stamp, isRacy: true, verdict: .note)
      findings.recent[target.path] = note
      findings.linked[target.path] = note
    }
  }
}
