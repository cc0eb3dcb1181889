import Bytes
package import Git
import Notes

/// The one codec between operations and commit messages.
///
/// A message is the subject, the reason and a paragraph of trailers:
/// - `Slip-Operation: ID` and `Slip-Command: NAME`. If another face than the command line made it, `Slip-Command` has its
///   name, and `Slip-Verb: NAME` the command.
/// - `Slip-Device: NAME`
/// - `Slip-Undoes: ID` or `Slip-Redoes: ID` if it undoes or redoes an operation, and one `Slip-Passes: ID` for each
///   operation that undo skipped
/// - either one `Slip-Change` for each change (see `ChangeLine`), or `Slip-Notes: N`
/// - `Slip-Files: DIGEST`, which shows whether the commit still has only the files of the operation (see `FilesDigest`)
package enum OperationTrailers {
  /// The maximum number of notes whose changes are listed.
  package static let limit = 20

  /// The names of the trailers.
  private enum Name {
    static let operation = "Slip-Operation"
    static let command = "Slip-Command"
    static let verb = "Slip-Verb"
    static let device = "Slip-Device"
    static let change = "Slip-Change"
    static let notes = "Slip-Notes"
    static let files = "Slip-Files"
    static let undoes = "Slip-Undoes"
    static let passes = "Slip-Passes"
    static let redoes = "Slip-Redoes"
  }

  /// Returns the message of an operation's commit; without an id it gets no trailers.
  package static func message(of operation: Operation) -> String {
    var text = operation.subject + "\n"
    if let reason = operation.reason { text += "\n" + reason + "\n" }
    guard let id = operation.id, let command = operation.command else { return text }
    text += "\n\(Name.operation): \(id)\n\(Name.command): \(operation.face ?? command)\n"
    if operation.face != nil { text += "\(Name.verb): \(command)\n" }
    if let device = operation.device { text += "\(Name.device): \(device)\n" }
    switch operation.reversal {
    case .undo(let id, let passed):
      text += "\(Name.undoes): \(id)\n"
      for id in passed { text += "\(Name.passes): \(id)\n" }
    case .redo(let id): text += "\(Name.redoes): \(id)\n"
    case nil: break
    }
    if operation.isWhole, operation.changes.count <= limit {
      for line in operation.changes.flatMap(lines) { text += "\(Name.change): \(line.text)\n" }
    } else if let count = operation.noteCount {
      text += "\(Name.notes): \(count)\n"
    }
    if let digest = operation.filesDigest { text += "\(Name.files): \(digest)\n" }
    return text
  }

  /// Returns whether a commit made a folder a box: with `slip init`, which commits the existing notes unchanged.
  static func adoptsFolder(_ commit: Commit) -> Bool {
    commit.trailers.contains { $0.name == Name.command && $0.value == "init" }
  }

  /// Returns whether a commit made a folder a box and has more than its settings.
  static func adoptsNotes(_ commit: Commit) -> Bool {
    guard adoptsFolder(commit) else { return false }
    let operation = operation(of: commit)
    return operation.changes.count > 1 || (operation.noteCount ?? 0) > 1
  }

  /// Returns the operation that a commit's message records, made by slip or not; foreign and malformed trailers are left
  /// out.
  ///
  /// It is incomplete if the message has only the number of notes or a change that can't be parsed, or if another program
  /// made the commit.
  package static func operation(of commit: Commit) -> Operation {
    let trailers = commit.trailers
    let values = { (name: String) in trailers.filter { $0.name == name }.map(\.value) }
    guard let id = only(values(Name.operation)).flatMap({ OperationID($0) }),
      let command = only(values(Name.command)), !isSquashed(commit)
    else { return outside(commit) }
    let verb = only(values(Name.verb))
    let lines = values(Name.change)
    let changes = lines.compactMap { ChangeLine($0) }
    let notes = joined(changes)
    var operation = Operation(
      recorded: id, command: verb ?? command, face: verb == nil ? nil : command,
      device: only(values(Name.device)), author: commit.author,
      subject: commit.subject, reason: reason(of: commit, hasTrailers: true), changes: notes,
      noteCount: changes.count < lines.count ? nil : count(values(Name.notes), of: notes),
      reversal: reversal(
        undoes: values(Name.undoes), passes: values(Name.passes), redoes: values(Name.redoes)))
    operation.filesDigest = only(values(Name.files))
    return operation
  }

  /// Returns whether another program squashed the commits of several operations, so that the message contains their
  /// messages in sequence.
  private static func isSquashed(_ commit: Commit) -> Bool {
    let marks = [Name.operation, Name.command].map { Array("\($0): ".utf8) }
    let lines = commit.message.utf8.split(separator: 0x0A, omittingEmptySubsequences: false)
    // A reason may have one such line.
    return zip(lines, lines.dropFirst()).count { $0.starts(with: marks[0]) && $1.starts(with: marks[1]) } > 1
  }

  private static func reversal(
    undoes: [String], passes: [String], redoes: [String]
  ) -> Operation.Reversal? {
    if undoes.isEmpty { return only(redoes).flatMap { OperationID($0) }.map { .redo($0) } }
    guard redoes.isEmpty else { return nil }
    let passed = passes.compactMap { OperationID($0) }
    return only(undoes).flatMap { OperationID($0) }.map { .undo($0, passing: passed) }
  }

  private static func outside(_ commit: Commit) -> Operation {
    Operation(
      recorded: nil, command: nil, device: nil, author: commit.author, subject: commit.subject,
      reason: reason(of: commit, hasTrailers: false), changes: [], noteCount: nil)
  }

  private static func only(_ values: [String]) -> String? { values.count == 1 ? values.first : nil }

  private static func count(_ values: [String], of changes: [NoteChange]) -> Int? {
    if values.isEmpty { return changes.isEmpty ? nil : changes.count }
    guard let count = only(values).flatMap({ Int($0) }), count > 0 else { return nil }
    return count
  }
}

