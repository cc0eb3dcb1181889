/// One key, or what was pasted.
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

  /// The name by which help shows the key and settings name it; nil for what is no key.
  var name: String? {
    switch self {
    case .text(let text): text
    case .ctrl(let letter): "ctrl-\(letter)"
    case .paste, .click, .wheel: nil
    default: Self.names.first { $0.key == self }?.name
    }
  }

  /// The key of a name; nil where there is none.
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
