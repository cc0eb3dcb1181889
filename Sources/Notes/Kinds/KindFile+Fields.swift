import Bytes
import Text

extension KindFile {
  static let fieldKeys = [
    "type", "values", "to", "on-delete", "blocking", "required", "not-empty", "default", "min", "max",
    "looks", "commas", "merge", "comment",
  ]

  /// The way in which relative dates of a field lie.
  private enum Looks: String, CaseIterable {
    case back, ahead
  }

  /// Reads `author: text`, or a map with more properties.
  mutating func field(_ name: String, _ node: KindNode) -> Field? {
    if let type = node.text {
      var field = Field(name, .text)
      return setType(type, of: &field, node.line) ? field : nil
    }
    guard case .map(let entries) = node.value else {
      refuse(node.line, "\(Self.shown(name)): expected a type, or a map with type:")
      return nil
    }
    guard let type = entries.first(where: { $0.key == "type" })?.node else {
      refuse(node.line, "\(Self.shown(name)): type: is missing; expected one of \(Self.typeWords)")
      return nil
    }
    var field = Field(name, .text)
    guard let word = type.text, setType(word, of: &field, type.line) else {
      if type.text == nil {
        refuse(type.line, "\(Self.shown(name)): type: expected one of \(Self.typeWords)")
      }
      return nil
    }
    for (key, node) in self.entries(of: node, Self.shown(name), among: Self.fieldKeys) {
      set(key, of: &field, node)
    }
    return field
  }

  private static let typeWords =
    Field.ValueType.allCases.map(\.rawValue).joined(separator: ", ") + ", list of TYPE"

  private mutating func setType(_ word: String, of field: inout Field, _ line: Int) -> Bool {
    let listMark = "list of "
    field.isList = word.utf8.starts(with: listMark.utf8)
    let single = field.isList ? String(word.unicodeScalars.dropFirst(listMark.unicodeScalars.count)) : word
    guard let type = Field.ValueType(rawValue: single), !(field.isList && type == .tags) else {
      let near = Spelling.nearest(to: single, among: Field.ValueType.allCases.map(\.rawValue))
      let hint = near.map { "did you mean \($0)?" } ?? "expected one of \(Self.typeWords)"
      refuse(line, "\(Self.shown(field.name)): unknown type \(Self.shown(word)); \(hint)")
      return false
    }
    field.type = type
    field.isList = field.isList || type == .tags
    return true
  }

  private mutating func set(_ key: String, of field: inout Field, _ node: KindNode) {
    let what = "\(Self.shown(field.name)): \(key)"
    switch key {
    case "values": field.values = texts(node, what, "choices from low to high") ?? []
    case "to": field.target = text(node, what)
    case "on-delete": field.onDelete = word(node, what) ?? .deny
    case "blocking": field.isBlocking = flag(node, what)
    case "required": field.isRequired = flag(node, what)
    case "not-empty": field.isNotEmpty = flag(node, what)
    case "default": field.defaultValue = text(node, what)
    case "min": field.minimum = number(node, what)
    case "max": field.maximum = number(node, what)
    case "looks":
      let looks: Looks? = word(node, what)
      field.looksBack = looks == .back
    case "commas": field.usesCommas = flag(node, what)
    case "merge": field.merge = word(node, what)
    case "comment": field.comment = text(node, what)
    default: return
    }
    refuseUseless(key, of: field, node.line, what)
  }

  /// Refuses keys that mean nothing for the type.
  private mutating func refuseUseless(_ key: String, of field: Field, _ line: Int, _ what: String) {
    let owners: String
    switch key {
    case "values" where field.type != .choice: owners = "choice"
    case "to" where field.type != .reference, "on-delete" where field.type != .reference,
      "blocking" where field.type != .reference:
      owners = "reference"
    case "min" where field.type != .integer, "max" where field.type != .integer: owners = "integer"
    case "not-empty" where field.type != .text || field.isList: owners = "text"
    case "looks" where !field.isTime: owners = "date and moment"
    case "commas" where !field.isList || field.type == .tags: owners = "lists"
    case "merge" where field.merge == .union && !field.isList: owners = "lists"
    case "merge" where (field.merge == .later || field.merge == .earlier) && !field.isTime:
      owners = "date and moment"
    default: return
    }
    refuse(line, "\(what) is only for \(owners), and this field is \(field.typeWord)")
  }
}

extension Field {
  /// The type as it is declared.
  var typeWord: String { isList && type != .tags ? "list of \(type.rawValue)" : type.rawValue }
}

extension KindFile {
  static let transitionKeys = ["field", "from", "to", "append", "set", "copy", "clear", "next"]
  static let successionKeys = ["by", "move", "until", "clear"]
  static let columnKeys = ["field", "count", "as", "stars", "empty", "label", "only"]

