package import Notes
import Platform
package import Text

/// The intended change of one file, computed from the bytes that the file has under the lock.
package struct FileEdit {
  package let path: [UInt8]
  /// Returns the new bytes (nil: no file) for the present ones (nil: there is no file).
  package let transform: ([UInt8]?) throws(SlipboxError) -> [UInt8]?
  /// Returns the same edit at another path; nil if the edit is of the path, not of a note.
  private var elsewhere: (([UInt8]) -> FileEdit)?

  package init(path: [UInt8], transform: @escaping ([UInt8]?) throws(SlipboxError) -> [UInt8]?) {
    self.path = path
    self.transform = transform
  }

  /// Returns an edit of an existing note. If the note was deleted meanwhile, the edit throws and never creates it again.
  package static func changing(
    _ note: Note, _ transform: @escaping (Note) throws(SlipboxError) -> NoteText
  ) -> FileEdit {
    changing(note, at: note.path, transform)
  }

  private static func changing(
    _ note: Note, at path: [UInt8], _ transform: @escaping (Note) throws(SlipboxError) -> NoteText
  ) -> FileEdit {
    var edit = FileEdit(path: path) { bytes throws(SlipboxError) in
      guard let bytes else { throw Self.gone(note) }
      return try transform(Note(path: path, text: NoteText(bytes))).bytes
    }
    edit.elsewhere = { changing(note, at: $0, transform) }
    return edit
  }

  /// Returns the edit of a note that is at another path now.
  /// - Throws: `.busy` if the edit is valid for the former path alone.
  func following(_ note: Note, to path: [UInt8]) throws(SlipboxError) -> FileEdit {
    if let elsewhere { return elsewhere(path) }
    throw SlipboxError(
      .busy, "\(note.mention) was moved to \(path) meanwhile", retry: "try again")
  }

  static func changedMeanwhile(_ note: Note) -> SlipboxError {
    SlipboxError(.busy, "\(note.mention) changed meanwhile", retry: "try again")
  }

  static func gone(_ note: Note) -> SlipboxError {
    SlipboxError(.notFound, "\(note.mention) was deleted meanwhile")
  }
}

