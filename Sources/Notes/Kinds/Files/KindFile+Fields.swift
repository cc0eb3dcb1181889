internal import Text

extension KindFile {
  static let fieldKeys = [
    "type", "values", "to", "on-delete", "blocking", "required", "not-empty", "default", "min", "max",
    "looks", "commas",
    "comment",
  ]

  /// The way in which relative dates of a field lie.
  private enum Looks: String, CaseIterable {
    case back, ahead
  }

  /// Reads `author: text`, or a map that tells more.
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
    default: return
    }
    refuse(line, "\(what) is only for \(owners), and this is \(field.typeWord)")
  }
}

extension Field {
  /// The type as it is declared.
  var typeWord: String { isList && type != .tags ? "list of \(type.rawValue)" : type.rawValue }
}
