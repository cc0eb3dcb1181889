import Bytes
internal import Text

/// A record while changes are made to it.
struct RecordDraft {
  let kind: Kind
  let editor: RecordEditor
  private(set) var note: Note
  /// The fields that the command names, or that a transition has changed: others leave them alone.
  var settled: Set<String> = []
  var warnings: [String] = []
  /// The next records that the transitions require.
  var successions: [Succession] = []
  /// The changes that are not written into the note yet.
  var pending = PendingEdits()
  /// The changes that were refused; nothing was changed for them.
  private(set) var problems: [RecordProblem] = []

  init(of note: Note, kind: Kind, editor: RecordEditor) {
    self.note = note
    self.kind = kind
    self.editor = editor
  }

  /// The order of new fields, in the spelling of existing ones.
  var order: [String] { kind.fieldOrder.map { note.field(named: $0)?.name ?? $0 } }

  /// Writes the defaults of fields that are missing.
  ///
  /// A default of `today` gives way to an earlier date that is given with it for a field that can't lie before.
  mutating func writeDefaults(beside changes: [Change]) throws(RecordError) {
    for field in kind.fields where note.value(named: field.name) == nil {
      guard let value = field.startingValue(clock: editor.clock) else { continue }
      guard case .date(let day) = value, let earliest = earliestDay(after: field, in: changes), earliest < day
      else {
        try write(value, to: field)
        continue
      }
      try write(.date(earliest), to: field)
    }
  }

  /// The earliest of the dates that are given for fields which a constraint puts after a field.
  private func earliestDay(after field: Field, in changes: [Change]) -> CivilDate? {
    let later = kind.constraints.flatMap { constraint -> ArraySlice<String> in
      guard case .order(let names) = constraint else { return [] }
      return names.drop { !$0.isSameName(as: field.name) }.dropFirst()
    }
    return changes.compactMap { change -> CivilDate? in
      guard case .set(let name, let text) = change, later.contains(where: { $0.isSameName(as: name) }) else {
        return nil
      }
      return kind.field(name).flatMap { try? $0.typed(text, clock: editor.clock) }?.day
    }.min()
  }

  /// Keeps the title that a note had among its aliases, so that links by it hold.
  mutating func keepTitle(of old: Note, _ changes: [Change]) throws(RecordError) {
    let names = { (wanted: String) in changes.contains { $0.fieldName.isSameName(as: wanted) } }
    let setsAliases = changes.contains { change in
      switch change {
      case .set(let field, _), .clear(let field): field.isSameName(as: "aliases")
      case .add, .remove, .addTag, .removeTag: false
      }
    }
    let hadTitle = old.hasOwnTitle || old.title != Note.untitled
    guard names("title"), !setsAliases, hadTitle,
      !([note.title] + note.aliases).contains(where: { $0.isSameName(as: old.title) })
    else { return }
    let key = note.aliasesKey
    let (title, order) = (old.title, order)
    try edit { text throws(EditError) in try text.adding(title, to: key, order: order, kind: .texts) }
  }

  mutating func make(_ change: Change) throws(RecordError) {
    let name = change.fieldName
    if !pending.mayWait(change) { try flush() }
    if let reason = fixedReason(name) { return refuse(name, "\(Visible.escape(name)): \(reason)") }
    if case .clear = change { return try clear(kind.field(name) ?? Field(name, .text)) }
    let adopted = adoptedDate(change, name)
    if adopted != nil, note.field(named: name) == nil, isRefused(name) { return }
    guard let field = kind.field(name) ?? adopted else { return try makeUndeclared(change, name) }
    if case .set = change { try flush() }
    settled.insert(field.name.lowercased())
    switch change {
    case .addTag(let tag): try addTag(tag)
    case .removeTag(let tag): try removeTag(tag)
    case .clear: return
    case .set(_, let value):
      if !field.looksBack, let (day, time) = field.dayAndTime(value, clock: editor.clock) {
        try set(day.description, field)
        return try setTime(time, of: field)
      }
      try set(value, field)
    case .add(let element, _):
      if field.isList { return try add(element, field) }
      if field.isTime, field.readsDistance("+" + element, clock: editor.clock) {
        return try make(.set(field: name, value: "+" + element))
      }
      if !refuseElement(element, of: field.name, field, isRemoved: false) {
        try set("+" + element, field)
      }
    case .remove(let element, _):
      if field.isList { return try remove(element, field) }
      if field.isTime, field.readsDistance("-" + element, clock: editor.clock) {
        return try make(.set(field: name, value: "-" + element))
      }
      if !refuseElement(element, of: field.name, field, isRemoved: true) {
        try set("-" + element, field)
      }
    }
  }

  /// Refuses to add or remove an element of a field that is not a list; returns whether it did.
  ///
  /// A declared text may begin with a sign if a digit follows, such as `+49`.
  mutating func refuseElement(
    _ element: String, of name: String, _ field: Field?, isRemoved: Bool
  ) -> Bool {
    if field?.type == .text, let first = element.utf8.first, (0x30...0x39).contains(first) { return false }
    let value = note.field(named: name)?.value.text.map { ": its value is \(Visible.escape($0))" } ?? ""
    let change = Visible.escape(ShellWord.quoted(isRemoved ? "\(name):" : "\(name):\(element)"))
    refuse(
      name, "\(Visible.escape(name)) is not a list\(value)",
      hint: isRemoved ? "\(change) clears the value" : "\(change) replaces the value")
    return true
  }

