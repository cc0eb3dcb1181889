package import NoteIndex
import Notes
package import SlipboxCore

/// Notes of a box as objects inside of other JSON, in the shape that every command prints.
///
/// What the shape needs of all notes is worked out once, so that a window of a long list costs no more than its notes.
package struct NoteObjects: Sendable {
  private let snapshot: BoxSnapshot
  private let shape: NoteJSON

  /// - Throws: where the notes can't be read.
  package init(_ snapshot: BoxSnapshot) throws(SlipboxError) {
    self.snapshot = snapshot
    shape = try NotePresenter(snapshot).json(of: [], [])
  }

  /// Writes matches as the elements of the open array, as `slip list --json` has them.
  ///
  /// - Parameters:
  ///   - deletion: says of a deleted note when and how it was deleted.
  ///   - more: writes further members of a note's object.
  package func write(
    _ matches: some Sequence<Match>, deletion: (Entry) -> PastDeletion? = { _ in nil },
    to writer: inout JSONWriter, more: (Match, inout JSONWriter) -> Void
  ) {
    for match in matches {
      let entry = match.entry
      shape.write(
        entry, modified: snapshot.modified(entry), deleted: deletion(entry), to: &writer
      ) { more(match, &$0) }
    }
  }

  /// Writes a note as `slip list --json` has it.
  package func write(_ entry: Entry, to writer: inout JSONWriter, more: (inout JSONWriter) -> Void) {
    shape.write(entry, modified: snapshot.modified(entry), to: &writer, more: more)
  }

  /// Writes a note with its body, links and backlinks, as `slip show --json` has it.
  ///
  /// - Throws: where its links can't be read.
  package func writeWhole(_ entry: Entry, to writer: inout JSONWriter) throws(SlipboxError) {
    let shape = try NotePresenter(snapshot).wholeJSON(of: [entry])
    shape.write(entry, modified: snapshot.modified(entry), to: &writer)
  }
}

extension Snippet {
  /// Writes the text in parts as an array, each with whether it is what was looked for.
  package func writeParts(to writer: inout JSONWriter) {
    let bytes = Array(text.utf8)
    var position = 0
    var parts: [(text: ArraySlice<UInt8>, isHit: Bool)] = []
    for hit in highlights where hit.lowerBound >= position && hit.upperBound <= bytes.count {
      if position < hit.lowerBound { parts.append((bytes[position..<hit.lowerBound], false)) }
      parts.append((bytes[hit], true))
      position = hit.upperBound
    }
    if position < bytes.count { parts.append((bytes[position...], false)) }
    writer.array(of: parts) { part, writer in
      writer.object {
        $0.key("text")
        $0.string(bytes: part.text)
        $0.member("hit", part.isHit)
      }
    }
  }
}