  mutating func transition(_ node: KindNode) -> Transition? {
    var transition = Transition("", [])
    for (key, node) in entries(of: node, "transitions", among: Self.transitionKeys) {
      let what = "transitions: \(key)"
      switch key {
      case "field": transition.field = text(node, what) ?? ""
      case "from": transition.from = texts(node, what, "values") ?? []
      case "to": transition.to = texts(node, what, "values") ?? []
      case "set": transition.effects += pairs(node, what).map { .set($0, to: $1) }
      case "copy": transition.effects += pairs(node, what).map { .copy($0, from: $1) }
      case "append": transition.effects += lists(node, what).map { .append($0, from: $1) }
      case "next": transition.effects += succession(node, what).map { [.next($0)] } ?? []
      default: transition.effects += (texts(node, what, "fields") ?? []).map { .clear($0) }
      }
    }
    guard case .map(let entries) = node.value else { return nil }
    if !entries.contains(where: { $0.key == "field" }) {
      refuse(node.line, "transitions: field: is missing; expected a field")
    } else if !entries.contains(where: { ["append", "set", "copy", "clear", "next"].contains($0.key) }) {
      refuse(node.line, "transitions: expected append:, set:, copy:, clear: or next:")
    }
    return transition
  }

  private mutating func succession(_ node: KindNode, _ what: String) -> Succession? {
    var succession = Succession(by: "", moves: [])
    for (key, node) in entries(of: node, what, among: Self.successionKeys) {
      let what = "\(what): \(key)"
      switch key {
      case "by": succession.by = text(node, what) ?? ""
      case "move": succession.moves = texts(node, what, "dates") ?? []
      case "until": succession.until = text(node, what)
      default: succession.clears = texts(node, what, "fields") ?? []
      }
    }
    guard case .map(let entries) = node.value else { return nil }
    for (key, meaning) in [("by", "the field that says how often"), ("move", "the dates that move")]
    where !entries.contains(where: { $0.key == key }) {
      refuse(node.line, "\(what): \(key): is missing; expected \(meaning)")
      return nil
    }
    return succession
  }

  private mutating func pairs(_ node: KindNode, _ what: String) -> [(String, String)] {
    var pairs: [(String, String)] = []
    for (field, node) in entries(of: node, what) {
      if let value = text(node, "\(what): \(Self.shown(field))") { pairs.append((field, value)) }
    }
    return pairs
  }

  private mutating func lists(_ node: KindNode, _ what: String) -> [(String, [String])] {
    var lists: [(String, [String])] = []
    for (field, node) in entries(of: node, what) {
      if let names = texts(node, "\(what): \(Self.shown(field))", "fields") { lists.append((field, names)) }
    }
    return lists
  }

  /// Reads a column: the name of a field, or a map with more properties.
  mutating func column(_ node: KindNode) -> RowColumn? {
    if let name = node.text { return RowColumn(.field(name)) }
    var column = RowColumn(.field(""))
    var sources = 0
    for (key, node) in entries(of: node, "row", among: Self.columnKeys) {
      let what = "row: \(key)"
      switch key {
      case "field", "count":
        sources += 1
        guard let name = text(node, what) else { continue }
        column.content = key == "field" ? .field(name) : .count(of: name)
      case "as": column.symbols = symbols(node, what)
      case "stars": column.isStars = flag(node, what)
      case "empty": column.empty = text(node, what) ?? ""
      case "only": column.state = state(node, what)
      default:
        column.label = texts(node, what, "a singular and a plural") ?? []
        if column.label.count > 2 {
          refuse(node.line, "\(what): expected a singular and a plural")
        }
      }
    }
    guard case .map = node.value else { return nil }
    if sources == 1 { return column }
    refuse(node.line, "row: expected one of field: and count:")
    return nil
  }

  private mutating func state(_ node: KindNode, _ what: String) -> RecordStanding? {
    if let state = node.text.flatMap({ RecordStanding(term: $0) }) { return state }
    refuse(
      node.line, "\(what): expected one of \(RecordStanding.allCases.map(\.term).joined(separator: ", "))")
    return nil
  }

  private mutating func symbols(_ node: KindNode, _ what: String) -> [RowColumn.Symbol] {
    var symbols: [RowColumn.Symbol] = []
    for (value, node) in entries(of: node, what) {
      guard let signs = node.texts, let sign = signs.first, signs.count <= 2 else {
        refuse(
          node.line, "\(what): \(Self.shown(value)): expected a sign, or a list of a sign and its ASCII form")
        continue
      }
      symbols.append(RowColumn.Symbol(value, sign, ascii: signs.count == 2 ? signs[1] : nil))
    }
    return symbols
  }
}
