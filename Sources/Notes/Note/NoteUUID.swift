import Bytes

/// Names of notes for other programs, which follow from what a note is called for life.
///
/// Source: RFC 9562, section 5.8 (version 8: the bits are ours, here those of SHA-256).
package enum NoteUUID {
  /// The value of the note's field `uuid`, else one that follows from its id, else one from its path.
  ///
  /// - Parameter space: what tells paths of one box from those of another.
  package static func of(_ note: Note, in space: String = "") -> String {
    if let own = note.frontMatter["uuid"]?.text?.lowercased(), isUUID(own) { return own }
    if let id = note.id { return named("note \(id)") }
    return named("path \(space) \(String(decoding: note.path, as: UTF8.self))")
  }

  /// The one that a text stands for.
  package static func named(_ text: String) -> String {
    var bytes = Array(SHA256.digest(of: Array("slip \(text)".utf8)).prefix(16))
    bytes[6] = bytes[6] & 0x0F | 0x80
    bytes[8] = bytes[8] & 0x3F | 0x80
    return [0..<4, 4..<6, 6..<8, 8..<10, 10..<16].map { Hexadecimal.text(bytes[$0]) }.joined(separator: "-")
  }

  private static func isUUID(_ text: String) -> Bool {
    let lengths = text.split(separator: "-", omittingEmptySubsequences: false).map(\.utf8.count)
    return lengths == [8, 4, 4, 4, 12]
      && text.utf8.allSatisfy { Hexadecimal.value(of: $0) != nil || $0 == UInt8(ascii: "-") }
  }
}
