import Bytes
import Git
import NoteIndex
package import Notes
import Text

/// Compares records with their kinds and with one another.
package struct RecordsCheck {
  private let snapshot: BoxSnapshot

  package init(in snapshot: BoxSnapshot) { self.snapshot = snapshot }

  func findings(_ entries: Entries) throws(SlipboxError) -> [Finding] {
    try recordFindings(entries) + dependencyFindings(entries) + duplicateFindings(entries)
  }

  private func recordFindings(_ entries: Entries) -> [Finding] {
    let (schema, facts, clock) = (snapshot.schema(), EntryFacts(entries), snapshot.clock)
    let records = RecordTable(of: entries, schema, executor: Processors.all)
    // With references that are removed with their targets, the check reports how each broken one is removed.
    let detaching = schema.detaching
    return entries.flatMapChunks(executor: Processors.all) { places in
      let editor = records.editor(clock: clock, schema: detaching)
      var meant: [String: String?] = [:]
      let nearest = { (kind: String) -> String? in
        if let known = meant[kind] { return known }
        let near = Self.kindNear(kind, schema)
        meant[kind] = near
        return near
      }
      return places.flatMap { place -> [Finding] in
        if let kind = facts.kind(at: place), schema.kind(named: kind) == nil, nearest(kind) == nil {
          return []
        }
        let entry = entries[place]
        if schema.kind(named: entry.kind) == nil {
          return nearest(entry.kind).map { [Self.undeclaredKind(of: entry, near: $0)] } ?? []
        }
        return editor.problems(in: entry.note, kind: entry.kind).map { Self.finding($0, entry, schema) }
          + Self.reminderFindings(entry.note)
      }
    }
  }

  /// Returns the declared kind that an undeclared one probably misspells. Any other undeclared kind is intended.
  private static func kindNear(_ kind: String, _ schema: Schema) -> String? {
    guard schema.fault(ofKind: kind) == nil else { return nil }
    return Spelling.slip(of: kind, among: schema.kinds.map(\.name))
  }

  /// Returns findings for reminders for which calendars get no alarm, in a note with a date.
  private static func reminderFindings(_ note: Note) -> [Finding] {
    guard ["due", "scheduled"].contains(where: { note.frontMatter.field($0) != nil }),
      let fault = Reminder.fault(in: note)
    else { return [] }
    return [
      Finding(
        .kinds, note.path, line: fault.line, Phrase(Reminder.refusal(fault.text)),
        remedy: "\(slip: "set", .note(note), "\(Reminder.fieldName):30min")")
    ]
  }

  private static func undeclaredKind(of entry: Entry, near: String) -> Finding {
    let note = entry.note
    return Finding(
      .kinds, note.path, line: note.frontMatter.field("kind")?.line,
      "\(entry.kind) is not a declared kind; did you mean \(near)?",
      remedy: "\(slip: "set", .note(note), .value("kind:\(near)"))")
  }

  private static func finding(_ problem: RecordProblem, _ entry: Entry, _ schema: Schema) -> Finding {
    let note = entry.note
    let field = schema.kindOrPlain(named: entry.kind).field(problem.field)
    let isReference = field?.type == .reference && problem.line != nil
    let rule: Finding.Rule = isReference ? .references : .kinds
    guard let fix = problem.fix, let what = sentence(for: fix, in: note) else {
      let way = problem.hint ?? "\(slip: "set", .note(note), .value(problem.field + ":VALUE"))"
      return Finding(rule, note.path, line: problem.line, Phrase(problem.message), remedy: way)
    }
    let isAutomatic = !isReference || field?.onDelete == .detach
    return Finding(
      rule, note.path, line: problem.line, Phrase(problem.message),
      way: isAutomatic ? .automatic : .onRequest, remedy: what, repair: .change(fix))
  }

  private static func sentence(for change: Change, in note: Note) -> Phrase? {
    switch change {
    case .set(let field, let value):
      let time = note.timeOfDay(leaving: field).map { " and \($0.name) to \($0.time)" as Phrase } ?? ""
      return "sets \(field) to \(value)\(time)"
    case .clear(let field): return "removes \(field)"
    case .remove(let element, let field):
      return "removes \(element) from \(field)"
    case .add, .addTag, .removeTag: return nil
    }
  }
}

