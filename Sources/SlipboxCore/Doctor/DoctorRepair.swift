import NoteIndex
import Notes
import Platform
import Text

/// The repair of a finding in the text of its note.
enum Repair: Sendable {
  case giveID
  /// Replaces an id that another note has.
  case renewID(NoteID)
  case change(Change)
  /// Removes the quotes around the numbers and booleans of a field.
  case removeQuotes(field: String)
  /// Gives links that led to a moved file its new name.
  ///
  /// - Parameters:
  ///   - reading: the reading of the target whose name is replaced; see `LinkSpelling`.
  ///   - label: the label for a wiki link without one; nil if it shows its new target.
  case relink(form: BodyScan.Link.Form, target: String, name: [UInt8], reading: Int, label: String? = nil)
  /// Changes the path of a file in a canvas to the new one.
  case showInCanvas(old: [UInt8], new: [UInt8])
  /// Removes the file if it still has these bytes.
  case deleteCopy([UInt8])
}

extension Repair {
  fileprivate var isDeletion: Bool { if case .deleteCopy = self { true } else { false } }

  /// The former path and the present one of a file that a canvas shows.
  fileprivate var move: ([UInt8], [UInt8])? {
    if case .showInCanvas(let old, let new) = self { (old, new) } else { nil }
  }
}

/// The findings that are to be repaired.
package enum RepairScope: Equatable, Sendable {
  /// All findings except those that are repaired on request alone.
  case everything
  case only(Finding.Rule)

  /// The rules that `--fix` accepts.
  package static let rules: [Finding.Rule] = [
    .ids, .types, .references, .kinds, .duplicates, .links, .copies, .temporaries, .driver,
  ]

  /// Parses the value of `--fix`.
  /// - Throws: `.usage` for anything else than `all` and the rules that can be repaired.
  package init(_ name: String) throws(SlipboxError) {
    if name == "all" {
      self = .everything
    } else if let rule = Self.rules.first(where: { $0.rawValue == name }) {
      self = .only(rule)
    } else {
      let names = Self.rules.map(\.rawValue)
      let near =
        Spelling.nearest(to: name, among: names).map { ["did you mean: \(option: "--fix=\($0)")" as Phrase] }
        ?? []
      let all = names.map { "--fix=\($0)" }.joined(separator: ", ")
      throw SlipboxError(
        .usage, "--fix=\(name) is not a repair",
        hints: near + ["\(option: "--fix") makes all safe repairs; to make one alone: \(option: all)"])
    }
  }

  fileprivate func covers(_ finding: Finding) -> Bool {
    switch self {
    case .everything: true
    case .only(let rule): finding.rule == rule
    }
  }

  fileprivate func repairs(_ finding: Finding) -> Bool {
    finding.way == .automatic || (finding.way == .onRequest && self != .everything)
  }
}

extension BoxWriter {
  /// Repairs all repairable findings in one commit.
  ///
  /// - Returns: the result of the commit, the repaired findings, and the remaining findings in the scope.
  /// - Throws: as `record(_:)`.
  package func repair(
    _ scope: RepairScope, in snapshot: BoxSnapshot, reason: String? = nil
  ) throws(SlipboxError) -> (recorded: CommitResult, repaired: [Finding], left: [Finding]) {
    let check = BoxCheck(in: snapshot)
    let chosen = try withoutNotesOfMerges(check.findings(in: scope).filter(scope.repairs), in: snapshot)
    let recorded = try record(try check.repairing(chosen, ids: context.ids, reason: reason))
    if chosen.contains(where: { $0.rule == .driver }) {
      try MergeDriverRegistration(in: box).register(context)
      context.reporter.warnOnce("registered slip's merge driver in this clone")
    }
    try removeTemporaries(chosen.filter { $0.rule == .temporaries }.map(\.path))
    let now = try WorkTreeReader(box, context).snapshot(isLenient: true)
    let left = try BoxCheck(in: now).findings(in: scope)
    return (recorded, chosen, left)
  }

  /// Returns the plan of the repairs in one commit.
  ///
  /// - Returns: the plan, and the findings that would be repaired outside of history.
  package func repairPlan(
    _ scope: RepairScope, in snapshot: BoxSnapshot, reason: String? = nil
  ) throws(SlipboxError) -> (plan: Plan, others: [Finding]) {
    let check = BoxCheck(in: snapshot)
    let chosen = try withoutNotesOfMerges(check.findings(in: scope).filter(scope.repairs), in: snapshot)
    let plan = try check.repairing(chosen, ids: context.ids, reason: reason)
    return (plan, chosen.filter { $0.repair == nil })
  }

