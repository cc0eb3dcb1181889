/// A fault of a block, with its place in the file.
struct BlockFault: Error {
  let offset: Int
  let message: String
}

/// Reads front-matter of any shape through libyaml, without recursion.
struct YAMLReader {
  let bytes: [UInt8]
  let offsets: CharacterOffsets
  var reading = FrontMatterReading()
  var fault: BlockFault?
  var documents = 0
  /// Whether the map of the fields is open.
  var isOpen = false
  /// The collections that are open inside the current key or value.
  var stack: [YAMLNode] = []
  /// The key whose value comes next.
  var key: YAMLNode?
  var lines = LineFinder()
  var anchors: YAMLAnchors
  /// The anchors of the lists and maps that are open.
  var openAnchors: [String?] = []
  /// Tabs at the beginning of block scalars that libyaml does not see.
  var hiddenTabs: [Int] = []
  /// The number of tabs in block scalars.
  var foundTabs = 0

  /// The most tabs that are hidden from libyaml, each of which costs reading the block once more.
  private static let mostTabs = 16

  init(_ bytes: [UInt8], in range: Range<Int>) {
    self.bytes = bytes
    offsets = CharacterOffsets(bytes, in: range)
    anchors = YAMLAnchors(length: range.count, deepest: FrontMatterReading.deepest)
  }

  /// Reads the block between the fences.
  ///
  /// - Complexity: O(n).
  static func read(_ bytes: [UInt8], in range: Range<Int>) -> Result<FrontMatterReading, BlockFault> {
    if let fault = FrontMatterBytes.firstForbidden(bytes, in: range) {
      return .failure(BlockFault(offset: fault.offset, message: fault.message))
    }
    var seen = bytes
    var tabs: [Int] = []
    while true {
      var reader = YAMLReader(bytes, in: range)
      reader.hiddenTabs = tabs
      do throws(YAMLFault) {
        try YAMLEvents.forEach(in: seen[range].span) { event in
          reader.take(event)
          return reader.fault == nil
        }
      } catch {
        let offset = reader.offsets[error.character]
        if tabs.count < mostTabs, let start = error.blockStart.map({ reader.offsets[$0] }),
          begins(bytes, at: offset, scalar: start)
        {
          tabs.append(offset)
          seen[offset] = UInt8(ascii: "x")
          continue
        }
        return .failure(BlockFault(offset: offset, message: error.message))
      }
      if let fault = reader.fault { return .failure(fault) }
      if reader.foundTabs < tabs.count {
        return .failure(BlockFault(offset: tabs[0], message: "a tab instead of a space"))
      }
      return .success(reader.reading)
    }
  }

  /// Whether a tab is the first sign after the spaces of the first line of a block scalar.
  private static func begins(_ bytes: [UInt8], at tab: Int, scalar start: Int) -> Bool {
    guard bytes[tab] == 0x09, let line = bytes.indentedLineStart(of: tab), line < tab else { return false }
    return bytes.lineEnd(of: start) <= line
      && bytes[bytes.lineEnd(of: start)..<line].allSatisfy { $0 == 0x20 || $0 == 0x0A || $0 == 0x0D }
  }

  private mutating func take(_ event: YAMLEvent) {
    let range = offsets[event.start]..<offsets[event.end]
    switch event.form {
    case .documentStart(let isImplicit):
      documents += 1
      if documents > 1 || !isImplicit { refuse(range.lowerBound, "several documents in one block") }
    case .documentEnd(let isImplicit):
      if !isImplicit { refuse(range.lowerBound, "several documents in one block") }
    case .mappingStart(let isFlow): begin(.map(isFlow: isFlow), range, event.properties)
    case .sequenceStart(let isFlow): begin(.list(isFlow: isFlow), range, event.properties)
    case .mappingEnd where isOpen && stack.isEmpty: isOpen = false
    case .mappingEnd, .sequenceEnd: end(range)
    case .alias(let name):
      if let anchor = anchors.value(of: name, inside: stack.count) {
        return complete(YAMLNode(alias: anchor, at: range))
      }
      let typed = String(decoding: bytes[range], as: UTF8.self)
      var node = YAMLNode(scalar: nil, .text(typed), at: range, style: .plain)
      node.object(.properties)
      complete(node)
    case .scalar(let read, let style):
      let text = style == .block ? blockText(read, in: range) : read
      let isNull = style == .plain && !event.properties.hasTag && YAMLTypes.isNull(text)
      var node = YAMLNode(scalar: text, isNull ? .empty : .text(text), at: range, style: style)
      if !event.properties.isEmpty { node.object(.properties) }
      if event.properties.hasTag { node.plainScalars = [false] }
      if let anchor = event.properties.anchor { anchors.define(anchor, node) }
      complete(node)
    }
  }

  /// The text of a block scalar; if a tab was hidden in it, read without libyaml.
  private mutating func blockText(_ text: String, in range: Range<Int>) -> String {
    guard let tab = hiddenTabs.first(where: range.contains) else { return text }
    foundTabs += 1
    // A sign inside a tag (`!<x> |`) does not begin the scalar.
    let start = (range.lowerBound..<tab).first { index in
      (bytes[index] == UInt8(ascii: "|") || bytes[index] == UInt8(ascii: ">")) && bytes[index - 1] <= 0x20
    }
    return BlockScalarText.read(bytes[(start ?? range.lowerBound)..<range.upperBound])
  }

  private mutating func refuse(_ offset: Int, _ message: String) {
    if fault == nil { fault = BlockFault(offset: offset, message: message) }
  }

