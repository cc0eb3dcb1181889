import Bytes
import Git
import NoteIndex
import Notes
import Platform
import Text

/// Checks kinds, saved queries, templates and the settings of the box.
struct DeclarationsCheck {
  private let snapshot: BoxSnapshot

  init(in snapshot: BoxSnapshot) { self.snapshot = snapshot }

  func findings() -> [Finding] {
    kindFindings() + filterFindings() + kindQueryFindings() + templateFindings() + settingFindings()
  }

  private func filterFindings() -> [Finding] {
    // Settings that can't be read have no filters.
    guard let bytes = (try? snapshot.bytes(at: Settings.boxFile)) ?? nil else { return [] }
    return snapshot.settings.filters.keys.sorted().compactMap { name in
      do throws(QueryError) {
        _ = try snapshot.query(["@\(name)"])
        return nil
      } catch {
        return Finding(
          .declarations, Settings.boxFile, line: Schema.line(ofKey: "filter-\(name)", in: bytes),
          Phrase(error.message),
          remedy: "\(slip: "filter save", .value(name), "QUERY"), or \(slip: "filter rm", .value(name))")
      }
    }
  }

  /// Returns findings for the queries of the box's own kinds, which are compared with their fields like a user's query.
  private func kindQueryFindings() -> [Finding] {
    KindFiles(in: snapshot).declarations().files.flatMap { file -> [Finding] in
      let stem = String(decoding: BytePath.name(of: Array(file.name.utf8)).dropLast(5), as: UTF8.self)
      guard let kind = snapshot.schema().kind(named: stem) else { return [] }
      var queries: [(key: String, text: String?, index: Int?)] = [
        ("active", kind.active, nil), ("waiting", kind.waiting, nil), ("match", kind.match, nil),
      ]
      for (index, term) in kind.urgency.enumerated() { queries.append(("urgency", term.query, index)) }
      return queries.compactMap { key, text, index in
        guard let fault = text.flatMap({ recordFault(in: $0, of: kind) }) else { return nil }
        let line = index.flatMap { Schema.line(ofElement: $0, of: key, in: file.bytes) }
        return Finding(
          .declarations, Array(file.name.utf8), line: line ?? Schema.line(ofKey: key, in: file.bytes),
          "\(key): \(fault)",
          remedy: "edit the file; see \(slip: "help query")")
      }
    }
  }

  /// Returns the error for a record in a query of a kind that does not exist, or for a kind that is not declared and that
  /// no note has.
  private func recordFault(in text: String, of kind: Kind) -> String? {
    let targets = kind.fields.compactMap { $0.target.flatMap { snapshot.schema().kind(named: $0) } }
    let own = Schema(kinds: [kind] + targets.filter { !$0.name.isSameName(as: kind.name) })
    // A query that can't be parsed is reported when kinds are read; a box that can't be read, when its notes are.
    guard let catalogue = try? snapshot.catalogue(),
      let query = try? Query.parse(
        ["kind:\"\(kind.name)\"", "(\(text))"], clock: snapshot.clock, schema: own,
        names: { [snapshot] in catalogue.knownNames(snapshot.schema()) })
    else { return nil }
    do throws(QueryError) { _ = try catalogue.binding(query) } catch { return error.message }
    let unknown = query.namedKinds.first { name in
      snapshot.schema().kind(named: name) == nil
        && !catalogue.entries.contains { $0.kind.isSameName(as: name) }
    }
    return unknown.map { "there is no kind \($0)" }
  }
}

/// Files that declare kinds.
extension DeclarationsCheck {
  /// Returns faults in the files of kinds. Silences the commands' own warnings of the same faults.
  private func kindFindings() -> [Finding] {
    let folder = Array(".slipbox/kinds".utf8)
    var findings: [Finding] = []
    var files: [(name: String, bytes: [UInt8])] = []
    // A folder that can't be read is reported when its files are read.
    for name in KindFiles(in: snapshot).unread() {
      findings.append(
        Finding(
          .declarations, name, "is ignored: the file name of a kind must end in .yaml",
          remedy: "rename it, or move it out of the folder"))
    }
    for name in (try? snapshot.names(in: folder)) ?? [] where name.first != UInt8(ascii: ".") {
      let path = BytePath.join(folder, name)
      guard name.suffix(5).elementsEqual(".yaml".utf8) else { continue }
      do throws(SystemError) {
        if let bytes = try KindFiles(in: snapshot).declaration(path) {
          files.append((String(decoding: path, as: UTF8.self), bytes))
        }
      } catch {
        snapshot.reporter.silence(KindFiles.unreadable(path, error))
        findings.append(
          Finding(
            .declarations, path, "can't be read", remedy: "replace it with a plain file of at most 1 MB"))
      }
    }
    let marked = files.compactMap { markerFinding(Array($0.name.utf8), $0.bytes) }
    for problem in Schema.reading(files).problems {
      snapshot.reporter.silence(Phrase(problem.description))
      let path = Array(problem.file.utf8)
      if marked.contains(where: { $0.path == path }) { continue }
      findings.append(
        Finding(
          .declarations, path, line: problem.line, Phrase(problem.message),
          remedy:
            "edit the file; until then its records are read-only\(FileOrigin.remark(of: path, in: snapshot))")
      )
    }
    return findings + marked + files.flatMap(queryFindings)
  }