extension OperationTrailers {
  /// Returns the lines of a note's change; the line of its file is the first.
  private static func lines(of change: NoteChange) -> [ChangeLine] {
    var lines: [ChangeLine] = []
    if let file = change.file { lines.append(.file(change.note, file)) }
    for field in change.fields { lines.append(.field(change.note, field)) }
    if let body = change.body { lines.append(.body(change.note, body)) }
    return lines
  }

  /// Joins lines to changes: a change begins with a line of another note, and with a line of a file.
  private static func joined(_ lines: [ChangeLine]) -> [NoteChange] {
    var changes: [NoteChange] = []
    for line in lines {
      let change = NoteChange(line)
      guard let last = changes.last, last.note == change.note, change.file == nil,
        last.body == nil || change.body == nil
      else {
        changes.append(change)
        continue
      }
      changes[changes.count - 1] = NoteChange(
        note: last.note, file: last.file, fields: last.fields + change.fields, body: last.body ?? change.body)
    }
    return changes
  }

  /// Returns the text between the subject and the trailers.
  private static func reason(of commit: Commit, hasTrailers: Bool) -> String? {
    var lines = commit.message.utf8.split(separator: 10, omittingEmptySubsequences: false)[...]
    let isBlank: (Substring.UTF8View) -> Bool = { $0.allSatisfy { $0 == 32 || $0 == 9 || $0 == 13 } }
    lines = lines.drop(while: isBlank).drop { !isBlank($0) }
    if hasTrailers {
      while let line = lines.last, isBlank(line) { lines.removeLast() }
      while let line = lines.last, !isBlank(line) { lines.removeLast() }
    }
    return Operation.paragraphs(lines.map { String(Substring($0)) }.joined(separator: "\n"))
  }
}

extension NoteChange {
  fileprivate init(_ line: ChangeLine) {
    switch line {
    case .file(let note, let step): self.init(note: note, file: step)
    case .field(let note, let field): self.init(note: note, fields: [field])
    case .body(let note, let body): self.init(note: note, body: body)
    }
  }
}

extension Commit {
  /// Whether the message may be that of an operation: a fast check with false positives.
  var mayBeOperation: Bool { messageHolds(Array("Slip-Operation: ".utf8)) }

  /// Returns whether the message contains some bytes.
  /// - Complexity: linear in the message.
  func messageHolds(_ mark: [UInt8]) -> Bool {
    var message = message
    return message.withUTF8 { bytes in
      bytes.indices.dropLast(mark.count - 1).contains { place in
        bytes[place] == mark[0] && bytes[place..<place + mark.count].elementsEqual(mark)
      }
    }
  }
}

/// The value of one `Slip-Change` trailer: a note and one change of it.
///
/// - `NOTE path null "PATH"` created, `NOTE path "PATH" null` deleted, `NOTE path "PATH" "PATH"` moved
/// - `NOTE FIELD OLD NEW` a field, values as `TrailerValues` writes them
/// - `NOTE body "BLOB" "BLOB"` the text; in old commits `NOTE body`
///
/// NOTE is an id, or a path in quotes. A field's name is in quotes if it has spaces, quotes, brackets or characters that
/// a terminal must not receive, and if it is itself `path` or `body`.
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
  /// Parses a trailer's value; nil if it is malformed or describes no change.
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

  /// Returns whether a path can be that of a file in a tree: relative, without empty parts, `.`, `..` and NUL bytes.
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

/// A short digest of the files that an operation changed. It distinguishes the operation's commit from one into which
/// another program put more (`git commit --amend`, a squash).
enum FilesDigest {
  /// A file before and after the operation; nil if it did not exist.
  struct File {
    /// The path in the box.
    let path: [UInt8]
    let old: ObjectID?
    let new: ObjectID?
  }

  /// The number of hexadecimal digits: 64 bits make accidental collisions unlikely enough.
  private static let length = 16

  /// Returns the digest of files in any order; files that are the same before and after don't count.
  static func of(_ files: [File]) -> String {
    let lines = files.filter { $0.old != $0.new }.sorted { $0.path.lexicographicallyPrecedes($1.path) }.map {
      file in
      Array("\(file.old?.hex ?? "-") \(file.new?.hex ?? "-") ".utf8) + file.path + [0]
    }
    return String(ObjectID(ofBlob: Array(lines.joined())).hex.prefix(length))
  }
}
