import CLibyaml

/// One step of libyaml through a document.
struct YAMLEvent {
  enum Form {
    case documentStart(isImplicit: Bool)
    case documentEnd(isImplicit: Bool)
    case mappingStart(isFlow: Bool)
    case mappingEnd
    case sequenceStart(isFlow: Bool)
    case sequenceEnd
    case scalar(String, ScalarStyle)
    case alias(String)
  }

  let form: Form
  /// The first character, counted from the start of the input.
  let start: Int
  /// The character after the last.
  let end: Int
  /// The properties before the node.
  let properties: Properties

  /// The anchor and the tag of a node.
  struct Properties {
    var anchor: String?
    var hasTag = false

    static let none = Properties()

    var isEmpty: Bool { anchor == nil && !hasTag }
  }

  /// Whether it is an alias, or has an anchor or a tag.
  var hasProperties: Bool {
    if case .alias = form { return true }
    return !properties.isEmpty
  }
}

/// Why libyaml refused a text.
struct YAMLFault: Error {
  /// The place in characters from the start of the input.
  let character: Int
  /// The start of a block scalar whose first line has a tab among its blanks, at the place of the error.
  var blockStart: Int?
  let message: String
}

/// Walks through text by libyaml's events.
enum YAMLEvents {
  /// Hands each event to a closure until the text ends or the closure returns false.
  ///
  /// Wraps yaml_parser_parse.
  /// - Throws: `YAMLFault` if the text is not YAML.
  static func forEach(
    in text: Span<UInt8>, _ body: (YAMLEvent) -> Bool
  ) throws(YAMLFault) {
    let parser = UnsafeMutablePointer<yaml_parser_t>.allocate(capacity: 1)
    parser.initialize(to: yaml_parser_t())
    defer { parser.deallocate() }
    guard yaml_parser_initialize(parser) == 1 else {
      throw YAMLFault(character: 0, message: "out of memory")
    }
    defer { yaml_parser_delete(parser) }
    yaml_parser_set_encoding(parser, YAML_UTF8_ENCODING)
    let fault = text.withUnsafeBufferPointer { buffer in
      yaml_parser_set_input_string(parser, buffer.baseAddress, buffer.count)
      return walk(parser, body)
    }
    if let fault { throw fault }
  }

  private static func walk(
    _ parser: UnsafeMutablePointer<yaml_parser_t>, _ body: (YAMLEvent) -> Bool
  ) -> YAMLFault? {
    var event = yaml_event_t()
    while true {
      guard yaml_parser_parse(parser, &event) == 1 else { return YAMLFault(parser.pointee) }
      defer { yaml_event_delete(&event) }
      if event.type == YAML_STREAM_END_EVENT || event.type == YAML_NO_EVENT { return nil }
      if let step = YAMLEvent(event), !body(step) { return nil }
    }
  }
}

extension YAMLEvent {
  fileprivate init?(_ event: yaml_event_t) {
    guard let (form, properties) = Self.reading(event) else { return nil }
    self.form = form
    self.properties = properties
    start = event.start_mark.index
    end = event.end_mark.index
  }

  private static func reading(_ event: yaml_event_t) -> (Form, Properties)? {
    switch event.type {
    case YAML_DOCUMENT_START_EVENT:
      return (.documentStart(isImplicit: event.data.document_start.implicit != 0), .none)
    case YAML_DOCUMENT_END_EVENT:
      return (.documentEnd(isImplicit: event.data.document_end.implicit != 0), .none)
    case YAML_MAPPING_START_EVENT:
      let data = event.data.mapping_start
      let isFlow = data.style == YAML_FLOW_MAPPING_STYLE
      return (.mappingStart(isFlow: isFlow), Properties(data.anchor, data.tag))
    case YAML_SEQUENCE_START_EVENT:
      let data = event.data.sequence_start
      let isFlow = data.style == YAML_FLOW_SEQUENCE_STYLE
      return (.sequenceStart(isFlow: isFlow), Properties(data.anchor, data.tag))
    case YAML_MAPPING_END_EVENT: return (.mappingEnd, .none)
    case YAML_SEQUENCE_END_EVENT: return (.sequenceEnd, .none)
    case YAML_ALIAS_EVENT:
      return (.alias(Properties(event.data.alias.anchor, nil).anchor ?? ""), .none)
    case YAML_SCALAR_EVENT:
      let data = event.data.scalar
      let text = String(decoding: UnsafeBufferPointer(start: data.value, count: data.length), as: UTF8.self)
      return (.scalar(text, ScalarStyle(data.style)), Properties(data.anchor, data.tag))
    default: return nil
    }
  }
}

