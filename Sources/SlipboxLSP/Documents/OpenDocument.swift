import Notes
import Synchronization

/// A text that is open in the editor, at one moment.
///
/// Immutable; a change makes the next one. What follows from the text is worked out when it is first asked for.
final class OpenDocument: Sendable {
  /// The address as the client writes it.
  let uri: String
  /// The absolute path of the file; nil for a text without one.
  let path: [UInt8]?
  /// The version that the client gave.
  let version: Int
  let bytes: [UInt8]
  let lines: LineTable
  private let encoding: PositionEncoding
  private let computedNote = Mutex<(path: [UInt8], note: Note)?>(nil)

  init(uri: String, path: [UInt8]?, version: Int, bytes: [UInt8], encoding: PositionEncoding) {
    self.uri = uri
    self.path = path
    self.version = version
    self.bytes = bytes
    self.encoding = encoding
    lines = LineTable(bytes, encoding)
  }

  var text: NoteText { NoteText(bytes) }

  /// The note that the text is under a path in its box.
  func note(at path: [UInt8]) -> Note {
    computedNote.withLock { known in
      if let known, known.path == path { return known.note }
      let note = Note(path: path, text: text)
      known = (path, note)
      return note
    }
  }

  /// The document after some changes, each made on the result of the one before.
  func applying(_ changes: [ContentChange], version: Int) -> OpenDocument {
    var bytes = bytes
    var lines = lines
    for (number, change) in changes.enumerated() {
      if let range = change.range {
        bytes.replaceSubrange(lines.offsets(of: range), with: change.text.utf8)
      } else {
        bytes = Array(change.text.utf8)
      }
      if number < changes.count - 1 { lines = LineTable(bytes, encoding) }
    }
    return OpenDocument(uri: uri, path: path, version: version, bytes: bytes, encoding: encoding)
  }

  /// The document with another text of the same version.
  func replacing(_ text: String) -> OpenDocument {
    OpenDocument(uri: uri, path: path, version: version, bytes: Array(text.utf8), encoding: encoding)
  }
}

/// A change of an open text: of a part of it, or of all.
struct ContentChange: Decodable, Sendable {
  let range: PositionRange?
  let text: String
}
