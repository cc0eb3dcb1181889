import Bytes
package import NoteIndex
import Notes
import Platform
package import SlipboxCore

/// Notes as one text of Markdown: each under its title, with links between them that lead to places in the text.
package struct MarkdownExport {
  private let snapshot: BoxSnapshot
  private let web: NoteWeb
  private let places: [Int]
  private let numbers: [Int: Int]
  private let connections: [[Connection]]

  private static let partLength = 64

  package init(_ snapshot: BoxSnapshot, _ notes: [Match]) throws(SlipboxError) {
    self.snapshot = snapshot
    web = try NoteWeb(snapshot)
    places = notes.map(\.place)
    numbers = Dictionary(
      places.enumerated().map { ($0.element, $0.offset) }, uniquingKeysWith: { first, _ in first })
    connections = try web.connections(from: places)
  }

  /// Writes the notes in their order.
  package func write(to sink: ByteOutput) throws(SlipboxError) {
    let (entries, places, numbers, connections) = (
      web.entries, self.places, self.numbers, self.connections
    )
    let schema = snapshot.schema()
    let starts = stride(from: 0, to: places.count, by: Self.partLength)
    let parts = starts.map { $0..<min($0 + Self.partLength, places.count) }
    try concurrentStream(throwing: parts, ahead: 16) { (part) throws(SlipboxError) -> [UInt8] in
      var bytes: [UInt8] = []
      for number in part {
        let section = MarkdownSection(entries[places[number]], schema, number: number, connections[number]) {
          place in
          numbers[place].map { number in
            let note = entries[place].note
            return (number: number, title: note.title, id: note.id)
          }
        }
        bytes += (number == 0 ? [] : Array("\n".utf8)) + (try section.bytes())
      }
      return bytes
    } _: {
      sink($0)
    }
  }
}

/// One note as a section of a longer text of Markdown.
///
/// The title becomes a heading, those of the text are a level deeper, fields are a list. Links to notes of the same text
/// lead to their sections, other links to notes become their labels. Paths of files are relative to the root of the
/// box. Labels of footnotes and of link definitions get the number of the section, since they hold for the whole text.
struct MarkdownSection {
  /// The reference to a note in the text: the number of its section, its title and its id.
  typealias Section = (number: Int, title: String, id: NoteID?)

  private let entry: Entry
  private let schema: Schema
  private let number: Int
  private let connections: [Connection]
  private let section: (_ place: Int) -> Section?

  /// A change of a text.
  private struct Change {
    let range: Range<Int>
    let bytes: [UInt8]
  }

  init(
    _ entry: Entry, _ schema: Schema, number: Int, _ connections: [Connection],
    section: @escaping (_ place: Int) -> Section?
  ) {
    self.entry = entry
    self.schema = schema
    self.number = number
    self.connections = connections
    self.section = section
  }

  /// The anchor of a section.
  private static func anchor(_ number: Int) -> String { "note-\(number + 1)" }

  func bytes() throws(SlipboxError) -> [UInt8] {
    let text = try entry.note.text
    var result = Array(
      "<a id=\"\(Self.anchor(number))\"></a>\n\n# \(Self.heading(entry.note.title))\n\n".utf8)
    result += facts()
    result += body(text)
    while let last = result.last, last <= 0x20 { result.removeLast() }
    return result + Array("\n".utf8)
  }

  /// A title in which nothing is markup.
  private static func heading(_ title: String) -> String {
    var result = ""
    for scalar in title.unicodeScalars {
      if "\\`*_[]<>#&!|~".unicodeScalars.contains(scalar) { result += "\\" }
      result.unicodeScalars.append(scalar)
    }
    return result
  }

