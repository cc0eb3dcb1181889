import Bytes
import Git
import NoteIndex
import Notes
import Platform
import Text

/// Changes of other programs that are not committed, because a commit would lose a note or publish an encrypted one.
struct HeldBackChanges {
  private let snapshot: BoxSnapshot
  private var box: Box { snapshot.box }

  init(in snapshot: BoxSnapshot) { self.snapshot = snapshot }

  /// The paths among some that a commit takes, and the reasons for those that it leaves.
  ///
  /// - Parameter changes: those of the notes.
  func taken(
    of paths: [[UInt8]], _ changes: [OutsideChange]
  ) throws(SlipboxError) -> (paths: [[UInt8]], reasons: [Phrase]) {
    let held = try all(among: changes)
    let isHeld = Set(held.map(\.path))
    let taken = paths.filter { !isHeld.contains($0) }
    guard let left = try leftByCheckout(among: taken, changes) else { return (taken, held.map(\.reason)) }
    return (taken.filter { !left.paths.contains($0) }, held.map(\.reason) + [left.reason])
  }

  /// Returns the changes that are held back, each with the reason and a remedy.
  ///
  /// - Complexity: one check for each deleted note and each copy; nothing without them.
  private func all(among changes: [OutsideChange]) throws(SlipboxError) -> [(path: [UInt8], reason: Phrase)] {
    let missing = try missing(among: changes)
    let unwritten = missing.map { path in (path: path, reason: reason(of: path, among: missing)) }
    let moved = try moved(among: changes).map { old, new -> (path: [UInt8], reason: Phrase) in
      (
        old,
        "\(old) was moved to \(new), which slip can't commit in this clone, so its deletion is not committed; "
          + "move it back, or set up the filter of the file"
      )
    }
    let copies = try copiesOfEncryptedNotes(among: changes).map {
      copy, note -> (path: [UInt8], reason: Phrase) in
      (
        copy,
        "\(copy) is a copy of the encrypted note \(note) and is not committed; "
          + (BytePath.folder(of: copy) == BytePath.folder(of: note)
            ? "delete it" : "move it to the folder of the note, or delete it")
      )
    }
    let known = Set((missing + moved.map(\.path) + copies.map(\.path)))
    let exposed = try ExposedText(in: snapshot).notes(
      among: changes.filter { !known.contains($0.path) }, of: changes)
    return unwritten + moved + copies + Self.held(exposed)
  }

  /// Files that expose encrypted text, with the encrypted files that they came from.
  static func held(_ files: [ExposedText.File]) -> [(path: [UInt8], reason: Phrase)] {
    var reason: Phrase?
    if files.count > mostNamed, let first = files.first {
      reason = "\(first.reason) (and \(files.count - 1) more files)"
    }
    return files.flatMap { file in
      ([file.path] + (file.origin.map { [$0] } ?? [])).map { (path: $0, reason: reason ?? file.reason) }
    }
  }

  /// The maximum number of missing notes that have a line each; for more, one line names the first.
  private static let mostNamed = 3

  private func reason(of path: [UInt8], among missing: [[UInt8]]) -> Phrase {
    // A clone whose checkout failed has no index, and git restores no file without one.
    let hasIndex = box.withRepository { $0.index.damage } == nil
    let restore = hasIndex ? "git checkout --" : "git reset && git checkout --"
    guard missing.count > Self.mostNamed, let first = missing.first else {
      return "\(path) is missing, and its deletion is not committed: git's filter may have failed; "
        + "\(restore) \(typed: path) restores it, \(slip: "commit", .value(path)) commits the deletion"
    }
    return
      "\(missing.count) encrypted notes are missing, such as \(first), and their deletions are not committed: git's "
      + "filter may have failed; \(restore) FILE restores one, git rm FILE deletes it"
  }

