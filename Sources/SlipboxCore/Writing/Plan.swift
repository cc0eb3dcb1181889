package import Notes
import Platform
package import Text

/// One file's intended change, worked out on the bytes that the file holds under the lock.
package struct FileEdit {
  package let path: [UInt8]
  /// From the bytes now (nil: there is no file) to the bytes wanted (nil: no file).
  package let transform: ([UInt8]?) throws(SlipboxError) -> [UInt8]?
  /// The same edit at another path; nil if the edit is of the path, not of a note.
  private var elsewhere: (([UInt8]) -> FileEdit)?

  package init(path: [UInt8], transform: @escaping ([UInt8]?) throws(SlipboxError) -> [UInt8]?) {
    self.path = path
    self.transform = transform
  }

  /// An edit of a note that exists; one deleted meanwhile is named and never made again.
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

  /// The edit of a note that is at another path now.
  /// - Throws: `.busy` if the edit holds for the former path alone.
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

/// What a command is about to do, before the bytes are known.
package struct Plan {
  package let command: String
  package let reason: String?
  package private(set) var edits: [FileEdit]
  /// The new paths of notes that move, by the old ones; both have an edit.
  package private(set) var moves: [[UInt8]: [UInt8]]
  /// Whether the new text is kept in the file where it can't be committed now.
  package let savesAlways: Bool
  /// The operation that is taken back or done again; nil for any other command.
  let reversal: Operation.Reversal?
  /// What a person would say where all is in place already; nil for no better than that.
  package let inPlace: Phrase?
  /// The permissions of files that are made, by path; those of others are plain.
  var permissions: [[UInt8]: FilePermissions] = [:]
  /// The links that change with it.
  package var links = LinkReport()
  /// The records that come next after those that it finishes, once it was carried out.
  package var next: () -> [NextRecord] = { [] }
  /// What a person would say was done.
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

  /// The same with further edits, of the records that come next.
  func adding(_ edits: [FileEdit], _ next: @escaping () -> [NextRecord]) -> Plan {
    var plan = self
    plan.edits += edits
    plan.next = next
    return plan
  }

  /// One plan with the edits of several plans of one command; a single plan stays as it is.
  package static func joined(_ plans: [Plan], subject: @escaping ([FileChange]) -> String) -> Plan {
    guard plans.count > 1, let first = plans.first else {
      return plans.first ?? Plan(command: "", edits: [], subject: subject)
    }
    return Plan(
      command: first.command, reason: first.reason, edits: plans.flatMap(\.edits),
      savesAlways: first.savesAlways, subject: subject)
  }

  /// The same, where files have to hold certain bytes when it is carried out.
  ///
  /// - Parameter expected: the bytes by path; other files may hold any.
  /// - Returns: the plan, which throws `.busy` where a file holds other bytes.
  package func expecting(_ expected: [[UInt8]: [UInt8]]) -> Plan {
    guard !expected.isEmpty else { return self }
    // Only the first edit of a file finds it as it is on disk.
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

  /// The same, with other edits of some files.
  ///
  /// - Parameter edit: the edit in the place of another.
  func replacing(_ edit: (FileEdit) throws(SlipboxError) -> FileEdit) throws(SlipboxError) -> Plan {
    var plan = self
    plan.edits = try edits.map(edit)
    return plan
  }

  /// The same for some of its files alone; what the edits of others have handed on stays known.
  package func limited(to isKept: ([UInt8]) -> Bool) -> Plan {
    var plan = self
    plan.edits = edits.filter { isKept($0.path) }
    plan.moves = moves.filter { isKept($0.key) && isKept($0.value) }
    return plan
  }

  /// The title of the one note that changes, or how many do.
  package static func described(_ changes: [FileChange]) -> String {
    guard changes.count == 1, let change = changes.first, let bytes = change.after ?? change.before else {
      return "\(changes.count) notes"
    }
    return Note(path: change.path, text: NoteText(bytes)).title
  }
}

extension Box {
  /// The paths that a plan would change, and whether each file would go.
  package func changed(by plan: Plan, _ reporter: Reporter) throws(SlipboxError) -> [[UInt8]: Bool] {
    var paths: [[UInt8]: Bool] = [:]
    for (index, edit) in plan.edits.enumerated() {
      reporter.report(.preparing, index, of: plan.edits.count)
      let change = try change(by: edit, permissions: nil) { _ in nil }
      if change.isChange { paths[change.path] = change.to == .absent }
    }
    return paths
  }

  /// What a plan would change, file by file; nothing is written.
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

  /// The change by an edit. An edit changes the target of a symbolic link, and a removal removes the link itself.
  /// - Parameter planned: what an earlier edit makes of a path; nil if there is none.
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

  /// The refusal of a path in a repository inside the box.
  func inNestedRepository(_ path: [UInt8], hints: [Phrase] = []) -> SlipboxError {
    SlipboxError(
      .cannotCreate, "\(path) is in a nested repository, whose files aren't notes of this box", hints: hints)
  }

  /// The refusal of a change of a path that a folder or the like has.
  static func obstructed(_ path: [UInt8]) -> SlipboxError {
    SlipboxError(
      .busy, "\(path) is not a regular file",
      hints: ["move it away, then try again"])
  }
}

extension FileState {
  /// The state of the file with other bytes and the same mode, or with that of a file to be made; nil removes it.
  fileprivate func with(_ bytes: [UInt8]?, _ permissions: FilePermissions?) -> FileState {
    guard let bytes else { return .absent }
    if case .file(_, let isExecutable) = self { return .file(bytes, isExecutable: isExecutable) }
    return .file(bytes, isExecutable: permissions?.isExecutable ?? false)
  }
}

/// What came of finishing a record after which another one comes.
package enum NextRecord: Sendable {
  /// The note that was made, the day to which it has moved, and how many went by before.
  case made(Note, day: CivilDate, skipped: Int)
  /// It is there already.
  case there(Note)
  /// The record that was finished is the last one.
  case over(Note)
}

/// How many links a change of names rewrites.
package struct LinkReport: Sendable, Equatable {
  package var links = 0
  package var notes = 0
  /// Links that led nowhere and lead to a note now.
  package var gained = 0
  /// Links whose notes or parts are deleted.
  package var lost: [LostLink] = []

  /// So many lost links are named.
  private static let mostNamed = 5

  /// What becomes of the links to what is deleted, and where they are; empty if there are none.
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
  /// Counted from 1.
  package let line: Int
  /// The target as it is written.
  package let target: String

  static func isBefore(_ one: LostLink, _ other: LostLink) -> Bool {
    one.path == other.path ? one.line < other.line : one.path.lexicographicallyPrecedes(other.path)
  }
}
