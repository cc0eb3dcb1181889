import Git
import Notes
package import SlipboxCore

extension HistoryEntry {
  /// The commit as a JSON object on a line of its own.
  package var json: [UInt8] {
    var writer = JSONWriter()
    write(to: &writer)
    writer.newLine()
    return writer.takeBytes()
  }

  /// Writes the commit as an object.
  package func write(to writer: inout JSONWriter) {
    writer.object { writer in
      writer.member("commit", commit.id.hex)
      operation.writeMembers(to: &writer)
      writer.key("changes")
      writer.beginArray()
      for change in changes { change.write(to: &writer) }
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
    case .undo(let id): writer.member("undoes", id.description)
    case .redo(let id): writer.member("redoes", id.description)
    case nil: break
    }
    writer.member("subject", subject)
  }
}

extension NoteChange {
  /// The change as objects: note, field, old and new value.
  func write(to writer: inout JSONWriter) {
    if let file {
      begin("path", &writer)
      value("old", file.paths.old, &writer) { $1.string(bytes: $0) }
      value("new", file.paths.new, &writer) { $1.string(bytes: $0) }
      writer.endObject()
    }
    for field in fields {
      begin(field.name, &writer)
      value("old", field.old, &writer) { Self.write($0, to: &$1) }
      value("new", field.new, &writer) { Self.write($0, to: &$1) }
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

  /// A field without a value is an empty string here, as null says that it is absent.
  private static func write(_ value: FieldValue, to writer: inout JSONWriter) {
    switch value {
    case .text(let text): writer.string(text)
    case .empty: writer.string("")
    case .list(let elements):
      writer.beginArray()
      for element in elements { write(element, to: &writer) }
      writer.endArray()
    case .map(let entries):
      writer.beginObject()
      for entry in entries {
        writer.key(entry.key)
        write(entry.value, to: &writer)
      }
      writer.endObject()
    }
  }
}
