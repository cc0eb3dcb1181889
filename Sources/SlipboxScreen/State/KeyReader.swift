/// Decodes the bytes of a terminal as keys; incomplete sequences wait for more bytes.
struct KeyReader {
  private var waiting: [UInt8] = []
  /// The text that is being pasted; nil if none is.
  private var pasted: [UInt8]?

  /// A paste is cut off here.
  private static let longestPaste = 1 << 20
  private static let longestSequence = 64
  private static let pasteEnd = Array("\u{1B}[201~".utf8)

  /// Whether an Escape waits to be one key or the beginning of another.
  var isUnsure: Bool { pasted == nil && !waiting.isEmpty }

  /// The keys of some bytes.
  mutating func keys(_ bytes: [UInt8]) -> [Key] {
    waiting += bytes
    var keys: [Key] = []
    while true {
      if pasted != nil {
        guard let key = endOfPaste() else { return keys }
        keys.append(key)
        continue
      }
      guard let (length, key) = next() else { return keys }
      waiting.removeFirst(length)
      if let key { keys.append(key) }
    }
  }

  /// The keys of the pending bytes after a timeout: Escape was a key of its own.
  mutating func flush() -> [Key] {
    guard isUnsure else { return [] }
    let rest = waiting.dropFirst()
    let isEscape = waiting.first == 0x1B
    waiting = []
    return (isEscape ? [.escape] : []) + (isEscape ? keys(Array(rest)) : [])
  }

  /// The first key and its length, with nil for bytes that are no key; nil if more has to come.
  private mutating func next() -> (length: Int, key: Key?)? {
    guard let first = waiting.first else { return nil }
    switch first {
    case 0x1B: return sequence()
    case 0x0D, 0x0A: return (1, .enter)
    case 0x09: return (1, .tab)
    case 0x7F, 0x08: return (1, .backspace)
    case 0x20: return (1, .space)
    case 0x01...0x1A: return (1, .ctrl(Character(Unicode.Scalar(first + 0x60))))
    case 0x00, 0x1C...0x1F: return (1, nil)
    case 0x21...0x7E: return (1, .text(String(Unicode.Scalar(first))))
    default: return scalar(first)
    }
  }

  /// A character of several bytes.
  private func scalar(_ first: UInt8) -> (length: Int, key: Key?)? {
    let length =
      switch first {
      case 0xC2...0xDF: 2
      case 0xE0...0xEF: 3
      case 0xF0...0xF4: 4
      default: 1
      }
    guard length > 1 else { return (1, nil) }
    let bytes = waiting.prefix(length)
    if let wrong = bytes.dropFirst().firstIndex(where: { $0 & 0xC0 != 0x80 }) { return (wrong, nil) }
    guard bytes.count == length else { return nil }
    return (length, String(validating: bytes, as: UTF8.self).map { .text($0) })
  }

  /// A key that is sent as a sequence, or the beginning of a paste.
  private mutating func sequence() -> (length: Int, key: Key?)? {
    guard waiting.count > 1 else { return nil }
    switch waiting[1] {
    case UInt8(ascii: "["):
      let body = waiting.dropFirst(2).prefix(Self.longestSequence)
      guard let end = body.firstIndex(where: { (0x40...0x7E).contains($0) }) else {
        return body.count < Self.longestSequence ? nil : (waiting.count, nil)
      }
      let parameters = String(decoding: body[..<end], as: UTF8.self)
      if waiting[end] == UInt8(ascii: "~"), parameters == "200" { pasted = [] }
      return (end + 1, Self.key(parameters, waiting[end]))
    case UInt8(ascii: "O"):
      guard waiting.count > 2 else { return nil }
      return (3, Self.key("", waiting[2]))
    default: return (1, .escape)
    }
  }

