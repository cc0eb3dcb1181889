import Git
import NoteIndex
import Notes
import Platform
package import Text

/// A fault in a box.
package struct Finding: Sendable {
  /// The subject of a check.
  package enum Rule: String, CaseIterable, Sendable {
    case frontMatter = "front-matter"
    case kinds, references, dependencies, links, attachments, duplicates, ids, types, declarations,
      unreadable,
      merge, dates, names, copies, temporaries, drafts, driver, locks, objects, filters, repositories, upkeep,
      blocks
  }

  /// The way of the repair.
  package enum Way: Sendable {
    /// `--fix` repairs it.
    case automatic
    /// `--fix=RULE` repairs it, because it removes content that exists nowhere else.
    case onRequest
    /// The user has to repair it.
    case byHand
  }

  package let path: [UInt8]
  /// The line in the file, from 1; nil if there is none.
  package let line: Int?
  /// The column in characters, from 1; nil if it is not known.
  package let column: Int?
  package let rule: Rule
  /// The description of the fault.
  package let message: Phrase
  package let way: Way
  /// The repair by `--fix` or by the user, in words.
  package let remedy: Phrase
  let repair: Repair?

  init(
    _ rule: Rule, _ path: [UInt8], line: Int? = nil, column: Int? = nil, _ message: Phrase,
    way: Way = .byHand,
    remedy: Phrase, repair: Repair? = nil
  ) {
    self.rule = rule
    self.path = path
    self.line = line
    self.column = column
    self.message = message
    self.way = way
    self.remedy = remedy
    self.repair = repair
  }

  /// The repair by `--fix` in words, or a note that the user has to repair it.
  package var fix: Phrase {
    switch way {
    case .automatic: "--fix \(remedy)"
    case .onRequest: "--fix=\(rule.rawValue) \(remedy)"
    case .byHand: "by hand: \(remedy)"
    }
  }
}

/// Checks a box by the rules of `Finding.Rule`.
package struct BoxCheck {
  let snapshot: BoxSnapshot

  package init(in snapshot: BoxSnapshot) { self.snapshot = snapshot }

  /// Returns all faults of the box, by path and line.
  ///
  /// - Complexity: linear in the bytes of the box.
  package func findings() throws(SlipboxError) -> [Finding] {
    // Objects and locks are checked only for the present, not for a snapshot of the past.
    let (files, repository) = (FilesCheck(in: snapshot), RepositoryCheck(in: snapshot))
    let faults = snapshot.source == .workTree ? repository.objectFaults() : BackgroundTask { [] }
    var findings = DeclarationsCheck(in: snapshot).findings()
    let entries = try snapshot.catalogue().entries
    findings += try snapshot.unreadableNotes().map { note in
      Finding(
        .unreadable, note.path, "can't be read: \(note.reason)", remedy: note.remedy)
    }
    findings += try NoteCheck(now: snapshot.clock.now, isStopped: snapshot.box.hasStoppedMerge).findings(
      entries)
    findings += try conflictFindings()
    findings += try RecordsCheck(in: snapshot).findings(entries)
    let links = try LinksCheck(in: snapshot).findings(entries)
    findings += links
    findings += try ObsidianCheck(in: snapshot).findings(entries)
    do throws(SlipboxError) {
      findings +=
        try files.findings() + files.attachmentFindings(besides: links)
        + HiddenNotesCheck(in: snapshot).findings(entries)
    } catch {
      // Without the files of the last commit some faults can't be determined; the findings about objects report the
      // cause.
      if faults.value.isEmpty { throw error }
    }
    if snapshot.source == .workTree {
      findings += files.draftFindings() + files.lockFindings() + files.mergeFileFindings()
      findings += repository.driverFindings()
    }
    findings += repository.objectFindings(faults.value)
    // A repository with missing objects has more urgent problems.
    if faults.value.isEmpty { findings += try repository.upkeepFindings() }
    return findings.sorted { left, right in
      if left.path != right.path { return left.path.lexicographicallyPrecedes(right.path) }
      return (left.line ?? 0, left.column ?? 0, left.message) < (
        right.line ?? 0, right.column ?? 0, right.message
      )
    }
  }

  /// Returns findings for the notes that have both versions of a merge.
  private func conflictFindings() throws(SlipboxError) -> [Finding] {
    // The text is always a valid query.
    guard let query = try? snapshot.query(["is:conflicted"]) else { return [] }
    var findings: [Finding] = []
    for note in try snapshot.matches(query).map(\.entry.note) {
      // Git's own markers have a finding with their line.
      if MergeMarkers.firstLine(in: try note.text.bytes) != nil { continue }
      if let line = try note.text.strayVersionLine {
        findings.append(
          Finding(
            .merge, note.path, line: line, "a comment of a conflict, without the others around its versions",
            remedy: "choose the text and remove the comments: \(slip: "edit", .note(note))"))
        continue
      }
      findings.append(
        Finding(
          .merge, note.path, line: note.frontMatter.field(ConflictEntry.fieldName)?.line,
          "a merge kept both versions", remedy: "\(slip: "resolve", .note(note))"))
    }
    return findings
  }

  /// Returns the notes that are identified by path alone: not a fault, but `--fix=ids` gives them an id.
  func findingsWithoutID() throws(SlipboxError) -> [Finding] {
    try snapshot.catalogue().entries.compactMap { entry in
      let note = entry.note
      guard note.id == nil,
        note.field(named: "id").map({ $0.value }).map({ $0 == .empty || $0 == .text("") }) ?? true
      else {
        return nil
      }
      guard let problem = note.frontMatter.problems.first(where: { $0.severity == .error }) else {
        return Finding(.ids, note.path, "has no id", way: .onRequest, remedy: "gives it one", repair: .giveID)
      }
      return Finding(
        .ids, note.path, line: problem.line, "has no id, and its front matter can't be changed",
        remedy: "\(slip: "edit", .note(note))")
    }
  }

  /// Returns the fields that no kind declares and that have numbers or booleans in quotes: not a fault, but `--fix=types`
  /// removes the quotes.
  func findingsWithQuotedTypes() throws(SlipboxError) -> [Finding] {
    let schema = snapshot.schema()
    return try snapshot.catalogue().entries.flatMap { entry -> [Finding] in
      let (note, kind) = (entry.note, schema.kindOrPlain(named: entry.kind))
      // Front matter that can't be changed keeps its quotes.
      let fields = (try? note.text.fieldsWithQuotedTypes()) ?? []
      return fields.filter { kind.field($0.name) == nil && !Field.isCommon($0.name) }.map { field in
        Finding(
          .types, note.path, line: field.line,
          "\(field.name): \"\(field.value)\" has quotes, so it is text in JSON",
          way: .onRequest,
          remedy: "removes the quotes", repair: .removeQuotes(field: field.name))
      }
    }
  }
}

