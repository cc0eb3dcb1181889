import NoteIndex
import Notes
import Presentation
import SlipboxCore
import Text

/// The changes that pages make, each by the use case of the command of that name.
enum WriteRoutes {
  static let all: [PageRoute] = [
    .post("/api/new", PageWrite.route(["kind", "title", "changes", "body", "folder"], new)),
    .post("/api/change", PageWrite.route(named + ["changes", "body"], change)),
    .post("/api/do", PageWrite.route(named + ["action", "changes"], act)),
    .post("/api/rm", PageWrite.route(named + ["referrers"], remove)),
    .post("/api/restore", PageWrite.route(["ref", "at"], restore)),
    .post("/api/resolve", PageWrite.route(["ref", "field", "version", "all"], resolve)),
    .post("/api/undo", PageWrite.route(["operation"]) { try reversal($0, isRedo: false) }),
    .post("/api/redo", PageWrite.route([]) { try reversal($0, isRedo: true) }),
    .post("/api/filter", PageWrite.route(["name", "query", "from"], saveFilter)), AttachRoute.route,
    .post("/api/view", PageWrite.route(ViewRoute.members, ViewRoute.save)),
    .post("/api/daily", PageWrite.route(["day"], daily)),
    .post("/api/tick", PageWrite.route(["ref", "line", "text", "open"], tick)),
  ]

  /// The members that name notes, and say how these are compared with the texts that the page has read.
  private static let named = ["notes", "keep", "where", "expect"]

  private static func new(_ write: PageWrite) throws -> PageWrite.Work {
    let (snapshot, body) = (write.snapshot, write.body)
    let kind = try body.text("kind")
    if let kind, snapshot.schema().kind(named: kind) == nil {
      throw PageError(.refused, "there is no kind \(kind)")
    }
    var draft = Draft(
      kind: kind, title: try body.text("title") ?? "", changes: try write.changes(of: [kind ?? "note"]),
      body: Array((try body.text("body") ?? "").utf8))
    guard draft.title.contains(where: { !$0.isWhitespace }) else {
      throw PageError(.refused, "the title is missing")
    }
    draft.start = try Templates(in: snapshot).template(ofKind: kind ?? "note")
    let creation = CreateNote(in: snapshot)
    draft.folder = try body.text("folder").map { folder in
      try PlaceNote(in: snapshot).folder(Array("\(folder)/".utf8))
    }
    let id = try creation.freeID(write.context.ids)
    let text = try creation.text(of: draft, id: id)
    return PageWrite.Work(plan: try creation.plan(text, id: id, in: draft.folder).plan)
  }

  private static func change(_ write: PageWrite) throws -> PageWrite.Work {
    let targets = try write.targets()
    let changes = try write.changes(of: targets.map(\.entry.kind))
    let sent = try write.body.text("body")
    guard !changes.isEmpty || sent != nil else { throw PageError(.badRequest, "a change is missing") }
    guard sent == nil || targets.count == 1 else {
      throw PageError(.badRequest, "a body can be set for one note only")
    }
    let body = try sent.flatMap { sent in
      try targets.first.map { try write.bytes(ofBody: sent, $0.entry, $0.target) }
    }
    var work = try merging(targets, write, body: body) { _ in changes }
    let kept = try targets.first.flatMap { try keptTitle(of: $0.entry.note, changes, body: work.body, write) }
    let plan =
      try retitling(targets.map(\.entry), changes, body: work.body, write)
      ?? ChangeNotes(in: write.snapshot).plan(
        targets.map(\.entry), changes + [kept].compactMap { $0 }, body: work.body)
    // A body equal to the current one is not a change.
    if changes.isEmpty, work.body == nil { work.work.inPlace = "already in place" }
    return work.work(plan)
  }

  /// The change that keeps the title of a note that is named by its file, if a new text begins with another heading: in
  /// such a folder headings are text. Nil if the title stays by itself or is changed too.
  private static func keptTitle(
    of note: Note, _ changes: [Change], body: [UInt8]?, _ write: PageWrite
  ) throws -> Change? {
    guard let body, note.titleSource == .file, try write.snapshot.layout().title == .file else { return nil }
    let isRetitled = changes.contains { change in
      if case .set(field: let field, value: _) = change { field.isSameName(as: "title") } else { false }
    }
    let changed = Note(path: note.path, text: try note.text.replacingBody(body))
    guard !isRetitled, changed.titleSource == .heading, !changed.title.hasSameBytes(as: note.title) else {
      return nil
    }
    write.snapshot.reporter.warnOnce(
      "the title stays \(note.title): the field title has it now, since the text begins with another heading")
    return .set(field: "title", value: note.title)
  }