  private static func key(_ parameters: String, _ end: UInt8) -> Key? {
    switch end {
    case UInt8(ascii: "A"): return .up
    case UInt8(ascii: "B"): return .down
    case UInt8(ascii: "C"): return .right
    case UInt8(ascii: "D"): return .left
    case UInt8(ascii: "H"): return .home
    case UInt8(ascii: "F"): return .end
    case UInt8(ascii: "Z"): return .backTab
    case UInt8(ascii: "~"):
      let keys: [String: Key] = [
        "1": .home, "3": .delete, "4": .end, "5": .pageUp, "6": .pageDown, "7": .home, "8": .end,
      ]
      return keys[String(parameters.prefix { $0 != ";" })]
    case UInt8(ascii: "M"): return mouse(parameters)
    default: return nil
    }
  }

  /// A button that went down, or the wheel. Source: xterm, SGR mouse mode 1006.
  private static func mouse(_ parameters: String) -> Key? {
    let numbers = parameters.dropFirst().split(separator: ";").map { Int($0) ?? 0 }
    guard parameters.hasPrefix("<"), numbers.count == 3 else { return nil }
    let (column, row) = (numbers[1] - 1, numbers[2] - 1)
    switch numbers[0] {
    case 0: return .click(column: column, row: row)
    case 64: return .wheel(lines: -3, column: column, row: row)
    case 65: return .wheel(lines: 3, column: column, row: row)
    default: return nil
    }
  }

  /// The paste, if its end has arrived.
  private mutating func endOfPaste() -> Key? {
    guard let end = waiting.indices.first(where: { waiting[$0...].starts(with: Self.pasteEnd) }) else {
      // Bytes that may begin the end marker stay.
      let sure = max(0, waiting.count - Self.pasteEnd.count)
      take(waiting.prefix(sure))
      waiting.removeFirst(sure)
      return nil
    }
    take(waiting[..<end])
    waiting.removeFirst(end + Self.pasteEnd.count)
    defer { pasted = nil }
    return .paste(String(decoding: pasted ?? [], as: UTF8.self))
  }

  private mutating func take(_ bytes: ArraySlice<UInt8>) {
    pasted = Array(((pasted ?? []) + bytes).prefix(Self.longestPaste))
  }
}

/// One key, or a pasted text.
enum Key: Hashable, Sendable {
  /// A character as it is typed; a blank is `space`.
  case text(String)
  /// Ctrl with a letter, in lower case.
  case ctrl(Character)
  case enter, escape, tab, backTab, backspace, delete, space
  case up, down, left, right, home, end, pageUp, pageDown
  /// Text that was pasted: never commands.
  case paste(String)
  /// A click on a cell, or a turn of the wheel there.
  case click(column: Int, row: Int)
  case wheel(lines: Int, column: Int, row: Int)

  /// The keys with names of their own.
  private static let names: [(key: Key, name: String)] = [
    (.enter, "enter"), (.escape, "esc"), (.tab, "tab"), (.backTab, "shift-tab"), (.backspace, "backspace"),
    (.delete, "delete"), (.space, "space"), (.up, "up"), (.down, "down"), (.left, "left"), (.right, "right"),
    (.home, "home"), (.end, "end"), (.pageUp, "page-up"), (.pageDown, "page-down"),
  ]

  /// The name of the key in help and settings; nil for a paste.
  var name: String? {
    switch self {
    case .text(let text): text
    case .ctrl(let letter): "ctrl-\(letter)"
    case .paste, .click, .wheel: nil
    default: Self.names.first { $0.key == self }?.name
    }
  }

  /// The key of a name; nil if there is none.
  init?(named name: String) {
    if let (key, _) = Self.names.first(where: { $0.name == name }) {
      self = key
    } else if name.hasPrefix("ctrl-"), name.count == 6, let letter = name.last, letter.isLetter,
      letter.isASCII
    {
      self = .ctrl(Character(letter.lowercased()))
    } else if name.count == 1, name != " " {
      self = .text(name)
    } else {
      return nil
    }
  }
}