  /// Why no change can set a field, or nil.
  private func fixedReason(_ name: String) -> String? {
    let isOwn = note.field(named: name) != nil || kind.fields.contains { $0.name.isSameName(as: name) }
    guard let fixed = Field.fixed.first(where: { $0.key.isSameName(as: name) }) else { return nil }
    return isOwn && fixed.key != "id" ? nil : fixed.value
  }
}

extension RecordDraft {
  private mutating func set(_ text: String, _ field: Field) throws(RecordError) {
    if field.isList, text.utf8.count > 1 {
      let element = String(text.unicodeScalars.dropFirst())
      if text.utf8.first == UInt8(ascii: "+") { return try add(element, field) }
      if text.utf8.first == UInt8(ascii: "-") { return try remove(element, field) }
    }
    if field.holdsTags { return try setTags(CommaList(text).elements) }
    if field.name.isSameName(as: "kind") { return try setKind(text, field) }
    let read: TypedValue
    do throws(ValueRefusal) { read = try field.all(text, clock: editor.clock) } catch {
      return refuse(field.name, error.message)
    }
    if field.looksBack, let day = read.day, day > editor.clock.today {
      warnings.append("\(Visible.escape(field.name)): \(day) is in the future")
    }
    if let value = resolved(read, field) { try write(value, to: field) }
  }

  private mutating func setKind(_ name: String, _ field: Field) throws(RecordError) {
    let kinds = editor.schema.kinds.map(\.name)
    if editor.schema.kind(named: name) == nil, let near = Spelling.slip(of: name, among: kinds) {
      let start = "\(Visible.escape(name)) is not a declared kind"
      if editor.isNewKind(name), !editor.allowsNewFields {
        return refuse(
          field.name, "\(start), and no note has it",
          hint: "did you mean kind:\(near)? \(option: "--new-field") allows a new kind")
      }
      if !editor.allowsNewFields { warnings.append("\(start): did you mean \(near)?") }
    }
    try write(.text(editor.schema.kindOrPlain(named: name).name), to: field)
  }

  private mutating func clear(_ field: Field) throws(RecordError) {
    settled.insert(field.name.lowercased())
    if field.type == .date, let time = note.field(named: "\(field.name)-time")?.name,
      !settled.contains(time.lowercased())
    {
      try edit { text throws(EditError) in try text.clearingField(time) }
    }
    let key = key(of: field)
    try edit { text throws(EditError) in try text.clearingField(key) }
  }

  /// Puts the keys of records in the place of the names that were typed; nil without such names.
  private mutating func resolved(_ value: TypedValue, _ field: Field) -> TypedValue? {
    guard field.type == .reference, let target = field.target else { return value }
    var elements: [TypedValue] = []
    for element in value.elements {
      guard case .reference(let name) = element else { continue }
      let answer = editor.resolve(target, name)
      guard case .found(let key) = answer else {
        problems.append(.reference(name, field, answer, line: nil))
        return nil
      }
      elements.append(.reference(key))
    }
    return field.isList ? .list(elements) : elements.first
  }

  private mutating func add(_ text: String, _ field: Field) throws(RecordError) {
    if field.holdsTags { return try addTag(text) }
    let read: TypedValue
    do throws(ValueRefusal) { read = .list([try field.typed(text, clock: editor.clock)]) } catch {
      return refuse(field.name, error.message)
    }
    guard let element = resolved(read, field)?.elements.first else { return }
    if spellings(of: element, in: field).isEmpty { try append(field.written(element), to: field) }
  }

  private mutating func append(_ element: String, to field: Field) throws(RecordError) {
    let (key, order) = (key(of: field), order)
    let value = note.value(named: key) ?? .empty
    try edit { text throws(EditError) in
      if field.usesCommas, value == .empty, CommaList.canHold(element) {
        return try text.settingField(key, to: .text(element), order: order)
      }
      return try text.addingToField(key, element, order: order, kind: field.partsAtCommas ? .tags : .texts)
    }
  }

  private mutating func remove(_ text: String, _ field: Field) throws(RecordError) {
    if field.holdsTags { return try removeTag(text) }
    guard let typed = try? field.typed(text, clock: editor.clock) else { return }
    let key = key(of: field)
    for spelling in spellings(of: typed, in: field) {
      try edit { text throws(EditError) in
        try text.removingFromField(key, spelling, kind: field.partsAtCommas ? .tags : .texts)
      }
    }
  }

  /// The elements of a list that mean a value, as they are in the note.
  private func spellings(of value: TypedValue, in field: Field) -> [String] {
    let elements = note.value(named: key(of: field)).map(field.spelledElements) ?? []
    let wanted = target(of: value, field)
    return elements.filter { element in
      guard let other = try? field.single(element) else { return false }
      return other == value || target(of: other, field) == wanted
    }
  }