  /// The plan of a change that gives one note another title alone: its first heading and the links to it change too.
  private static func retitling(
    _ entries: [Entry], _ changes: [Change], body: [UInt8]?, _ write: PageWrite
  ) throws -> Plan? {
    guard body == nil, entries.count == 1, changes.count == 1,
      case .set(field: "title", value: let title) = changes[0],
      title.contains(where: { !$0.isWhitespace })
    else { return nil }
    return try Retitling(write.snapshot).plan(entries[0], to: title)
  }

  /// The work of a change of the body of one note, which may have been changed since it was read.
  static func merged(
    _ targets: [(entry: Entry, target: WriteBody.Target?)], _ write: PageWrite, body: [UInt8],
    _ plan: (_ body: [UInt8]) throws -> Plan
  ) throws -> PageWrite.Work {
    let work = try merging(targets, write, body: body) { _ in [] }
    return work.work(try plan(work.body ?? body))
  }

  private static func act(_ write: PageWrite) throws -> PageWrite.Work {
    let name = try write.body.required("action")
    let targets = try write.targets()
    let changes = try write.changes(of: targets.map(\.entry.kind))
    try RunAction(in: write.snapshot).refuseUnknown(name)
    let schema = write.snapshot.schema()
    let work = try merging(targets, write, body: nil) { entry in
      (schema.kind(named: entry.kind)?.action(named: name)?.changes ?? []) + changes
    }
    return work.work(try RunAction(in: write.snapshot).plan(name, on: targets.map(\.entry), with: changes))
  }

  private static func remove(_ write: PageWrite) throws -> PageWrite.Work {
    let targets = try write.targets()
    var conflicts: [FieldConflict] = []
    let takesMine = try takesMine(write)
    for (entry, target) in targets {
      guard let target, try StaleChange(write, entry, target, takesMine: false) != nil, !takesMine else {
        continue
      }
      conflicts.append(
        FieldConflict(
          ref: PageMoment.ref(of: entry.note), field: "note", base: nil, mine: nil, theirs: nil))
    }
    try refuse(conflicts, targets.map(\.entry))
    let deletion = try DeleteNotes(in: write.snapshot).plan(
      targets.map(\.entry), rule: try referrers(write), reason: nil)
    return PageWrite.Work(plan: deletion.plan, entries: targets.map(\.entry), expected: try expected(targets))
  }

  /// The rule for records that refer to deleted notes; nil if their kinds decide.
  private static func referrers(_ write: PageWrite) throws -> Field.DeleteRule? {
    switch try write.body.text("referrers") {
    case nil: nil
    case "detach": .detach
    case "cascade": .cascade
    default: throw PageError(.badRequest, "referrers must be detach or cascade")
    }
  }

  private static func restore(_ write: PageWrite) throws -> PageWrite.Work {
    let restoring = RestoreNotes(write.snapshot, write.context, reason: nil)
    let ref = try write.body.required("ref")
    if let at = try write.body.text("at") {
      let point = try write.snapshot.box.pastPoint(at, write.context)
      let (plan, entries) = try restoring.plan([ref], at: point)
      return PageWrite.Work(plan: plan, entries: entries)
    }
    let (plan, entries) = try restoring.plan([ref])
    return PageWrite.Work(plan: plan, entries: entries)
  }

  private static func resolve(_ write: PageWrite) throws -> PageWrite.Work {
    let entry = try write.entry(try write.body.required("ref"))
    let fields = [try write.body.required("field")]
    var choice = ConflictChoice.all
    if !(try write.body.flag("all")) {
      guard let version = try write.body.number("version"), version > 0 else {
        throw PageError(.badRequest, "version must be the number of the version to keep, from 1")
      }
      choice = .version(version)
    }
    let plan = try ResolveConflicts(in: write.snapshot).plan(entry, choice, fields: fields, reason: nil)
    return PageWrite.Work(plan: plan, entries: [entry])
  }

