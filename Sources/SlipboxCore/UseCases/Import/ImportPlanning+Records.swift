import Foreign
import NoteIndex
import Notes
import Text

/// Records of other programs: each becomes a note of its kind.
extension ImportPlanning {
  /// - Throws: `.configuration` if the file of a kind has a mistake.
  mutating func add(_ file: ImportRequest.File) throws(SlipboxError) {
    for problem in file.contents.problems {
      fail(
        ImportResult.Place(file: file.name, line: problem.line), Phrase(problem.message),
        isPartial: problem.isPartial
      )
    }
    result.remarks += file.contents.remarks.map { Phrase($0) }
    let naming = try RecordNaming(self, file)
    var records = ImportedRecords(naming)
    var series = 0
    for (index, record) in file.contents.records.enumerated() {
      context.reporter.report(.reading, index, of: file.contents.records.count)
      if naming.hasInstances(of: record) {
        series += 1
        continue
      }
      let named = naming.name(record, at: index)
      if let existing = named.existing { met.insert(existing.note.path) }
      if named.isSame, request.changes.isEmpty {
        result.unchanged += 1
        continue
      }
      records.append(row(of: record, named, naming, at: index))
    }
    if series > 0 {
      let tasks = series == 1 ? "1 recurring task is" : "\(series) recurring tasks are"
      result.remarks.append(
        "\(tasks) skipped: the box has the tasks created from \(series == 1 ? "it" : "them")")
    }
    for kind in Set(records.rows.map(\.kind)).sorted() { try KindFiles(in: snapshot).refuseFault(of: kind) }
    let lookup = RecordLookup(catalogue, schema)
    for index in records.rows.indices { try chooseGroup(of: index, in: &records, file, lookup) }
    warnOfNearFields(records, file)
    try settle(&records, file, lookup)
  }

  /// The kind, the id and the date of a record.
  private mutating func row(
    of record: ForeignRecord, _ named: RecordNaming.Named, _ naming: RecordNaming, at index: Int
  ) -> ImportedRecords.Row {
    let kind = kindOfChanges ?? record.kind ?? "note"
    var record = record
    for state in record.states { take(state, of: kind, in: &record) }
    var failure: Phrase?
    if named.isTaken { failure = "the id \(named.id?.description ?? "") occurs twice" }
    if record.title.map({ Note.titleOnOneLine($0).isEmpty }) ?? true, record.body?.isEmpty ?? true {
      failure = "neither a title nor a text"
    }
    return ImportedRecords.Row(
      record: record, kind: schema.kind(named: kind)?.name ?? kind, id: named.id, existing: named.existing,
      created: naming.created(record, named.existing, at: index), failure: failure)
  }

  /// Gives a field a state of the user's own if the kind has it.
  private func take(_ state: (name: String, value: String), of kind: String, in record: inout ForeignRecord) {
    guard let field = schema.kind(named: kind)?.field(state.name), field.type == .choice,
      let value = field.values.first(where: { $0.isSameName(as: state.value) }),
      let place = record.fields.firstIndex(where: { $0.name == state.name })
    else { return }
    record.fields[place].value = .text(value)
  }

  /// The kind that the CHANGEs of the command give.
  private var kindOfChanges: String? {
    var kind: String?
    for case .set(let field, let value) in request.changes where field.isSameName(as: "kind") { kind = value }
    return kind
  }

  /// The CHANGEs but for the kind, by which the records are read.
  private var otherChanges: [Change] {
    request.changes.filter { change in
      if case .set(let field, _) = change { !field.isSameName(as: "kind") } else { true }
    }
  }

  /// Says which names of fields are almost those of declared ones.
  private func warnOfNearFields(_ records: ImportedRecords, _ file: ImportRequest.File) {
    guard file.hasOwnNames, !request.allowsNewFields else { return }
    var seen: Set<String> = []
    for row in records.rows {
      let kind = schema.kindOrPlain(named: row.kind)
      for field in row.record.fields where seen.insert("\(kind.name) \(field.name)").inserted {
        let near = kind.fieldsNear(field.name)
        guard !near.isEmpty else { continue }
        let name = Phrase(field.name)
        context.reporter.warnOnce(
          "\(name) is not a field of kind \(kind.name): did you mean \(near.joined(separator: " or "))?")
      }
    }
  }
}