/// The intended changes of a command, before the bytes are known.
package struct Plan {
  package let command: String
  package let reason: String?
  package private(set) var edits: [FileEdit]
  /// The new paths of notes that move, by the old ones; both have an edit.
  package private(set) var moves: [[UInt8]: [UInt8]]
  /// Whether the new text is saved in the file if it can't be committed now.
  package let savesAlways: Bool
  /// The operation that is undone or redone; nil for any other command.
  let reversal: Operation.Reversal?
  /// The message if there is nothing to change; nil for the standard one.
  package let inPlace: Phrase?
  /// The permissions of new files, by path; others get the default ones.
  var permissions: [[UInt8]: FilePermissions] = [:]
  /// Files that go without a commit, because their text is elsewhere in history, encrypted; by path, with their bytes.
  package var discarded: [[UInt8]: [UInt8]] = [:]
  /// The present paths of files that it moves out of an encrypted folder.
  package var exposed: [[UInt8]] = []
  /// Whether a person has confirmed that the text of these files becomes readable in the history.
  package var isExposureConfirmed = false
  /// The links that change with it.
  package var links = LinkReport()
  /// Returns the records that follow those that the plan finishes, once the plan was applied.
  package var next: () -> [NextRecord] = { [] }
  /// Returns a description of the changes, as a person would say it.
  package let subject: ([FileChange]) -> String

  package init(
    command: String, reason: String? = nil, edits: [FileEdit], moves: [[UInt8]: [UInt8]] = [:],
    savesAlways: Bool = false, reversal: Operation.Reversal? = nil, inPlace: Phrase? = nil,
    subject: @escaping ([FileChange]) -> String
  ) {
    self.command = command
    self.reason = reason
    self.edits = edits
    self.moves = moves
    self.savesAlways = savesAlways
    self.reversal = reversal
    self.inPlace = inPlace
    self.subject = subject
  }

  /// Returns the plan with further edits, of the next records.
  func adding(_ edits: [FileEdit], _ next: @escaping () -> [NextRecord]) -> Plan {
    var plan = self
    plan.edits += edits
    plan.next = next
    return plan
  }

  /// The message if files were deleted without a commit and nothing else is to be done.
  static func inPlace(afterDiscarding count: Int) -> Phrase? {
    if count == 0 { return nil }
    return count == 1 ? "deleted the copy of an encrypted note" : "deleted \(count) copies of encrypted notes"
  }

  /// Returns one plan with the edits of several plans of one command; a single plan is returned unchanged.
  package static func joined(_ plans: [Plan], subject: @escaping ([FileChange]) -> String) -> Plan {
    guard plans.count > 1, let first = plans.first else {
      return plans.first ?? Plan(command: "", edits: [], subject: subject)
    }
    var plan = Plan(
      command: first.command, reason: first.reason, edits: plans.flatMap(\.edits),
      savesAlways: first.savesAlways, subject: subject)
    plan.exposed = plans.flatMap(\.exposed)
    return plan
  }

  /// Returns the plan with the condition that files have certain bytes when it is applied.
  ///
  /// - Parameter expected: the bytes by path; other files may have any bytes.
  /// - Returns: the plan, which throws `.busy` if a file has other bytes.
  package func expecting(_ expected: [[UInt8]: [UInt8]]) -> Plan {
    guard !expected.isEmpty else { return self }
    // Only the first edit of a file gets the bytes that are on disk.
    var seen: Set<[UInt8]> = []
    var plan = self
    plan.edits = edits.map { edit in
      guard let bytes = expected[edit.path], seen.insert(edit.path).inserted else { return edit }
      return FileEdit(path: edit.path) { (now) throws(SlipboxError) in
        guard now == bytes else {
          throw SlipboxError(
            .busy, "\(edit.path) was changed meanwhile", retry: "try again")
        }
        return try edit.transform(now)
      }
    }
    return plan
  }

  /// Returns the plan with other edits of some files.
  ///
  /// - Parameter edit: returns the replacement of an edit.
  func replacing(_ edit: (FileEdit) throws(SlipboxError) -> FileEdit) throws(SlipboxError) -> Plan {
    var plan = self
    plan.edits = try edits.map(edit)
    return plan
  }

  /// Returns the plan for some of its files only. The results of the other edits on which those depend stay known.
  package func limited(to isKept: ([UInt8]) -> Bool) -> Plan {
    var plan = self
    plan.edits = edits.filter { isKept($0.path) }
    plan.moves = moves.filter { isKept($0.key) && isKept($0.value) }
    plan.exposed = exposed.filter(isKept)
    return plan
  }

  /// Returns the title of the note if only one changes, otherwise the number of notes.
  package static func described(_ changes: [FileChange]) -> String {
    guard changes.count == 1, let change = changes.first, let bytes = change.after ?? change.before else {
      return "\(changes.count) notes"
    }
    return Note(path: change.path, text: NoteText(bytes)).title
  }
}

extension Box {
  /// Returns the paths that a plan would change, and whether each file would be removed.
  package func changed(by plan: Plan, _ reporter: Reporter) throws(SlipboxError) -> [[UInt8]: Bool] {
    var paths: [[UInt8]: Bool] = [:]
    for (index, edit) in plan.edits.enumerated() {
      reporter.report(.preparing, index, of: plan.edits.count)
      let change = try change(by: edit, permissions: nil) { _ in nil }
      if change.isChange { paths[change.path] = change.to == .absent }
    }
    return paths
  }

  /// Returns the changes of a plan, file by file; nothing is written.
  package func preview(_ plan: Plan, _ reporter: Reporter) throws(SlipboxError) -> [FileChange] {
    var changes: [FileChange] = []
    // A link and its target may both have an edit.
    var places: [[UInt8]: Int] = [:]
    for (index, edit) in plan.edits.enumerated() {
      reporter.report(.preparing, index, of: plan.edits.count)
      let change = try change(by: edit, permissions: plan.permissions[edit.path]) { path in
        places[path].map { changes[$0].to }
      }
      if let place = places[change.path] {
        let first = changes[place]
        changes[place] = FileChange(
          path: first.path, from: first.from, to: change.to, permissions: first.permissions)
      } else if change.isChange {
        places[change.path] = changes.count
        changes.append(change)
      }
    }
    return changes.filter(\.isChange)
  }