  private func facts() -> [UInt8] {
    var lines: [String] = []
    if entry.kind != "note" { lines.append("kind: \(Self.heading(entry.kind))") }
    lines.append("created: \(entry.created.rfc3339)")
    if !entry.note.tags.isEmpty {
      lines.append("tags: \(Self.heading(entry.note.tags.joined(separator: ", ")))")
    }
    for field in NoteColumn.otherFields(of: entry.note, schema.kind(named: entry.kind))
    where field.name != entry.note.tagsField {
      let value = NoteColumns.text(field.value).split(whereSeparator: \.isNewline).joined(separator: " ")
      if !value.isEmpty {
        lines.append("\(Self.heading(field.name)): \(references(in: field) ?? Self.heading(value))")
      }
    }
    return Array(lines.map { "- \($0)\n" }.joined().utf8) + [0x0A]
  }

  /// The records of the text that a field refers to, as links; nil for any other field.
  private func references(in field: FrontMatterField) -> String? {
    let links = connections.filter { $0.form == nil && $0.field == field.name }.map { reference -> String in
      guard case .note(let place) = reference.target, let section = section(place) else {
        return Self.heading(reference.text)
      }
      return "[\(Self.heading(section.title))](#\(Self.anchor(section.number)))"
    }
    return links.isEmpty ? nil : links.joined(separator: ", ")
  }

  // MARK: Text

  private func body(_ text: NoteText) -> [UInt8] {
    let headings = HeadingAnchors(text)
    let isTitled =
      headings.texts.first?.hasSameBytes(as: entry.note.title) == true
      && text.bytes[text.body.lowerBound..<headings.headings[0].lines.lowerBound].allSatisfy { $0 <= 0x20 }
    let start = isTitled ? headings.headings[0].lines.upperBound : text.body.lowerBound
    let changes =
      headings.headings.dropFirst(isTitled ? 1 : 0).flatMap { deeper($0, text) } + links(text) + labels(text)
    var (result, position) = ([UInt8](), start)
    for change in changes.sorted(by: { $0.range.lowerBound < $1.range.lowerBound })
    where change.range.lowerBound >= position {
      result += text.bytes[position..<change.range.lowerBound] + change.bytes
      position = change.range.upperBound
    }
    result += text.bytes[position..<text.body.upperBound]
    return Array(result.drop { $0 == 0x0A || $0 == 0x0D })
  }

  /// A heading a level deeper; one with a line below it gets marks instead.
  private func deeper(_ heading: BodyHeading, _ text: NoteText) -> [Change] {
    let level = min(6, heading.level + 1)
    let marks = Array((String(repeating: "#", count: level)).utf8)
    guard heading.isUnderlined else {
      let old = heading.lines.lowerBound..<(heading.lines.lowerBound + heading.level)
      return [Change(range: old, bytes: marks)]
    }
    var end = heading.text.upperBound
    while end > heading.text.lowerBound, text.bytes[end - 1] <= 0x20 { end -= 1 }
    let breaks = (heading.text.lowerBound..<end).filter { text.bytes[$0] == 0x0A }.map {
      Change(range: $0..<$0 + 1, bytes: [0x20])
    }
    let first = Change(range: heading.lines.lowerBound..<heading.lines.lowerBound, bytes: marks + [0x20])
    return [first] + breaks + [Change(range: end..<heading.lines.upperBound, bytes: [])]
  }

  private func links(_ text: NoteText) -> [Change] {
    let found = connections.map { ($0.range.lowerBound, $0) }
    let known = Dictionary(found, uniquingKeysWith: { first, _ in first })
    return entry.note.links.filter { $0.range.lowerBound >= text.body.lowerBound }.compactMap { link in
      let connection = known[link.range.lowerBound]
      if link.form == .wiki || link.form == .embed { return wiki(link, connection, text) }
      return target(of: link, connection, text)
    }
  }

  /// A wiki link as a link of Markdown.
  private func wiki(_ link: BodyScan.Link, _ connection: Connection?, _ text: NoteText) -> Change {
    let label = WikiLabel(text.bytes[link.range])
    switch connection?.target {
    case .note(let place):
      guard let section = section(place) else { break }
      let isID = section.id?.description == label.target
      let shown = label.text ?? (isID ? section.title : label.target)
      return Change(
        range: link.range, bytes: Array("[\(Self.heading(shown))](#\(Self.anchor(section.number)))".utf8))
    case .file(let path):
      let address = address(of: path, in: link)
      let mark = link.form == .embed ? "!" : ""
      return Change(
        range: link.range,
        bytes: Array("\(mark)[\(Self.heading(label.text ?? label.target))](\(address))".utf8))
    default: break
    }
    return Change(range: link.range, bytes: Array(Self.heading(label.text ?? label.target).utf8))
  }

