import Notes
package import SlipboxCore

extension ImportResult {
  /// What became of each note as a JSON object with its line end.
  package var json: [UInt8] {
    JSONDocument.object { writer in
      writer.member("made", of: made) { $0.write(to: &$1) }
      writer.member("changed", of: changed) { $0.write(to: &$1) }
      writer.member("unchanged", unchanged)
      writer.member("kept", of: kept) { kept, writer in
        writer.object { writer in
          kept.item.writeMembers(to: &writer)
          writer.key("parts")
          writer.strings(kept.parts)
        }
      }
      writer.member("deleted", of: deleted) { $0.write(to: &$1) }
      writer.member("vanished", of: vanished) { note, writer in
        writer.object { $0.names(of: note) }
      }
      writer.member("files", attachments)
      writer.member("failed", of: failures) { failure, writer in
        writer.object {
          $0.member("file", failure.place.file)
          $0.member("line", failure.place.line)
          $0.member("message", failure.message)
        }
      }
      writer.key("messages")
      writer.strings(remarks)
    }
  }
}

extension ImportResult.Item {
  fileprivate func write(to writer: inout JSONWriter) {
    writer.object { writeMembers(to: &$0) }
  }

  /// The note as lists name it, and where it came from.
  fileprivate func writeMembers(to writer: inout JSONWriter) {
    writer.member("id", note.id?.description)
    writer.member("path", bytes: note.path)
    writer.member("title", note.title)
    writer.member("kind", note.kind)
    writer.member("file", place.file)
    writer.member("line", place.line)
  }
}
