package import NoteIndex
package import Notes
import Platform
import Text

/// Kinds in a box: its schema, the kind of a note, and what a kind says to a change.
extension Slipbox {
  /// Where a box declares kinds of its own.
  private static let kindsFolder = Array(".slipbox/kinds".utf8)
  /// More than this many bytes of a declaration are not read.
  private static let declarationLimit = 1 << 20

  /// The built-in kinds and those of the box; a faulty declaration counts for nothing and is named once.
  package func schema() -> Schema {
    if let known = knownSchema { return known }
    let (schema, problems) = Schema.reading(declarations())
    for problem in problems { warnOnce(problem.description) }
    knownSchema = schema
    return schema
  }

  private func declarations() -> [(name: String, bytes: [UInt8])] {
    let names = (try? Files.list(absolutePath(Self.kindsFolder))) ?? []
    return names.sorted { $0.lexicographicallyPrecedes($1) }.compactMap { name in
      let text = String(decoding: name, as: UTF8.self)
      guard text.hasSuffix(".yaml"), !text.hasPrefix(".") else { return nil }
      let path = BytePath.join(Self.kindsFolder, name)
      do throws(SystemError) {
        return (".slipbox/kinds/" + text, try folder.read(path, limit: Self.declarationLimit).bytes)
      } catch {
        warnOnce(Self.unreadableDeclaration(path, error))
        return nil
      }
    }
  }

  /// Why a file declares no kind, in a warning.
  static func unreadableDeclaration(_ path: [UInt8], _ error: SystemError) -> String {
    let why = error.isTooLarge ? "it is larger than 1 MB" : error.reason
    return "\(Visible.escape(path)) can't be read as the declaration of a kind: \(why)"
  }

  /// A fault in a query of a kind, with the place of its declaration where the box has one.
  func declarationFault(_ problem: (kind: String, key: String, error: QueryError)) -> String {
    let message = "\(problem.key): \(Visible.escape(problem.error.message))"
    let file = declarations().first { file in
      let stem = file.name.split(separator: "/").last?.dropLast(5) ?? ""
      return stem.lowercased() == problem.kind.lowercased()
    }
    guard let file else { return "kind \(problem.kind): \(message)" }
    let line = Schema.line(ofKey: problem.key, in: file.bytes).map { ":\($0)" } ?? ""
    return "\(Visible.escape(file.name))\(line): \(message)"
  }

  /// What applies changes to records of this box.
  func recordEditor(dropsInlineTags: Bool = false) throws(SlipboxError) -> RecordEditor {
    let schema = schema()
    var known: [String: RecordNames] = [:]
    return RecordEditor(schema: schema, clock: surroundings.clock, dropsInlineTags: dropsInlineTags) {
      [self] kind, typed in
      let names = known[kind] ?? recordNames(of: schema.kindOrPlain(named: kind))
      known[kind] = names
      return names.answer(typed)
    }
  }

  /// The names of records; none where the notes can't be read.
  private func recordNames(of kind: Kind) -> RecordNames {
    RecordNames(of: kind, in: (try? catalogue().entries) ?? Catalogue([]).entries)
  }

  /// A note's text with changes applied, and all that follows from them by its kind.
  /// - Throws: `.badData` where the record would break its kind, or the front-matter can't be rewritten.
  func applying(
    _ changes: [Change], to note: Note, kind: String, isNew: Bool = false, _ editor: RecordEditor
  ) throws(SlipboxError) -> NoteText {
    guard !changes.isEmpty || isNew else { return note.text }
    let ownKind = note.frontMatter["kind"] == nil ? kind : note.kind
    let result = try edited(note, changes, kind: ownKind, isNew: isNew, editor)
    try refuseTakenKey(of: note, Note(path: note.path, text: result.text), kind: ownKind)
    for warning in result.warnings { warnOnce("\(Self.name(of: note)): \(Visible.escape(warning))") }
    return result.text
  }

  private func edited(
    _ note: Note, _ changes: [Change], kind: String, isNew: Bool, _ editor: RecordEditor
  ) throws(SlipboxError) -> (text: NoteText, warnings: [String]) {
    do throws(RecordError) {
      return try editor.apply(changes, to: note.text, path: note.path, kind: kind, isNew: isNew)
    } catch {
      throw Self.refusal(error, of: note)
    }
  }

  private static func refusal(_ error: RecordError, of note: Note) -> SlipboxError {
    switch error {
    case .edit(let error): return SlipboxError(error, note: name(of: note))
    case .refused(let problems):
      let messages = problems.map { Visible.escape($0.message) }
      let hints = messages.dropFirst() + problems.compactMap { $0.hint.map { Visible.escape($0) } }
      return SlipboxError(.badData, "\(name(of: note)): \(messages.first ?? "refused")", hints: Array(hints))
    }
  }

  /// Says something the first time in a command.
  func warnOnce(_ message: String) {
    if saidWarnings.insert(message).inserted { surroundings.warn(message) }
  }
}

/// The records of one kind by the names that references use.
struct RecordNames {
  private let isKeyedByID: Bool
  /// Each record's key with its folded title.
  private let names: [(key: String, title: String)]

  init(of kind: Kind, in entries: Entries) {
    isKeyedByID = kind.key == nil
    names = entries.filter { $0.kind == kind.name }.map { ($0.key(in: kind), Folding.fold($0.note.title)) }
  }

  /// The record that a text names: by its key, its title, or the unique beginning of either.
  func answer(_ typed: String) -> ReferenceAnswer {
    let wanted = Folding.fold(typed)
    let rules: [((key: String, title: String)) -> Bool] = [
      { $0.key == typed }, { $0.title == wanted },
      { [isKeyedByID] in isKeyedByID && typed.utf8.count > 1 && $0.key.hasPrefix(typed) },
      { wanted.utf8.count > 2 && $0.title.hasPrefix(wanted) },
    ]
    for rule in rules {
      let fitting = names.filter(rule)
      if fitting.count == 1, let only = fitting.first { return .found(only.key) }
      if fitting.count > 1 { return .ambiguous(fitting.map(\.key)) }
    }
    return .none
  }
}

extension Entry {
  /// The key by which references name the record: its kind's key field, else its id, else its path.
  fileprivate func key(in kind: Kind) -> String {
    if let field = kind.key, let value = note.frontMatter[field]?.text { return value }
    return name
  }
}

extension Schema {
  /// The key by which references name a record.
  package func recordKey(of entry: Entry) -> String { entry.key(in: kindOrPlain(named: entry.kind)) }
}

extension Slipbox {
  /// Reads a query with the kinds and filters of this box.
  ///
  /// A reference may be named as `set` takes it: `group:Home` also finds what refers to the group Home by its key.
  package func query(_ arguments: [String]) throws(QueryError) -> Query {
    try Query.parse(
      arguments.map(namingRecord), clock: surroundings.clock, schema: schema(), filters: filters)
  }

  /// The term with the key of the record that it names beside the name.
  private func namingRecord(_ term: String) -> String {
    let parts = term.split(separator: ":", maxSplits: 1)
    guard parts.count == 2, !parts[1].contains(where: { "\"(),.<>=*@:".contains($0) }) else { return term }
    let targets = schema().kinds.flatMap(\.fields).filter { $0.name == parts[0] }.compactMap(\.target)
    guard let target = targets.first, let entries = try? catalogue().entries else { return term }
    let names = RecordNames(of: schema().kindOrPlain(named: target), in: entries)
    guard case .found(let key) = names.answer(String(parts[1])), key != parts[1] else { return term }
    return "\(term),\(key)"
  }
}