  /// Returns the findings without those of two files that are one note because both sides of a merge moved it: another id
  /// would split the note in two.
  private func withoutNotesOfMerges(
    _ findings: [Finding], in snapshot: BoxSnapshot
  ) throws(SlipboxError) -> [Finding] {
    guard findings.contains(where: { $0.rule == .duplicates }) else { return findings }
    let healer = try Healer(snapshot, context)
    var merged: Set<[UInt8]> = []
    for note in try healer.damage(of: try healer.foreignMerges(since: nil)).certain {
      guard case .duplicate(let other) = note.damage else { continue }
      merged.formUnion([note.path, other])
      context.reporter.warnOnce(
        "\(note.path) and \(other) are one note that both sides of a merge moved; \(slip: "heal") merges them"
      )
    }
    return findings.filter { $0.rule != .duplicates || !merged.contains($0.path) }
  }

  private func removeTemporaries(_ paths: [[UInt8]]) throws(SlipboxError) {
    guard !paths.isEmpty else { return }
    let lock = try acquireLock()
    defer { withExtendedLifetime(lock) {} }
    // Under the lock no other slip is writing a temporary file.
    _ = box.folder.removeStaleTemporaries(paths, olderThanSeconds: -1, isKnown: box.holdsBlob)
  }
}

extension BoxCheck {
  fileprivate func findings(in scope: RepairScope) throws(SlipboxError) -> [Finding] {
    switch scope {
    case .only(.ids): try findingsWithoutID()
    case .only(.types): try findingsWithQuotedTypes()
    default: try findings().filter(scope.covers)
    }
  }

  /// Returns the plan that repairs some findings. A repair that would cause another fault is left out.
  fileprivate func repairing(
    _ findings: [Finding], ids: IDSource, reason: String?
  ) throws(SlipboxError) -> Plan {
    let catalogue = try snapshot.catalogue()
    let editor = RecordTable(of: catalogue.entries, snapshot.schema(), executor: Processors.all).editor(
      clock: snapshot.clock)
    var edits: [FileEdit] = []
    var discarded: [[UInt8]: [UInt8]] = [:]
    var given: Set<NoteID> = []
    let byPath = Dictionary(grouping: findings.filter { $0.repair != nil }, by: \.path)
    for (path, findings) in byPath.sorted(by: { $0.key.lexicographicallyPrecedes($1.key) }) {
      let repairs = findings.compactMap(\.repair)
      if CanvasFile.isOne(path) {
        let moves = Dictionary(repairs.compactMap(\.move), uniquingKeysWith: { first, _ in first })
        edits.append(
          FileEdit(path: path) { bytes in
            bytes.map {
              CanvasFile($0).replacing(moves, texts: { NoteRepair.relinking($0, repairs) })?.bytes ?? $0
            }
          })
        continue
      }
      if case .deleteCopy(let seen)? = repairs.first(where: \.isDeletion) {
        if try isDiscarded(path) {
          discarded[path] = seen
        } else {
          edits.append(FileEdit(path: path) { bytes in bytes == seen ? nil : bytes })
        }
        continue
      }
      guard let entry = catalogue.entry(path: path) else { continue }
      let renewed = renewedID(repairs, path, catalogue)
      var id = if let renewed { renewed } else { try CreateNote(in: snapshot).freeID(ids) }
      while !given.insert(id).inserted { id = try CreateNote(in: snapshot).freeID(ids) }
      let repair = NoteRepair(repairs: repairs, id: id, kind: entry.kind, editor: editor)
      edits.append(FileEdit(path: path) { bytes in bytes.map { repair.bytes($0, path: path) } })
    }
    var plan = Plan(
      command: "doctor", reason: reason, edits: edits,
      inPlace: Plan.inPlace(afterDiscarding: discarded.count)
    ) { changes in
      "Repair: \(changes.count == 1 ? "1 note" : "\(changes.count) notes")"
    }
    plan.discarded = discarded
    return plan
  }

  /// Whether a copy goes without a commit, which would publish the text of an encrypted note.
  private func isDiscarded(_ copy: [UInt8]) throws(SlipboxError) -> Bool {
    guard let note = try snapshot.originalsOfCopies()[copy] ?? ConflictCopy(copy)?.original else {
      return false
    }
    guard try snapshot.box.isReadableCopy(copy, of: note) else { return false }
    return try snapshot.committedFiles().file(copy) == nil
  }