  private mutating func begin(
    _ form: YAMLNode.Form, _ range: Range<Int>, _ properties: YAMLEvent.Properties
  ) {
    if !isOpen {
      guard case .map(let isFlow) = form else { return refuseTop(range.lowerBound) }
      isOpen = true
      reading.isFlow = isFlow || !properties.isEmpty
      let line = lines.line(of: range.lowerBound, in: bytes)
      reading.indentation = range.lowerBound - line.start
      return
    }
    guard stack.count + 1 < FrontMatterReading.deepest else {
      return refuse(
        range.lowerBound, "maps and lists nested deeper than \(FrontMatterReading.deepest) levels")
    }
    var node = YAMLNode(opening: form, at: range.lowerBound)
    if !properties.isEmpty { node.object(.properties) }
    stack.append(node)
    openAnchors.append(properties.anchor)
  }

  private mutating func refuseTop(_ offset: Int) {
    refuse(offset, "no 'key: value' at the top of the block")
  }

  private mutating func end(_ range: Range<Int>) {
    guard let open = stack.popLast(), let anchor = openAnchors.popLast() else { return }
    let node = open.closed(at: range.upperBound, in: bytes)
    if let anchor { anchors.define(anchor, node) }
    complete(node)
  }

  private mutating func complete(_ node: YAMLNode) {
    guard isOpen else { return refuseTop(node.range.lowerBound) }
    if let last = stack.indices.last {
      stack[last].add(node, in: bytes)
    } else if let name = key {
      key = nil
      add(name, node)
    } else {
      key = node
    }
  }

  private mutating func add(_ name: YAMLNode, _ node: YAMLNode) {
    let first = lines.line(of: name.range.lowerBound, in: bytes)
    let nameEnd = name.contentEnd(in: bytes, from: reading.fields.last?.span.upperBound ?? 0)
    let last = lines.line(of: max(nameEnd, node.contentEnd(in: bytes, from: nameEnd)), in: bytes)
    if let last = reading.fields.last, last.span.upperBound > first.start { closeLast(last) }
    let shape = FieldShape(
      key: name, value: node, lineStart: first.start, isFlow: reading.isFlow, in: bytes)
    reading.fields.append(
      FrontMatterField(
        name: name.keyText(in: bytes), value: node.value, line: first.number,
        span: first.start..<last.next, isEditable: shape.isEditable))
    reading.shapes.append(shape)
    reading.plainScalars.append(node.plainScalars)
  }

  /// Keeps the last field from edits, because the next one begins on its line.
  private mutating func closeLast(_ field: FrontMatterField) {
    let last = reading.fields.count - 1
    let reason = "another field is on the same line"
    reading.shapes[last] = FieldShape(form: .opaque(reason), colon: reading.shapes[last].colon)
    reading.fields[last] = FrontMatterField(
      name: field.name, value: field.value, line: field.line, span: field.span, isEditable: false)
  }
}

/// Reads the text of a block scalar from its bytes, for those whose first line libyaml refuses: a tab after the spaces
/// that indent it.
///
/// Source: YAML 1.2.2, section 8.1.
struct BlockScalarText {
  /// The lines without their indentation.
  private var lines: [ArraySlice<UInt8>] = []
  private let isFolded: Bool
  private let chomping: UInt8?

  /// The text of a scalar that begins with `|` or `>`.
  ///
  /// - Complexity: O(n).
  static func read(_ bytes: ArraySlice<UInt8>) -> String {
    String(decoding: BlockScalarText(bytes).text, as: UTF8.self)
  }

  private init(_ bytes: ArraySlice<UInt8>) {
    isFolded = bytes.first == UInt8(ascii: ">")
    let all = bytes.split(separator: 0x0A, omittingEmptySubsequences: false).map { line in
      line.last == 0x0D ? line.dropLast() : line
    }
    let header = all[0].prefix { $0 != UInt8(ascii: "#") }
    chomping = header.first { $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: "+") }
    let content = all.dropFirst()
    let first = content.first { line in line.contains { $0 != 0x20 } } ?? []
    let indent = first.prefix { $0 == 0x20 }.count
    lines = content.map { $0.dropFirst(min(indent, $0.prefix { $0 == 0x20 }.count)) }
  }

  private var text: [UInt8] {
    let last = lines.lastIndex { !$0.isEmpty }
    guard let last else { return [] }
    var result = isFolded ? folded(lines[...last]) : Array(lines[...last].joined(separator: [0x0A]))
    switch chomping {
    case UInt8(ascii: "-"): break
    case UInt8(ascii: "+"): result += [UInt8](repeating: 0x0A, count: max(1, lines.count - last - 1))
    default: result.append(0x0A)
    }
    return result
  }

  /// Joins lines with blanks; breaks stay beside lines that begin with a blank or a tab, and for each empty line.
  private func folded(_ lines: ArraySlice<ArraySlice<UInt8>>) -> [UInt8] {
    var result: [UInt8] = []
    var empty = 0
    var before: ArraySlice<UInt8>?
    for line in lines {
      if line.isEmpty {
        empty += 1
        continue
      }
      if let before {
        let keeps = [before, line].contains { $0.first == 0x20 || $0.first == 0x09 }
        if keeps || empty > 0 {
          result += [UInt8](repeating: 0x0A, count: empty + (keeps ? 1 : 0))
        } else {
          result.append(0x20)
        }
      } else {
        result += [UInt8](repeating: 0x0A, count: empty)
      }
      result += line
      before = line
      empty = 0
    }
    return result
  }
}