extension Schema {
  /// The same kinds, but optional references are removed when their targets are deleted.
  fileprivate var detaching: Schema {
    Schema(
      kinds: kinds.map { kind in
        var kind = kind
        for index in kind.fields.indices where !kind.fields[index].isRequired {
          kind.fields[index].onDelete = .detach
        }
        return kind
      })
  }
}

/// Notes with the same name.
extension RecordsCheck {
  private func duplicateFindings(_ entries: Entries) -> [Finding] {
    duplicateIDs(in: entries) + duplicateForeignIDs(in: entries)
      + snapshot.schema().kinds.flatMap { duplicateKeys(of: $0, in: entries) }
  }

  /// Returns the ids that several notes have, with the paths of these, both in order.
  ///
  /// - Complexity: O(n).
  package func sharedIDs() throws(SlipboxError) -> [(id: NoteID, paths: [[UInt8]])] {
    let groups = Dictionary(grouping: sharingIDs(try snapshot.catalogue().entries)) { $0.note.id }
    return groups.compactMap { id, entries in
      guard let id, entries.count > 1 else { return nil }
      return (id, entries.map(\.note.path).sorted { $0.lexicographicallyPrecedes($1) })
    }.sorted { $0.id.description < $1.id.description }
  }

  /// Returns the entries whose id another entry has too.
  private func sharingIDs(_ entries: Entries) -> [Entry] {
    var counts: [NoteID: Int] = [:]
    for place in entries.indices { if let id = entries.key(at: place).id { counts[id, default: 0] += 1 } }
    guard counts.count < entries.count else { return [] }
    return entries.indices.compactMap { place in
      guard let id = entries.key(at: place).id, counts[id] ?? 0 > 1 else {
        return nil
      }
      return entries[place]
    }
  }

  private func duplicateIDs(in entries: Entries) -> [Finding] {
    let sharing = sharingIDs(entries)
    if sharing.isEmpty { return [] }
    return repeated(sharing) { $0.note.id }.map { entry, id, first in
      let note = entry.note
      let line = note.field(named: "id")?.line
      let message: Phrase = "the id \(id) is also the id of \(first.note.path), which keeps it"
      guard note.frontMatter.isWritable else {
        return Finding(.duplicates, note.path, line: line, message, remedy: "give this note another id")
      }
      return Finding(
        .duplicates, note.path, line: line, message, way: .automatic, remedy: "gives this one a new id",
        repair: .renewID(id))
    }
  }

  /// Returns findings for ids of other tools that several notes have; they are names of notes too.
  private func duplicateForeignIDs(in entries: Entries) -> [Finding] {
    var counts: [String: Int] = [:]
    let names = entries.indices.map { place in
      entries.key(at: place).id == nil ? entries.names(at: place).foreignID : nil
    }
    for case let name? in names { counts[name, default: 0] += 1 }
    let sharing = entries.indices.filter { place in names[place].map { counts[$0] ?? 0 > 1 } ?? false }
    return repeated(sharing.map { entries[$0] }) { $0.note.foreignID }.map { entry, name, first in
      Finding(
        .duplicates, entry.note.path, line: entry.note.field(named: "id")?.line,
        "the id \(name) is also the id of \(first.note.path)",
        remedy: "give one of them another id: links with this id are ambiguous")
    }
  }