/// Groups by their titles.
extension ImportPlanning {
  /// Finds the group of a record by its title, or puts it among those that are to be made.
  private func chooseGroup(
    of index: Int, in records: inout ImportedRecords, _ file: ImportRequest.File, _ lookup: RecordLookup
  ) throws(SlipboxError) {
    let row = records.rows[index]
    guard let title = row.record.group, row.failure == nil else { return }
    guard let field = schema.kindOrPlain(named: row.kind).field("group"), field.type == .reference,
      let target = field.target
    else {
      records.rows[index].group = title
      return
    }
    let id = NoteID.computed(from: "\(target) \(title)")
    if let known = catalogue.entry(id: id), known.kind == target {
      records.rows[index].group = schema.recordKey(of: known)
      return
    }
    switch lookup.answer(target, typed: title) {
    case .found(let key): records.rows[index].group = key
    case .ambiguous:
      records.rows[index].failure = "group: \(title) matches more than one \(target) of the box"
    case .none, .unknown:
      let created = row.record.created ?? snapshot.clock.now
      let place = ImportResult.Place(file: file.name, line: row.record.line)
      let known = records.groups[id.description]
      records.groups[id.description] = ImportedGroup(
        id: id, kind: target, title: title, created: min(known?.created ?? created, created),
        place: known?.place ?? place)
      records.rows[index].group = id.description
    }
  }

  /// Makes the groups that the records of the plan belong to.
  private mutating func make(_ groups: [ImportedGroup]) throws(SlipboxError) {
    let tags = request.changes.filter { if case .addTag = $0 { true } else { false } }
    let editing = ChangeRecords(in: snapshot)
    for group in groups.sorted(by: { ($0.place.line ?? 0, $0.title) < ($1.place.line ?? 0, $1.title) }) {
      let fields: [(name: String, value: FieldValue)] = [
        ("id", .text(group.id.description)), ("title", .text(group.title)), ("kind", .text(group.kind)),
        ("created", .text(group.created.rfc3339)),
      ]
      let note = Note(path: [], text: NoteText(fields: fields, body: []))
      let text = try changed(note, kind: group.kind, tags, editing)
      let path = try PlaceNote(in: snapshot).path(of: note, id: group.id, taken: newPaths)
      if addNew(path, text.bytes, group.place) {
        result.made.append(.init(note: Note(path: path, text: text), place: group.place, isGroup: true))
      }
    }
  }
}

extension ImportPlanning {
  /// Writes the records as notes, checks them against their kinds, and decides the result of each.
  ///
  /// A record that another one refers to may fail: then the reference is left out, and reported.
  private mutating func settle(
    _ records: inout ImportedRecords, _ file: ImportRequest.File, _ lookup: RecordLookup
  ) throws(SlipboxError) {
    let known = ChangeRecords(allowsNewFields: request.allowsNewFields, in: snapshot).editor
    var texts = [NoteText?](repeating: nil, count: records.rows.count)
    var stale = Array(records.rows.indices)
    while !stale.isEmpty {
      let current = records
      let editing = ChangeRecords(by: known.knowing(current), in: snapshot)
      let checker = checker(current, lookup)
      for (done, index) in stale.enumerated() where records.rows[index].failure == nil {
        context.reporter.report(.preparing, done, of: stale.count)
        do throws(SlipboxError) {
          let text = try text(of: index, current, file, lookup, editing, checker)
          try NoteText.refuseUnreadable(text.bytes)
          texts[index] = text
        } catch {
          records.rows[index].failure = error.fault
        }
      }
      let failed = Set(
        stale.filter { records.rows[$0].failure != nil }.map { records.rows[$0].record.sourceName })
      stale = records.rows.indices.filter { index in
        records.rows[index].failure == nil
          && records.rows[index].record.links.contains { !failed.isDisjoint(with: $0.names) }
      }
    }
    try settle(records, texts, file, lookup)
  }

  private mutating func settle(
    _ records: ImportedRecords, _ texts: [NoteText?], _ file: ImportRequest.File, _ lookup: RecordLookup
  ) throws(SlipboxError) {
    let checker = checker(records, lookup)
    var needed: Set<String> = []
    var missing: [Int] = []
    for (row, text) in zip(records.rows, texts) {
      let place = ImportResult.Place(file: file.name, line: row.record.line)
      guard row.failure == nil, let text else {
        fail(place, row.failure ?? "it can't be written")
        continue
      }
      if lacksLinks(row, records) { missing.append(row.record.line) }
      let (made, changed) = (result.made.count, result.changed.count)
      var imported = ImportedNote(
        place: place, path: try path(of: row, text), id: row.id, existing: row.existing, text: text)
      imported.hasBody = row.record.body != nil
      imported.isRecord = true
      imported.annotations = row.record.annotations
      try settle(imported) { checker.problems(in: $0, kind: row.kind) }
      let isWritten = result.made.count > made || result.changed.count > changed
      if isWritten, let group = row.group { needed.insert(group) }
    }
    if let first = missing.first {
      let lines =
        missing.count == 1 ? "line \(first) refers" : "\(missing.count) lines, from line \(first) on, refer"
      result.remarks.append(
        "\(file.name): \(lines) to notes that are neither in the file nor in the box; skipped")
    }
    nameRings(ImportRings(records, texts, lookup, catalogue.entries, now: snapshot.clock.now))
    try make(records.groups.filter { needed.contains($0.key) }.map(\.value))
  }

