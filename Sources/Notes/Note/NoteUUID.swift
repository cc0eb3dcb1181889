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
    let digits = Array("0123456789abcdef".utf8)
    var text: [UInt8] = []
    for (index, byte) in bytes.enumerated() {
      if [4, 6, 8, 10].contains(index) { text.append(UInt8(ascii: "-")) }
      text += [digits[Int(byte >> 4)], digits[Int(byte & 15)]]
    }
    return String(decoding: text, as: UTF8.self)
  }

  private static func isUUID(_ text: String) -> Bool {
    let lengths = text.split(separator: "-", omittingEmptySubsequences: false).map(\.utf8.count)
    return lengths == [8, 4, 4, 4, 12]
      && text.utf8.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x66).contains($0) || $0 == 0x2D }
  }
}
