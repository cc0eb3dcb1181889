import Git
import NoteIndex
import Notes
package import SlipboxCore

extension HistoryHit {
  /// Times for which notes held what was looked for, as a JSON object with its line end.
  package static func json(_ hits: [HistoryHit]) -> [UInt8] {
    JSONDocument.list("versions", hits) { hit, writer in
      writer.object { writer in
        let note = hit.entry.note
        writer.member("id", note.id?.description)
        writer.member("path", bytes: note.path)
        writer.member("title", note.title)
        writer.member("kind", hit.entry.kind)
        write("from", hit.began, to: &writer)
        if let ended = hit.ended { write("to", ended, to: &writer) }
        writer.member("versions", hit.versions)
        writer.member("blob", hit.blob.hex)
        writer.member("snippets", of: hit.snippets) { snippet, writer in
          writer.object {
            $0.member("line", snippet.line)
            $0.member("text", snippet.text)
          }
        }
      }
    }
  }

  private static func write(_ key: String, _ end: End, to writer: inout JSONWriter) {
    writer.key(key)
    writer.object {
      $0.member("commit", end.commit.hex)
      $0.member("time", end.time.rfc3339)
    }
  }
}
