import Text

/// A template of Obsidian's plug-in Templater, with placeholders in the place of the commands that slip knows.
///
/// Commands are programs: slip runs none. The title, dates and the selection are filled, the position of the cursor is left
/// out, and all other commands stay as they are written.
/// Source: Templater's documentation, "Date module", "File module" and "Whitespace control".
struct TemplaterText {
  let bytes: [UInt8]
  /// The lines of the commands that stay, from 1.
  private(set) var lines: [Int] = []

  init(_ template: [UInt8]) {
    guard template.contains(UInt8(ascii: "%")) else {
      bytes = template
      return
    }
    var result: [UInt8] = []
    var rest = template[...]
    while let open = Self.place(of: "<%", in: rest), let close = Self.place(of: "%>", in: rest[(open + 2)...])
    {
      result += rest[..<open]
      let end = close + 2
      if let value = Self.placeholder(for: rest[(open + 2)..<close]) {
        result += Array(value.utf8)
        rest = Self.rest(of: rest[end...], after: rest[close - 1])
      } else {
        lines.append(1 + template[..<open].count { $0 == 0x0A })
        result += rest[open..<end]
        rest = rest[end...]
      }
    }
    bytes = result + rest
  }

  /// The template with quotation marks around the values of front matter in which commands stay.
  var quotingValues: [UInt8] {
    let text = NoteText(bytes)
    guard let block = text.frontMatter else { return bytes }
    let quoted = bytes[block].split(separator: 0x0A, omittingEmptySubsequences: false).map(Self.quotingValue)
    return bytes[..<block.lowerBound] + Array(quoted.joined(separator: [0x0A])) + bytes[block.upperBound...]
  }

  /// A line `key: value` or `- value` with its value in quotation marks if it has a command.
  private static func quotingValue(_ line: ArraySlice<UInt8>) -> [UInt8] {
    guard place(of: "<%", in: line) != nil else { return Array(line) }
    let isItem = line.drop { $0 == 0x20 }.starts(with: "- ".utf8)
    guard let mark = place(of: isItem ? "- " : ": ", in: line) else { return Array(line) }
    let value = line[(mark + 2)...].drop { $0 == 0x20 }
    guard let first = value.first, first != UInt8(ascii: "\""), first != UInt8(ascii: "'") else {
      return Array(line)
    }
    let isReturned = value.last == 0x0D
    let inside = (isReturned ? value.dropLast() : value).flatMap { $0 == 0x27 ? [0x27, 0x27] : [$0] }
    return line[..<value.startIndex] + [0x27] + inside + [0x27] + (isReturned ? [0x0D] : [])
  }

  private static func place(of mark: String, in bytes: ArraySlice<UInt8>) -> Int? {
    let mark = Array(mark.utf8)
    return bytes.indices.dropLast().first { bytes[$0] == mark[0] && bytes[$0 + 1] == mark[1] }
  }

  /// The text after a command without the blanks that its last sign takes away.
  private static func rest(of text: ArraySlice<UInt8>, after sign: UInt8) -> ArraySlice<UInt8> {
    switch sign {
    case UInt8(ascii: "_"): text.drop { [0x20, 0x09, 0x0A, 0x0D].contains($0) }
    case UInt8(ascii: "-"):
      text.starts(with: [0x0D, 0x0A]) ? text.dropFirst(2) : text.first == 0x0A ? text.dropFirst() : text
    default: text
    }
  }

  /// The placeholder for a command; nil for other commands.
  private static func placeholder(for command: ArraySlice<UInt8>) -> String? {
    let signs = "-_;".utf8
    var inside = command
    while let first = inside.first, signs.contains(first) || first == 0x20 { inside = inside.dropFirst() }
    while let last = inside.last, signs.contains(last) || last == 0x20 { inside = inside.dropLast() }
    let text = String(decoding: inside, as: UTF8.self)
    if text == "tp.file.title" { return "{{title}}" }
    guard text.hasSuffix(")"), let open = text.firstIndex(of: "("),
      let arguments = arguments(text[text.index(after: open)...].dropLast())
    else { return nil }
    let format = arguments.first
    switch text[..<open] {
    case "tp.file.cursor": return ""
    case "tp.file.selection": return "{{selection}}"
    case "tp.file.creation_date" where arguments.count < 2: return date(format ?? "YYYY-MM-DD HH:mm")
    case "tp.date.tomorrow" where arguments.count < 2: return date(format, days: 1)
    case "tp.date.yesterday" where arguments.count < 2: return date(format, days: -1)
    case "tp.date.now":
      // The reference may be the name of the file, which is the day of the note.
      guard arguments.count < 3 || arguments[2] == "tp.file.title" else { return nil }
      guard arguments.count > 1 else { return date(format) }
      return Int(arguments[1]).flatMap { date(format, days: $0) }
    default: return nil
    }
  }

  private static func date(_ format: String?, days: Int = 0) -> String? {
    let distance = days == 0 ? "" : " \(days > 0 ? "+" : "")\(days)d"
    let inside = "date\(distance):\(format ?? "YYYY-MM-DD")"
    guard !inside.contains("}"), (try? Placeholder(inside.utf8)) != nil else { return nil }
    return "{{\(inside)}}"
  }

  /// Texts without their quotation marks, and words; nil for other expressions.
  private static func arguments(_ text: Substring) -> [String]? {
    var arguments: [String] = []
    var rest = text.drop { $0 == " " }
    while let first = rest.first {
      if "\"'`".contains(first) {
        let value = rest.dropFirst().prefix { $0 != first }
        rest = rest.dropFirst(value.count + 2)
        arguments.append(String(value))
      } else {
        let value = rest.prefix { $0.isLetter || $0.isNumber || "._+-".contains($0) }
        guard !value.isEmpty else { return nil }
        rest = rest.dropFirst(value.count)
        arguments.append(String(value))
      }
      rest = rest.drop { $0 == " " }
      guard rest.isEmpty || rest.first == "," else { return nil }
      rest = rest.dropFirst().drop { $0 == " " }
    }
    return arguments
  }
}
