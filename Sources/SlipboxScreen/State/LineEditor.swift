/// One line of text that is being typed.
struct LineEditor: Equatable, Sendable {
  private(set) var characters: [Character]
  /// Before which character the next one goes.
  private(set) var cursor: Int

  /// - Parameter rest: what stands behind the cursor.
  init(_ text: String = "", rest: String = "") {
    let head = Array(text)
    characters = head + rest
    cursor = head.count
  }

  var text: String { String(characters) }
  /// The text before the cursor.
  var head: String { String(characters[..<cursor]) }

  /// Replaces the whole text.
  mutating func set(_ text: String) { self = LineEditor(text) }

  /// Puts a text in the place of a part of what stands before the cursor.
  mutating func replaceHead(_ text: String) {
    let new = Array(text)
    characters = new + characters[cursor...]
    cursor = new.count
  }

  /// Takes a key as lines on a terminal do; false where it means nothing here.
  mutating func take(_ key: Key) -> Bool {
    switch key {
    case .text(let text): insert(text)
    case .space: insert(" ")
    case .paste(let text): insert(String(text.map { $0.isNewline || $0 == "\t" ? " " : $0 }))
    case .left, .ctrl("b"): cursor = max(0, cursor - 1)
    case .right, .ctrl("f"): cursor = min(characters.count, cursor + 1)
    case .home, .ctrl("a"): cursor = 0
    case .end, .ctrl("e"): cursor = characters.count
    case .backspace:
      guard cursor > 0 else { return true }
      characters.remove(at: cursor - 1)
      cursor -= 1
    case .delete, .ctrl("d"):
      if cursor < characters.count { characters.remove(at: cursor) }
    case .ctrl("u"): remove(from: 0)
    case .ctrl("w"):
      let end = characters[..<cursor].lastIndex { $0 != " " } ?? -1
      let start = characters[..<max(0, end)].lastIndex { $0 == " " } ?? -1
      remove(from: start + 1)
    case .ctrl("k"): characters.removeSubrange(cursor...)
    default: return false
    }
    return true
  }

  private mutating func insert(_ text: String) {
    // A mark may join the character before it, so that all of it is read again.
    let head = Array(String(characters[..<cursor]) + text)
    characters = head + characters[cursor...]
    cursor = head.count
  }

  private mutating func remove(from start: Int) {
    characters.removeSubrange(start..<cursor)
    cursor = start
  }
}
