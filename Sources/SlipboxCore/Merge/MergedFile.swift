import Git
import Notes

/// A file of the result of a merge.
struct MergedFile {
  let blob: ObjectID
  let mode: UInt32
  /// The blob before the merge rewrote links in it, of two that were merged the greater. Paths beside others are named
  /// after it, so that they don't depend on the links.
  var origin: ObjectID
  /// The id of the note; nil if it has none, and for one of two versions that could not be merged.
  var id: NoteID?
  /// Whether it is one of two versions that could not be merged.
  var isApart = false
  /// The paths that the sides and the base have the file at; nil where it is not.
  var paths: (one: [UInt8]?, other: [UInt8]?, base: [UInt8]?) = (nil, nil, nil)

  init(blob: ObjectID, mode: UInt32, origin: ObjectID, id: NoteID? = nil, isApart: Bool = false) {
    (self.blob, self.mode, self.origin, self.id, self.isApart) = (blob, mode, origin, id, isApart)
  }

  func path(on side: MergeSide) -> [UInt8]? { side == .one ? paths.one : paths.other }

  /// Whether the file keeps a path that another wants too: without an id the path is its identity.
  func precedes(_ file: MergedFile) -> Bool {
    if id != file.id {
      guard let id else { return true }
      return file.id.map { id < $0 } ?? false
    }
    return (origin, blob, mode) < (file.origin, file.blob, file.mode)
  }
}

/// What a merge could not decide without keeping both.
package struct MergeConflict: Sendable, Equatable {
  /// From the root of the repository.
  package let path: [UInt8]
  package let kind: Kind

  package enum Kind: Sendable, Equatable {
    /// Both values of these fields, or both texts, are in the note.
    case parts([String])
    /// A side deleted it and the other changed it, so it stays.
    case deleted
    /// Both versions are kept as files; this is the other one's path.
    case apart([UInt8])
    /// Another file has the path that it had on a side, which is this.
    case renamed(from: [UInt8])
    /// Both sides made a note without id there, and it has the lines of both.
    case joined
  }
}