  /// Makes the note of today; one that exists is the answer as it is.
  private static func daily(_ write: PageWrite) throws -> PageWrite.Work {
    let snapshot = write.snapshot
    let day = try write.body.text("day").map { text in
      guard let day = CivilDate(text) else { throw PageError(.badRequest, "day must be a date") }
      return day
    }
    let notes = StandingNotes(in: snapshot)
    let standing = try notes.daily(day ?? snapshot.clock.today)
    guard let entry = try notes.entry(of: standing) else {
      return PageWrite.Work(plan: try notes.plan(creating: standing, try notes.text(of: standing)).plan)
    }
    let nothing = Plan(command: standing.command, edits: []) { _ in "" }
    return PageWrite.Work(plan: nothing, entries: [entry], inPlace: "already in place")
  }

  /// Ticks or unticks the check box of a line; its text shows whether the line is still that of the box.
  private static func tick(_ write: PageWrite) throws -> PageWrite.Work {
    let entry = try write.entry(try write.body.required("ref"))
    guard let line = try write.body.number("line"), line > 0 else {
      throw PageError(.badRequest, "line must be the number of a line, from 1")
    }
    let text = try write.body.text("text") ?? ""
    let whole = try entry.note.text
    let bytes = whole.bytes
    let box = CheckBox.all(in: whole).first { $0.line == line }
    guard let box, Array(text.utf8) == Array(bytes[box.text]) else {
      throw PageError(.changed, "the note has changed", hints: ["nothing was changed"])
    }
    let named = try NoteLookup(in: write.snapshot).namedPart(
      "\(PageMoment.ref(of: entry.note)):\(line)", fuzzy: false)
    let plan = try TickBoxes(in: write.snapshot).plan(
      named, words: "", isDone: !(try write.body.flag("open")))
    return PageWrite.Work(plan: plan, entries: [entry], expected: [entry.note.path: bytes])
  }

  private static func saveFilter(_ write: PageWrite) throws -> PageWrite.Work {
    let name = try write.body.required("name")
    let query = try write.body.text("query")
    if let old = try write.body.text("from") {
      return PageWrite.Work(
        plan: try ChangeFilters(in: write.snapshot).plan(renaming: old, to: name, query: query))
    }
    let plan = try ChangeFilters(in: write.snapshot).plan(saving: name, query: query)
    if let query {
      // A query that a list would refuse is refused here.
      let filters = write.snapshot.settings.filters.merging([name: query]) { $1 }
      _ = try write.snapshot.query(["@\(name)"], filters: filters)
    }
    return PageWrite.Work(plan: plan)
  }
}

/// Helpers of several changes.
extension WriteRoutes {
  /// The results of changes of notes that may have been changed since they were read.
  private struct Merging {
    var body: [UInt8]?
    var work: PageWrite.Work

    func work(_ plan: Plan) -> PageWrite.Work {
      PageWrite.Work(
        plan: plan, entries: work.entries, merged: work.merged, expected: work.expected, inPlace: work.inPlace
      )
    }
  }

  /// - Throws: 409 if a field was changed here and elsewhere to different values.
  private static func merging(
    _ targets: [(entry: Entry, target: WriteBody.Target?)], _ write: PageWrite, body: [UInt8]?,
    _ changes: (Entry) -> [Change]
  ) throws -> Merging {
    let nothing = Plan(command: "set", edits: []) { _ in "" }
    var merging = Merging(
      body: body,
      work: PageWrite.Work(plan: nothing, entries: targets.map(\.entry), expected: try expected(targets)))
    var conflicts: [FieldConflict] = []
    let takesMine = try takesMine(write)
    for (entry, target) in targets {
      guard let target, let stale = try StaleChange(write, entry, target, takesMine: takesMine) else {
        continue
      }
      let result = try stale.result(changes(entry), body: body)
      merging.body = result.body
      merging.work.merged += result.merged
      conflicts += result.conflicts
    }
    try refuse(conflicts, targets.map(\.entry))
    return merging
  }

  private static func takesMine(_ write: PageWrite) throws -> Bool {
    switch try write.body.text("keep") {
    case nil: return false
    case "mine": return true
    default: throw PageError(.badRequest, "keep must be mine or absent")
    }
  }