/// The purposes of the checks, in the words of `slip doctor --explain`.
extension Finding.Rule {
  /// The faults that the check finds.
  package var purpose: String {
    switch self {
    case .frontMatter:
      "invalid YAML in front matter, duplicate keys, bytes that aren't UTF-8"
    case .kinds:
      "records that are invalid for their kind: missing fields, values that aren't allowed, violated constraints"
    case .references: "references to missing records, and ambiguous references"
    case .dependencies:
      "dependency cycles between records"
    case .attachments:
      "images, audio, video, documents and archives that no note links to, embeds or mentions"
    case .links: "broken and ambiguous wiki links and relative Markdown links"
    case .duplicates: "duplicate ids, and duplicate keys in a kind"
    case .ids: "notes without an id; they are identified by path, so this is checked only on request"
    case .types:
      "numbers, true and false in quotes, in fields that no kind declares; checked only on request"
    case .declarations:
      "invalid kinds, templates, queries and settings in .slipbox"
    case .unreadable: "notes with unreadable files"
    case .merge: "conflict markers of unfinished merges"
    case .dates: "notes with a creation date in the future"
    case .names: "paths that differ only in case or Unicode composition, which are one path on other systems"
    case .copies: "conflicted copies made by sync programs"
    case .temporaries: "temporary files of interrupted changes"
    case .drafts: "unfinished drafts and unsaved texts"
    case .driver: "a clone without slip's merge driver"
    case .locks: "stale git locks, which block all commits"
    case .objects:
      "corrupt or missing git objects: of the files of the last commit and of the 5,000 commits before it, "
        + "of 2,000 loose objects, and of up to 256 MB of packs"
    case .filters: "notes that a git filter hides and that history has in the clear"
    case .repositories: "nested repositories, whose files aren't notes"
    case .blocks: "out-of-date lists in notes, and lists with an error"
    case .upkeep:
      "a repository with many loose objects, many packs, or many commits without a commit-graph"
    }
  }

  /// The effect of `--fix` on them.
  package var treatment: Phrase {
    switch self {
    case .kinds: "--fix corrects obvious misspellings of values; fix the rest by hand"
    case .references:
      "--fix removes dangling references if the kind says detach, --fix=references all optional ones"
    case .duplicates: "--fix gives the later note a new id; fix keys by hand"
    case .ids: "--fix=ids gives each of them one"
    case .types: "--fix=types removes the quotes, so they are numbers and booleans in JSON"
    case .temporaries: "--fix deletes those with content that is in git"
    case .copies: "--fix deletes identical copies; fix the rest by hand"
    case .driver: "--fix registers it, in the git directory alone"
    case .dependencies: "by hand: \(slip: "set", "REF", "depends:-OTHER")"
    case .attachments: "by hand: --fix deletes nothing that you may need"
    case .links: "--fix rewrites links to a moved file; fix the rest by hand"
    case .frontMatter, .merge: "by hand: \(slip: "edit", "REF")"
    case .dates: "by hand: \(slip: "set", "REF", "created:DATE")"
    case .drafts: "by hand: \(slip: "new", "--draft", "NAME") continues one, rm FILE deletes it"
    case .objects:
      "by hand: rewrite an object from its file, or fetch it; git fsck --full checks all"
    case .upkeep: "by hand: \(slip: "tidy")"
    case .blocks: "by hand: \(slip: "bake")"
    case .unreadable, .names, .declarations, .locks, .filters, .repositories: "by hand"
    }
  }
}
