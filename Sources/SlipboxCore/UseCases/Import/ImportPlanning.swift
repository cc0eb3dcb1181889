import Bytes
import Foreign
import NoteIndex
import Notes
import Platform
import Text

/// Computes the effects of an import on a box.
struct ImportPlanning {
  let snapshot: BoxSnapshot
  let request: ImportRequest
  let context: CommandContext
  /// Asked before linked files of more than 100 MB in all come along, with their bytes.
  let mayBring: (Int64) -> Bool
  let catalogue: Catalogue
  let schema: Schema
  var result = ImportResult(plan: Plan(command: "import", edits: [], subject: { _ in "" }))
  private var edits: [FileEdit] = []
  /// The paths of the notes of the box that the sources hold.
  var met: Set<[UInt8]> = []
  /// The folders of the box into which files of folders go.
  var places: [[UInt8]] = []
  /// The kinds that come along, in small letters.
  var broughtKinds: Set<String> = []
  /// The paths of new files.
  private(set) var newPaths: Set<[UInt8]> = []
  private var versions: ImportedVersions??
  private var deletedNotes: DeletedNotes??

  init(
    _ snapshot: BoxSnapshot, _ request: ImportRequest, _ context: CommandContext,
    mayBring: @escaping (Int64) -> Bool
  ) throws(SlipboxError) {
    self.mayBring = mayBring
    self.snapshot = snapshot
    self.request = request
    self.context = context
    catalogue = try snapshot.catalogue()
    schema = snapshot.schema()
  }

  /// The plan of all results. Its reason contains the CHANGEs, so that the next import finds them.
  func plan(named names: [String]) -> Plan {
    let from = names.count == 1 ? names[0] : "\(names.count) sources"
    let changes = request.typedChanges.map { ImportedVersions.changeMark + $0 }
    let reason = ([request.reason].compactMap { $0 } + changes).joined(separator: "\n")
    let groups = Set(result.made.filter(\.isGroup).map(\.note.path))
    return Plan(command: "import", reason: reason.isEmpty ? nil : reason, edits: edits) { changes in
      let all = changes.filter { FileName.isNote($0.path) }
      let notes = all.filter { !groups.contains($0.path) }
      let besides = all.count - notes.count
      if all.count == 1, let bytes = all[0].after {
        let note = Note(path: all[0].path, text: NoteText(bytes))
        return "Import \(note.kind): \(note.title)"
      }
      if all.isEmpty { return "Import files from \(from)" }
      let made = besides == 0 ? "" : besides == 1 ? ", 1 group" : ", \(besides) groups"
      return "Import \(notes.count == 1 ? "1 note" : "\(notes.count) notes")\(made) from \(from)"
    }
  }

  /// - Parameter message: the fault; the place identifies the note.
  mutating func fail(_ place: ImportResult.Place, _ message: Phrase, isPartial: Bool = false) {
    result.failures.append(.init(place: place, message: message, isPartial: isPartial))
  }

  mutating func append(_ edit: FileEdit) { edits.append(edit) }

  /// A note with the CHANGEs of the command; those of its kind alone if it is a record of the file.
  func changed(_ note: Note, kind: String, _ changes: [Change], _ editing: ChangeRecords) throws(SlipboxError)
    -> NoteText
  {
    try changes.isEmpty ? note.text : try editing.applying(changes, to: note, kind: kind)
  }
}

extension ImportPlanning {
  /// Decides the result of one note: it is created, changed, or left as it is.
  ///
  /// - Parameter check: the problems of a merged note.
  mutating func settle(
    _ imported: ImportedNote, check: (Note) -> [RecordProblem] = { _ in [] }
  ) throws(SlipboxError) {
    let path = imported.existing?.note.path ?? imported.path
    met.insert(path)
    guard let own = try snapshot.box.bytes(at: path) else { return try make(imported) }
    let mine = NoteText(own)
    let theirs = imported.text(withBodyOf: mine)
    let item = ImportResult.Item(note: Note(path: path, text: theirs), place: imported.place)
    var isSame = own == theirs.bytes
    if !isSame, imported.isRecord { isSame = try item.note.isSameRecord(as: Note(path: path, text: mine)) }
    if isSame {
      result.unchanged += 1
      return
    }
    guard let last = try lastVersion(path, id: imported.id) else {
      if imported.isRecord,
        try imported.note.saysNoMore(than: Note(path: path, text: mine), kind(of: imported))
      {
        result.unchanged += 1
        return
      }
      result.kept.append(.init(item: item, parts: [], isChanged: false))
      return
    }
    let base = NoteText(last.bytes)
    let source = try dated(imported, theirs, as: base).keeping(earlier(last.changes), of: base)
    if imported.isRecord, try Note(path: path, text: source).isSameRecord(as: Note(path: path, text: mine)) {
      result.unchanged += 1
      return
    }
    let merge = ImportMerge(
      base: imported.hasBody ? last.bytes : base.replacingBody(Array(own[mine.body])).bytes, own: own,
      imported: source.bytes
    ) { check(Note(path: path, text: $0)).map(\.field) }
    let isChanged = merge.bytes != own
    if !merge.kept.isEmpty { result.kept.append(.init(item: item, parts: merge.kept, isChanged: isChanged)) }
    guard isChanged else {
      if merge.kept.isEmpty { result.unchanged += 1 }
      return
    }
    result.changed.append(.init(note: Note(path: path, text: NoteText(merge.bytes)), place: imported.place))
    change(path, from: own, to: merge.bytes)
  }

