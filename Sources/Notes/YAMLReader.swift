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

  /// Reads what stands between the fences.
  ///
  /// - Complexity: O(n).
  static func read(_ bytes: [UInt8], in range: Range<Int>) -> Result<FrontMatterReading, BlockFault> {
    if let fault = FrontMatterBytes.firstForbidden(bytes, in: range) {
      return .failure(BlockFault(offset: fault.offset, message: fault.message))
    }
    var reader = YAMLReader(bytes: bytes, offsets: CharacterOffsets(bytes, in: range))
    do throws(YAMLFault) {
      try YAMLEvents.forEach(in: bytes[range].span) { event in
        reader.take(event)
        return reader.fault == nil
      }
    } catch {
      let offset = reader.offsets[error.character]
      return .failure(BlockFault(offset: offset, message: error.message))
    }
    if let fault = reader.fault { return .failure(fault) }
    return .success(reader.reading)
  }

  private mutating func take(_ event: YAMLEvent) {
    let range = offsets[event.start]..<offsets[event.end]
    switch event.kind {
    case .documentStart(let isImplicit):
      documents += 1
      if documents > 1 || !isImplicit { refuse(range.lowerBound, "several documents in one block") }
    case .documentEnd(let isImplicit):
      if !isImplicit { refuse(range.lowerBound, "several documents in one block") }
    case .mappingStart(let isFlow): begin(.map(isFlow: isFlow), range, event.hasProperties)
    case .sequenceStart(let isFlow): begin(.list(isFlow: isFlow), range, event.hasProperties)
    case .mappingEnd where isOpen && stack.isEmpty: isOpen = false
    case .mappingEnd, .sequenceEnd: end(range)
    case .alias:
      let typed = String(decoding: bytes[range], as: UTF8.self)
      var node = YAMLNode(scalar: nil, .text(typed), at: range, style: .plain)
      node.object(.properties)
      complete(node)
    case .scalar(let text, let style):
      let isNull = style == .plain && !event.hasProperties && YAMLTypes.isNull(text)
      var node = YAMLNode(scalar: text, isNull ? .empty : .text(text), at: range, style: style)
      if event.hasProperties { node.object(.properties) }
      complete(node)
    }
  }

  private mutating func refuse(_ offset: Int, _ message: String) {
    if fault == nil { fault = BlockFault(offset: offset, message: message) }
  }

  private mutating func begin(_ kind: YAMLNode.Kind, _ range: Range<Int>, _ hasProperties: Bool) {
    if !isOpen {
      guard case .map(let isFlow) = kind else { return refuseTop(range.lowerBound) }
      isOpen = true
      reading.isFlow = isFlow || hasProperties
      let line = lines.line(of: range.lowerBound, in: bytes)
      reading.indentation = range.lowerBound - line.start
      return
    }
    guard stack.count + 1 < FrontMatterReading.deepest else {
      return refuse(range.lowerBound, "maps and lists nested deeper than \(FrontMatterReading.deepest)")
    }
    var node = YAMLNode(opening: kind, at: range.lowerBound)
    if hasProperties { node.object(.properties) }
    stack.append(node)
  }

  private mutating func refuseTop(_ offset: Int) {
    refuse(offset, "no 'key: value' at the top of the block")
  }

  private mutating func end(_ range: Range<Int>) {
    guard let node = stack.popLast() else { return }
    complete(node.closed(at: range.upperBound, in: bytes))
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
      FrontMatter.Field(
        name: name.keyText(in: bytes), value: node.value, line: first.number,
        span: first.start..<last.next, isEditable: shape.isEditable))
    reading.shapes.append(shape)
  }

  /// Keeps the last field from edits, because the next one begins on its line.
  private mutating func closeLast(_ field: FrontMatter.Field) {
    let last = reading.fields.count - 1
    let reason = "another field stands on its line"
    reading.shapes[last] = FieldShape(form: .opaque(reason), colon: reading.shapes[last].colon)
    reading.fields[last] = FrontMatter.Field(
      name: field.name, value: field.value, line: field.line, span: field.span, isEditable: false)
  }
}
