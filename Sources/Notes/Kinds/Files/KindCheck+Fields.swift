internal import Text

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
    fault(place, "\(field.name): every note has it as \(common.typeWord), not \(field.typeWord)")
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
