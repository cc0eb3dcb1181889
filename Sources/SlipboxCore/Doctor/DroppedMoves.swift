import Git
import Notes

/// The notes that a side of a merge moved, and that the merge has at another path.
struct DroppedMoves {
  /// A path at which a merge has a note.
  struct Place {
    /// From the root of the repository.
    let name: [UInt8]
    /// Whether it is that of the base, so that the merge dropped the move.
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
          places[new] = Place(name: name, isOfBase: name == old.entry.path)
        }
      }
    }
  }

  subscript(name: [UInt8]) -> Place? { places[name] }
}
