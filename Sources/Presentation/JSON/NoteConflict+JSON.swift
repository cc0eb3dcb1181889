package import Notes

extension NoteConflict {
  /// What is in conflict in a note as JSON, with the numbers by which versions are chosen.
  package static func json(_ conflicts: [NoteConflict], of note: Note) -> [UInt8] {
    JSONDocument.object { writer in
      writer.member("id", note.id?.description)
      writer.member("path", bytes: note.path)
      writer.member("conflicts", of: conflicts) { conflict, writer in
        writer.object { writer in
          writer.member("name", conflict.name)
          writer.member("versions", of: Array(conflict.versions.enumerated())) { version, writer in
            version.element.write(number: version.offset + 1, to: &writer)
          }
        }
      }
    }
  }
}

extension NoteConflict.Version {
  fileprivate func write(number: Int, to writer: inout JSONWriter) {
    writer.object { writer in
      writer.member("number", number)
      if let text {
        writer.member("value", bytes: text)
      } else if let value {
        writer.key("value")
        writer.json(value.json)
      }
      for (name, text) in [("when", when), ("device", device), ("who", who)] where !text.isEmpty {
        writer.member(name, text)
      }
    }
  }
}
