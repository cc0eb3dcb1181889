import Bytes
package import NoteIndex
import Notes
import Platform
import Text

/// Kinds in a box: its schema, the kind of a note, and what a kind says to a change.
extension BoxSnapshot {
  /// Where a box declares kinds of its own.
  private static let kindsFolder = Array(".slipbox/kinds".utf8)
  /// More than this many bytes of a declaration are not read.
  private static let declarationLimit = 1 << 20

  /// The files that declare kinds, by name, and the kinds whose file can't be read, which are warned of once.
  func declarations() -> (files: [(name: String, bytes: [UInt8])], unreadable: [KindFault]) {
    let names: [[UInt8]]
    do throws(SlipboxError) {
      names = try self.names(in: Self.kindsFolder)
    } catch {
      reporter.warnOnce("the kinds of the box can't be read: \(error.message)")
      return ([], [])
    }
    var files: [(name: String, bytes: [UInt8])] = []
    var unreadable: [KindFault] = []
    for name in names.sorted(by: { $0.lexicographicallyPrecedes($1) }) {
      let text = String(decoding: name, as: UTF8.self)
      guard text.hasSuffix(".yaml"), !text.hasPrefix(".") else { continue }
      do throws(SystemError) {
        guard let bytes = try declaration(BytePath.join(Self.kindsFolder, name)) else { continue }
        files.append((".slipbox/kinds/" + text, bytes))
      } catch {
        let message = Self.unreadableDeclaration(BytePath.join(Self.kindsFolder, name), error)
        reporter.warnUnlessRefused(message, fact: message)
        if let fault = KindFault(file: text, message: message.description) { unreadable.append(fault) }
      }
    }
    return (files, unreadable)
  }

  /// The files among the kinds that declare none, for their names do not end as they should.
  package func unreadKindFiles() -> [[UInt8]] {
    // A folder that can't be read is warned of where its files are read.
    let names = (try? names(in: Self.kindsFolder)) ?? []
    return names.filter { $0.first != UInt8(ascii: ".") && !$0.suffix(5).elementsEqual(".yaml".utf8) }
      .sorted { $0.lexicographicallyPrecedes($1) }.map { BytePath.join(Self.kindsFolder, $0) }
  }

  func declaration(_ path: [UInt8]) throws(SystemError) -> [UInt8]? {
    guard source == .workTree else {
      // A blob that is damaged is named by doctor.
      return (try? bytes(at: path)).flatMap { $0 }
    }
    return try box.folder.read(path, limit: Self.declarationLimit).bytes
  }

  /// Why a file declares no kind, in a warning.
  static func unreadableDeclaration(_ path: [UInt8], _ error: SystemError) -> Phrase {
    let why = error.isTooLarge ? "it is larger than 1 MB" : error.reason
    return "\(path) can't be read as the declaration of a kind: \(why)"
  }

  /// A fault in a query of a kind, with the place of its declaration where the box has one.
  func declarationFault(_ problem: KindQueryProblem) -> Phrase {
    let message: Phrase = "\(problem.key): \(problem.error.message)"
    let file = declarations().files.first { file in
      Schema.kindName(ofFile: file.name)?.isSameName(as: problem.kind) == true
    }
    guard let file else { return "kind \(problem.kind): \(message)" }
    let line = problem.line(in: file.bytes).map { ":\($0)" } ?? ""
    return "\(file.name)\(line): \(message)"
  }

  /// Refuses to write records of a kind whose file has a mistake: nothing would hold them to what it declares.
  ///
  /// - Throws: `.configuration` with the file, the line and what is wrong.
  package func refuseFaultyKind(_ name: String) throws(SlipboxError) {
    guard let fault = schema().fault(ofKind: name).map({ Phrase($0.message) }) ?? queryFault(ofKind: name)
    else { return }
    let shown = Phrase(name)
    throw SlipboxError(
      .configuration, "the kind \(shown) can't be used: \(fault)",
      hints: ["fix that file; until then its records are read-only"])
  }

  /// Refuses to write records of kinds whose files have a mistake.
  func refuseFaultyKinds(of entries: [Entry]) throws(SlipboxError) {
    for kind in Set(entries.map(\.kind)).sorted() { try refuseFaultyKind(kind) }
  }

