import Bytes
import Git
import NoteIndex
import Notes
import Platform
package import Text

/// Text of encrypted files that a commit would store as plain text, so that it becomes readable in the history.
///
/// A person confirms such a commit by the name of the file: with `git add`, or with `slip commit`.
struct ExposedText {
  /// A file with such text.
  struct File {
    let path: [UInt8]
    let reason: Phrase
    /// The encrypted file that the text comes from if it is gone from the work tree.
    var origin: [UInt8]?
  }

  private let snapshot: BoxSnapshot
  private var box: Box { snapshot.box }

  init(in snapshot: BoxSnapshot) { self.snapshot = snapshot }

  /// The notes among some changes that expose text.
  ///
  /// - Parameter all: all changes of notes.
  /// - Complexity: the blob of each changed note is read. If attributes name a filter, new notes are compared with all notes.
  func notes(among changes: [OutsideChange], of all: [OutsideChange]) throws(SlipboxError) -> [File] {
    let committed = try snapshot.committedFiles()
    var (found, new): ([File], [[UInt8]]) = ([], [])
    for change in changes where try !isStaged(change.path, committed) {
      switch change.difference {
      case .changed:
        if let file = try ended(change.path, "\(slip: "commit", .value(change.path))") { found.append(file) }
      case .new: if box.encryption(of: change.path) == nil { new.append(change.path) }
      default: break
      }
    }
    guard !new.isEmpty, try namesAnyFilter() else { return found }
    return found + (try copies(new, all))
  }

  /// The files among some that notes link to and that expose text.
  func linkedFiles(among paths: [[UInt8]]) throws(SlipboxError) -> [File] {
    let committed = try snapshot.committedFiles()
    var (found, new): ([File], [[UInt8]]) = ([], [])
    for path in paths where box.isThere(path) {
      if try isStaged(path, committed) { continue }
      if try committed.file(path) == nil {
        if box.encryption(of: path) == nil { new.append(path) }
      } else if let file = try ended(path, "git add \(typed: path)") {
        found.append(file)
      }
    }
    guard !new.isEmpty, try namesAnyFilter() else { return found }
    let encrypted = try committed.files().filter { file in
      let path = Array(file.path.dropFirst(box.prefix.count))
      return file.isRegular && !FileName.isNote(path) && box.encryption(of: path) != nil
    }
    for path in new {
      guard let bytes = try box.bytes(at: path) else { continue }
      for file in encrypted {
        let origin = Array(file.path.dropFirst(box.prefix.count))
        let isGone = !box.isThere(origin)
        // An unreadable file can't be compared.
        let other = isGone ? try? box.content(of: file.id, at: origin) : try? box.bytes(at: origin)
        guard other == bytes else { continue }
        found.append(self.file(path, from: origin, isGone: isGone, "git add \(typed: path)"))
        break
      }
    }
    return found
  }

  private func namesAnyFilter() throws(SlipboxError) -> Bool {
    try box.git { repository throws(GitError) in try repository.attributes.nameAnyFilter() }
  }

  private func isStaged(_ path: [UInt8], _ committed: CommittedFiles) throws(SlipboxError) -> Bool {
    guard let staged = committed.staged(path), staged.stage == 0 else { return false }
    return try committed.file(path)?.id != staged.id
  }

  /// A file that was encrypted in the last commit and for which attributes name no filter any more.
  private func ended(_ path: [UInt8], _ confirmation: Phrase) throws(SlipboxError) -> File? {
    guard let bytes = try box.bytes(at: path) else { return nil }
    let name = box.repositoryPath(path)
    let filter = try box.git { repository throws(GitError) in
      try repository.committedAttributes.endedFilter(of: name, now: bytes)
    }
    guard let filter else { return nil }
    return File(
      path: path,
      reason: "\(path) is no longer encrypted by \(filter), and its text would be readable in the history; "
        + "restore its filter in the git attributes, or confirm with: \(confirmation)")
  }

  private func file(_ path: [UInt8], from origin: [UInt8], isGone: Bool, _ confirmation: Phrase) -> File {
    File(
      path: path,
      reason: "\(path) has the text of the encrypted file \(origin), which would be readable in the history; "
        + "\(isGone ? "move it back" : "delete it"), or confirm with: \(confirmation)",
      origin: isGone ? origin : nil)
  }
}

// MARK: Notes that were copied or moved

extension ExposedText {
  /// With more deleted encrypted notes than these, only the last ones are read.
  private static let mostDeleted = 200

