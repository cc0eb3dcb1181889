internal import Text

extension KindCheck {
  mutating func check(_ constraint: Constraint, at place: KindPlace) {
    let fields = constraint.fields.compactMap { known($0, at: place, "constraints") }
    guard fields.count == constraint.fields.count else { return }
    if Set(fields.map { $0.name.lowercased() }).count < fields.count {
      fault(place, "constraints: the same field occurs twice here")
    }
    switch constraint {
    case .order:
      let areTimes = fields.allSatisfy { $0.isTime && !$0.isList }
      let areNumbers = fields.allSatisfy { $0.type == .integer && !$0.isList }
      if !areTimes, !areNumbers {
        fault(place, "constraints: expected dates or whole numbers on both sides of <=")
      }
    case .only(_, _, let values):
      guard let condition = fields.last else { return }
      if condition.isList {
        fault(place, "constraints: \(condition.name) is a list, which can't be compared")
      }
      for value in values { checkStored(value, of: condition, at: place, "constraints") }
    }
  }

  mutating func check(_ transition: Transition, at place: KindPlace) {
    let what = "transitions"
    if let field = known(transition.field, at: place, what) {
      if field.isList, !(transition.from + transition.to).isEmpty {
        fault(place, "transitions: \(field.name) is a list: leave out from: and to:")
      }
      for value in transition.from { checkStored(value, of: field, at: place, "transitions: from") }
      for value in transition.to { checkStored(value, of: field, at: place, "transitions: to") }
    }
    for effect in transition.effects { check(effect, of: transition, at: place) }
  }

  private mutating func check(_ effect: Transition.Effect, of transition: Transition, at place: KindPlace) {
    if case .next(let succession) = effect { return check(succession, of: transition, at: place) }
    guard let name = effect.field, let field = known(name, at: place, "transitions") else { return }
    if field.name.isSameName(as: transition.field) {
      fault(place, "transitions: \(field.name) can't be set by its own change")
    }
    switch effect {
    case .set(_, let value): check(value, of: field, at: place, "transitions: set")
    case .copy(_, let name):
      guard let source = known(name, at: place, "transitions: copy") else { return }
      if source.type != field.type && !(source.isTime && field.isTime) || source.isList != field.isList {
        let types = "\(source.typeWord) and \(field.typeWord)"
        fault(place, "transitions: copy: \(source.name) and \(field.name) are of two types: \(types)")
      }
    case .append(_, let names):
      if !field.isList || field.type != .text {
        fault(place, "transitions: append: \(field.name) is \(field.typeWord), not list of text")
      }
      for name in names {
        guard let source = known(name, at: place, "transitions: append"), source.isList else { continue }
        fault(place, "transitions: append: \(source.name) is a list, which can't be an element")
      }
    case .clear, .next: return
    }
  }

  private mutating func check(_ succession: Succession, of transition: Transition, at place: KindPlace) {
    let what = "transitions: next"
    if transition.from.isEmpty || transition.to.isEmpty {
      fault(place, "\(what): from: and to: must both be given")
    }
    check(succession.by, is: .recurrence, at: place, "\(what): by")
    for name in succession.moves { check(name, is: .date, at: place, "\(what): move") }
    if let until = succession.until { check(until, is: .date, at: place, "\(what): until") }
    let kept = [transition.field, succession.by]
    for name in succession.clears {
      guard let field = known(name, at: place, "\(what): clear") else { continue }
      if kept.contains(where: { $0.isSameName(as: field.name) }) {
        fault(place, "\(what): clear: \(field.name) can't go")
      }
    }
  }

  private mutating func check(
    _ name: String, is type: Field.ValueType, at place: KindPlace, _ what: String
  ) {
    guard let field = known(name, at: place, what) else { return }
    if field.type == type, !field.isList { return }
    fault(place, "\(what): \(field.name) is \(field.typeWord), not \(type.rawValue)")
  }

  /// A field could not be told from the urgency that is worked out.
  mutating func checkUrgency() {
    guard !kind.urgency.isEmpty, kind.fields.contains(where: { $0.name.isSameName(as: "urgency") }) else {
      return
    }
    fault(.key("urgency"), "urgency: a field already has that name")
  }

  mutating func check(_ column: RowColumn, at place: KindPlace) {
    switch column.content {
    case .count(let name):
      checkKind(name, at: place, "row: count")
      if column.isStars || !column.symbols.isEmpty { fault(place, "row: as: and stars: are for fields") }
    case .field(let name):
      guard let field = known(name, at: place, "row") else { return }
      if column.isStars, field.type != .integer {
        fault(place, "row: stars: \(field.name) is not a whole number")
      }
      if !column.label.isEmpty { fault(place, "row: label: is for counts") }
      for symbol in column.symbols where RecordStanding(term: symbol.value) == nil {
        checkStored(symbol.value, of: field, at: place, "row: as")
      }
    }
  }

  /// Checks a value with which those in notes are compared.
  private mutating func checkStored(_ value: String, of field: Field, at place: KindPlace, _ what: String) {
    do throws(ValueRefusal) { _ = try field.single(value) } catch {
      fault(place, "\(what): \(error.message)")
    }
  }
}