  /// Returns a finding for git's markers in a file of settings whose two versions can be merged; nil if there are none.
  private func markerFinding(_ path: [UInt8], _ bytes: [UInt8]) -> Finding? {
    guard let line = MergeMarkers.firstLine(in: bytes), SettingsMerge.settled(bytes) != nil else {
      return nil
    }
    return Finding(
      .merge, path, line: line, "a conflict marker of an unfinished merge",
      remedy: "\(slip: "heal") merges both versions\(FileOrigin.remark(of: path, in: snapshot))")
  }

  /// Returns findings for the queries of a kind, which its declaration contains as text.
  private func queryFindings(_ file: (name: String, bytes: [UInt8])) -> [Finding] {
    let stem = String(decoding: BytePath.name(of: Array(file.name.utf8)).dropLast(5), as: UTF8.self)
    guard let kind = snapshot.schema().kind(named: stem) else { return [] }
    var findings: [Finding] = []
    var faults = KindMatcher(snapshot.schema(), clock: snapshot.clock).problems.filter {
      $0.kind == kind.name
    }
    if let sort = kind.sort {
      do { _ = try SortKey.parse(sort) } catch {
        faults.append(KindQueryProblem(kind: kind.name, key: "sort", error: error))
      }
    }
    for fault in faults {
      let message = Phrase(fault.error.message)
      snapshot.reporter.silence(KindFiles(in: snapshot).fault(fault))
      findings.append(
        Finding(
          .declarations, Array(file.name.utf8), line: fault.line(in: file.bytes),
          "\(fault.key): \(message)", remedy: "edit the file; see \(slip: "help query")"))
    }
    return findings
  }
}

/// Files and settings with which notes can't be created.
extension DeclarationsCheck {
  /// Returns findings for the templates with a fault, each with its first one.
  private func templateFindings() -> [Finding] {
    Templates(in: snapshot).names().compactMap { name -> Finding? in
      let path = Templates.folder + Array("/\(name).md".utf8)
      // A template that can't be read now is reported when a note is created from it.
      guard let bytes = (try? snapshot.bytes(at: path)) ?? nil else { return nil }
      do throws(Problem) {
        _ = try NoteTemplate(bytes)
        return nil
      } catch {
        return Finding(
          .declarations, path, line: error.line, Phrase(error.message),
          remedy: "edit the file; see \(slip: "help templates")")
      }
    }
  }

  /// Returns a finding if the program's settings, which other clones don't have, set conventions that the box's settings
  /// lack.
  private func unsharedConventions() throws(SlipboxError) -> [Finding] {
    let layout = try snapshot.layout()
    guard snapshot.source == .workTree,
      try ProgramSettings(in: snapshot).exclusionsOfThisClone(layout.name) != nil,
      try snapshot.settings.layout() != layout
    else { return [] }
    return [
      Finding(
        .declarations, Settings.boxFile,
        "other clones use other folders: git does not have the settings of \(layout.name.folder)",
        remedy: "\(slip: "config layout", .value(layout.name.rawValue)) records them in this file")
    ]
  }

  /// Returns findings for invalid settings of the box.
  private func settingFindings() -> [Finding] {
    // A file that can't be opened stops every command with an error of its own.
    if let bytes = (try? snapshot.bytes(at: Settings.boxFile)) ?? nil, let problem = Settings(bytes).problem {
      if let marker = markerFinding(Settings.boxFile, bytes) { return [marker] }
      return [
        Finding(
          .declarations, Settings.boxFile, line: problem.line, column: problem.column,
          Phrase(problem.message),
          remedy:
            "edit the file; until then only doctor reads this box\(FileOrigin.remark(of: Settings.boxFile, in: snapshot))"
        )
      ]
    }
    var findings: [Finding] = []
    do throws(SlipboxError) { _ = try snapshot.layout() } catch {
      findings.append(
        Finding(
          .declarations, Settings.boxFile, error.fault,
          remedy: "\(slip: "config layout", "NAME")\(FileOrigin.remark(of: Settings.boxFile, in: snapshot))")
      )
    }
    findings += ProgramSettings(in: snapshot).ignored().map {
      Finding(.declarations, Settings.boxFile, $0, remedy: "change it in the program that wrote it")
    }
    findings += snapshot.settings.unknownNames.map { name, near in
      let lists: Phrase = "\(slip: "config") lists the settings"
      return Finding(
        .declarations, Settings.boxFile, "\(name) is not a setting, and is ignored",
        remedy: near.map { "did you mean \($0)? \(lists)" } ?? lists)
    }
    // Files that can't be determined are reported as damage of the repository.
    if let found = try? unsharedConventions() { findings += found }
    return findings
      + Settings.keys.compactMap { key in
        guard key.name != "layout", !key.isUserOnly else { return nil }
        let value = snapshot.settings[key.name]
        let problem =
          snapshot.settings.formProblem(of: key.name)
          ?? value.flatMap { value in
            Settings.problem(in: value, of: key.name).map { ": \(value)\($0.message)" }
          }
        guard let problem else { return nil }
        return Finding(
          .declarations, Settings.boxFile, "\(key.name)\(problem)",
          remedy:
            "\(slip: "config", .value(key.name), "VALUE")\(FileOrigin.remark(of: Settings.boxFile, in: snapshot))"
        )
      }
  }
}