extension YAMLEvent.Properties {
  fileprivate init(_ anchor: UnsafeMutablePointer<yaml_char_t>?, _ tag: UnsafeMutablePointer<yaml_char_t>?) {
    self.anchor = anchor.map { String(cString: $0) }
    hasTag = tag != nil
  }
}

extension ScalarStyle {
  fileprivate init(_ style: yaml_scalar_style_t) {
    switch style {
    case YAML_SINGLE_QUOTED_SCALAR_STYLE: self = .single
    case YAML_DOUBLE_QUOTED_SCALAR_STYLE: self = .double
    case YAML_LITERAL_SCALAR_STYLE, YAML_FOLDED_SCALAR_STYLE: self = .block
    default: self = .plain
    }
  }
}

extension YAMLFault {
  fileprivate init(_ parser: yaml_parser_t) {
    let problem = parser.problem.map { String(cString: $0) } ?? "not valid YAML"
    let isOpenQuote = problem == "found unexpected end of stream"
    character = isOpenQuote ? parser.context_mark.index : parser.problem_mark.index
    message = Self.explanation(of: problem)
    let isTab = problem == "found a tab character where an indentation space is expected"
    blockStart = isTab ? parser.context_mark.index : nil
  }

  /// Adds what to do to the problems that notes really have.
  private static func explanation(of problem: String) -> String {
    switch problem {
    case "mapping values are not allowed in this context":
      "': ' is not allowed here: put the value in quotes, or indent the line like the other keys"
    case "found character that cannot start any token":
      "a value can't begin with this character, nor a line with a tab: put the value in quotes"
    case "found unexpected end of stream", "found unexpected document indicator": "quotes that are not closed"
    case "could not find expected ':'": "a line without 'key:'"
    default: problem
    }
  }
}

/// Turns places counted in characters into byte offsets.
struct CharacterOffsets {
  private static let stride = 64
  private let bytes: [UInt8]
  private let range: Range<Int>
  /// The offset of every 64th character, or nothing where every character is one byte.
  private var marks: [Int] = []

  init(_ bytes: [UInt8], in range: Range<Int>) {
    self.bytes = bytes
    self.range = range
    guard bytes[range].contains(where: { $0 >= 0x80 }) else { return }
    var characters = 0
    for offset in range where bytes[offset] & 0xC0 != 0x80 {
      if characters % Self.stride == 0 { marks.append(offset) }
      characters += 1
    }
  }

  /// The byte offset in the file of a character of the block, or the block's end.
  subscript(character: Int) -> Int {
    guard !marks.isEmpty else { return min(range.lowerBound + character, range.upperBound) }
    guard character / Self.stride < marks.count else { return range.upperBound }
    var offset = marks[character / Self.stride]
    var left = character % Self.stride
    while left > 0, offset < range.upperBound {
      offset += 1
      while offset < range.upperBound, bytes[offset] & 0xC0 == 0x80 { offset += 1 }
      left -= 1
    }
    return offset
  }
}

/// Finds the lines of offsets that never decrease, so that the lines of many fields cost one pass.
struct LineFinder {
  private var number = 1
  private var start = 0
  private var next: Int?

  /// Returns the line that an offset is in: its number from 1, its start and the start of the next.
  mutating func line(of offset: Int, in bytes: [UInt8]) -> (number: Int, start: Int, next: Int) {
    var end = next ?? bytes.lineEnd(of: start)
    while end <= offset, end < bytes.count {
      number += 1
      start = end
      end = bytes.lineEnd(of: start)
    }
    next = end
    return (number, start, end)
  }
}

extension [UInt8] {
  /// Returns the start of the line after the one that an offset is in.
  func lineEnd(of offset: Int) -> Int {
    lineFeed(from: offset).map { $0 + 1 } ?? count
  }

  /// Returns the start of the line if only spaces precede an offset, else nil.
  func indentedLineStart(of offset: Int) -> Int? {
    var index = offset
    while index > 0, self[index - 1] == 0x20 { index -= 1 }
    return index == 0 || self[index - 1] == 0x0A ? index : nil
  }
}
