import Foreign
import Notes

/// One change of a request, in either form.
extension WriteBody {
  /// A change as it is typed after `set`.
  static func typed(_ word: String) throws(PageError) -> Change {
    guard let change = Change(word) else {
      throw PageError(
        .badRequest, "\(word) is not a change", hints: ["changes are field:value, field:, +tag and -tag"])
    }
    return change
  }

  /// A change as an object.
  static func change(_ node: JSONNode, _ isList: (_ field: String) -> Bool?) throws(PageError) -> Change {
    guard let field = node["field"]?.text, !field.isEmpty else {
      throw PageError(.badRequest, "a change is a text, or an object with a field")
    }
    let others = (node.members ?? []).filter { $0.key != "field" }
    guard others.count == 1, let (key, node) = others.first, ["value", "add", "remove"].contains(key) else {
      throw PageError(.badRequest, "a change of \(field) has one of value, add and remove")
    }
    let text = node.text
    if key == "value", text == "" || isNull(node) { return .clear(field: field) }
    guard let text, !text.isEmpty else {
      throw PageError(.badRequest, "\(key) of \(field) is a text, a number, true or false")
    }
    if key != "value", isList(field) == false { throw PageError(.refused, "\(field) holds one value") }
    switch (key, field == "tags") {
    case ("add", true): return .addTag(text)
    case ("add", false): return .add(text, field: field)
    case ("remove", true): return .removeTag(text)
    case ("remove", false): return .remove(text, field: field)
    default: return .set(field: field, value: isList(field) == true ? literal(text) : text)
    }
  }

  /// The value of a list that begins with a sign: it does not stand first, where it would add or take away one element.
  private static func literal(_ text: String) -> String {
    text.hasPrefix("+") || text.hasPrefix("-") ? " " + text : text
  }

  private static func isNull(_ node: JSONNode) -> Bool { if case .null = node.value { true } else { false } }
}
