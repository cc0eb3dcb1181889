package import Git
import NoteIndex

/// The names that git gives to the texts of notes: whoever has read a text can say by it which one that was.
extension BoxSnapshot {
  /// The id of the bytes of a note's file; nil where there is no such note.
  ///
  /// - Complexity: O(log n).
  package func contentID(at path: [UInt8]) throws(SlipboxError) -> ObjectID? {
    try contents().content(of: path).flatMap { ObjectID(bytes: $0.id.bytes) }
  }

  /// The bytes of an id, where git has them; nil where it has not, or where they are too long for a note.
  package func knownBytes(of id: ObjectID) -> [UInt8]? {
    // Bytes that can't be read are none.
    try? box.blobBesideOthers(id)
  }
}
