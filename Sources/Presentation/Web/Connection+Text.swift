import NoteIndex
import Notes
import SlipboxCore

extension Connection {
  /// How it is written, in a word: the form of a link, or the field that holds it and a colon.
  var way: String { field.map { "\($0):" } ?? form?.rawValue ?? "" }

  /// What it leads to, in a word.
  var sort: String {
    if missing != nil { return "broken" }
    return switch target {
    case .note: "note"
    case .ambiguous: "ambiguous"
    case .file: "file"
    case .url: "url"
    case .broken: "broken"
    }
  }

  /// The name of what it leads to: of a note its id or path, of a file its path, an address; else the target as written.
  func name(in entries: Entries) -> String {
    switch target {
    case .note(let place): entries[place].name
    case .file(let path): String(decoding: path, as: UTF8.self)
    case .url(let address): String(decoding: address, as: UTF8.self)
    case .ambiguous, .broken: text
    }
  }

  /// The title of the note that it leads to; of several their names.
  func title(in entries: Entries) -> String {
    switch target {
    case .note(let place): entries[place].note.title
    case .ambiguous(let places): places.map { entries[$0].name }.joined(separator: ", ")
    case .file, .url, .broken: ""
    }
  }
}

extension Connection {
  /// Writes it as an object: target, form, line and field as it is written, and what it came to.
  func write(in entries: Entries, to writer: inout JSONWriter, others: (inout JSONWriter) -> Void = { _ in })
  {
    writer.object { writer in
      writer.member("target", text)
      writer.member("form", form?.rawValue ?? "field")
      writer.member("line", line)
      writer.member("field", field)
      if let missing { writer.member("missing", (missing.isBlock ? "#^" : "#") + missing.name) }
      others(&writer)
      switch target {
      case .note(let place): writer.names(of: entries[place].note)
      case .ambiguous(let places):
        writer.member("ambiguous", of: places) { place, writer in
          writer.object { $0.names(of: entries[place].note) }
        }
      case .file(let path): writer.member("file", bytes: path)
      case .url(let address): writer.member("url", bytes: address)
      case .broken: writer.member("dangling", true)
      }
    }
  }
}