  /// Returns the change by an edit. An edit changes the target of a symbolic link, and a removal removes the link itself.
  /// - Parameter planned: returns the result of an earlier edit of a path; nil if there is none.
  private func change(
    by edit: FileEdit, permissions: FilePermissions?, after planned: ([UInt8]) -> FileState?
  ) throws(SlipboxError) -> FileChange {
    let found = try workTreeFile(at: edit.path)
    if found.isObstructed { throw Self.obstructed(edit.path) }
    var (path, state) = (edit.path, planned(edit.path) ?? found.state)
    if case .link = state {
      path = try writtenPath(of: edit.path)
      if let planned = planned(path) { state = planned } else { state = try workTreeFile(at: path).state }
    }
    let after = try edit.transform(state.bytes)
    if after != nil, found.status == nil, isInNestedRepository(edit.path) {
      throw inNestedRepository(edit.path)
    }
    if after == nil, path != edit.path { return FileChange(path: edit.path, from: found.state, to: .absent) }
    return FileChange(path: path, from: state, to: state.with(after, permissions), permissions: permissions)
  }

  /// Returns the error for a path in a nested repository.
  func inNestedRepository(_ path: [UInt8], hints: [Phrase] = []) -> SlipboxError {
    SlipboxError(
      .cannotCreate, "\(path) is in a nested repository, whose files aren't notes of this box", hints: hints)
  }

  /// Returns the error for a change of a path at which there is a folder or another special file.
  static func obstructed(_ path: [UInt8]) -> SlipboxError {
    SlipboxError(
      .busy, "\(path) is not a regular file",
      hints: ["move it away, then try again"])
  }
}

extension FileState {
  /// Returns the state of the file with other bytes and the same mode, or with the mode of a new file; nil bytes remove
  /// it.
  fileprivate func with(_ bytes: [UInt8]?, _ permissions: FilePermissions?) -> FileState {
    guard let bytes else { return .absent }
    if case .file(_, let isExecutable) = self { return .file(bytes, isExecutable: isExecutable) }
    return .file(bytes, isExecutable: permissions?.isExecutable ?? false)
  }
}

/// The outcome of finishing a record that has a successor.
package enum NextRecord: Sendable {
  /// The new note, the day to which it has moved, and the number of dates that were skipped.
  case made(Note, day: CivilDate, skipped: Int)
  /// The next record exists already.
  case there(Note)
  /// The finished record is the last one.
  case over(Note)
}

/// The numbers of links that a change of names rewrites.
package struct LinkReport: Sendable, Equatable {
  package var links = 0
  package var notes = 0
  /// Links that were broken and lead to a note now.
  package var gained = 0
  /// Links whose notes or parts are deleted.
  package var lost: [LostLink] = []

  /// The maximum number of lost links that are named.
  private static let mostNamed = 5

  /// The lines about the links that break because of a deletion, with their places; empty if there are none.
  package var lostLines: [Phrase] {
    guard !lost.isEmpty else { return [] }
    let title: Phrase = lost.count == 1 ? "1 link to it breaks:" : "\(lost.count) links to it break:"
    let lines: [Phrase] = lost.prefix(Self.mostNamed).map {
      "  \($0.path):\($0.line): \($0.target)"
    }
    return [title] + lines
      + (lost.count > Self.mostNamed ? ["  and \(lost.count - Self.mostNamed) more"] : [])
  }

  /// A line for people; nil if no link changes.
  package var sentence: Phrase? {
    var parts: [Phrase] = []
    if links > 0 {
      let place = notes == 1 ? "1 note" : "\(notes) notes"
      parts.append("\(links == 1 ? "1 link" : "\(links) links") in \(place) rewritten")
    }
    if gained == 1 { parts.append("1 broken link now resolves to a note") }
    if gained > 1 { parts.append("\(gained) broken links now resolve to notes") }
    return parts.isEmpty ? nil : parts.joined(separator: "; ")
  }
}

/// A link whose note or part a command deletes.
package struct LostLink: Sendable, Equatable {
  /// The path of the note that has the link.
  package let path: [UInt8]
  /// The line number, from 1.
  package let line: Int
  /// The target as it is written.
  package let target: String

  static func isBefore(_ one: LostLink, _ other: LostLink) -> Bool {
    one.path == other.path ? one.line < other.line : one.path.lexicographicallyPrecedes(other.path)
  }
}
