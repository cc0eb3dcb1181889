import Text

/// The values of a note as its kind understands them.
extension Kind {
  /// Returns the value of a field: a missing one counts as its default, a wrong one as none.
  ///
  /// `title` and `tags` are those of the note, whatever their source. A default of `today` counts only when a
  /// record is created.
  package func value(of name: String, in note: Note) -> TypedValue? {
    guard let field = field(name) else {
      return note.value(named: name).flatMap { $0.text.map(TypedValue.text) }
    }
    return try? value(of: field, in: note)
  }

  /// Returns the value that the note itself has, without any default; nil if it is wrong.
  package func storedValue(of name: String, in note: Note) -> TypedValue? {
    field(name).flatMap { $0.storedValue(in: note) }
  }

  /// Returns the value of a declared field.
  /// - Throws: `ValueRefusal` if it is not of the field's type.
  func value(of field: Field, in note: Note) throws(ValueRefusal) -> TypedValue? {
    if let own = try field.ownValue(in: note) { return own }
    return field.lastingDefault.flatMap { field.defaultReading($0) }
  }

  /// Whether a transition appends the values of a field to a list.
  package func keepsEarlierValues(of name: String) -> Bool { !lists(keeping: name).isEmpty }

  /// The values that a field had before transitions appended them to a list; parts that are not of its type are left out.
  package func earlierValues(of field: Field, in note: Note) -> [TypedValue] {
    lists(keeping: field.name).flatMap { list, place, count in
      (note.value(named: list)?.strings ?? []).compactMap { element -> TypedValue? in
        let parts = element.parted(by: Transition.mark)
        guard parts.count == count, !parts[place].isEmpty else { return nil }
        return try? field.stored(.text(parts[place]))
      }
    }
  }

  /// Whether transitions of the kind move values of a field to a list.
  package func keepsEarlierValues(of field: Field) -> Bool { !lists(keeping: field.name).isEmpty }

  /// The lists to which transitions append the values of a field, with its place among the parts of an element.
  private func lists(keeping name: String) -> [(list: String, place: Int, count: Int)] {
    var lists: [(list: String, place: Int, count: Int)] = []
    for case .append(let list, let sources) in transitions.lazy.flatMap(\.effects) {
      guard let place = sources.firstIndex(where: { $0.isSameName(as: name) }),
        !lists.contains(where: { $0.list.isSameName(as: list) })
      else { continue }
      lists.append((list, place, sources.count))
    }
    return lists
  }

  /// Returns the key by which records are sorted: nil for no value; wrong values come after all others.
  package func sortKey(of name: String, in note: Note) -> [UInt8]? {
    guard let field = field(name) else {
      return note.value(named: name)?.strings.first.map { [0] + Collation.key($0) }
    }
    do throws(ValueRefusal) {
      return try value(of: field, in: note).map { [0] + $0.sortKey }
    } catch {
      return [1] + Collation.key(note.value(named: name)?.text ?? "")
    }
  }

  /// Compares two values of a field by its type: -1, 0 or 1. No value comes last, a wrong one before it.
  package func compare(_ name: String, _ left: FieldValue, _ right: FieldValue) -> Int {
    let keys = (sortKey(of: name, left), sortKey(of: name, right))
    if keys.0 == keys.1 { return 0 }
    return keys.0.lexicographicallyPrecedes(keys.1) ? -1 : 1
  }

  private func sortKey(of name: String, _ value: FieldValue) -> [UInt8] {
    let field = field(name) ?? Field(name, .text)
    do throws(ValueRefusal) {
      guard let typed = try field.stored(value) else { return [2] }
      return [0] + typed.sortKey
    } catch {
      return [1] + Collation.key(value.text ?? "")
    }
  }
}

extension Field {
  /// Returns the value that a note itself has, without any default; nil if it is wrong.
  package func storedValue(in note: Note) -> TypedValue? { try? ownValue(in: note) }

  /// Reads the stored value of a field; nil if it is wrong or empty.
  package func storedValue(_ value: FieldValue) -> TypedValue? { try? stored(value) }

  /// Returns the value that the note itself has.
  func ownValue(in note: Note) throws(ValueRefusal) -> TypedValue? {
    if name.isSameName(as: "title") {
      return note.hasOwnTitle || note.title != "Untitled" ? .text(note.title) : nil
    }
    if type == .tags, name.isSameName(as: "tags") {
      return note.tags.isEmpty ? nil : .list(note.tags.map(TypedValue.text))
    }
    if type == .moment, name.isSameName(as: "created"), let created = note.created {
      return .moment(created, note.value(named: "created")?.text ?? created.rfc3339)
    }
    guard let value = note.value(named: name) else { return nil }
    return try stored(value)
  }

  /// Reads a default that does not depend on the day.
  func defaultReading(_ text: String) -> TypedValue? { try? stored(.text(text)) }
}

extension Note {
  /// The value of a field, by its exact name, else without regard to case.
  func value(named name: String) -> FieldValue? { field(named: name)?.value }

  /// Whether the note names its kind itself.
  package var hasKindField: Bool { field(named: "kind") != nil }

  /// The field of a name, by its exact name, else without regard to case.
  package func field(named name: String) -> FrontMatterField? {
    frontMatter.field(name) ?? frontMatter.fields.first { $0.name.isSameName(as: name) }
  }
}

/// The defaults of fields that a note leaves out.
extension Kind {
  /// The declared fields that a note leaves out, each with its default as a note would store it.
  ///
  /// Omits fields without a default, fields whose default is `today`, and the fields that every note has.
  package func missingDefaults(in note: Note) -> [FrontMatterField] {
    fields.compactMap { field in
      guard let value = field.missingDefault(in: note) else { return nil }
      return FrontMatterField(name: field.name, value: value)
    }
  }

  /// Returns the default of a field as a note would store it; nil if the note has a value or the field has no default.
  package func missingDefault(of name: String, in note: Note) -> FieldValue? {
    field(name)?.missingDefault(in: note)
  }
}

extension Field {
  /// The value of the field in a note that leaves it out; nil if the field has no lasting default.
  package var standardValue: TypedValue? {
    guard !Self.common.contains(where: { $0.name.isSameName(as: name) }) else { return nil }
    return lastingDefault.flatMap { defaultReading($0) }
  }

  fileprivate func missingDefault(in note: Note) -> FieldValue? {
    guard let value = standardValue, note.lacks(name) else { return nil }
    if case .list(let elements) = value { return .list(elements.map { .text(written($0)) }) }
    return .text(written(value))
  }
}

extension Note {
  /// Whether the note has no field of a name, or one without a value.
  package func lacks(_ name: String) -> Bool {
    guard let value = value(named: name) else { return true }
    return value == .empty
  }
}

/// The effect of actions on records, computed without applying them.
extension Kind {
  /// Whether an action of the kind would change a note, so that it may be meant by it.
  package func changes(_ note: Note, by action: Action, clock: ClockReading) -> Bool {
    action.changes.contains { change in
      switch change {
      case .set(let name, let text):
        guard let wanted = try? field(name)?.all(text, clock: clock) else { return true }
        return value(of: name, in: note) != wanted
      case .clear(let name): return !(note.value(named: name) ?? .empty).strings.allSatisfy(\.isEmpty)
      case .addTag, .removeTag, .add, .remove: return true
      }
    }
  }
}
