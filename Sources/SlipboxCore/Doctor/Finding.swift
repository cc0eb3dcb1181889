import Git
import NoteIndex
import Notes
import Platform
import Text

/// Something in a box that is not as it should be.
package struct Finding: Sendable {
  /// What was looked at.
  package enum Rule: String, CaseIterable, Sendable {
    case frontMatter = "front-matter"
    case kinds, references, dependencies, links, attachments, duplicates, ids, types, declarations,
      unreadable,
      merge, dates, names, copies, temporaries, drafts, driver, locks, objects, repositories, upkeep
  }

  /// What it takes to mend it.
  package enum Way: Sendable {
    /// `--fix` does it.
    case automatic
    /// `--fix=RULE` does it, for it takes something out that nothing else holds.
    case onRequest
    /// A person has to.
    case byHand
  }

  package let path: [UInt8]
  /// The line in the file, from 1, where there is one.
  package let line: Int?
  /// The column in characters, from 1, where it is known.
  package let column: Int?
  package let rule: Rule
  /// What is wrong, safe for a terminal.
  package let message: String
  package let way: Way
  /// What would be done, or what a person can do, safe for a terminal.
  package let remedy: String
  let repair: Repair?

  init(
    _ rule: Rule, _ path: [UInt8], line: Int? = nil, column: Int? = nil, _ message: String,
    way: Way = .byHand,
    remedy: String, repair: Repair? = nil
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

  /// What `--fix` would do, or that it takes a person.
  package var fix: String {
    switch way {
    case .automatic: "--fix \(remedy)"
    case .onRequest: "--fix=\(rule.rawValue) \(remedy)"
    case .byHand: "by hand: \(remedy)"
    }
  }
}

extension BoxSnapshot {
  /// Everything in the box that is not as it should be, by path and line.
  ///
  /// - Complexity: linear in the bytes of the box.
  package func findings() throws(SlipboxError) -> [Finding] {
    // Objects and locks are those of now.
    let faults = source == .workTree ? objectFaults() : BackgroundTask { [] }
    var findings = declarationFindings() + queryFindings() + templateFindings() + settingFindings()
    let entries = try catalogue().entries
    findings += try unreadableNotes().map { note in
      Finding(
        .unreadable, note.path, "can't be read: \(Visible.escape(note.reason))", remedy: note.remedy)
    }
    findings += noteFindings(entries)
    let records = RecordTable(of: entries, schema(), executor: Self.executor)
    findings += recordFindings(entries, records)
    findings += try dependencyFindings(entries)
    findings += try linkFindings(entries)
    findings += duplicateFindings(entries)
    do throws(SlipboxError) {
      findings += try fileFindings() + attachmentFindings()
    } catch {
      // Without the files of the last commit some can't be told; why is said of the objects.
      if faults.value.isEmpty { throw error }
    }
    if source == .workTree { findings += draftFindings() + lockFindings() + driverFindings() }
    findings += objectFindings(faults.value)
    // Without its objects a repository has other cares.
    if faults.value.isEmpty { findings += try upkeepFindings() }
    return findings.sorted { left, right in
      if left.path != right.path { return left.path.lexicographicallyPrecedes(right.path) }
      return (left.line ?? 0, left.column ?? 0, left.message) < (
        right.line ?? 0, right.column ?? 0, right.message
      )
    }
  }

  /// The notes that go by their path alone: no fault, but `--fix=ids` gives them an id.
  func findingsWithoutID() throws(SlipboxError) -> [Finding] {
    try catalogue().entries.compactMap { entry in
      let note = entry.note
      guard note.id == nil, note.frontMatter["id"].map({ $0 == .empty || $0 == .text("") }) ?? true else {
        return nil
      }
      guard let problem = note.frontMatter.problems.first(where: { $0.severity == .error }) else {
        return Finding(.ids, note.path, "has no id", way: .onRequest, remedy: "gives it one", repair: .giveID)
      }
      return Finding(
        .ids, note.path, line: problem.line, "has no id, and its front-matter can't be changed",
        remedy: "slip edit \(note.shellName)")
    }
  }

  /// The fields that no kind declares and that have numbers or booleans in quotes: no fault, but `--fix=types` removes the
  /// quotes.
  func findingsWithQuotedTypes() throws(SlipboxError) -> [Finding] {
    let schema = schema()
    return try catalogue().entries.flatMap { entry -> [Finding] in
      let (note, kind) = (entry.note, schema.kindOrPlain(named: entry.kind))
      // Front-matter that can't be changed keeps its quotes.
      let fields = (try? note.text.fieldsWithQuotedTypes()) ?? []
      return fields.filter { kind.field($0.name) == nil && !Field.isCommon($0.name) }.map { field in
        Finding(
          .types, note.path, line: field.line,
          "\(Visible.escape(field.name)): \"\(field.value)\" has quotes, so it is text in JSON",
          way: .onRequest,
          remedy: "removes the quotes", repair: .removeQuotes(field: field.name))
      }
    }
  }
}
