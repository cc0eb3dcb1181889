import Bytes
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
    /// The id of the bytes that the page has read; nil if any will do.
    let etag: ObjectID?
  }

  private let members: [(key: String, node: JSONNode)]

  /// - Parameter names: the members that there may be.
  init(_ bytes: [UInt8], _ names: Set<String>) throws(PageError) {
    let node: JSONNode
    do throws(JSONProblem) {
      node = try JSONReader.whole(bytes)
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

  /// A text; nil if there is none of that name.
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
  /// - Parameter isList: whether a field is declared as a list; nil if it is not declared.
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

  /// The notes that are named one by one; nil if they are not.
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

  /// A list value that begins with a sign: it is not written first, where it would add or remove one element.
  private static func literal(_ text: String) -> String {
    text.hasPrefix("+") || text.hasPrefix("-") ? " " + text : text
  }

  private static func isNull(_ node: JSONNode) -> Bool { if case .null = node.value { true } else { false } }
}

/// The body of a note as a browser sends it: every line ends in a line feed.
///
/// Lines that are unchanged keep the line ends of the text that the browser received. Others end like most lines of
/// that text.
struct SentBody {
  private let base: BrowserLines
  private let sent: BrowserLines
  /// The end of lines that are new.
  private let usualEnd: [UInt8]

  /// - Parameter base: the note whose body the browser was given.
  init(_ text: String, changing base: NoteText) {
    self.base = BrowserLines(Array(base.bytes[base.body]))
    sent = BrowserLines(Array(text.utf8))
    usualEnd = self.base.usualEnd ?? base.lineEnd
  }

  /// The body to write. It ends in a line end, but for a last line that has none in the base.
  var bytes: [UInt8] {
    var result: [UInt8] = []
    result.reserveCapacity(sent.bytes.count + sent.lines.count)
    for (line, known) in zip(sent.lines, unchanged) {
      let content = sent.bytes[line.content]
      var end = known.map { Array(base.bytes[base.lines[$0].end]) } ?? usualEnd
      // The last line of the base may lack its end, and stays so if it got none.
      if end.isEmpty, !line.end.isEmpty { end = usualEnd }
      // After a carriage return a line feed alone would end no line of its own.
      if content.isEmpty, end == [0x0A], result.last == 0x0D { end = [0x0D, 0x0A] }
      result += content
      result += end
    }
    return result
  }

  /// The line of the base that each line of the sent text is; nil for those that are new.
  private var unchanged: [Int?] {
    var numbers: [ArraySlice<UInt8>: Int32] = [:]
    let (old, new) = (base.numbers(&numbers), sent.numbers(&numbers))
    var result = [Int?](repeating: nil, count: new.count)
    var (oldNext, newNext) = (0, 0)
    let end = (old: old.count..<old.count, new: new.count..<new.count)
    for changed in LineDiff.hunks(old, new).map({ (old: $0.old, new: $0.new) }) + [end] {
      for offset in 0..<(changed.new.lowerBound - newNext) { result[newNext + offset] = oldNext + offset }
      (oldNext, newNext) = (changed.old.upperBound, changed.new.upperBound)
    }
    return result
  }
}

/// A text as the lines that a browser shows: a carriage return alone ends one too.
///
/// Source: HTML Standard, section 4.10.11 (the API value of a textarea).
private struct BrowserLines {
  let bytes: [UInt8]
  /// Each line, and its line end; that of the last line may be empty.
  let lines: [(content: Range<Int>, end: Range<Int>)]

  init(_ bytes: [UInt8]) {
    var lines: [(content: Range<Int>, end: Range<Int>)] = []
    var start = 0
    var index = 0
    while index < bytes.count {
      guard bytes[index] == 0x0A || bytes[index] == 0x0D else {
        index += 1
        continue
      }
      let isPair = bytes[index] == 0x0D && index + 1 < bytes.count && bytes[index + 1] == 0x0A
      let next = index + (isPair ? 2 : 1)
      lines.append((start..<index, index..<next))
      (start, index) = (next, next)
    }
    if start < bytes.count { lines.append((start..<bytes.count, bytes.count..<bytes.count)) }
    self.bytes = bytes
    self.lines = lines
  }

  /// The line end that most lines have; nil if none has one.
  var usualEnd: [UInt8]? {
    var counts: [[UInt8]: Int] = [:]
    for line in lines where !line.end.isEmpty { counts[Array(bytes[line.end]), default: 0] += 1 }
    return [[0x0A], [0x0D, 0x0A], [0x0D]].filter { counts[$0] != nil }.max { first, second in
      (counts[first] ?? 0) < (counts[second] ?? 0)
    }
  }

  /// A number for each line; equal lines have equal ones, whatever their line ends.
  func numbers(_ known: inout [ArraySlice<UInt8>: Int32]) -> [Int32] {
    lines.map { line in
      let next = Int32(truncatingIfNeeded: known.count)
      let number = known[bytes[line.content]] ?? next
      if number == next { known[bytes[line.content]] = number }
      return number
    }
  }
}
