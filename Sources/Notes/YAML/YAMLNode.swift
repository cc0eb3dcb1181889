/// A scalar, list or map as libyaml's events build it.
struct YAMLNode {
  enum Form: Equatable {
    case scalar
    case list(isFlow: Bool)
    case map(isFlow: Bool)
  }

  /// Why a field that holds a node can't be changed.
  enum Objection: String {
    case properties = "it holds an anchor, an alias or a YAML tag"
    case lists = "it holds a list in a list"
    case map = "it holds a map"
  }

  let form: Form
  /// The bytes; of a block list or map those up to the end of the last thing in it.
  private(set) var range: Range<Int>
  private(set) var value: FieldValue
  let style: ScalarStyle
  /// The text of a scalar, for a node that is a key.
  private(set) var name: String?
  private(set) var objection: Objection?
  /// The elements of a list while all of them are scalars.
  private(set) var elements: [ElementSpan] = []
  /// The bytes of all text in the node, and one for each node, those that aliases bring counted.
  private(set) var size = 1
  /// The depth of nested lists and maps.
  private(set) var depth = 0
  /// Whether each scalar of the value is written without quotes, tag and brackets, in the order of the value.
  var plainScalars: [Bool] = []
  private var values: [FieldValue] = []
  private var entries: [MapEntry] = []
  private var key: String?

  init(scalar text: String?, _ value: FieldValue, at range: Range<Int>, style: ScalarStyle) {
    form = .scalar
    name = text
    self.range = range
    self.value = value
    self.style = style
    size = 1 + (text?.utf8.count ?? 0)
    plainScalars = [style == .plain]
  }

  /// Makes the node of an alias: it has the value of the anchor.
  init(alias anchor: YAMLAnchors.Anchor, at range: Range<Int>) {
    self.init(scalar: anchor.value.text, anchor.value, at: range, style: .plain)
    (size, depth) = (anchor.size, anchor.depth)
    plainScalars = anchor.plainScalars
    objection = .properties
  }

  init(opening form: Form, at start: Int) {
    self.form = form
    range = start..<start
    value = .empty
    style = .plain
  }

  /// Remembers why the field can't be changed; anchors and the like weigh most.
  mutating func object(_ reason: Objection?) {
    if objection == nil || reason == .properties { objection = reason ?? objection }
  }

  /// The name of the field whose key is the node: decoded, or as typed if it is not a scalar.
  func keyText(in bytes: [UInt8]) -> String { name ?? String(decoding: bytes[range], as: UTF8.self) }

  /// The end of the node: without blank lines after a block scalar, and without these and comments before
  /// a missing value, which libyaml places at the start of the next node.
  ///
  /// - Parameter lower: the end of the text before the node, so that nothing is read twice.
  func contentEnd(in bytes: [UInt8], from lower: Int) -> Int {
    if range.isEmpty { return bytes.contentEnd(before: range.lowerBound, from: min(lower, range.lowerBound)) }
    return style == .block
      ? bytes.blanksStart(before: range.upperBound, from: range.lowerBound) : range.upperBound
  }
}

extension [UInt8] {
  /// Returns the start of the blanks before an offset.
  fileprivate func blanksStart(before offset: Int, from lower: Int) -> Int {
    var end = offset
    while end > lower, self[end - 1] <= 0x20 { end -= 1 }
    return end
  }

  /// Returns the start of the blanks and the lines of comments before an offset.
  fileprivate func contentEnd(before offset: Int, from lower: Int) -> Int {
    var end = blanksStart(before: offset, from: lower)
    while let line = commentStart(of: end, from: lower) { end = blanksStart(before: line, from: lower) }
    return end
  }

  /// Returns the start of the line that ends at an offset if it is only a comment.
  private func commentStart(of offset: Int, from lower: Int) -> Int? {
    var start = offset
    while start > lower, self[start - 1] != 0x0A { start -= 1 }
    guard start == 0 || self[start - 1] == 0x0A else { return nil }
    let text = self[start..<offset].first { $0 != 0x20 && $0 != 0x09 }
    return text == UInt8(ascii: "#") ? start : nil
  }
}

