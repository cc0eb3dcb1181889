import Bytes
import Git
import NoteIndex
import Notes

/// The notes that a side of a merge moved, and that the merge has at another path.
struct DroppedMoves {
  /// A path at which a merge has a note.
  struct Place {
    /// The path, from the root of the repository.
    let name: [UInt8]
    /// Whether it is the path of the base, so that the merge dropped the move.
    let isOfBase: Bool
  }

  /// The places of the notes by the paths at which a side has them.
  private var places: [[UInt8]: Place] = [:]

  /// - Parameter bases: the common ancestors of the sides.
  init(
    in merge: ForeignMerge, bases: [ObjectID], _ store: RepositoryMergeStore
  ) throws(SlipboxError) {
    for base in bases {
      let made = try FileChanges(store, from: base, to: merge.commit).byOldVersion
      for side in merge.sides {
        for pair in try FileChanges(store, from: base, to: side).pairs {
          guard let old = pair.old, let new = pair.new?.entry.path, new != old.entry.path else { continue }
          // A file that the merge did not change is at the path of the base.
          let name: [UInt8]? = if let pair = made[old.key] { pair.new?.entry.path } else { old.entry.path }
          guard let name, name != new else { continue }
          // Without an id, two notes of one template may be as similar as a moved one and its old version.
          let hasID = pair.new?.version.id != nil
          guard hasID || BytePath.name(of: name) == BytePath.name(of: new) else { continue }
          places[new] = Place(name: name, isOfBase: name == old.entry.path)
        }
      }
    }
  }

  subscript(name: [UInt8]) -> Place? { places[name] }
}

extension MergeCheck {
  /// Returns the changes that a merge dropped of a note that a side moved to a path and that the merge has at another
  /// one.
  func unmoved(
    _ place: DroppedMoves.Place, to path: [UInt8], should merged: [UInt8], _ commit: ForeignMerge
  ) throws(SlipboxError) -> Healing.DamagedNote? {
    guard box.storedForm(in: merged, of: path, isInWorkTree: false) == nil else { return nil }
    let old = Array(place.name.dropFirst(box.prefix.count))
    let text = NoteCopy.keepingRelativeLinks(of: NoteText(merged), from: path, to: old, box)
    let changes = try dropped(old, place.name, should: text.bytes, commit)
    guard place.isOfBase, try isMoveMissing(from: old, to: path, commit),
      let entry = try healer.snapshot.catalogue().entry(path: changes?.path ?? old), entry.note.path == old,
      entry.note.id == Note(path: old, text: text).id
    else { return changes }
    guard let changes else {
      return Healing.DamagedNote(
        path: old, title: entry.note.title, damage: .moveDropped(by: commit.commit, to: path), repairs: [])
    }
    guard case .dropped(let merge, _) = changes.damage else { return changes }
    return Healing.DamagedNote(
      path: old, title: changes.title, damage: .dropped(by: merge, move: path), repairs: changes.repairs)
  }

  /// Returns whether a merge has a side's file at its old path, and no later commit has it at the new one.
  private func isMoveMissing(
    from old: [UInt8], to path: [UInt8], _ commit: ForeignMerge
  ) throws(SlipboxError) -> Bool {
    let name = box.repositoryPath(old)
    guard let made = try store.file(name, at: commit.commit)?.id, try isFree(path) else { return false }
    for side in commit.sides + commit.partial where try store.file(name, at: side)?.id == made {
      return try versions(of: path, since: commit).isEmpty
    }
    return false
  }
}

/// A merge of two or more commits that slip did not make.
package struct ForeignMerge: Sendable {
  /// The commit that has the result.
  let commit: ObjectID
  /// The merged commits, at least two. For a squash these are the parent and the last commit of each other branch.
  let sides: [ObjectID]
  /// Slip's merges of all sides but one, if there are more than two and these merges are compared too.
  var partial: [ObjectID] = []

  /// Returns nil for any other commit.
  init?(_ commit: Commit) {
    guard commit.parents.count > 1, OperationTrailers.operation(of: commit).command != "sync" else {
      return nil
    }
    (self.commit, sides) = (commit.id, commit.parents)
  }

  /// Parses the message that `git merge --squash` proposes, which lists the commits of the other branches, newest first.
  ///
  /// Returns nil for other commits, and if the repository no longer has the other branches.
  init?(squash commit: Commit, in box: Box) {
    let lines = commit.message.split(separator: "\n", omittingEmptySubsequences: true)
    guard let parent = commit.parents.first, commit.parents.count == 1,
      let start = lines.firstIndex(of: "Squashed commit of the following:")
    else { return nil }
    let listed = lines[start...].filter { $0.hasPrefix("commit ") }
      .compactMap { ObjectID(hex: Array($0.utf8.dropFirst(7))) }
    // A branch ends at a listed commit that is not a parent of another one. If a commit is missing, the ends are unknown.
    let ends = try? box.git { repository throws(GitError) in
      var parents: Set<ObjectID> = []
      for id in listed { parents.formUnion(try repository.read(id).parents) }
      var ends: [ObjectID] = []
      for id in listed where !parents.contains(id) {
        if try !repository.history.isAncestor(id, of: parent) { ends.append(id) }
      }
      return ends
    }
    guard let ends, !ends.isEmpty else { return nil }
    (self.commit, sides) = (commit.id, [parent] + ends)
  }
}