/// Finds notes behind a filter whose plain text is in history.
struct HiddenNotesCheck {
  private let snapshot: BoxSnapshot
  private var box: Box { snapshot.box }

  init(in snapshot: BoxSnapshot) { self.snapshot = snapshot }

  /// Returns the findings. A note is followed to its earlier paths by renames, by its id and, if it has none, by its
  /// bytes.
  /// - Complexity: if a filter hides notes, linear in the index of history, and in the versions of notes at paths that
  ///   the box no longer has; otherwise linear in the folders of the box.
  func findings(_ entries: Entries) throws(SlipboxError) -> [Finding] {
    guard snapshot.source == .workTree, let tip = try box.tip() else { return [] }
    let filtered = try filteredNotes(entries)
    guard !filtered.isEmpty else { return [] }
    let index = try box.historyIndex(at: tip, snapshot.reporter)
    let (versions, renames) = try box.git { [prefix = box.prefix] _ throws(GitError) in
      (try index.versions { $0.starts(with: prefix) }, try index.renames())
    }
    // A moved note was at the path from which it was moved.
    var paths = Dictionary(uniqueKeysWithValues: filtered.map { (box.repositoryPath($0.note.path), $0) })
    for rename in renames.reversed() {
      if paths[rename.from] == nil, let entry = paths[rename.to] { paths[rename.from] = entry }
    }
    let former = try FormerPaths(
      filtered, present: Set(entries.indices.map { box.repositoryPath(entries.path(at: $0)) }))
    var findings: [Finding] = []
    var named: Set<[UInt8]> = []
    for version in versions {
      guard named.count < filtered.count, let entry = try hiddenNote(version, paths, former),
        named.insert(entry.note.path).inserted
      else { continue }
      let commit = version.began.commit.hex.prefix(8)
      findings.append(
        Finding(
          .filters, entry.note.path,
          "a filter hides this note, but its text is readable in the commit \(commit)",
          remedy: "rewrite the history; \(slip: "help sync") explains it"))
    }
    return findings
  }

  /// Returns the note behind a filter whose text a version of history has.
  private func hiddenNote(
    _ version: FileVersion, _ paths: [[UInt8]: Entry], _ former: FormerPaths
  ) throws(SlipboxError) -> Entry? {
    let known = paths[version.path]
    guard known != nil || former.mayHold(version.path), let bytes = try? box.stored(version.blob) else {
      return nil
    }
    if let known { return try isText(bytes, of: known.note) ? known : nil }
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

  /// Returns whether the stored form of a file is the note itself.
  private func isText(_ bytes: [UInt8], of note: Note) throws(SlipboxError) -> Bool {
    if let id = note.id { return Note(path: note.path, text: NoteText(bytes)).id == id }
    return try bytes == note.text.bytes
  }
}

/// Notes behind a filter, for the search at their former paths.
private struct FormerPaths {
  private let present: Set<[UInt8]>
  private let byID: [NoteID: Entry]
  /// The notes without an id.
  private let byBytes: [[UInt8]: Entry]

  /// - Parameter present: the paths of the notes of the box, from the root of the repository.
  init(_ entries: [Entry], present: Set<[UInt8]>) throws(SlipboxError) {
    self.present = present
    byID = Dictionary(
      entries.compactMap { entry in entry.note.id.map { ($0, entry) } },
      uniquingKeysWith: { first, _ in first })
    var byBytes: [[UInt8]: Entry] = [:]
    for entry in entries where entry.note.id == nil {
      let bytes = try entry.note.text.bytes
      if !bytes.isEmpty, byBytes[bytes] == nil { byBytes[bytes] = entry }
    }
    self.byBytes = byBytes
  }

  /// Returns whether a note may have been at a path: it is the path of a note, and the box has no note there now.
  func mayHold(_ path: [UInt8]) -> Bool { FileName.isNote(path) && !present.contains(path) }

  /// Returns the note whose text was stored at a path.
  func entry(with bytes: [UInt8], at path: [UInt8]) -> Entry? {
    byBytes[bytes] ?? Note(path: path, text: NoteText(bytes)).id.flatMap { byID[$0] }
  }
}
