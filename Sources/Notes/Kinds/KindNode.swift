internal import Text

/// A scalar, list or map of a YAML file, with the line that it begins on.
package struct KindNode {
  package enum Value {
    case text(String)
    case list([KindNode])
    case map([(key: String, node: KindNode)])
    case empty
  }

  package var value: Value
  package let line: Int

  package var text: String? {
    if case .text(let text) = value { return text }
    return nil
  }

  /// The texts of a list, or the one text; nil if the node is something else.
  package var texts: [String]? {
    switch value {
    case .text(let text): return [text]
    case .list(let nodes):
      let texts = nodes.compactMap(\.text)
      return texts.count == nodes.count ? texts : nil
    case .map, .empty: return nil
    }
  }
}

/// Builds the tree of a YAML file from libyaml's events, without recursion.
package struct KindNodeReader {
  /// A problem with its place in the file.
  package struct Fault: Error {
    package let line: Int
    package let message: String
  }

  /// Larger files are not read.
  static let longestFile = 64 << 10
  /// Maps and lists nested deeper are not read.
  package static let deepest = 8

  private let deepest: Int
  private let bytes: [UInt8]
  private let offsets: CharacterOffsets
  private var lines = LineFinder()
  private var stack: [(node: KindNode, keys: [String: Int], key: (text: String, line: Int)?)] = []
  private var root: KindNode?
  private var fault: Fault?

  /// Reads a whole file; nil if it holds nothing.
  ///
  /// - Parameter deepest: how deep maps and lists may be nested.
  /// - Throws: `Fault` if it is too large or deep, or not YAML of one document without anchors and tags.
  /// - Complexity: O(n).
  package static func read(_ bytes: [UInt8], deepest: Int = deepest) throws(Fault) -> KindNode? {
    guard bytes.count <= longestFile else {
      throw Fault(line: 1, message: "larger than 64 KB")
    }
    let content = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? Array(bytes.dropFirst(3)) : bytes
    if let invalid = UTF8Check.firstInvalidOffset(in: content[...]) ?? content.firstIndex(of: 0) {
      throw Fault(line: lineNumber(of: invalid, in: content), message: "not UTF-8 text")
    }
    if let fault = FrontMatterBytes.firstForbidden(content, in: 0..<content.count) {
      throw Fault(line: lineNumber(of: fault.offset, in: content), message: fault.message)
    }
    var reader = KindNodeReader(content, deepest: deepest)
    do throws(YAMLFault) {
      try YAMLEvents.forEach(in: content.span) { event in
        reader.take(event)
        return reader.fault == nil
      }
    } catch {
      let line = lineNumber(of: reader.offsets[error.character], in: content)
      throw Fault(line: line, message: "not valid YAML: \(error.message)")
    }
    if let fault = reader.fault { throw fault }
    return reader.root
  }

  private init(_ bytes: [UInt8], deepest: Int) {
    self.deepest = deepest
    self.bytes = bytes
    offsets = CharacterOffsets(bytes, in: 0..<bytes.count)
  }

  private static func lineNumber(of offset: Int, in bytes: [UInt8]) -> Int {
    1 + bytes[..<min(offset, bytes.count)].count { $0 == 0x0A }
  }

  private mutating func take(_ event: YAMLEvent) {
    let line = lines.line(of: offsets[event.start], in: bytes).number
    if event.hasProperties {
      return refuse(line, "anchors, aliases and YAML tags aren't supported")
    }
    switch event.form {
    case .documentStart:
      if root != nil { refuse(line, "a file can have only one YAML document") }
    case .documentEnd: return
    case .mappingStart: open(.map([]), line)
    case .sequenceStart: open(.list([]), line)
    case .mappingEnd, .sequenceEnd:
      if let closed = stack.popLast() { add(closed.node) }
    case .scalar(let text, let style): takeScalar(text, style, line)
    case .alias: return
    }
  }

  private mutating func takeScalar(_ text: String, _ style: ScalarStyle, _ line: Int) {
    if let top = stack.indices.last, case .map = stack[top].node.value, stack[top].key == nil {
      if let first = stack[top].keys.updateValue(line, forKey: text) {
        return refuse(line, "\(Visible.escape(text)) occurs twice here, first on line \(first)")
      }
      stack[top].key = (text, line)
      return
    }
    let isNull = style == .plain && YAMLTypes.isNull(text)
    add(KindNode(value: isNull ? .empty : .text(text), line: line))
  }

  private mutating func open(_ value: KindNode.Value, _ line: Int) {
    if let top = stack.last, case .map = top.node.value, top.key == nil {
      return refuse(line, "expected a name, not a list or a map")
    }
    guard stack.count < deepest else { return refuse(line, "nested deeper than \(deepest) levels") }
    stack.append((KindNode(value: value, line: line), [:], nil))
  }

  private mutating func add(_ node: KindNode) {
    guard let top = stack.indices.last else {
      root = node
      return
    }
    switch stack[top].node.value {
    case .list(var nodes):
      stack[top].node.value = .empty
      nodes.append(node)
      stack[top].node.value = .list(nodes)
    case .map(var entries):
      guard let key = stack[top].key else { return }
      stack[top].key = nil
      stack[top].node.value = .empty
      entries.append((key.text, KindNode(value: node.value, line: key.line)))
      stack[top].node.value = .map(entries)
    case .text, .empty: return
    }
  }

  private mutating func refuse(_ line: Int, _ message: String) {
    if fault == nil { fault = Fault(line: line, message: message) }
  }
}
