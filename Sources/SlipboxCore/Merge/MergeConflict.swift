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
