import Git
import NoteIndex
import Notes

/// The notes of a commit.
struct CommitNotes: Sendable {
  /// A note's file: its path in the box and the id of its blob.
  struct File: Sendable {
    let path: [UInt8]
    let content: ContentID
  }

  let catalogue: Catalogue
  /// The notes whose blobs could not be read.
  let unreadable: [UnreadableNote]
  /// The kept catalogue whose documents stand behind the stored entries; nil where there is none.
  let kept: KeptCatalogue?
  /// All notes' files, by path.
  let files: [File]

  /// The content of a note's file; nil where there is none.
  /// - Complexity: O(log n).
  func content(of path: [UInt8]) -> ContentID? {
    var (low, high) = (0, files.count)
    while low < high {
      let middle = (low + high) / 2
      if files[middle].path.lexicographicallyPrecedes(path) { low = middle + 1 } else { high = middle }
    }
    return low < files.count && files[low].path == path ? files[low].content : nil
  }
}
