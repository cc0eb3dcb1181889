extension RecordDraft {
  /// Does what follows from the fields that have changed, and from what follows; each field changes once.
  mutating func followTransitions(from start: Note) throws(RecordError) {
    let sources = Set(kind.transitions.map { $0.field.lowercased() })
    var waiting = sources.filter { kind.value(of: $0, in: start) != kind.value(of: $0, in: note) }.sorted()
    var done: Set<String> = []
    while let name = waiting.popLast() {
      done.insert(name)
      for transition in kind.transitions where transition.field.isSameName(as: name) {
        guard isTaken(transition, from: start) else { continue }
        for effect in transition.effects {
          guard try follow(effect), let next = kind.field(effect.field)?.name.lowercased() else { continue }
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
  private mutating func follow(_ effect: Transition.Effect) throws(RecordError) -> Bool {
    guard let field = kind.field(effect.field) else { return false }
    // Where there is nothing to copy, what the field holds is better than nothing.
    if case .copy(_, let source) = effect, copy(of: source, for: field) == nil { return false }
    guard settle(field) else { return false }
    let value: TypedValue?
    switch effect {
    case .set(_, let text): value = try? field.all(text, clock: editor.clock)
    case .copy(_, let source): value = copy(of: source, for: field)
    case .clear: value = nil
    }
    guard let value else {
      let key = key(of: field)
      try edit { text throws(EditError) in try text.clearing(key) }
      return true
    }
    try write(value, to: field)
    return true
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