  /// Returns the deleted notes that git may have failed to write: attributes name a filter for them, no deletion is
  /// staged, and they were not moved.
  ///
  /// If a filter fails in a merge, a checkout or a similar command, git stops halfway. The old file is gone, and the
  /// index and HEAD are still the former ones. Nothing distinguishes that from a file that the user deleted.
  private func missing(among changes: [OutsideChange]) throws(SlipboxError) -> [[UInt8]] {
    var missing: [[UInt8]] = []
    for change in changes where change.difference == .deleted {
      if try box.namedFilter(of: change.path) != nil, try isUnstagedDeletion(change.path) {
        missing.append(change.path)
      }
    }
    let moved = try movedByHand(missing, among: changes)
    return missing.filter { moved[$0] == nil }
  }

  /// An attachment that git may have failed to write, such as one in Git LFS whose object is missing.
  ///
  /// - Complexity: a check of each attachment of the last commit.
  private func missingAttachment() throws(SlipboxError) -> [UInt8]? {
    let committed = try snapshot.committedFiles()
    let files = try committed.files()
    for position in files.indices where !FileName.isNote(files.path(at: position)) {
      let path = Array(files.path(at: position).dropFirst(box.prefix.count))
      // A sparse checkout leaves files out.
      guard !box.isThere(path), committed.hidingFlag(path) == nil,
        try box.namedFilter(of: path) != nil
      else { continue }
      if try isUnstagedDeletion(path) { return path }
    }
    return nil
  }

  private func isUnstagedDeletion(_ path: [UInt8]) throws(SlipboxError) -> Bool {
    let committed = try snapshot.committedFiles()
    guard let head = try committed.file(path)?.id, committed.staged(path)?.id == head else { return false }
    return try OutsideChanges(in: snapshot).isGone(path)
  }

  /// Returns the new paths of deleted notes that another program moved, by the old ones.
  func movedByHand(
    _ gone: [[UInt8]], among changes: [OutsideChange]
  ) throws(SlipboxError) -> [[UInt8]: [UInt8]] {
    let new = changes.filter { $0.difference == .new }.map(\.path)
    // Notes that can't be read, because their filter fails, may be anywhere.
    guard !gone.isEmpty, !new.isEmpty,
      let finder = try? MovedByHand(box, at: try box.tip(), gonePaths: gone, without: [])
    else { return [:] }
    var (moved, edited): ([[UInt8]: [UInt8]], [MovedByHand.NewNote]) = ([:], [])
    for path in new {
      guard let bytes = try box.bytes(at: path) else { continue }
      let blob = (try? box.contentID(of: bytes, at: path)) ?? ObjectID(ofBlob: bytes)
      if let origin = finder.origin(of: path, bytes, blob: blob) {
        moved[Array(origin.path.dropFirst(box.prefix.count))] = path
      } else if let note = MovedByHand.NewNote(path, bytes) {
        edited.append(note)
      }
    }
    for note in edited {
      guard let origin = finder.similarOrigin(of: note, among: edited, without: Set(moved.keys)) else {
        continue
      }
      moved[Array(origin.path.dropFirst(box.prefix.count))] = note.path
    }
    return moved
  }

  /// Returns the files among some that git may have written or deleted in the checkout in which it failed to write a
  /// note. They are gone, or have a content that git has stored before.
  ///
  /// - Parameter changes: those of the notes.
  /// - Returns: the paths with one reason; nil if no note and no attachment is missing.
  private func leftByCheckout(
    among paths: [[UInt8]], _ changes: [OutsideChange]
  ) throws(SlipboxError) -> (paths: Set<[UInt8]>, reason: Phrase)? {
    guard !paths.isEmpty else { return nil }
    let attachment = try missingAttachment()
    let missing = try missing(among: changes)
    guard attachment != nil || !missing.isEmpty else { return nil }
    let committed = try snapshot.committedFiles()
    let gone = changes.filter { $0.difference == .deleted }.map(\.path)
    let moved = try movedByHand(gone, among: changes)
    let isMoved = Set(moved.keys).union(moved.values)
    var found: [[UInt8]] = []
    for path in paths where !isMoved.contains(path) {
      let head = try committed.file(path)?.id
      guard committed.staged(path)?.id == head else { continue }
      let state = try box.workTreeFile(at: path).state
      // A file that can't be stored is refused when it is to be committed.
      let id = try? box.contentID(of: state, at: path)
      let isKnown = try box.git { repository throws(GitError) in
        try id.map { (id) throws(GitError) in try repository.hasObject(id) } ?? (state == .absent)
      }
      if isKnown { found.append(path) }
    }
    guard let first = found.first else { return nil }
    let others: Phrase = found.count == 1 ? "" : " and \(found.count - 1) more"
    let cause: Phrase = if let attachment { ", as \(attachment) is missing" } else { "" }
    return (
      Set(found),
      "not committed, because git may have stopped in the middle of a checkout\(cause): \(first)\(others); "
        + "git checkout -- FILE restores a file of the last commit, \(slip: "commit", "FILE") commits it"
    )
  }

