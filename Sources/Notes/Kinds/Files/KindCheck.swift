internal import Text

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