  /// Returns the replacement of an id that another note has. It is the same on every device, so that repairs of one note
  /// on two devices merge. Returns nil if no repair requests it or a note has it.
  private func renewedID(_ repairs: [Repair], _ path: [UInt8], _ catalogue: Catalogue) -> NoteID? {
    for case .renewID(let old) in repairs {
      let id = old.another(at: snapshot.box.repositoryPath(path))
      return catalogue.entry(id: id) == nil ? id : nil
    }
    return nil
  }
}

/// The repair of one note as an edit of its text.
private struct NoteRepair {
  let repairs: [Repair]
  /// The new id, if a repair needs one.
  let id: NoteID
  let kind: String
  let editor: RecordEditor

  func bytes(_ bytes: [UInt8], path: [UInt8]) -> [UInt8] {
    var note = Note(path: path, text: NoteText(bytes))
    for repair in repairs {
      if let text = try? text(of: note, after: repair) { note = Note(path: path, text: text) }
    }
    return note.wholeText.bytes
  }

  private func text(of note: Note, after repair: Repair) throws -> NoteText {
    switch repair {
    case .giveID: note.id == nil ? try withID(note) : note.wholeText
    case .renewID(let old): note.id == old ? try withID(note) : note.wholeText
    case .deleteCopy, .showInCanvas: note.wholeText
    case .relink(let form, let target, let name, let reading, let label):
      try Self.relinking(note.wholeText, form, target, to: name, reading, label)
    case .removeQuotes(let field): try note.wholeText.removingQuotes(ofField: field)
    case .change(.set(let field, let value)): try setting(field, to: value, in: note)
    case .change(let change):
      try editor.apply([change], to: note.wholeText, path: note.path, kind: kind, isNew: false).text
    }
  }

  /// Returns a text with new names in the links that led to moved files.
  static func relinking(_ text: [UInt8], _ repairs: [Repair]) -> [UInt8] {
    var text = NoteText(text)
    for case .relink(let form, let target, let name, let reading, let label) in repairs {
      // A link that can't be written stays.
      text = (try? relinking(text, form, target, to: name, reading, label)) ?? text
    }
    return text.bytes
  }

  private static func relinking(
    _ text: NoteText, _ form: BodyScan.Link.Form, _ target: String, to name: [UInt8], _ reading: Int,
    _ label: String?
  ) throws(LinkEditError) -> NoteText {
    let links = LinkEditor.links(of: text)
    let edits = links.enumerated().filter { $1.form == form && $1.target.hasSameBytes(as: target) }.map {
      LinkEdit(number: $0, spelling: LinkSpelling($1, reading: reading), name: name, label: label)
    }
    return try LinkEditor.text(of: text, links: links, edits)
  }

  private func withID(_ note: Note) throws(EditError) -> NoteText {
    do throws(EditError) {
      return try note.wholeText.setting(
        note.field(named: "id")?.name ?? "id", to: .text(id.description), order: fieldOrder)
    } catch {
      // In a file that is not text, only the letters of the id change.
      guard note.wholeText.unreadable != nil, let text = replacingID(in: note) else { throw error }
      return text
    }
  }

  /// Returns the note with another id in the line of the field; nil if the line does not contain the id literally.
  private func replacingID(in note: Note) -> NoteText? {
    guard let old = note.id, let number = note.field(named: "id")?.line else { return nil }
    var lines = note.wholeText.bytes.split(separator: 0x0A, omittingEmptySubsequences: false).map {
      Array($0)
    }
    guard lines.indices.contains(number - 1) else { return nil }
    let letters = Array(old.description.utf8)
    var line = lines[number - 1]
    guard line.count >= letters.count,
      let start = (0...line.count - letters.count).last(where: { line[$0...].starts(with: letters) })
    else { return nil }
    line.replaceSubrange(start..<start + letters.count, with: Array(id.description.utf8))
    lines[number - 1] = line
    return NoteText(Array(lines.joined(separator: [0x0A])))
  }

  /// Writes the intended value of a field. No transition follows, because the record itself has not changed.
  private func setting(_ field: String, to value: String, in note: Note) throws(EditError) -> NoteText {
    let written = note.frontMatter.fields.first { $0.name.lowercased() == field.lowercased() }?.name ?? field
    var text = try note.wholeText.settingField(written, to: .text(value))
    if let (name, time) = note.timeOfDay(leaving: field) {
      text = try text.settingField(name, to: .text(time), order: [written, name])
    }
    let before = Set(editor.problems(in: note, kind: kind).map(\.message))
    let after = editor.problems(in: Note(path: note.path, text: text), kind: kind).map(\.message)
    return before.isSuperset(of: after) ? text : note.wholeText
  }
}
