import Bytes
import Git
import Notes

/// The value of one `Slip-Change` trailer: a note and one thing that changed in it.
///
/// - `NOTE path null "PATH"` made, `NOTE path "PATH" null` deleted, `NOTE path "PATH" "PATH"` moved
/// - `NOTE FIELD OLD NEW` a field, values as `TrailerValues` writes them
/// - `NOTE body "BLOB" "BLOB"` the text; in old commits `NOTE body`
///
/// NOTE is an id, or a path in quotes. A field's name stands in quotes where it has blanks, quotes, brackets or
/// characters that a terminal must not see, and where it is itself `path` or `body`.
enum ChangeLine: Equatable {
  case file(NoteName, NoteChange.FileStep)
  case field(NoteName, NoteChange.Field)
  case body(NoteName, NoteChange.Body)

  /// The text after `Slip-Change: `.
  var text: String {
    switch self {
    case .file(let note, let step):
      let (old, new) = step.paths
      return "\(Self.name(note)) path \(Self.json(old)) \(Self.json(new))"
    case .field(let note, let field):
      let plain = field.plainScalars
      let values = "\(TrailerValues.json(field.old, plain.old)) \(TrailerValues.json(field.new, plain.new))"
      return "\(Self.name(note)) \(Self.fieldName(field.name)) \(values)"
    case .body(let note, let body):
      guard body.old != nil || body.new != nil else { return "\(Self.name(note)) body" }
      return "\(Self.name(note)) body \(Self.json(body.old)) \(Self.json(body.new))"
    }
  }

  private static func name(_ note: NoteName) -> String {
    switch note {
    case .id(let id): id.description
    case .path(let path): TrailerValues.json(path: path)
    }
  }

  private static func json(_ path: [UInt8]?) -> String {
    path.map { TrailerValues.json(path: $0) } ?? "null"
  }

  private static func json(_ blob: ObjectID?) -> String { blob.map { "\"\($0.hex)\"" } ?? "null" }

  private static func fieldName(_ name: String) -> String {
    let quoted = JSONString.quoted(name)
    let isBare =
      !name.isEmpty && name != "path" && name != "body" && quoted.utf8.count == name.utf8.count + 2
      && !name.utf8.contains { " []{}".utf8.contains($0) }
    return isBare ? name : quoted
  }
}

extension ChangeLine {
  /// Reads a trailer's value; nil where it is not of the form or says no change.
  init?(_ text: String) {
    var reader = TrailerReader(text)
    guard let note = Self.note(&reader), reader.skip(" "), let line = Self.rest(&reader, note), reader.isAtEnd
    else { return nil }
    self = line
  }

  private static func note(_ reader: inout TrailerReader) -> NoteName? {
    if let path = reader.path() { return isPath(path) ? .path(path) : nil }
    return reader.bareWord().flatMap { NoteID($0) }.map { .id($0) }
  }

  private static func rest(_ reader: inout TrailerReader, _ note: NoteName) -> ChangeLine? {
    if let name = reader.string() { return field(&reader, note, name) }
    switch reader.bareWord() {
    case "path": return file(&reader, note)
    case "body": return body(&reader, note)
    case let name?: return field(&reader, note, name)
    case nil: return nil
    }
  }

  private static func field(
    _ reader: inout TrailerReader, _ note: NoteName, _ name: String
  ) -> ChangeLine? {
    guard reader.skip(" "), let old = reader.value(), reader.skip(" "), let new = reader.value(),
      old.value != new.value
    else { return nil }
    return .field(
      note,
      NoteChange.Field(
        name: name, old: old.value, new: new.value, plainScalars: (old.plainScalars, new.plainScalars)))
  }

  private static func file(_ reader: inout TrailerReader, _ note: NoteName) -> ChangeLine? {
    guard reader.skip(" "), let old = pathOrNull(&reader), reader.skip(" "), let new = pathOrNull(&reader)
    else { return nil }
    switch (old, new) {
    case (nil, let new?): return .file(note, .made(new))
    case (let old?, nil): return .file(note, .deleted(old))
    case (let old?, let new?): return old == new ? nil : .file(note, .moved(from: old, to: new))
    case (nil, nil): return nil
    }
  }

  private static func body(_ reader: inout TrailerReader, _ note: NoteName) -> ChangeLine? {
    if reader.isAtEnd { return .body(note, NoteChange.Body(old: nil, new: nil)) }
    guard reader.skip(" "), let old = blobOrNull(&reader), reader.skip(" "), let new = blobOrNull(&reader),
      old != new
    else { return nil }
    return .body(note, NoteChange.Body(old: old, new: new))
  }

  private static func pathOrNull(_ reader: inout TrailerReader) -> [UInt8]?? {
    if reader.skipNull() { return .some(nil) }
    return reader.path().flatMap { isPath($0) ? .some(.some($0)) : nil }
  }

  private static func blobOrNull(_ reader: inout TrailerReader) -> ObjectID?? {
    if reader.skipNull() { return .some(nil) }
    return reader.string().flatMap { ObjectID(hex: $0.utf8) }.map { .some($0) }
  }

  /// Whether a path can be that of a file in a tree: relative, without empty parts, `.`, `..` and NUL bytes.
  private static func isPath(_ path: [UInt8]) -> Bool {
    let parts = path.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
    return !path.contains(0)
      && parts.allSatisfy { !$0.isEmpty && !$0.elementsEqual(".".utf8) && !$0.elementsEqual("..".utf8) }
  }
}

extension NoteChange.FileStep {
  /// The path before and after.
  package var paths: (old: [UInt8]?, new: [UInt8]?) {
    switch self {
    case .made(let path): (nil, path)
    case .deleted(let path): (path, nil)
    case .moved(let from, let to): (from, to)
    }
  }
}