  private static func refuse(_ conflicts: [FieldConflict], _ entries: [Entry]) throws {
    guard let first = conflicts.first else { return }
    let title = entries.first { PageMoment.ref(of: $0.note) == first.ref }?.note.title ?? first.ref
    let what = first.field == "note" ? "" : "\(first.field) of "
    var error = PageError(
      .conflict, "\(what)\(title) was changed elsewhere", hints: ["nothing was changed"])
    error.conflicts = conflicts
    throw error
  }

  /// The bytes of those notes that the page says it has read.
  private static func expected(
    _ targets: [(entry: Entry, target: WriteBody.Target?)]
  ) throws -> [[UInt8]: [UInt8]] {
    var expected: [[UInt8]: [UInt8]] = [:]
    for (entry, target) in targets where target?.etag != nil {
      expected[entry.note.path] = try entry.note.text.bytes
    }
    return expected
  }
}

/// Undo and redo of operations.
extension WriteRoutes {
  /// The work that undoes an operation, by default the last one of this device that changes something, or redoes the one
  /// undone last.
  static func reversal(_ write: PageWrite, isRedo: Bool) throws -> PageWrite.Work {
    let snapshot = write.snapshot
    let operations = PastOperations(in: snapshot, on: snapshot.box.device(write.context))
    if isRedo {
      guard let past = try operations.nextRedo() else {
        throw PageError(
          .refused, "nothing to redo: no undo since the last change of this device")
      }
      return try work(past, isNamed: false, write)
    }
    if let name = try write.body.text("operation") {
      return try work(try operations.operation(named: name), isNamed: true, write)
    }
    let next = try operations.undoNext { past -> PageWrite.Work? in
      let work = try work(past, isNamed: false, write)
      return try snapshot.box.changed(by: work.plan, snapshot.reporter).isEmpty ? nil : work
    }
    guard let next else {
      throw PageError(.refused, "nothing to undo: this device has no operation left in this history")
    }
    return next
  }

  private static func work(
    _ past: PastOperation, isNamed: Bool, _ write: PageWrite
  ) throws -> PageWrite.Work {
    let undo = try UndoOperation(in: write.snapshot).plan(past, reason: nil)
    guard undo.conflicts.isEmpty else {
      throw try UndoRefusal(past, undo, isNamed: isNamed, write.snapshot).told()
    }
    return PageWrite.Work(plan: undo.plan, inPlace: "already in place: \(past.operation.subject)")
  }
}

/// Saves, renames and removes views.
enum ViewRoute {
  static let members = ["name", "form", "query", "by", "columns", "sort", "total", "remove", "from"]

  /// Saves a view; members that are not sent stay as they are in a view of that name.
  static func save(_ write: PageWrite) throws -> PageWrite.Work {
    let (snapshot, body) = (write.snapshot, write.body)
    let name = try body.required("name")
    if let old = try body.text("from") {
      return PageWrite.Work(plan: try ChangeViews(in: snapshot).plan(renaming: old, to: name))
    }
    if try body.flag("remove") {
      return PageWrite.Work(plan: try ChangeViews(in: snapshot).plan(removing: name))
    }
    var view =
      snapshot.settings.viewLines.contains { $0.name == name }
      ? try View(named: name, in: snapshot) : View(.list)
    if let text = try body.text("form") {
      guard let form = View.Form(rawValue: text), View.Form.ofViews.contains(form) else {
        let names = View.Form.ofViews.map(\.rawValue).joined(separator: ", ")
        throw PageError(.badRequest, "form is one of: \(names)")
      }
      view = view.converted(to: form, in: snapshot)
    }
    if let query = try body.text("query") { view.query = query.isEmpty ? [] : [query] }
    if let by = try body.text("by") { view.by = by.isEmpty ? nil : by }
    if let columns = try body.text("columns") { view.columns = columns.isEmpty ? nil : columns }
    if let sort = try body.text("sort") { (view.sort, view.isReversed) = (sort.isEmpty ? nil : sort, false) }
    if try body.flag("total") { view.hasTotal = true }
    let plan = try ChangeViews(in: snapshot).plan(saving: view, as: name)
    _ = try ShownView(ViewRequest(view: view, filter: ""), in: snapshot)
    return PageWrite.Work(plan: plan)
  }
}
