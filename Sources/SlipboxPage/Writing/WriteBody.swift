import Foreign
import Git
import NoteIndex
import Notes
import SlipboxCore

/// The body of a request that changes something: one object, in which nothing is overlooked.
struct WriteBody: Sendable {
  /// A note that a request names, as the page has read it.
  struct Target: Sendable {
    let ref: String
    /// The id of the bytes that the page has read; nil where any will do.
    let etag: ObjectID?
  }

  private let members: [(key: String, node: JSONNode)]

  /// - Parameter names: the members that there may be.
  init(_ bytes: [UInt8], _ names: Set<String>) throws(PageError) {
    let node: JSONNode
    do throws(ForeignProblem) {
      node = try JSONText.whole(bytes)
    } catch {
      throw PageError(.badRequest, "line \(error.line) of the body: \(error.message)")
    }
    guard let members = node.members else { throw PageError(.badRequest, "the body must be an object") }
    if let other = members.first(where: { !names.contains($0.key) })?.key {
      throw PageError(
        .badRequest, "there is no member \(other)",
        hints: ["there are: \(names.sorted().joined(separator: ", "))"])
    }
    self.members = members.filter { if case .null = $0.node.value { false } else { true } }
  }

  private subscript(_ name: String) -> JSONNode? { members.last { $0.key == name }?.node }

  /// A text; nil where there is none of that name.
  func text(_ name: String) throws(PageError) -> String? {
    guard let node = self[name] else { return nil }
    guard case .string(let text) = node.value else {
      throw PageError(.badRequest, "\(name) must be a string")
    }
    return text
  }

  /// A text that has to be there.
  func required(_ name: String) throws(PageError) -> String {
    guard let text = try text(name), !text.isEmpty else { throw PageError(.badRequest, "\(name) is missing") }
    return text
  }

  func flag(_ name: String) throws(PageError) -> Bool {
    guard let node = self[name] else { return false }
    guard case .boolean(let flag) = node.value else {
      throw PageError(.badRequest, "\(name) must be true or false")
    }
    return flag
  }

  func number(_ name: String) throws(PageError) -> Int? {
    guard let node = self[name] else { return nil }
    guard case .number(let text) = node.value, let number = Int(text) else {
      throw PageError(.badRequest, "\(name) must be a whole number")
    }
    return number
  }

  /// CHANGEs: words such as `due:friday` and `+work`, or objects with `field` and one of `value`, `add` and `remove`,
  /// whose text is taken as it is.
  ///
  /// - Parameter isList: whether a field is declared as a list; nil where it is not declared.
  func changes(_ isList: (_ field: String) -> Bool?) throws -> [Change] {
    guard let node = self["changes"] else { return [] }
    guard let elements = node.elements else { throw PageError(.badRequest, "changes must be a list") }
    let changes = try elements.map { node throws(PageError) in
      if case .string(let word) = node.value { return try Self.typed(word) }
      return try Self.change(node, isList)
    }
    try Change.refuseQueryTerms(changes)
    try Change.refuseRepeated(changes)
    return changes
  }

  /// The idempotency key of the change.
  ///
  /// - Throws: if it has none: a request without a key could be applied twice.
  func idempotencyKey() throws(PageError) -> String {
    let key = try required("idempotencyKey")
    guard IdempotencyKeys.isKey(key) else {
      throw PageError(.badRequest, "idempotencyKey must be 1 to 40 letters, digits and hyphens")
    }
    return key
  }

  /// The notes that are named one by one; nil where they are not.
  func targets() throws(PageError) -> [Target]? {
    guard let node = self["notes"] else { return nil }
    guard let elements = node.elements, !elements.isEmpty else {
      throw PageError(.badRequest, "notes must be a list of notes")
    }
    var targets: [Target] = []
    for element in elements {
      guard case .string(let ref)? = element["ref"]?.value, !ref.isEmpty else {
        throw PageError(.badRequest, "each note must have a ref")
      }
      let etag = element["etag"]?.text
      let id = etag.flatMap { ObjectID(hex: $0) }
      guard etag == nil || id != nil else { throw PageError(.badRequest, "the etag of \(ref) is invalid") }
      targets.append(Target(ref: ref, etag: id))
    }
    return targets
  }
}

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
      throw PageError(.badRequest, "a change must be a string, or an object with a field")
    }
    let others = (node.members ?? []).filter { $0.key != "field" }
    guard others.count == 1, let (key, node) = others.first, ["value", "add", "remove"].contains(key) else {
      throw PageError(.badRequest, "a change of \(field) must have one of value, add and remove")
    }
    let text = node.text
    if key == "value", text == "" || isNull(node) { return .clear(field: field) }
    guard let text, !text.isEmpty else {
      throw PageError(.badRequest, "\(key) of \(field) must be a string, a number, true or false")
    }
    if key != "value", isList(field) == false {
      throw PageError(.refused, "\(field) is not a list; set its value instead")
    }
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