  /// Returns the deleted notes that a fetched commit changes, so that git failed to write them in a merge.
  func unwritten(
    among changes: @autoclosure () throws(SlipboxError) -> [OutsideChange]
  ) throws(SlipboxError) -> [[UInt8]] {
    let fetched = try fetchedNews()
    guard !fetched.isEmpty else { return [] }
    let gone = try missing(among: try changes())
    guard !gone.isEmpty else { return [] }
    let committed = try snapshot.committedFiles()
    var unwritten: [[UInt8]] = []
    for path in gone {
      let head = try committed.file(path)?.id
      let isChangedThere = try box.git { repository throws(GitError) in
        for there in fetched {
          if try repository.file(box.repositoryPath(path), at: there)?.id != head { return true }
        }
        return false
      }
      if isChangedThere { unwritten.append(path) }
    }
    return unwritten
  }

  /// Returns the commits of the last fetch that the branch does not have.
  private func fetchedNews() throws(SlipboxError) -> [ObjectID] {
    guard let tip = try box.tip() else { return [] }
    return try box.git { repository throws(GitError) in
      var news: [ObjectID] = []
      for there in repository.remotes.lastFetched() where try repository.hasObject(there) {
        if try !repository.history.isAncestor(there, of: tip) { news.append(there) }
      }
      return news
    }
  }

  /// Returns the deleted notes that are now in files which can't be committed: encrypted notes in a clone without the
  /// key, and notes at a path whose filter this clone does not have.
  private func moved(
    among changes: [OutsideChange]
  ) throws(SlipboxError) -> [(old: [UInt8], new: [UInt8])] {
    let gone = changes.filter { $0.difference == .deleted }.map(\.path)
    guard !gone.isEmpty else { return [] }
    var places = try OutsideChanges(in: snapshot).unread().map(\.path)
    for change in changes where change.difference == .new {
      let name = box.repositoryPath(change.path)
      let isStorable = box.withRepository { (try? $0.attributes.refuseUnstorable(name)) != nil }
      if !isStorable { places.append(change.path) }
    }
    guard !places.isEmpty else { return [] }
    let committed = try snapshot.committedFiles()
    var found: [(old: [UInt8], new: [UInt8])] = []
    for new in places {
      guard let bytes = try box.bytes(at: new) else { continue }
      let (blob, id) = (ObjectID(ofBlob: bytes), Note(path: new, text: NoteText(bytes)).id)
      for old in gone where !found.contains(where: { $0.old == old }) {
        guard let head = try committed.file(old)?.id else { continue }
        // A note that this clone can't decrypt has no id here.
        let known = try? box.content(of: head, at: old)
        let isSame =
          head == blob || id != nil && known.map { Note(path: old, text: NoteText($0)).id == id } == true
        if isSame { found.append((old, new)) }
      }
    }
    return found
  }

  /// Returns the copies that a sync program made of notes which are encrypted now.
  private func copiesOfEncryptedNotes(
    among changes: [OutsideChange]
  ) throws(SlipboxError) -> [(copy: [UInt8], note: [UInt8])] {
    guard changes.contains(where: { ConflictCopy.mayBeOne($0.path) }) else { return [] }
    let originals = try snapshot.originalsOfCopies()
    var found: [(copy: [UInt8], note: [UInt8])] = []
    for change in changes {
      guard let note = originals[change.path], try box.leavesFilter(from: note, to: change.path) else {
        continue
      }
      found.append((change.path, note))
    }
    return found
  }
}