  /// The record that a reference means, by its key; anything else as it is.
  private func target(of value: TypedValue, _ field: Field) -> TypedValue {
    guard case .reference(let name) = value, let kind = field.target,
      case .found(let key) = editor.resolve(kind, name)
    else { return value }
    return .reference(key)
  }
}

extension RecordDraft {
  /// Writes a value in the style of the field; a different spelling of it is replaced.
  mutating func write(_ value: TypedValue, to field: Field) throws(RecordError) {
    let (key, order) = (key(of: field), order)
    var written = FieldValue.text(field.written(value))
    if case .list(let elements) = value {
      let texts = elements.map(field.written)
      let old = note.value(named: key) ?? .empty
      let hasCommas = field.partsAtCommas && (old.text != nil || (field.usesCommas && old == .empty))
      if !hasCommas || !texts.allSatisfy(CommaList.canHold) { written = .list(texts.map(FieldValue.text)) }
    }
    try edit { text throws(EditError) in try text.settingField(key, to: written, order: order) }
  }

  /// The name of a field as the note spells it, else as it is declared.
  func key(of field: Field) -> String {
    if field.holdsTags { return note.tagsField ?? field.name }
    if field.name.isSameName(as: "aliases") { return note.aliasesKey }
    return note.field(named: field.name)?.name ?? field.name
  }

  mutating func refuse(_ field: String, _ message: String, line: Int? = nil, hint: Phrase? = nil) {
    problems.append(RecordProblem(field: field, line: line, message: message, hint: hint, identity: message))
  }

  mutating func edit(_ body: (NoteText) throws(EditError) -> NoteText) throws(RecordError) {
    let text: NoteText
    do throws(EditError) { text = try body(note.wholeText) } catch { throw .edit(error) }
    if text != note.wholeText { note = Note(path: note.path, text: text) }
  }

  /// Says whether the field may still be changed by a transition, and that it has been from now on.
  mutating func settle(_ field: Field) -> Bool { settled.insert(field.name.lowercased()).inserted }
}

extension Field {
  /// Whether these are the tags of the note itself, which may also be in other fields and in its text.
  var holdsTags: Bool { type == .tags && name.isSameName(as: "tags") }

  /// Whether one text with commas is a list of values.
  var partsAtCommas: Bool { isList && (usesCommas || type != .text) }

  /// The elements of a list as they are spelled.
  func spelledElements(_ value: FieldValue) -> [String] {
    guard let text = value.text else { return value.strings }
    return partsAtCommas ? CommaList(text).elements : [text]
  }

  /// Reads a whole value as it is typed: of a list, its elements between commas.
  func all(_ text: String, clock: ClockReading) throws(ValueRefusal) -> TypedValue {
    guard isList else { return try typed(text, clock: clock) }
    var elements: [TypedValue] = []
    for element in CommaList(text).elements { elements.append(try typed(element, clock: clock)) }
    return .list(elements)
  }

  /// The value of the field in a new record.
  func startingValue(clock: ClockReading) -> TypedValue? {
    defaultValue.flatMap { try? all($0, clock: clock) }
  }
}

extension Change {
  /// The field that the change is of.
  package var fieldName: String {
    switch self {
    case .set(let field, _), .clear(let field), .add(_, let field), .remove(_, let field): field
    case .addTag, .removeTag: "tags"
    }
  }
}

/// Changes of a record that are written together: many of them would each read the whole front-matter.
struct PendingEdits {
  private(set) var fields: [(name: String, value: FieldValue)] = []
  private(set) var tags: [String] = []
  /// The names of the fields and tags without regard to case.
  private var keys: Set<String> = []

  /// Whether a change may wait with these: a new field beside others, or a tag beside others.
  func mayWait(_ change: Change) -> Bool {
    switch change {
    case .set(let name, _): tags.isEmpty && !keys.contains(name.lowercased())
    case .addTag: fields.isEmpty
    case .add, .remove, .removeTag, .clear: false
    }
  }

  mutating func append(_ value: String, to name: String) {
    keys.insert(name.lowercased())
    fields.append((name, .text(value)))
  }

  mutating func append(tag: String) {
    if keys.insert(TagName.key(tag)).inserted { tags.append(tag) }
  }
}

extension RecordDraft {
  /// Writes the changes that wait.
  mutating func flush() throws(RecordError) {
    let (fields, tags) = (pending.fields, pending.tags)
    pending = PendingEdits()
    if !fields.isEmpty {
      try edit { text throws(EditError) in
        if let result = try? FrontMatterEditor(text, writesFractions: true).appending(fields) {
          return result
        }
        var text = text
        for field in fields { text = try text.setting(field.name, to: field.value, writesFractions: true) }
        return text
      }
    }
    guard !tags.isEmpty else { return }
    let (key, order) = (note.tagsField ?? "tags", order)
    try edit { text throws(EditError) in
      let first = try text.adding(tags[0], to: key, order: order, kind: .tags)
      return tags.count == 1
        ? first : try first.changing(key, adding: Array(tags.dropFirst()), removing: [])
    }
  }
}