  /// The path of a new record: the one that its source gives, else by the pattern of the box.
  private func path(of row: ImportedRecords.Row, _ text: NoteText) throws(SlipboxError) -> [UInt8] {
    if let path = row.record.path, FileName.isNote(path), FileName.problem(in: path) == nil,
      !path.split(separator: UInt8(ascii: "/")).contains(where: { $0.first == UInt8(ascii: ".") }),
      !newPaths.contains(path), row.goesByPath || row.existing != nil || !snapshot.box.isThere(path)
    {
      return path
    }
    let note = Note(path: [], text: text)
    return try PlaceNote(in: snapshot).path(
      of: note, id: row.id ?? NoteID.computed(from: row.record.sourceName), taken: newPaths)
  }

  /// The editor that checks records against their kinds: references may name records of the file too.
  private func checker(_ records: ImportedRecords, _ lookup: RecordLookup) -> RecordEditor {
    RecordEditor(schema: schema, clock: snapshot.clock) { kind, name in
      records.has(kind, name) ? .found(name) : lookup.answer(kind, stored: name)
    }
  }

  private func text(
    of index: Int, _ records: ImportedRecords, _ file: ImportRequest.File, _ lookup: RecordLookup,
    _ editing: ChangeRecords, _ checker: RecordEditor
  ) throws(SlipboxError) -> NoteText {
    let row = records.rows[index]
    let writer = RecordText(schema: schema, isTable: file.isTable) { kind, name in
      if let key = records.key(of: kind, named: name) { return key }
      guard case .found(let key) = lookup.answer(kind, typed: name) else { return nil }
      return key
    }
    let written: NoteText
    do throws(ForeignProblem) {
      written = try writer.text(
        of: row.record, kind: row.kind, id: row.id, created: row.created, group: row.group,
        links: links(of: row, records))
    } catch {
      throw SlipboxError(.badData, Phrase(error.message))
    }
    // Problems of the source are not reported for CHANGEs, unless they repair them.
    let given = Set(otherChanges.compactMap(\.givenField))
    let wrong = checker.problems(in: Note(path: [], text: written), kind: row.kind)
    if let problem = wrong.first(where: { !given.contains($0.field.lowercased()) }) {
      throw SlipboxError(.badData, Phrase(problem.message))
    }
    let text = try changed(
      Note(path: row.record.path ?? [], text: written), kind: row.kind, otherChanges, editing)
    if let problem = checker.problems(in: Note(path: [], text: text), kind: row.kind).first {
      throw SlipboxError(.badData, Phrase(problem.message))
    }
    return text
  }

  /// The references of a record to others that are imported with it or are in the box.
  private func links(of row: ImportedRecords.Row, _ records: ImportedRecords) -> [(
    field: String, keys: [String]
  )] {
    row.record.links.compactMap { link in
      let keys = link.names.compactMap { key(of: $0, records) }
      return keys.isEmpty ? nil : (link.field, keys)
    }
  }

  private func lacksLinks(_ row: ImportedRecords.Row, _ records: ImportedRecords) -> Bool {
    row.record.links.contains { link in link.names.contains { key(of: $0, records) == nil } }
  }

  /// The key of the record that has a name in its source; nil if it is neither in the file nor in the box.
  private func key(of name: String, _ records: ImportedRecords) -> String? {
    if let place = records.places[name] {
      return records.rows[place].failure == nil ? records.rows[place].id?.description : nil
    }
    return records.naming.entry(named: name).map { schema.recordKey(of: $0) }
  }
}

extension RecordEditor {
  /// The same, with references to records that are imported together.
  fileprivate func knowing(_ records: ImportedRecords) -> RecordEditor {
    var editor = RecordEditor(
      schema: schema, clock: clock, isNewField: isNewField, isNewKind: isNewKind
    ) { [resolve] kind, name in
      records.has(kind, name) ? .found(name) : resolve(kind, name)
    }
    editor.allowsNewFields = allowsNewFields
    return editor
  }
}

extension ImportedRecords.Row {
  /// Whether the note has no id and is identified by its path.
  var goesByPath: Bool { id == nil }
}
