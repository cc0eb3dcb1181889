import NoteIndex
import Notes
import SlipboxCore

/// A note's text without what a page does not show of links to notes that are not on the site: targets behind labels, ids and
/// paths.
struct PublicText {
  let text: NoteText
  /// What was taken out, and how many bytes stand there instead, in order.
  private let cuts: [(range: Range<Int>, count: Int)]

  init(_ note: Note, _ connections: [Connection], _ map: SiteMap) {
    let hidden = Set(
      connections.compactMap { connection -> Int? in
        guard connection.field == nil, case .note(let place) = connection.target,
          map.number(ofPlace: place) == nil
        else { return nil }
        return connection.range.lowerBound
      })
    let links = hidden.isEmpty ? [] : note.links.filter { hidden.contains($0.range.lowerBound) }
    let edits = links.flatMap { Self.edits(of: $0, in: note.text.bytes) }
      .sorted { $0.range.lowerBound < $1.range.lowerBound }
    var bytes = note.text.bytes
    for edit in edits.reversed() { bytes.replaceSubrange(edit.range, with: edit.text.utf8) }
    text = edits.isEmpty ? note.text : NoteText(bytes)
    cuts = edits.map { ($0.range, $0.text.utf8.count) }
  }

  /// Where a stretch of the whole text stands in this one.
  func place(_ range: Range<Int>) -> Range<Int> {
    let shift = cuts.reduce(0) { sum, cut in
      cut.range.upperBound <= range.lowerBound ? sum + cut.count - cut.range.count : sum
    }
    return range.lowerBound + shift..<range.upperBound + shift
  }

  private static func edits(of link: BodyScan.Link, in bytes: [UInt8]) -> [(range: Range<Int>, text: String)]
  {
    guard let place = LinkPlace(link, in: bytes) else { return [] }
    guard link.form == .wiki || link.form == .embed else { return [(place.target, "")] }
    if place.hasLabel {
      let start = link.range.lowerBound + (link.form == .embed ? 3 : 2)
      let inner = bytes[start..<link.range.upperBound - 2]
      guard let label = WikiLabels.parts(of: inner, isEmbed: link.form == .embed).label else { return [] }
      return [
        (link.range.lowerBound..<label.startIndex, ""), (label.endIndex..<link.range.upperBound, ""),
      ]
    }
    return NoteMarks.namesByPlace(link.target) ? [(link.range, NoteMarks.unnamed)] : []
  }
}

extension NoteMarks {
  /// What stands for a note that is not on the site, where a link has no words but its id or path.
  static let unnamed = "…"

  /// Whether a link names a note by its id or path.
  static func namesByPlace(_ target: String) -> Bool {
    NoteID(target) != nil || target.hasSuffix(".md") || target.contains("/")
  }
}

/// The values of fields that name notes which are not on the site: neither their ids nor their titles are told.
struct HiddenReferences {
  private let hidden: [(field: String, text: String)]
  private let map: SiteMap

  /// - Parameter connections: those of the note that has the fields.
  init(_ connections: [Connection], _ map: SiteMap) {
    self.map = map
    hidden = connections.compactMap { connection in
      guard let field = connection.field, case .note(let place) = connection.target,
        map.number(ofPlace: place) == nil
      else { return nil }
      return (field, connection.text)
    }
  }

  /// Whether a value of a field is the name or the path of such a note, alone or as a wiki link.
  func hide(_ value: String, in field: FrontMatterField) -> Bool {
    if map.isHiddenPath(value) { return true }
    guard !hidden.isEmpty else { return false }
    let name = Field.bareReference(value)
    return hidden.contains { known in
      known.field == field.name && (known.text.hasSameBytes(as: name) || isLink(value, to: known.text))
    }
  }

  private func isLink(_ value: String, to target: String) -> Bool {
    value.hasPrefix("[[") && value.firstRange(of: "]]")?.upperBound == value.endIndex
      && WikiLabel(Array(value.utf8)[...]).target.hasSameBytes(as: target)
  }

  /// The text of a field without such values; nil where nothing is left.
  func text(of field: FrontMatterField) -> String? {
    let strings = field.value.strings
    guard !strings.isEmpty else { return NoteColumns.text(field.value) }
    let shown = strings.filter { !hide($0, in: field) }.map { words(of: $0, in: field) }
    return shown.isEmpty ? nil : shown.joined(separator: ", ")
  }

  /// A value with the words of each link to such a note in the place of the link.
  func words(of value: String, in field: FrontMatterField) -> String {
    guard !hidden.isEmpty else { return value }
    let bytes = Array(value.utf8)
    var edits: [(range: Range<Int>, text: [UInt8])] = []
    for link in FieldLinks.links(in: value) {
      guard hidden.contains(where: { $0.field == field.name && $0.text.hasSameBytes(as: link.target) })
      else { continue }
      switch link.form {
      case .wiki, .embed:
        let label = WikiLabel(bytes[link.range])
        let words = label.text ?? (NoteMarks.namesByPlace(label.target) ? NoteMarks.unnamed : label.target)
        edits.append((link.range, Array(words.utf8)))
      case .markdown, .image, .reference:
        let label = bytes[link.range].drop { $0 != UInt8(ascii: "[") }.dropFirst()
        edits.append((link.range, Array(label.prefix { $0 != UInt8(ascii: "]") })))
      case .html, .path:
        if let place = LinkPlace(link, in: bytes) { edits.append((place.target, [])) }
      }
    }
    var text = bytes
    for edit in edits.reversed() { text.replaceSubrange(edit.range, with: edit.text) }
    return String(decoding: text, as: UTF8.self)
  }
}
