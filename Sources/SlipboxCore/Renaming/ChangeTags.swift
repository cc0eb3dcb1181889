import Bytes
package import NoteIndex
import Notes
import Text

/// A change of tags over the whole box.
package struct TagWork {
  package let plan: Plan
  /// The notes that have a changed tag.
  package let entries: [Entry]
  /// Each tag that changes, with its new name; nil if it is removed.
  package let moves: [(old: String, new: String?)]
}

/// Renames, merges, drops and declares tags in the whole box.
package struct ChangeTags {
  private let snapshot: BoxSnapshot
  private var tags: BoxTags { BoxTags(of: snapshot) }

  package init(in snapshot: BoxSnapshot) { self.snapshot = snapshot }

  /// Returns the plan that renames a tag, and those below it.
  ///
  /// - Throws: `.notFound` if the tag does not exist, `.badData` if the new name is another tag's or invalid.
  package func rename(_ old: String, to new: String, reason: String? = nil) throws(SlipboxError)
    -> TagWork
  {
    let (old, new) = (TagName.bare(old), try TagName.checked(new))
    let table = try tags.table()
    let change = try change([old], to: new, table)
    for tag in table.counts() {
      guard case .renamed(let name) = change.result(tag.name), table.has(name), !change.covers(name) else {
        continue
      }
      throw SlipboxError(
        .badData, "there is a tag \(name) already: renaming would merge the two",
        hints: ["\(slip: "tags merge", .value(old), .value(new))"])
    }
    return try work(change, table, "Rename tag \(old) to \(new)", reason)
  }

  /// Returns the plan that replaces tags, and those below them, by one tag.
  ///
  /// - Throws: as `renamingTag`, but the tag may exist.
  package func merge(
    _ old: [String], into new: String, reason: String? = nil
  ) throws(SlipboxError) -> TagWork {
    let new = try TagName.checked(new)
    let old = old.map(TagName.bare).filter { TagName.key($0) != TagName.key(new) }
    guard !old.isEmpty else {
      throw SlipboxError(
        .usage, "a tag can't be merged into itself", hints: ["\(slip: "tags merge", "FROM...", "INTO")"])
    }
    let table = try tags.table()
    let change = try change(old, to: new, table)
    return try work(change, table, "Merge \(Self.words(old)) into \(new)", reason)
  }

  /// Returns the plan that removes tags, and those below them, from every note; in the text only the `#` is removed.
  package func drop(_ names: [String], reason: String? = nil) throws(SlipboxError) -> TagWork {
    let names = names.map(TagName.bare)
    let table = try tags.table()
    return try work(try change(names, to: nil, table), table, "Drop \(Self.words(names))", reason)
  }

  private func change(_ old: [String], to new: String?, _ table: TagTable) throws(SlipboxError) -> TagChange {
    for name in old where !table.knows(name) {
      let near = Spelling.nearest(to: name, among: table.names)
      throw SlipboxError(
        .notFound, "there is no tag \(name)",
        hints: near.map { ["did you mean: \($0)"] } ?? [])
    }
    let change = TagChange(old, to: new)
    guard let new else { return change }
    for name in old where TagName.key(name) != TagName.key(new) && TagChange([name], to: nil).covers(new) {
      throw SlipboxError(
        .badData, "\(new) is nested in \(name), which is renamed",
        hints: ["choose a name outside of it"])
    }
    if !table.has(new) {
      tags.warnOfNearDuplicate(of: new, in: table.names.filter { !change.covers($0) })
    }
    return change
  }

  private func work(
    _ change: TagChange, _ table: TagTable, _ what: String, _ reason: String?
  ) throws(SlipboxError) -> TagWork {
    let entries = try snapshot.catalogue().entries.filter { change.changes($0.note) }
    try KindFiles(in: snapshot).refuseFaults(of: entries)
    try refuseUnwritable(entries.map(\.note).filter { change.changesField(of: $0) })
    var (edits, links) =
      (try headingEdits(change, entries, reason)).map { ($0.edits, $0.links) } ?? (
        entries.map { entry in
          FileEdit.changing(entry.note) { (note) throws(SlipboxError) in try change.applied(to: note) }
        }, LinkReport()
      )
    if try tags.declared().contains(where: { change.result($0) != .kept }) {
      edits.append(FileEdit.ofDeclaredTags { note throws(SlipboxError) in try change.applied(to: note) })
    }
    let moves = table.counts().compactMap { tag -> (old: String, new: String?)? in
      switch change.result(tag.name) {
      case .kept: nil
      case .renamed(let name): (tag.name, name)
      case .dropped: (tag.name, nil)
      }
    }
    var plan = Plan(command: "tags", reason: reason, edits: edits) { changes in
      let notes = changes.filter { $0.path != Settings.boxFile }
      return notes.isEmpty ? what : "\(what): \(Plan.described(notes))"
    }
    plan.links = links
    return TagWork(plan: plan, entries: entries, moves: moves)
  }

  /// Returns the plan for the links to headings that contain a changed tag; nil if no heading does.
  private func headingEdits(
    _ change: TagChange, _ entries: [Entry], _ reason: String?
  ) throws(SlipboxError) -> Plan? {
    var isAnyInHeading = false
    for entry in entries where !isAnyInHeading {
      isAnyInHeading = try entry.note.hasTagInHeading { change.result($0.name) != .kept }
    }
    guard isAnyInHeading else { return nil }
    let renames = entries.map { entry in
      NoteRename(entry, headings: NoteRename.inPlace(entry.note.path)) { note throws(SlipboxError) in
        try change.applied(to: note)
      }
    }
    return try RenameNotes(in: snapshot).plan(renames, command: "tags", reason: reason) { _ in "" }
  }

  /// Refuses with the names of all notes whose front matter would have to be rewritten and can't be.
  private func refuseUnwritable(_ notes: [Note]) throws(SlipboxError) {
    let broken = notes.compactMap { note in
      note.frontMatter.problems.first { $0.severity == .error }.map { (note: note, problem: $0) }
    }
    guard let first = broken.first else { return }
    let refusal = SlipboxError(
      .unreadable(first.problem), note: first.note.mention, typed: .note(first.note))
    let others: [Phrase] = broken.dropFirst().prefix(9).map {
      "\($0.note.mention): line \($0.problem.line): \($0.problem.message)"
    }
    let more: [Phrase] = broken.count > 10 ? ["and \(broken.count - 10) more notes"] : []
    throw SlipboxError(refusal.kind, refusal.message, hints: others + more + refusal.hints)
  }

  private static func words(_ tags: [String]) -> String {
    tags.count == 1 ? "tag \(tags[0])" : "tags \(tags.joined(separator: ", "))"
  }
}

