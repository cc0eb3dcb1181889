import Text

/// Finds what in a kind's declaration does not fit together.
struct KindCheck {
  let kind: Kind
  /// The names of all declared kinds.
  let kindNames: KindNames
  private(set) var faults: [(place: KindPlace, message: String)] = []

  /// Checks every part of a kind.
  ///
  /// - Complexity: O(n²) in the number of fields.
  static func faults(of kind: Kind, among kindNames: KindNames) -> [(place: KindPlace, message: String)] {
    var check = KindCheck(kind: kind, kindNames: kindNames)
    for field in kind.fields { check.check(field) }
    for (index, constraint) in kind.constraints.enumerated() {
      check.check(constraint, at: .constraint(index))
    }
    for (index, transition) in kind.transitions.enumerated() {
      check.check(transition, at: .transition(index))
    }
    for action in kind.actions { check.check(action) }
    check.checkKeyAndSort()
    check.checkUrgency()
    for (index, column) in kind.row.enumerated() { check.check(column, at: .column(index)) }
    return check.faults
  }

  private init(kind: Kind, kindNames: KindNames) {
    self.kind = kind
    self.kindNames = kindNames
  }

  /// A clock for values that are only looked at.
  static let anyClock = ClockReading(now: Timestamp(seconds: 0, offsetSeconds: 0)) { _ in 0 }

  mutating func fault(_ place: KindPlace, _ message: String) { faults.append((place, message)) }

  /// Returns a field that a rule names.
  mutating func known(_ name: String, at place: KindPlace, _ what: String) -> Field? {
    if let field = kind.field(name) { return field }
    let near = kind.fieldsNear(name).first.map { "; did you mean \($0)?" } ?? ""
    fault(place, "\(what): there is no field \(Visible.escape(name))\(near)")
    return nil
  }

  /// Checks a value that a rule gives or asks a field.
  mutating func check(_ value: String, of field: Field, at place: KindPlace, _ what: String) {
    do throws(ValueRefusal) { _ = try field.all(value, clock: Self.anyClock) } catch {
      fault(place, "\(what): \(error.message)")
    }
  }

  mutating func checkKind(_ name: String, at place: KindPlace, _ what: String) {
    if kindNames.contain(name) { return }
    let near = kindNames.nearest(to: name).map { "; did you mean \($0)?" } ?? ""
    fault(place, "\(what): there is no kind \(Visible.escape(name))\(near)")
  }

  private mutating func checkKeyAndSort() {
    if let key = kind.key, let field = known(key, at: .key("key"), "key"), field.isList {
      fault(.key("key"), "key: \(field.name) is a list and can't be a key")
    }
    for part in kind.sort?.parted(by: ",") ?? [] {
      let name = part.utf8.first == UInt8(ascii: "-") ? String(part.unicodeScalars.dropFirst()) : part
      if ["modified", "path"].contains(name) || (name == "urgency" && !kind.urgency.isEmpty) { continue }
      _ = known(name, at: .key("sort"), "sort")
    }
  }

  private mutating func check(_ action: Action) {
    let place = KindPlace.action(action.name.lowercased())
    let what = "actions: \(Visible.escape(action.name))"
    if !action.name.isKindName { fault(place, "\(what): expected a name of letters, digits and '-'") }
    for word in action.words {
      guard let change = Change(word) else {
        fault(place, "\(what): expected a change such as status:closed, not \(Visible.escape(word))")
        continue
      }
      guard let field = known(change.fieldName, at: place, what) else { continue }
      switch change {
      case .set(_, let value) where field.type != .reference: check(value, of: field, at: place, what)
      case .add(let value, _), .remove(let value, _):
        if field.isList { check(value, of: field, at: place, what) }
      default: continue
      }
    }
  }
}

extension String {
  /// Whether nothing in the text would be escaped on a terminal.
  var isVisible: Bool { Visible.escape(self).hasSameBytes(as: self) }

  /// Whether the text can name a kind or an action: letters, digits, `-` and `_`, from a letter on.
  var isKindName: Bool {
    guard let first = utf8.first, first.isLetterOrDigit || first >= 0x80, !first.isDigit, utf8.count <= 64,
      isVisible
    else { return false }
    return utf8.allSatisfy {
      $0.isLetterOrDigit || $0 >= 0x80 || $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: "_")
    }
  }
}

extension KindCheck {
  mutating func check(_ field: Field) {
    let place = KindPlace.field(field.name.lowercased())
    let what = Visible.escape(field.name)
    if !field.name.isFieldName { fault(place, "fields: \(what) is not a valid field name") }
    if let reason = Field.fixed.first(where: { $0.key.isSameName(as: field.name) })?.value {
      fault(place, "\(what): \(reason)")
    }
    if let common = Field.common.first(where: { $0.name.isSameName(as: field.name) }) {
      checkCommon(field, common, at: place)
    }
    checkType(field, at: place, what)
    if let text = field.defaultValue { check(text, of: field, at: place, "default") }
  }

  /// A field that every note has keeps its type; `created` may be a date alone.
  private mutating func checkCommon(_ field: Field, _ common: Field, at place: KindPlace) {
    let isSame = field.type == common.type || (field.isTime && common.isTime)
    if isSame, field.isList == common.isList { return }
    fault(place, "\(field.name): declared as \(field.typeWord), but it is \(common.typeWord) in every note")
  }

  private mutating func checkType(_ field: Field, at place: KindPlace, _ what: String) {
    switch field.type {
    case .choice: checkChoices(field, at: place, what)
    case .reference:
      guard let target = field.target else { return fault(place, "\(what): to: is missing; expected a kind") }
      checkKind(target, at: place, "\(what): to")
    case .integer:
      if let minimum = field.minimum, let maximum = field.maximum, minimum > maximum {
        fault(place, "\(what): min \(minimum) is above max \(maximum)")
      }
    default: return
    }
  }

  private mutating func checkChoices(_ field: Field, at place: KindPlace, _ what: String) {
    if field.values.isEmpty { fault(place, "\(what): values: is missing; expected a list of choices") }
    var seen: Set<String> = []
    for value in field.values where !seen.insert(value.lowercased()).inserted {
      fault(place, "\(what): the choice \(Visible.escape(value)) occurs twice here")
    }
    if !field.values.allSatisfy(\.isChoice) {
      fault(
        place,
        "\(what): a choice can't be empty, have surrounding spaces, or contain a comma or control character"
      )
    }
  }
}

extension String {
  /// Whether a change can name the field: as in `name:value`.
  fileprivate var isFieldName: Bool {
    guard let change = Change(self + ":x"), utf8.count <= 64, isVisible else { return false }
    return change.fieldName.hasSameBytes(as: self)
  }

  /// Whether the text can be a choice, also in a list with commas.
  fileprivate var isChoice: Bool {
    !isEmpty && withoutBlanksAround.hasSameBytes(as: self) && !utf8.contains(UInt8(ascii: ",")) && isVisible
  }
}

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
      fault(place, "transitions: \(field.name) can't be set by its own transition")
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
        fault(place, "\(what): clear: \(field.name) can't be cleared, the transition needs it")
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

  /// Refuses a field whose name is that of the computed urgency.
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