  private func duplicateKeys(of kind: Kind, in entries: Entries) -> [Finding] {
    guard let key = kind.key, key != "id" else { return [] }
    let places = EntryFacts(entries).places(ofKinds: [kind.name], executor: Processors.all)
    let records = places.map { entries[$0] }
    let found = repeated(records) { entry in
      entry.note.frontMatter[key]?.text.flatMap { $0.isEmpty ? nil : Array($0.utf8) }
    }
    return found.map { entry, value, first in
      Finding(
        .duplicates, entry.note.path, line: entry.note.frontMatter.field(key)?.line,
        "\(key): \(value) is also the \(key) of \(first.note.path)",
        remedy: "give one of them another \(key), or delete it")
    }
  }

  /// Returns the entries with a name that an older one has.
  private func repeated<Name: Hashable>(
    _ entries: [Entry], by name: (Entry) -> Name?
  ) -> [(entry: Entry, name: Name, first: Entry)] {
    var groups: [Name: [Entry]] = [:]
    for entry in entries {
      if let name = name(entry) { groups[name, default: []].append(entry) }
    }
    let ages = NoteAges(snapshot)
    return groups.filter { $0.value.count > 1 }.flatMap { name, entries in
      let sorted = ages.oldestFirst(entries)
      return sorted.dropFirst().map { ($0, name, sorted[0]) }
    }
  }
}

/// The order of age of several notes.
///
/// A copy has the dates of its original, so history takes precedence over them: an uncommitted note is the youngest. A
/// note behind a filter, which may encrypt it, is the oldest: no text of such a note is written into another file.
struct NoteAges {
  private let snapshot: BoxSnapshot
  private let committed: CommittedFiles?

  init(_ snapshot: BoxSnapshot) {
    self.snapshot = snapshot
    committed = try? snapshot.committedFiles()
  }

  /// Sorts notes behind a filter first. Then sorts by the commit that added the note, also under another path, by
  /// creation date, and by path.
  ///
  /// - Complexity: one lookup in history for each.
  func oldestFirst(_ entries: [Entry]) -> [Entry] {
    let aged = entries.map { entry in
      let isNew = (try? committed?.isTracked(entry.note.path)) == false
      let added = isNew ? nil : snapshot.times.firstCommit(of: entry.note.path)
      let isFiltered = (try? snapshot.box.isFiltered(entry.note.path)) ?? true
      return (
        entry: entry, isFiltered: isFiltered, added: added?.seconds ?? .max,
        created: entry.created.millisecondsSince1970
      )
    }
    return aged.sorted { left, right in
      if left.isFiltered != right.isFiltered { return left.isFiltered }
      if (left.added, left.created) != (right.added, right.created) {
        return (left.added, left.created) < (right.added, right.created)
      }
      return left.entry.note.path.lexicographicallyPrecedes(right.entry.note.path)
    }.map(\.entry)
  }
}

/// Records that depend on themselves through others, so that none of them can ever be finished first.
extension RecordsCheck {
  /// Returns findings for the cycles in which records block one another. slip refuses to close one, but a merge or an
  /// editor may.
  ///
  /// - Complexity: that of `Dependencies`.
  private func dependencyFindings(_ entries: Entries) throws(SlipboxError) -> [Finding] {
    try RecordDependencies(in: snapshot).all().rings.map { ring in
      let first = entries[ring[0]].note
      let second = snapshot.schema().recordKey(of: entries[ring.count > 1 ? ring[1] : ring[0]])
      let titles = (ring + [ring[0]]).map { Phrase(entries[$0].note.title) }
      let kind = snapshot.schema().kindOrPlain(named: entries[ring[0]].kind)
      let field = kind.blockingFields.first { field in first.frontMatter.field(field.name) != nil }
      let name = field?.name ?? "FIELD"
      let change = field?.isList == false ? "\(name):" : "\(name):-\(second)"
      return Finding(
        .dependencies, first.path, line: field.flatMap { first.frontMatter.field($0.name)?.line },
        "depends on itself: \(titles.joined(separator: ", which depends on "))",
        remedy: "remove one of them: \(slip: "set", .note(first), .value(change))")
    }
  }
}