  /// Another target of a link of Markdown: a section, or a path from the root of the box.
  private func target(of link: BodyScan.Link, _ connection: Connection?, _ text: NoteText) -> Change? {
    guard let connection, let place = LinkPlace(link, in: text.bytes) else { return nil }
    let range = place.isBracketed ? place.target.lowerBound - 1..<place.target.upperBound + 1 : place.target
    switch connection.target {
    case .note(let other):
      guard let section = section(other) else { return nil }
      return Change(range: range, bytes: Array("#\(Self.anchor(section.number))".utf8))
    case .file(let path):
      return Change(range: range, bytes: Array(address(of: path, in: link).utf8))
    default: return nil
    }
  }

  /// The path of a file with the query and the place that a link has.
  private func address(of path: [UInt8], in link: BodyScan.Link) -> String {
    let name = PercentEncoding.encoded(path) { !"#?%<>\\".utf8.contains($0) && $0 >= 0x20 }
    let suffix = LinkSpelling.suffix(of: link, leadingTo: path).filter {
      !"<>".utf8.contains($0) && $0 >= 0x20
    }
    return "<\(String(decoding: name + suffix, as: UTF8.self))>"
  }

  /// Labels of footnotes and of link definitions with the number of the section before them.
  private func labels(_ text: NoteText) -> [Change] {
    let defined = Set(BodyLabels(text.bytes[text.body]).definitions.keys)
    guard !defined.isEmpty else { return [] }
    let prose = Prose(of: text)
    var changes: [Change] = []
    var position = text.body.lowerBound
    while let open = text.bytes[position..<text.body.upperBound].firstIndex(of: UInt8(ascii: "[")) {
      position = open + 1
      guard
        let close = text.bytes[position..<text.body.upperBound].firstIndex(where: { "[]\n".utf8.contains($0) }
        ),
        text.bytes[close] == UInt8(ascii: "]")
      else { continue }
      let label = String(decoding: text.bytes[position..<close], as: UTF8.self).lowercased()
      guard defined.contains(label), isText(open..<close + 1, text, prose) else { continue }
      changes += renamed(open, close, text)
    }
    return changes
  }

  /// Whether a label is in running text or begins a definition.
  private func isText(_ range: Range<Int>, _ text: NoteText, _ prose: Prose) -> Bool {
    let isDefinition =
      range.upperBound < text.body.upperBound && text.bytes[range.upperBound] == UInt8(ascii: ":")
    return isDefinition || prose.holds(range)
  }

  private func renamed(_ open: Int, _ close: Int, _ text: NoteText) -> [Change] {
    let isFootnote = text.bytes[open + 1] == UInt8(ascii: "^")
    let own = Array("\(number + 1)-".utf8)
    if isFootnote { return [Change(range: open + 2..<open + 2, bytes: own)] }
    let next = close + 1 < text.body.upperBound ? text.bytes[close + 1] : 0x20
    let isPlace = next == UInt8(ascii: ":") || (open > 0 && text.bytes[open - 1] == UInt8(ascii: "]"))
    if isPlace { return [Change(range: open + 1..<open + 1, bytes: own)] }
    // The label itself is displayed: the name of the definition follows it.
    if next == UInt8(ascii: "[") || next == UInt8(ascii: "(") {
      let isEmpty = close + 2 < text.body.upperBound && text.bytes[close + 2] == UInt8(ascii: "]")
      guard next == UInt8(ascii: "["), isEmpty else { return [] }
      return [Change(range: close + 2..<close + 2, bytes: own + Array(text.bytes[open + 1..<close]))]
    }
    let name = own + Array(text.bytes[open + 1..<close])
    return [Change(range: close + 1..<close + 1, bytes: [UInt8(ascii: "[")] + name + [UInt8(ascii: "]")])]
  }
}
