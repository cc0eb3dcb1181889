import Bytes
import NoteIndex
import Notes
import SlipboxCore
import Text

/// The construct at a place of a note.
enum Subject {
  case link(FoundLink)
  case tag(TagPlace)
  /// A heading, by its number.
  case heading(Int)
  /// The name of a field of front-matter.
  case key(FieldPlace)
  /// A value of a field of front-matter.
  case value(FieldPlace, FieldPlace.Scalar)
  /// Anything else.
  case text
}

/// Finds the construct at a place of an open document.
struct SubjectReader {
  let place: DocumentPlace
  let reader: LinkReader
  let note: Note
  let anchors: HeadingAnchors

  init(_ place: DocumentPlace) throws(SlipboxError) {
    self.place = place
    reader = try LinkReader(place)
    note = reader.note
    anchors = HeadingAnchors(place.text)
  }

  /// The construct at an offset, and its bytes. A place at either end of a construct counts as inside.
  func subject(at offset: Int) -> (subject: Subject, range: Range<Int>) {
    // All notes are looked at to resolve links: only if there may be one.
    let links = mayBeLink(at: offset) ? reader.all() : []
    if let link = Self.innermost(links, at: offset, \.range) { return (.link(link), link.range) }
    let tags = note.tagPlaces
    if let tag = Self.innermost(tags, at: offset, \.range) { return (.tag(tag), tag.range) }
    if let found = field(at: offset) { return found }
    let line = place.document.lines.content(ofLine: place.document.lines.line(at: offset))
    let definitions = links.filter { $0.link?.form == .reference }
    if offset >= place.text.body.lowerBound,
      let use = ReferenceUse.at(offset, in: place.text.bytes, line, definitions: definitions)
    {
      return (.link(use), use.range)
    }
    if let number = anchors.headings.firstIndex(where: { Self.touches($0.lines, offset) }) {
      return (.heading(number), anchors.headings[number].lines)
    }
    return (.text, offset..<offset)
  }

  private func mayBeLink(at offset: Int) -> Bool {
    offset < place.text.body.lowerBound
      || note.links.contains { $0.form == .reference || Self.touches($0.range, offset) }
  }

  private func field(at offset: Int) -> (Subject, Range<Int>)? {
    guard offset < place.text.body.lowerBound else { return nil }
    for field in FieldPlace.all(in: place.text) {
      if Self.touches(field.name, offset) { return (.key(field), field.name) }
      for value in field.values where Self.touches(value.range, offset) {
        return (.value(field, value), value.range)
      }
    }
    return nil
  }

  private static func touches(_ range: Range<Int>, _ offset: Int) -> Bool {
    range.lowerBound <= offset && offset <= range.upperBound
  }

  /// The smallest element that contains an offset; otherwise the one that ends there.
  static func innermost<Element>(
    _ elements: [Element], at offset: Int, _ range: (Element) -> Range<Int>
  ) -> Element? {
    let touching = elements.filter { touches(range($0), offset) }
    let holding = touching.filter { range($0).contains(offset) }
    return (holding.isEmpty ? touching : holding).min { range($0).count < range($1).count }
  }
}

/// The uses of definitions of links: `[text][label]`, `[label][]` and `[label]`.
enum ReferenceUse {
  /// The use at a place of a text, with the definition that it means; nil for none.
  ///
  /// - Parameter definitions: links of the form `.reference`.
  static func at(
    _ offset: Int, in bytes: [UInt8], _ line: Range<Int>, definitions: [FoundLink]
  ) -> FoundLink? {
    guard !definitions.isEmpty else { return nil }
    for use in uses(in: bytes, line) where use.range.lowerBound <= offset && offset <= use.range.upperBound {
      let definition = definitions.first { link in
        link.link.flatMap { Self.label(of: $0, in: bytes) } == use.label
      }
      if let definition { return definition.standing(at: use.range) }
    }
    return nil
  }

