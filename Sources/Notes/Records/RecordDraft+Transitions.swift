import Text

extension RecordDraft {
  /// The new record without the fields of the template that its text came from: no transition has set them yet. Transitions
  /// keep existing values.
  mutating func beginning(_ original: Note) throws(RecordError) -> Note {
    let given = kind.fields.filter { field in
      !Field.common.contains { $0.name.isSameName(as: field.name) }
        && original.value(named: field.name) != nil
    }
    var bare = self
    for field in given where kind.transitions.contains(where: { $0.field.isSameName(as: field.name) }) {
      let key = key(of: field)
      try bare.edit { text throws(EditError) in try text.clearingField(key) }
    }
    for field in given { _ = settle(field) }
    try bare.writeDefaults(beside: [])
    return bare.note
  }

  /// Applies the transitions of the changed fields, and those of the fields that they change; each field changes once.
  ///
  /// Setting a field to its current value triggers nothing: a record that is closed again keeps its date.
  mutating func followTransitions(from start: Note) throws(RecordError) {
    let sources = Set(kind.transitions.map { $0.field.lowercased() })
    var waiting = sources.filter { kind.value(of: $0, in: start) != kind.value(of: $0, in: note) }.sorted()
    var done: Set<String> = []
    let given = settled
    while let name = waiting.popLast() {
      done.insert(name)
      for transition in kind.transitions where transition.field.isSameName(as: name) {
        guard isTaken(transition, from: start) else { continue }
        for effect in transition.effects {
          if case .next(let succession) = effect { successions.append(succession) }
          guard try follow(effect, given, from: start), let field = effect.field,
            let next = kind.field(field)?.name.lowercased()
          else { continue }
          if !done.contains(next) { waiting.append(next) }
        }
      }
    }
  }

  private func isTaken(_ transition: Transition, from start: Note) -> Bool {
    let old = kind.value(of: transition.field, in: start)
    let new = kind.value(of: transition.field, in: note)
    return isAny(of: transition.from, old, transition.field)
      && isAny(of: transition.to, new, transition.field)
  }

  private func isAny(of values: [String], _ value: TypedValue?, _ name: String) -> Bool {
    guard !values.isEmpty else { return true }
    guard let value, let field = kind.field(name) else { return false }
    return values.contains { field.matches($0, value) }
  }

  /// Says whether the effect was due, for a field that the command does not name.
  ///
  /// - Parameters:
  ///   - given: the fields that the command names.
  ///   - start: the record before the command.
  private mutating func follow(
    _ effect: Transition.Effect, _ given: Set<String>, from start: Note
  ) throws(RecordError) -> Bool {
    guard let field = effect.field.flatMap({ kind.field($0) }) else { return false }
    // If there is nothing to copy, the current value of the field is better than none.
    if case .copy(_, let source) = effect, copy(of: source, for: field) == nil { return false }
    guard settle(field) else { return false }
    if case .append(_, let sources) = effect {
      guard let element = element(of: sources, in: start) else { return false }
      let (key, order) = (key(of: field), order)
      try edit { text throws(EditError) in
        try text.addingToField(key, element, order: order, kind: .texts)
      }
      return true
    }
    let value: TypedValue?
    switch effect {
    case .set(_, let text): value = try? field.all(text, clock: editor.clock)
    case .copy(_, let source): value = copy(of: source, for: field)
    case .clear, .append, .next: value = nil
    }
    guard let value else {
      let key = key(of: field)
      try edit { text throws(EditError) in try text.clearingField(key) }
      return true
    }
    try write(bounded(value, of: field, given), to: field)
    return true
  }

  /// The element of the values that some fields have in a note; nil if they have none.
  private func element(of names: [String], in note: Note) -> String? {
    let values = names.map { name in
      kind.field(name).flatMap { field in field.storedValue(in: note).map { field.written($0) } } ?? ""
    }
    return values.allSatisfy(\.isEmpty) ? nil : values.joined(separator: Transition.mark)
  }

  /// A day that follows from others gives way to an earlier one that is given for a field which can't lie before, unless
  /// a day that stays as it is would still lie between.
  private func bounded(_ value: TypedValue, of field: Field, _ given: Set<String>) -> TypedValue {
    guard case .date(let day) = value else { return value }
    for case .order(let names) in kind.constraints {
      guard let place = names.firstIndex(where: { $0.isSameName(as: field.name) }) else { continue }
      let days = { (names: ArraySlice<String>) in names.compactMap { kind.storedValue(of: $0, in: note)?.day }
      }
      let later = names[(place + 1)...].filter { given.contains($0.lowercased()) }
      guard let earliest = days(later[...]).min(), earliest < day else { continue }
      if days(names[..<place]).allSatisfy({ $0 <= earliest }) { return .date(earliest) }
    }
    return value
  }

  /// The value of another field, as this one writes it; a missing one counts as its default.
  private func copy(of name: String, for field: Field) -> TypedValue? {
    guard let source = kind.field(name) else { return nil }
    guard let value = kind.value(of: name, in: note) ?? source.startingValue(clock: editor.clock) else {
      return nil
    }
    if field.type == .date, let day = value.day { return .date(day) }
    return try? field.all(source.written(value), clock: editor.clock)
  }
}

extension RecordDraft {
  /// Refuses to write the state field of another kind, such as `status`, to a record whose own state its actions change.
  ///
  /// - Returns: Whether the change was refused.
  mutating func isForeignState(_ change: Change) -> Bool {
    guard editor.refusesForeignStates, !editor.allowsNewFields, case .set(let name, let value) = change,
      !kind.actions.isEmpty, editor.schema.kinds.contains(where: { $0.hasState(in: name) })
    else { return false }
    let action = kind.actions.first { $0.leads(to: value) }
    let names = kind.actions.map(\.name).joined(separator: ", ")
    let command: Phrase =
      action.map { "run: \($0.command)" } ?? "run: \(slip: "do", "ACTION", "REF"), with one of: \(names)"
    refuse(
      name, "\(Visible.escape(name)) is not a field of kind \(kind.name)",
      hint: "\(command); add \(option: "--new-field") to create it")
    return true
  }
}

extension Kind {
  /// Whether actions of the kind set a choice of that name.
  fileprivate func hasState(in name: String) -> Bool {
    guard let field = field(name), field.type == .choice else { return false }
    return actions.contains { action in
      action.changes.contains { change in
        if case .set(let set, _) = change { set.isSameName(as: field.name) } else { false }
      }
    }
  }
}

extension Action {
  /// Whether a state has the meaning of the action's name: `done` for an action that sets `done:true`.
  fileprivate func leads(to state: String) -> Bool {
    if name.isSameName(as: state) { return true }
    return changes.contains { change in
      guard case .set(let field, let value) = change else { return false }
      return value.isSameName(as: state) || (field.isSameName(as: state) && value == "true")
    }
  }

  /// The command that runs the action: actions of built-in kinds are commands themselves.
  fileprivate var command: Phrase {
    let isBuiltIn = Schema.builtIn.kinds.contains { $0.actions.contains { $0.name == name } }
    return .slip(isBuiltIn ? name : "do \(name)", "REF")
  }
}