  /// The first fault in the queries and the order that a kind declares.
  private func queryFault(ofKind name: String) -> Phrase? {
    if let problem = kindMatcher().problems.first(where: { $0.kind.isSameName(as: name) }) {
      return declarationFault(problem)
    }
    guard let kind = schema().kind(named: name), let sort = kind.sort else { return nil }
    do throws(QueryError) {
      _ = try SortKey.parse(sort)
      return nil
    } catch {
      return declarationFault(KindQueryProblem(kind: kind.name, key: "sort", error: error))
    }
  }

  /// What applies changes to records of this box.
  ///
  /// - Parameters:
  ///   - entries: all records that the command changes.
  ///   - allowsNewFields: whether a field may be new although it almost is a declared one.
  func recordEditor(
    of entries: [Entry] = [], dropsInlineTags: Bool = false, allowsNewFields: Bool = false
  ) throws(SlipboxError) -> RecordEditor {
    let schema = schema()
    var known: RecordLookup?
    let isNewField = { [self] (name: String) in
      // Where the notes can't be read, the change is refused in the end.
      guard let names = (try? catalogue())?.fieldNames else { return false }
      return !names.contains { $0.isSameName(as: name) }
    }
    let isNewKind = { [self] (name: String) in
      // As above.
      guard let entries = (try? catalogue())?.entries else { return false }
      return !entries.contains { $0.kind.isSameName(as: name) }
    }
    var editor = RecordEditor(
      schema: schema, clock: clock, dropsInlineTags: dropsInlineTags, isNewField: isNewField,
      isNewKind: isNewKind
    ) {
      [self] kind, typed in
      // As above.
      let records = known ?? RecordLookup((try? catalogue()) ?? Catalogue([]), schema)
      known = records
      let answer = records.answer(kind, typed: typed)
      guard case .ambiguous(let names) = answer,
        let active = onlyActive(of: records.records(of: kind, typed: typed))
      else { return answer }
      reportActive(active, among: names.count)
      return .found(schema.recordKey(of: active))
    }
    editor.allowsNewFields = allowsNewFields
    editor.keepsTitles = (try? layout())?.keepsFormerTitles ?? true
    editor.refusesForeignStates = true
    editor.nearField = { [self] name in
      // As above.
      guard name.unicodeScalars.count > 2, let stored = (try? catalogue())?.fieldNames else { return nil }
      let declared = schema.kinds.flatMap { $0.fields.map(\.name) }
      guard !declared.contains(where: { $0.isSameName(as: name) }) else { return nil }
      return Spelling.slip(of: name, among: Set(declared).sorted() + Set(stored).sorted())
    }
    editor.together = Set(entries.map(\.note.path))
    return editor
  }

  /// A note's text with changes applied, and all that follows from them by its kind in the note itself.
  /// - Throws: as `changed(_:by:kind:isNew:_:)`.
  func applying(
    _ changes: [Change], to note: Note, kind: String, isNew: Bool = false, _ editor: RecordEditor
  ) throws(SlipboxError) -> NoteText {
    try changed(note, by: changes, kind: kind, isNew: isNew, editor).text
  }

  /// A note's text with changes applied, and all that follows from them by its kind, also the record that comes next.
  /// - Throws: `.badData` where the record would break its kind, or the front-matter can't be rewritten.
  func changed(
    _ note: Note, by changes: [Change], kind: String, isNew: Bool = false, _ editor: RecordEditor
  ) throws(SlipboxError) -> (text: NoteText, next: Succeeding?) {
    guard !changes.isEmpty || isNew else { return (try note.text, nil) }
    let ownKind = !note.hasKindField ? kind : note.kind
    try refuseFaultyKind(ownKind)
    for case .set(let field, let value) in changes where field.isSameName(as: "kind") {
      try refuseFaultyKind(value)
    }
    let result = try edited(note, changes, kind: ownKind, isNew: isNew, editor)
    try refuseTakenKey(of: note, Note(path: note.path, text: result.text), kind: ownKind)
    for warning in result.warnings { reporter.warnOnce("\(note.mention): \(warning)") }
    let text = try settled(result.text, by: changes, note)
    if !isNew {
      let new = Note(path: note.path, text: text)
      try checkDependencies(of: note, new, kind: ownKind, together: editor.together)
      warnOfNextRecord(of: note, new, kind: ownKind)
    }
    return (text, result.next)
  }