  private static func uses(in bytes: [UInt8], _ line: Range<Int>) -> [(range: Range<Int>, label: [UInt8])] {
    var found: [(range: Range<Int>, label: [UInt8])] = []
    var position = line.lowerBound
    while position < line.upperBound {
      guard let text = bracketed(bytes, position..<line.upperBound) else {
        position += 1
        continue
      }
      position = text.upperBound
      let next = position < line.upperBound ? bytes[position] : 0
      if next == UInt8(ascii: "(") { continue }
      if next == UInt8(ascii: "["), let label = bracketed(bytes, position..<line.upperBound) {
        found.append((text.lowerBound..<label.upperBound, key(bytes, label.count > 2 ? label : text)))
        position = label.upperBound
      } else {
        found.append((text, key(bytes, text)))
      }
    }
    return found
  }

  /// Brackets without others in them at the beginning of a stretch.
  private static func bracketed(_ bytes: [UInt8], _ stretch: Range<Int>) -> Range<Int>? {
    guard bytes[stretch.lowerBound] == UInt8(ascii: "[") else { return nil }
    for position in stretch.dropFirst() {
      if bytes[position] == UInt8(ascii: "[") { return nil }
      if bytes[position] == UInt8(ascii: "]") { return stretch.lowerBound..<position + 1 }
    }
    return nil
  }

  private static func label(of definition: BodyScan.Link, in bytes: [UInt8]) -> [UInt8]? {
    let range = definition.range.clamped(to: 0..<bytes.count)
    return range.isEmpty ? nil : bracketed(bytes, range).map { key(bytes, $0) }
  }

  /// A key that is equal for labels that are the same, without regard to case and blanks.
  private static func key(_ bytes: [UInt8], _ brackets: Range<Int>) -> [UInt8] {
    let inside = bytes[brackets.lowerBound + 1..<brackets.upperBound - 1]
    return Folding.fold(Array(inside.split { $0 <= 0x20 }.joined(separator: [0x20]))[...])
  }
}

/// A note of a box with the lines of its text.
struct PlacedNote: Sendable {
  let uri: String
  let note: Note
  let text: NoteText
  let lines: LineTable

  /// - Complexity: that of reading the text.
  init(_ note: Note, _ box: BoxView, _ encoding: PositionEncoding) throws(SlipboxError) {
    uri = box.uri(of: note.path)
    self.note = note
    text = try note.text
    lines = LineTable(text.bytes, encoding)
  }

  init(_ place: DocumentPlace) {
    uri = place.document.uri
    note = place.note
    text = place.text
    lines = place.document.lines
  }

  func location(of range: Range<Int>) -> Location { Location(uri: uri, range: lines.range(of: range)) }

  /// The range of the title: in its heading or its field, else the first line.
  var titleRange: Range<Int> {
    switch note.titleSource {
    case .field:
      let fields = FieldPlace.all(in: text)
      if let value = fields.first(where: { $0.field.name.isSameName(as: "title") })?.values.first {
        return value.range
      }
    case .heading:
      let anchors = HeadingAnchors(text)
      if let number = anchors.titleNumber { return anchors.headings[number].lines }
    case .file, .none: break
    }
    return lines.content(ofLine: 0)
  }

  /// The target range of a link to the note: its heading or block, else its title.
  func destination(of part: LinkedPart?) -> Range<Int> { part?.range(in: NoteParts(text)) ?? titleRange }
}

/// The links that lead to a note: those of others, and its own to its headings.
struct LinksToNote {
  let others: [Backlink]
  /// The note's own links to itself.
  let own: [FoundLink]

  /// - Parameter own: the links of the note.
  init(_ note: Note, _ web: NoteWeb, own: [FoundLink]) {
    others = web.backlinks(to: note)
    self.own = own.filter { $0.target == .itself && $0.link != nil }
  }

  /// How many notes link or refer to it.
  var noteCount: Int { Set(others.map(\.source)).count }

  /// How many links lead to a heading.
  func count(toHeading number: Int, _ anchors: HeadingAnchors) -> Int { counts(anchors)[number] ?? 0 }

  /// How many links lead to each heading, by its number.
  func counts(_ anchors: HeadingAnchors) -> [Int: Int] {
    var counts: [Int: Int] = [:]
    for part in others.compactMap(\.part) + own.compactMap(\.part) {
      if let number = part.heading(in: anchors) { counts[number, default: 0] += 1 }
    }
    return counts
  }
}

extension Backlink {
  /// The heading or block that it names.
  var part: LinkedPart? { link.flatMap { LinkedPart($0, reading: 1) } }
}