  /// The new notes among some that are copies of encrypted ones, or were moved from their folder.
  private func copies(_ paths: [[UInt8]], _ changes: [OutsideChange]) throws(SlipboxError) -> [File] {
    var origins: [[UInt8]: (path: [UInt8], isGone: Bool)] = [:]
    var ids: [NoteID: [[UInt8]]] = [:]
    var contents: [ContentID: [[UInt8]]] = [:]
    for path in paths {
      guard let bytes = try box.bytes(at: path) else { continue }
      contents[ContentID(ObjectID(ofBlob: bytes).bytes), default: []].append(path)
      if let id = Note(path: path, text: NoteText(bytes)).id { ids[id, default: []].append(path) }
    }
    let gone = changes.filter { $0.difference == .deleted && box.encryption(of: $0.path) != nil }.map(\.path)
    let moved = try HeldBackChanges(in: snapshot).movedByHand(gone, among: changes)
    for (old, new) in moved { origins[new] = (old, true) }
    let (entries, all) = (try snapshot.catalogue().entries, try snapshot.contents())
    let committed = try snapshot.committedFiles()
    for place in entries.indices {
      let path = entries.path(at: place)
      if let id = entries.key(at: place).id, ids[id] != nil, try committed.file(path) != nil,
        box.encryption(of: path) == nil
      {
        // The note is readable in the history already.
        ids[id] = nil
      }
      let same =
        (entries.key(at: place).id.flatMap { ids[$0] } ?? [])
        + (all.content(of: path).flatMap { contents[$0.id] } ?? [])
      guard same.contains(where: { $0 != path && origins[$0] == nil }), box.encryption(of: path) != nil else {
        continue
      }
      for copy in same where origins[copy] == nil { origins[copy] = (path, false) }
    }
    for path in paths where origins[path] == nil {
      // The note may be gone; the name of its copy contains its former path.
      guard let original = ConflictCopy(path)?.original, box.encryption(of: original) != nil else { continue }
      origins[path] = (original, false)
    }
    let rest = ids.filter { $0.value.contains { origins[$0] == nil } }
    if !rest.isEmpty {
      for (id, origin) in try deleted(Set(rest.keys)) {
        for path in rest[id] ?? [] where origins[path] == nil { origins[path] = (origin, false) }
      }
    }
    return paths.compactMap { path in
      origins[path].map { file(path, from: $0.path, isGone: $0.isGone, "\(slip: "commit", .value(path))") }
    }
  }

  /// The paths of encrypted notes that were deleted, by those of some ids that they had.
  private func deleted(_ ids: Set<NoteID>) throws(SlipboxError) -> [NoteID: [UInt8]] {
    guard let tip = try box.tip() else { return [:] }
    var found: [NoteID: [UInt8]] = [:]
    let files = try box.deletedFiles(at: tip, snapshot.reporter).map { file in
      (path: Array(file.path.dropFirst(box.prefix.count)), file: file)
    }.filter { box.encryption(of: $0.path) != nil }.sorted {
      $0.file.deleted.seconds > $1.file.deleted.seconds
    }
    for (path, file) in files.prefix(Self.mostDeleted) {
      var id = NoteID(String(decoding: FileName.stem(of: path), as: UTF8.self))
      if id.map({ !ids.contains($0) }) ?? true {
        // A note that can't be read has no id here.
        id = (try? box.content(of: file.last.blob, at: path)).flatMap {
          Note(path: path, text: NoteText($0)).id
        }
      }
      if let id, ids.contains(id), found[id] == nil { found[id] = path }
    }
    return found
  }
}

extension BoxWriter {
  /// Refuses a plan that moves text out of an encrypted folder if no person has confirmed it: a push can't be undone.
  func refuseExposure(by plan: Plan) throws(SlipboxError) {
    guard let path = plan.exposed.first, !plan.isExposureConfirmed else { return }
    throw SlipboxError(
      .configuration, "\(path) would leave an encrypted folder; nothing was changed",
      hints: ["\(slip: plan.command) on a terminal asks for confirmation, and then does it"])
  }

  /// Refuses to commit what another program did to the files of a draft if that exposes text of encrypted files.
  ///
  /// A person who names files for `slip commit` confirms that; an edit and a draft that was saved earlier don't.
  func refuseExposedText(_ draft: CommitDraft) throws(SlipboxError) {
    guard draft.joining == nil, draft.files != .asFound || draft.command == "edit" else { return }
    let committed = try CommitLookup(box, at: try box.tip(), count: draft.changes.count)
    var outside: [OutsideChange] = []
    for change in draft.changes where FileName.isNote(change.path) {
      let states =
        switch draft.files {
        case .before: [change.from]
        case .asFound: [change.to]
        case .saved: [change.from, change.to]
        }
      let head = try committed.file(change.path)?.id
      let isOutside = states.contains { state in
        // A text that can't be stored is refused later.
        guard let bytes = state.bytes, let id = try? box.contentID(of: bytes, at: change.path) else {
          return false
        }
        return id != head
      }
      guard isOutside else { continue }
      outside.append(OutsideChange(path: change.path, difference: head == nil ? .new : .changed))
    }
    guard !outside.isEmpty else { return }
    let snapshot: BoxSnapshot
    if let known = self.snapshot {
      snapshot = known
    } else {
      snapshot = try WorkTreeReader(box, context).snapshot()
    }
    let hasNew = outside.contains { $0.difference == .new }
    let all = hasNew ? try OutsideChanges(in: snapshot).notes() : outside
    if let file = try ExposedText(in: snapshot).notes(among: outside, of: all).first {
      throw SlipboxError(.configuration, file.reason)
    }
  }
}

extension OutsideChanges {
  /// The reasons why some notes are not committed unless a person names them, by path.
  package func exposed(among paths: [[UInt8]]) throws(SlipboxError) -> [[UInt8]: Phrase] {
    let (all, chosen) = (try notes(), Set(paths))
    let files = try ExposedText(in: snapshot).notes(among: all.filter { chosen.contains($0.path) }, of: all)
    return Dictionary(files.map { ($0.path, $0.reason) }, uniquingKeysWith: { first, _ in first })
  }
}