  /// The text without the entries of merges for the fields that were set, which settles them.
  private func settled(_ text: NoteText, by changes: [Change], _ note: Note) throws(SlipboxError) -> NoteText
  {
    guard !text.conflictEntries.isEmpty else { return text }
    let (before, after) = (note.frontMatter, FrontMatter(text))
    var names = after.fields.map(\.name).filter { before[$0] != after[$0] }
    names += before.fields.map(\.name).filter { after[$0] == nil }
    for case .set(let field, _) in changes { names.append(field) }
    do throws(EditError) {
      return try text.droppingConflicts(of: names)
    } catch {
      throw SlipboxError(error, note: note.mention, typed: .note(note))
    }
  }

  private func edited(
    _ note: Note, _ changes: [Change], kind: String, isNew: Bool, _ editor: RecordEditor
  ) throws(SlipboxError) -> (text: NoteText, warnings: [String], next: Succeeding?) {
    let result: (text: NoteText, warnings: [String], next: Succeeding?)
    let (text, unread) = (try note.text, unreadCount)
    do throws(RecordError) {
      result = try editor.apply(changes, to: text, path: note.path, kind: kind, isNew: isNew)
    } catch {
      try refuseUnreadNotes(since: unread)
      throw Self.refusal(error, of: note)
    }
    try refuseUnreadNotes(since: unread)
    return result
  }

  private static func refusal(_ error: RecordError, of note: Note) -> SlipboxError {
    switch error {
    case .edit(let error): return SlipboxError(error, note: note.mention, typed: .note(note))
    case .refused(let problems):
      let messages = problems.map { Phrase($0.message) }
      let hints =
        messages.dropFirst()
        + problems.compactMap { problem in
          let missing: Phrase? = problem.isMissing ? "add \(typed: problem.field):VALUE" : nil
          return problem.hint.map { Phrase($0) } ?? missing
        }
      let field = problems.first.flatMap { $0.isMissing ? nil : $0.field }
      return SlipboxError(
        .badData, about: note.mention, messages.first ?? "refused", hints: Array(hints),
        fact: field.map { .badValue(field: $0) })
    }
  }
}

extension BoxSnapshot {
  /// Reads a query with the kinds and filters of this box, and finds the records that it names.
  ///
  /// - Parameter filters: the filters that it may use; by default those of the box.
  /// - Throws: `QueryError` also for what is no value of a field, and for a name that means no record, or several.
  package func query(
    _ arguments: [String], filters: [String: String]? = nil
  ) throws(QueryError) -> Query {
    let query = try Query.parse(
      arguments, clock: clock, schema: schema(), filters: filters ?? self.filters
    ) { (try? self.catalogue())?.knownNames(self.schema()) }
    // Without notes no name means a record; whoever asks the query says why there are none.
    guard query.needsCatalogue || query.hasComparisonAsText, let catalogue = try? catalogue() else {
      return query
    }
    return try catalogue.binding(query)
  }
}

extension KindQueryProblem {
  /// The line of the query in the file of its kind, from 1.
  func line(in file: [UInt8]) -> Int? {
    let element = index.flatMap { Schema.line(ofElement: $0, of: key, in: file) }
    return element ?? Schema.line(ofKey: key, in: file)
  }
}

/// Records by the values of the field that names them: the `key:` of their kind.
extension BoxSnapshot {
  /// Refuses a change that gives a record the key of another one: references could not tell them apart.
  func refuseTakenKey(of old: Note, _ new: Note, kind: String) throws(SlipboxError) {
    let keys = RecordKeys(schema())
    guard !keys.isEmpty else { return }
    let created = new.created ?? clock.now
    var kind = !new.hasKindField ? kind : new.kind
    if kind == "note" { kind = kindMatcher().kind(of: new, created: created) }
    guard let key = keys.field(of: kind), let value = new.frontMatter[key]?.text, !value.isEmpty,
      value != old.frontMatter[key]?.text || old.path.isEmpty
    else { return }
    let records = RecordLookup(try catalogue(), schema())
    let others = records.records(withKey: value).filter { $0.kind == kind && $0.note.path != old.path }
    guard let other = others.first else { return }
    throw SlipboxError(
      .badData,
      "\(new.mention): \(key): \(value) is already the \(key) of \(other.note.mention)",
      hints: [
        "  \(other.note.shownName)  \(other.note.title)",
        "references to it would be ambiguous; give it another \(key)",
      ])
  }
}
