import Git
import NoteIndex
import Notes
package import SlipboxCore

extension HistoryEntry {
  /// The commit as a JSON object on a line of its own.
  package func json(_ types: ChangeTypes) -> [UInt8] {
    var writer = JSONWriter()
    write(types, to: &writer)
    writer.newLine()
    return writer.takeBytes()
  }

  /// Writes the commit as an object.
  ///
  /// - Parameter types: those of the values; nil for strings alone.
  package func write(_ types: ChangeTypes? = nil, to writer: inout JSONWriter) {
    writer.object { writer in
      writer.member("commit", commit.id.hex)
      operation.writeMembers(to: &writer)
      writer.key("changes")
      writer.beginArray()
      for change in changes { change.write(types, to: &writer) }
      writer.endArray()
    }
  }
}

extension PastOperation {
  /// The operation as a JSON object on a line of its own.
  package var json: [UInt8] {
    var writer = JSONWriter()
    writer.object { writer in
      writer.member("commit", commit.id.hex)
      operation.writeMembers(to: &writer)
      writer.member("device", operation.device)
      writer.member("stands", stands)
      writer.member("undone", isTakenBack)
      writer.member("redoable", isRedoable)
    }
    writer.newLine()
    return writer.takeBytes()
  }
}

extension Operation {
  fileprivate func writeMembers(to writer: inout JSONWriter) {
    writer.member("time", time.rfc3339)
    writer.member("author", author)
    writer.member("operation", id?.description)
    writer.member("command", command)
    if let face { writer.member("face", face) }
    switch reversal {
    case .undo(let id, _): writer.member("undoes", id.description)
    case .redo(let id): writer.member("redoes", id.description)
    case nil: break
    }
    writer.member("subject", subject)
  }
}

extension NoteChange {
  /// The change as objects: note, field, old and new value.
  func write(_ types: ChangeTypes?, to writer: inout JSONWriter) {
    if let file {
      begin("path", &writer)
      value("old", file.paths.old, &writer) { $1.string(bytes: $0) }
      value("new", file.paths.new, &writer) { $1.string(bytes: $0) }
      writer.endObject()
    }
    for field in fields {
      begin(field.name, &writer)
      for (key, value, plain) in [
        ("old", field.old, field.plainScalars.old), ("new", field.new, field.plainScalars.new),
      ] {
        // A field without a value is an empty string here, as null says that it is absent.
        self.value(key, value, &writer) { value, writer in
          guard let types else {
            return FieldJSON.write(value, plainScalars: [], emptyIsText: true, to: &writer)
          }
          types.write(value, plainScalars: plain, of: field, in: self, to: &writer)
        }
      }
      writer.endObject()
    }
    guard let body else { return }
    begin("body", &writer)
    if body.old != nil || body.new != nil {
      value("old", body.old, &writer) { $1.string($0.hex) }
      value("new", body.new, &writer) { $1.string($0.hex) }
    }
    writer.endObject()
  }

  private func begin(_ field: String, _ writer: inout JSONWriter) {
    writer.beginObject()
    writer.key("note")
    switch note {
    case .id(let id): writer.string(id.description)
    case .path(let path): writer.string(bytes: path)
    }
    writer.key("field")
    writer.string(field)
  }

  /// Writes a member; null stands for an absent value.
  private func value<Value>(
    _ key: String, _ value: Value?, _ writer: inout JSONWriter, _ write: (Value, inout JSONWriter) -> Void
  ) {
    writer.key(key)
    if let value { write(value, &writer) } else { writer.null() }
  }
}

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

extension PastDeletion {
  /// Writes the deletion as a member of the note's object.
  func write(to writer: inout JSONWriter) {
    writer.key("deleted")
    writer.object { writer in
      writer.member("time", time.rfc3339)
      writer.member("commit", commit.hex)
      writer.member("command", command)
    }
  }
}

extension DiffVersions {
  /// The difference as one JSON object: the changes of fields, and the lines that differ.
  package func json(_ diff: NoteDiff, _ types: ChangeTypes) -> [UInt8] {
    JSONDocument.object(types.json) { writer in
      writer.member("note", note?.id?.description)
      if let note { writer.member("path", bytes: note.path) }
      writer.member("old", old?.name)
      writer.member("new", new?.name)
      writer.key("changes")
      writer.beginArray()
      diff.change?.write(types, to: &writer)
      writer.endArray()
      writer.member("text", of: diff.hunks) { hunk, writer in
        writer.object { writer in
          writer.member("oldLine", hunk.oldLines.lowerBound + 1)
          writer.member("newLine", hunk.newLines.lowerBound + 1)
          writer.member("old", bytes: Self.text(hunk) { if case .added = $0 { false } else { true } })
          writer.member("new", bytes: Self.text(hunk) { if case .removed = $0 { false } else { true } })
        }
      }
    }
  }

  private static func text(_ hunk: TextDiff.Hunk, _ isWanted: (TextDiff.Piece) -> Bool) -> [UInt8] {
    hunk.pieces.filter(isWanted).flatMap(\.bytes)
  }
}