extension YAMLNode {
  /// Adds an element, a key or the value of the last key.
  mutating func add(_ node: YAMLNode, in bytes: [UInt8]) {
    let end = node.contentEnd(in: bytes, from: range.upperBound)
    range = range.lowerBound..<max(range.upperBound, end)
    object(node.objection)
    size += node.size
    depth = max(depth, node.depth + 1)
    guard case .map = form else {
      if node.form != .scalar { object(.lists) }
      elements.append(ElementSpan(range: node.range, style: node.style, lines: node.range))
      values.append(node.value)
      plainScalars += node.plainScalars
      return
    }
    if let name = key {
      key = nil
      entries.append(MapEntry(key: name, value: node.value))
      plainScalars += node.plainScalars
    } else {
      key = node.keyText(in: bytes)
    }
  }

  /// Returns the node at the end of a list or a map.
  func closed(at end: Int, in bytes: [UInt8]) -> YAMLNode {
    var node = self
    switch form {
    case .scalar: return self
    case .list(let isFlow):
      node.value = .list(values)
      if isFlow { node.range = range.lowerBound..<end }
    case .map(let isFlow):
      node.value = .map(entries)
      if isFlow { node.range = range.lowerBound..<end }
      node.object(.map)
    }
    return node.isBracketed(in: bytes) ? node.asTyped(in: bytes) : node
  }

  /// Says whether the node is typed like `[[Link]]` or `{{date}}`: doubled brackets, none inside, no quotes.
  private func isBracketed(in bytes: [UInt8]) -> Bool {
    let (first, last) = (range.lowerBound, range.upperBound)
    let close: UInt8
    switch form {
    case .list(isFlow: true): close = UInt8(ascii: "]")
    case .map(isFlow: true): close = UInt8(ascii: "}")
    default: return false
    }
    guard range.count > 4, bytes[first + 1] == bytes[first], bytes[last - 1] == close,
      bytes[last - 2] == close,
      bytes[first + 2] != UInt8(ascii: "\""), bytes[first + 2] != UInt8(ascii: "'")
    else { return false }
    return !bytes[first + 2..<last - 2].contains { byte in
      switch byte {
      case UInt8(ascii: "["), UInt8(ascii: "]"), UInt8(ascii: "{"), UInt8(ascii: "}"), 0x0A, 0x0D: true
      default: false
      }
    }
  }

  /// Returns the node as the text that was typed.
  private func asTyped(in bytes: [UInt8]) -> YAMLNode {
    let text = String(decoding: bytes[range], as: UTF8.self)
    var node = YAMLNode(scalar: text, .text(text), at: range, style: .bracketed)
    if objection == .properties { node.object(objection) }
    return node
  }
}

/// The values of anchors, for the aliases that come after them.
///
/// Aliases may double their values again and again; the total is limited.
struct YAMLAnchors {
  struct Anchor {
    let value: FieldValue
    /// The bytes of its text and one for each node in it.
    let size: Int
    /// The depth of nested lists and maps.
    let depth: Int
    /// Whether each scalar of the value is written without quotes.
    let plainScalars: [Bool]
  }

  /// Blocks that are shorter may be made this long by their aliases.
  private static let leastRoom = 1 << 16

  private var anchors: [String: Anchor] = [:]
  private var room: Int
  private let deepest: Int

  /// - Parameters:
  ///   - length: of the block, in bytes.
  ///   - deepest: the greatest depth of nested lists and maps.
  init(length: Int, deepest: Int) {
    room = max(length, Self.leastRoom)
    self.deepest = deepest
  }

  /// Takes note of a node with an anchor; one of the same name before it is forgotten.
  mutating func define(_ name: String, _ node: YAMLNode) {
    anchors[name] = Anchor(
      value: node.value, size: node.size, depth: node.depth, plainScalars: node.plainScalars)
  }

  /// The value of an alias; nil if there is no such anchor, and if it would exceed the limit.
  ///
  /// - Parameter depth: of the lists and maps around it.
  mutating func value(of name: String, inside depth: Int) -> Anchor? {
    guard let anchor = anchors[name], anchor.size <= room, anchor.depth + depth < deepest
    else { return nil }
    room -= anchor.size
    return anchor
  }
}