  private func kind(of imported: ImportedNote) -> Kind {
    schema.kindOrPlain(named: imported.existing?.kind ?? imported.note.kind)
  }

  /// The note with the date that an earlier import gave it, if its source has none: the date is not removed.
  private func dated(_ imported: ImportedNote, _ text: NoteText, as base: NoteText) throws(SlipboxError)
    -> NoteText
  {
    guard imported.isUndated, !request.changes.contains(where: { $0.givenField == "created" }),
      let date = FrontMatter(base)["created"]
    else { return text }
    do throws(EditError) {
      return try text.setting("created", to: date, order: fieldOrder)
    } catch {
      throw SlipboxError(error, note: imported.note.mention)
    }
  }

  /// Adds the change of a file, provided that the file still has the read bytes.
  mutating func change(_ path: [UInt8], from own: [UInt8], to bytes: [UInt8]) {
    append(
      FileEdit(path: path) { now throws(SlipboxError) in
        guard now == own else {
          throw SlipboxError(.busy, "\(path) was changed meanwhile", retry: "try again")
        }
        return bytes
      })
  }

  private mutating func make(_ imported: ImportedNote) throws(SlipboxError) {
    let item = ImportResult.Item(note: imported.note, place: imported.place)
    let wasThere = request.takesDeleted ? false : try wasDeleted(imported.path, id: imported.id)
    if wasThere {
      result.deleted.append(item)
      return
    }
    if addNew(imported.path, imported.text.bytes, imported.place) { result.made.append(item) }
  }

  /// Adds a new file; one that can't have its path is a failure.
  mutating func addNew(_ path: [UInt8], _ bytes: [UInt8], _ place: ImportResult.Place) -> Bool {
    do throws(SlipboxError) {
      try CreateNote(in: snapshot).refuseAsNewFile(path)
    } catch {
      fail(place, error.fault)
      return false
    }
    guard newPaths.insert(path).inserted else {
      fail(place, "two files have the path \(path)")
      return false
    }
    append(
      FileEdit(path: path) { now throws(SlipboxError) in
        guard now == nil || now == bytes else {
          throw SlipboxError(.cannotCreate, "\(path) exists already", retry: "try again")
        }
        return bytes
      })
    return true
  }
}

extension ImportPlanning {
  /// The CHANGEs of earlier imports but for those of fields that this command gives a value.
  private func earlier(_ changes: [Change]) -> [Change] {
    let given = request.changes.compactMap(\.givenField)
    return changes.filter { change in change.givenField.map { !given.contains($0) } ?? true }
  }

  mutating func lastVersion(_ path: [UInt8], id: NoteID?) throws(SlipboxError) -> ImportedVersion? {
    if versions == nil { versions = .some(try ImportedVersions(snapshot)) }
    return try versions??.last(path, id: id)
  }

  /// Whether a note was in the box and was deleted, but not by undoing the command that created it.
  private mutating func wasDeleted(_ path: [UInt8], id: NoteID?) throws(SlipboxError) -> Bool {
    if deletedNotes == nil { deletedNotes = .some(try DeletedNotes(of: snapshot, context)) }
    guard let deleted = deletedNotes ?? nil else { return false }
    let notes = try deleted.snapshot.catalogue()
    let entry = id.map { notes.entry(id: $0) } ?? notes.entry(path: path)
    guard let entry else { return false }
    return deleted.deletion(of: entry.note)?.command != "undo"
  }
}