extension TagName {
  /// Returns the name of a new tag.
  /// - Throws: `.badData` for an invalid name.
  static func checked(_ typed: String) throws(SlipboxError) -> String {
    let name = bare(typed)
    let slash = UInt8(ascii: "/")
    var reason: String?
    if name.isEmpty { reason = "it is empty" }
    if name.utf8.contains(UInt8(ascii: ",")) { reason = "it has a comma" }
    if name.utf8.contains(where: { $0 < 0x20 || $0 == 0x7F }) { reason = "it has a control character" }
    if name.utf8.starts(with: "[[".utf8) || name.utf8.first == UInt8(ascii: "#") {
      reason = "it begins like a link or a tag"
    }
    if name.utf8.split(separator: slash, omittingEmptySubsequences: false).contains(where: \.isEmpty) {
      reason = reason ?? "it has an empty part between slashes"
    }
    guard let reason else { return name }
    throw SlipboxError(
      .badData, "\(name.isEmpty ? "nothing" : Phrase(name)) can't be a tag: \(reason)")
  }
}

/// Tags that the settings of the box name, whether or not a note has them.
extension BoxTags {
  /// Returns the declared tags in the order of the file.
  func declared() throws(SlipboxError) -> [String] {
    guard let bytes = try snapshot.bytes(at: Settings.boxFile) else { return [] }
    return Note.ofSettings(bytes).frontMatterTags
  }
}

extension ChangeTags {
  /// The setting that contains them.
  private static let tagsSetting = "tags"

  /// Returns the plan that declares tags.
  ///
  /// - Throws: `.badData` for a name that a tag can't have.
  package func declare(_ typed: [String], reason: String? = nil) throws(SlipboxError) -> Plan {
    var names: [String] = []
    for name in typed { names.append(try TagName.checked(name)) }
    let known = try tags.table().names
    for name in names { tags.warnOfNearDuplicate(of: name, in: known) }
    let edit = FileEdit.ofDeclaredTags { [names] note throws(SlipboxError) in
      var text = try note.text
      do throws(EditError) {
        for name in names { text = try text.adding(name, to: Self.tagsSetting, kind: .tags) }
        return text
      } catch {
        throw SlipboxError(error, note: ".slipbox/config.yaml")
      }
    }
    return Plan(command: "tags", reason: reason, edits: [edit]) { _ in
      "Declare \(names.count == 1 ? "tag" : "tags") \(names.joined(separator: ", "))"
    }
  }
}

extension FileEdit {
  /// Returns an edit of the tags that the settings name; the file is created if there is none.
  static func ofDeclaredTags(_ transform: @escaping (Note) throws(SlipboxError) -> NoteText) -> FileEdit {
    FileEdit(path: Settings.boxFile) { bytes throws(SlipboxError) in
      let note = Note.ofSettings(bytes ?? [])
      let text = try transform(note)
      if try text.bytes == note.text.bytes { return bytes }
      return text.frontMatter.map { Array(text.bytes[$0]) } ?? []
    }
  }
}

extension Note {
  /// Returns whether a heading has a tag that meets a condition.
  func hasTagInHeading(_ isWanted: (BodyScan.InlineTag) -> Bool) throws(SlipboxError) -> Bool {
    let tags = inlineTags.filter(isWanted)
    guard !tags.isEmpty else { return false }
    return BodyHeading.all(in: try text).contains { heading in
      tags.contains { heading.lines.contains($0.offset) }
    }
  }

  /// Returns the settings file as the front matter of a note, so that its tags are read and changed like those of a note.
  fileprivate static func ofSettings(_ bytes: [UInt8]) -> Note {
    let fence = Array("---\n".utf8)
    let end = bytes.isEmpty || bytes.last == UInt8(ascii: "\n") ? [] : Array("\n".utf8)
    return Note(path: Settings.boxFile, text: NoteText(fence + bytes + end + fence))
  }
}
