/// A check box of the last list, as it was when it was shown.
struct ListedBox {
  /// The id or the path of the note.
  let name: [UInt8]
  /// Counted from 1 in the file.
  let line: Int
  let text: [UInt8]

  init(name: [UInt8], line: Int, text: [UInt8]) {
    (self.name, self.line, self.text) = (name, line, text)
  }

  /// The box as it is kept: no text of a box has a line end.
  var bytes: [UInt8] { name + Array("\n\(line)\n".utf8) + text }

  /// Nil for a name without a box. Names of files may hold line ends, so the line and the text are looked for from the end.
  init?(_ bytes: [UInt8]) {
    guard let last = bytes.lastIndex(of: 0x0A), let first = bytes[..<last].lastIndex(of: 0x0A),
      let line = Int(String(decoding: bytes[(first + 1)..<last], as: UTF8.self))
    else { return nil }
    (name, self.line, text) = (Array(bytes[..<first]), line, Array(bytes[(last + 1)...]))
  }
}

/// The numbers in a reference to notes of the last list: `@2`, or `@1-3`, `@1..3` and `@1-@3`.
struct ListedNumbers {
  let first: Int
  let last: Int
  let isRange: Bool

  init?(_ reference: String) {
    guard reference.utf8.first == UInt8(ascii: "@") else { return nil }
    let text = String(reference.dropFirst())
    if let number = Int(text), number > 0, text.utf8.allSatisfy({ $0 != UInt8(ascii: "+") }) {
      (first, last, isRange) = (number, number, false)
      return
    }
    for mark in ["..", "-"] {
      let parts = text.split(separator: mark, maxSplits: 1).map(String.init)
      guard parts.count == 2, let first = Int(parts[0]), first > 0,
        let last = Int(parts[1].utf8.first == UInt8(ascii: "@") ? String(parts[1].dropFirst()) : parts[1]),
        last > 0
      else { continue }
      (self.first, self.last, isRange) = (first, last, true)
      return
    }
    return nil
  }
}