/// Kinds of the sources that the box does not declare.
extension ImportPlanning {
  /// Brings the kinds that a folder declares and the box does not know.
  ///
  /// A kind that the box knows stays as it is here; a file with a mistake stays behind. Both are said.
  mutating func addKinds(of folder: ImportFolder) throws(SlipboxError) {
    for file in folder.kinds {
      let place = BytePath.join(Array(folder.name.utf8), file.path)
      let bytes: [UInt8]
      do throws(SlipboxError) {
        bytes = try folder.read(file.path)
      } catch {
        fail(ImportResult.Place(file: Phrase(place).description, line: nil), error.fault)
        continue
      }
      let path = String(decoding: file.path, as: UTF8.self)
      guard let name = Schema.kindName(ofFile: path) else { continue }
      if schema.kind(named: name) != nil || broughtKinds.contains(name.lowercased()) {
        if try snapshot.box.bytes(at: file.path) != bytes {
          result.remarks.append(
            "kind \(name) keeps its declaration in the box; \(place) differs")
        }
        continue
      }
      let problems = Schema.reading(KindFiles(in: snapshot).declarations().files + [(path, bytes)]).problems
      guard !problems.contains(where: { $0.file == path }) else {
        result.remarks.append(
          "not imported: \(place): it is not a valid kind")
        continue
      }
      if addNew(file.path, bytes, ImportResult.Place(file: Phrase(place).description, line: nil)) {
        broughtKinds.insert(name.lowercased())
        result.remarks.append("kind \(name) is imported, in \(file.path)")
      }
    }
  }

  /// Says which kinds of imported notes the box does not declare, and what to do.
  mutating func nameUnknownKinds() {
    var counts: [String: Int] = [:]
    for item in result.made + result.changed where !item.note.kind.isEmpty {
      let kind = item.note.kind
      guard schema.kind(named: kind) == nil, !broughtKinds.contains(kind.lowercased()) else { continue }
      counts[kind, default: 0] += 1
    }
    for (kind, count) in counts.sorted(by: { $0.key < $1.key }) {
      let name = Phrase(kind)
      let notes =
        count == 1
        ? "1 note of this kind becomes a plain note" : "\(count) notes of this kind become plain notes"
      result.remarks.append(
        "the box declares no kind \(name): \(notes) until it is declared in .slipbox/kinds/\(name).yaml (\(slip: "kinds", "--help"))"
      )
    }
  }
}

/// The notes of earlier imports from the same source that it no longer contains.
extension ImportPlanning {
  /// Finds the notes of the box that came from the sources and are not in them now; they are left as they are.
  ///
  /// A record is known by the name in its source that its id was computed from, a file of a folder by its place.
  /// - Complexity: O(n) in the notes of the box; for those in the place of a folder also that of their history.
  mutating func findVanished() throws(SlipboxError) {
    let open = ActiveTest(.open, schema: schema, clock: snapshot.clock)
    // A file that holds no record of an earlier import is another source.
    let known = request.files.filter { file in
      catalogue.entries.contains { met.contains($0.note.path) && Self.isRecord($0.note, of: file) }
    }
    for entry in catalogue.entries where !met.contains(entry.note.path) {
      // Finished tasks leave todo.txt by themselves.
      let isRecord = known.contains { file in
        (file.format != .todoTxt || open.isActive(entry)) && Self.isRecord(entry.note, of: file)
      }
      let wasImported = isRecord ? true : try wasInFolder(entry)
      if wasImported { result.vanished.append(entry.note) }
    }
  }

  /// Whether the id of a note was computed from a name that it has in a file.
  private static func isRecord(_ note: Note, of file: ImportRequest.File) -> Bool {
    guard let id = note.id else { return false }
    return file.format.sourceNames(of: note, file: file.contents.name).contains {
      ids(ofName: $0, file.format).contains(id)
    }
  }

  /// The ids that a record of a name may have; of several lines of todo.txt with the same words each has a number.
  private static func ids(ofName name: String, _ format: ForeignFormat) -> some Sequence<NoteID> {
    let numbers = format == .todoTxt ? 1...mostLines : 1...1
    return numbers.lazy.map { NoteID.computed(from: $0 == 1 ? name : "\(name) \($0)") }
  }

  /// The largest number of lines with the same words that are distinguished from other tasks of the box.
  private static let mostLines = 9

  private mutating func wasInFolder(_ entry: Entry) throws(SlipboxError) -> Bool {
    guard places.contains(where: { $0.isEmpty || BytePath.relative(entry.note.path, to: $0) != nil }) else {
      return false
    }
    return try lastVersion(entry.note.path, id: entry.note.id) != nil
  }
}
