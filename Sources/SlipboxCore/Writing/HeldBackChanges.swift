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

  /// Those among some changes, each with the reason and what to do.
  ///
  /// - Complexity: a look at each deleted note and each copy; nothing without them.
  func all(among changes: [OutsideChange]) throws(SlipboxError) -> [(path: [UInt8], reason: Phrase)] {
    let unwritten = try unwritten(among: changes).map { path -> (path: [UInt8], reason: Phrase) in
      (
        path,
        "\(path) is missing, and its deletion is not committed: the last fetch changes it, so git's filter may have "
          + "failed; git checkout -- \(typed: path) restores it, \(slip: "commit", .value(path)) commits the deletion"
      )
    }
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
        "\(copy) is a copy of the encrypted note \(note) and is not committed; move it to the folder of the note, "
          + "or delete it"
      )
    }
    return unwritten + moved + copies
  }

  /// The deleted notes that git may have failed to write: a filter makes their files, and a commit that was fetched changes
  /// them.
  ///
  /// If a filter fails in a merge, git stops halfway: the old file is gone, and the index and HEAD are those from before.
  func unwritten(
    among changes: @autoclosure () throws(SlipboxError) -> [OutsideChange]
  ) throws(SlipboxError) -> [[UInt8]] {
    let fetched = try fetchedNews()
    guard !fetched.isEmpty else { return [] }
    let outside = OutsideChanges(in: snapshot)
    var gone: [[UInt8]] = []
    for change in try changes() where change.difference == .deleted {
      if try box.isFiltered(change.path), try outside.isGone(change.path) { gone.append(change.path) }
    }
    guard !gone.isEmpty else { return [] }
    let committed = try snapshot.committedFiles()
    var unwritten: [[UInt8]] = []
    for path in gone {
      let head = try committed.file(path)?.id
      guard committed.staged(path)?.id == head else { continue }
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

  /// The commits of the last fetch that the branch does not have.
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

  /// The deleted notes that are now in files which can't be committed: encrypted ones in a clone without the key, and notes
  /// at a path whose filter this clone does not have.
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
        // A note that this clone can't read has no id here.
        let known = try? box.content(of: head, at: old)
        let isSame =
          head == blob || id != nil && known.map { Note(path: old, text: NoteText($0)).id == id } == true
        if isSame { found.append((old, new)) }
      }
    }
    return found
  }

  /// The copies that a sync program made of notes which are encrypted now.
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
