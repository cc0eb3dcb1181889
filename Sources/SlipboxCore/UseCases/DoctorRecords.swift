import NoteIndex
import Notes
import Platform
import Text

/// What records show when they are held against their kinds and one another.
extension Slipbox {
  func recordFindings(_ entries: Entries, _ records: RecordTable) -> [Finding] {
    // With references that let go, the check says how each one to nothing is taken out.
    let editor = records.editor(clock: surroundings.clock, schema: schema().detaching)
    return entries.flatMap { entry in
      editor.problems(in: entry.note, kind: entry.kind).map { finding($0, entry) }
    }
  }

  private func finding(_ problem: RecordProblem, _ entry: Entry) -> Finding {
    let note = entry.note
    let field = schema().kindOrPlain(named: entry.kind).field(problem.field)
    let isReference = field?.type == .reference && problem.line != nil
    let rule: Finding.Rule = isReference ? .references : .kinds
    guard let fix = problem.fix, let what = Self.sentence(for: fix) else {
      let way =
        problem.hint.map { Visible.escape($0) } ?? "slip set \(Self.name(of: note)) \(problem.field):VALUE"
      return Finding(rule, note.path, line: problem.line, Visible.escape(problem.message), remedy: way)
    }
    let isAutomatic = !isReference || field?.onDelete == .detach
    return Finding(
      rule, note.path, line: problem.line, Visible.escape(problem.message),
      way: isAutomatic ? .automatic : .onRequest, remedy: what, repair: .change(fix))
  }

  private static func sentence(for change: Change) -> String? {
    switch change {
    case .set(let field, let value): "sets \(Visible.escape(field)) to \(Visible.escape(value))"
    case .clear(let field): "takes \(Visible.escape(field)) out"
    case .remove(let element, let field): "takes \(Visible.escape(element)) out of \(Visible.escape(field))"
    case .add, .addTag, .removeTag: nil
    }
  }
}

extension Schema {
  /// The same kinds, but that references which need not be there let go of what is deleted.
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

/// Notes that go by the same name.
extension Slipbox {
  func duplicateFindings(_ entries: Entries) -> [Finding] {
    let notes = entries.filter { !ConflictCopy.isOne($0.note.path) }
    return duplicateIDs(in: notes) + schema().kinds.flatMap { duplicateKeys(of: $0, in: notes) }
  }

  private func duplicateIDs(in entries: [Entry]) -> [Finding] {
    // What is committed was there before a copy that is not, whatever their dates say.
    let state = try? committedState()
    let isNew = { (entry: Entry) in state?.isTracked(entry.note.path) == false }
    return Self.repeated(entries, isNew: isNew) { $0.note.id }.map { entry, id, first in
      let note = entry.note
      let line = note.frontMatter.field("id")?.line
      let message = "the id \(id) is also that of \(Visible.escape(first.note.path)), which keeps it"
      guard note.frontMatter.isWritable else {
        return Finding(.duplicates, note.path, line: line, message, remedy: "give this one another id")
      }
      return Finding(
        .duplicates, note.path, line: line, message, way: .automatic, remedy: "gives this one a new id",
        repair: .renewID(id))
    }
  }

  private func duplicateKeys(of kind: Kind, in entries: [Entry]) -> [Finding] {
    guard let key = kind.key, key != "id" else { return [] }
    let records = entries.filter { $0.kind == kind.name }
    let repeated = Self.repeated(records) { entry in
      entry.note.frontMatter[key]?.text.flatMap { $0.isEmpty ? nil : Array($0.utf8) }
    }
    return repeated.map { entry, value, first in
      Finding(
        .duplicates, entry.note.path, line: entry.note.frontMatter.field(key)?.line,
        "\(key): \(Visible.escape(value)) is also that of \(Visible.escape(first.note.path))",
        remedy: "one of them needs another \(key), or goes")
    }
  }

  /// The entries that have a name which an earlier one has: new ones last, then by creation date, then by path.
  private static func repeated<Name: Hashable>(
    _ entries: [Entry], isNew: (Entry) -> Bool = { _ in false }, by name: (Entry) -> Name?
  ) -> [(entry: Entry, name: Name, first: Entry)] {
    var groups: [Name: [Entry]] = [:]
    for entry in entries {
      if let name = name(entry) { groups[name, default: []].append(entry) }
    }
    return groups.filter { $0.value.count > 1 }.flatMap { name, entries in
      let sorted = entries.map { ($0, isNew($0)) }.sorted { left, right in
        if left.1 != right.1 { return right.1 }
        let (left, right) = (left.0, right.0)
        if left.created.seconds != right.created.seconds {
          return left.created.seconds < right.created.seconds
        }
        return left.note.path.lexicographicallyPrecedes(right.note.path)
      }.map(\.0)
      return sorted.dropFirst().map { ($0, name, sorted[0]) }
    }
  }
}

/// Faults in the files that declare kinds.
extension Slipbox {
  /// What is found here need not be said again by the commands' own warnings.
  func declarationFindings() -> [Finding] {
    let folder = Array(".slipbox/kinds".utf8)
    var findings: [Finding] = []
    var files: [(name: String, bytes: [UInt8])] = []
    for name in (try? Files.list(absolutePath(folder))) ?? [] where name.first != UInt8(ascii: ".") {
      let path = BytePath.join(folder, name)
      guard name.suffix(5).elementsEqual(".yaml".utf8) else { continue }
      do throws(SystemError) {
        files.append(
          (String(decoding: path, as: UTF8.self), try self.folder.read(path, limit: 1 << 20).bytes))
      } catch {
        saidWarnings.insert(Self.unreadableDeclaration(path, error))
        findings.append(
          Finding(.declarations, path, "can't be read", remedy: "a plain file of 1 MB at most is"))
      }
    }
    for problem in Schema.reading(files).problems {
      saidWarnings.insert(problem.description)
      findings.append(
        Finding(
          .declarations, Array(problem.file.utf8), line: problem.line, Visible.escape(problem.message),
          remedy: "edit the file; until then it counts for nothing"))
    }
    return findings + files.flatMap(queryFindings)
  }

  /// The queries of a kind, which its declaration holds as text.
  private func queryFindings(_ file: (name: String, bytes: [UInt8])) -> [Finding] {
    let stem = String(decoding: BytePath.name(of: Array(file.name.utf8)).dropLast(5), as: UTF8.self)
    guard let kind = schema().kind(named: stem) else { return [] }
    var findings: [Finding] = []
    var faults = KindMatcher(schema(), clock: surroundings.clock).problems.filter { $0.kind == kind.name }
      .map { ($0.key, $0.error) }
    if let sort = kind.sort {
      do { _ = try SortKey.parse(sort) } catch { faults.append(("sort", error)) }
    }
    for (key, error) in faults {
      let message = Visible.escape(error.message)
      saidWarnings.insert(declarationFault((kind.name, key, error)))
      findings.append(
        Finding(
          .declarations, Array(file.name.utf8), line: Schema.line(ofKey: key, in: file.bytes),
          "\(key): \(message)", remedy: "edit the file; slip help query tells how queries are written"))
    }
    return findings
  }
}
