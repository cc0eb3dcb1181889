import NoteIndex
import Notes
import SlipboxCore

/// A note's text without what a page does not show of links to notes that are not on the site: targets behind labels, ids and
/// paths.
struct PublicText {
  let text: NoteText
  /// What was taken out, and how many bytes stand there instead, in order.
  private let cuts: [(range: Range<Int>, count: Int)]

  init(_ note: Note, _ connections: [Connection], _ notes: HiddenNotes) {
    let hidden = Set(
      connections.compactMap { connection -> Int? in
        guard connection.field == nil, case .note(let place) = connection.target, notes.contains(place)
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

  /// Whether something was taken out.
  var isShortened: Bool { !cuts.isEmpty }

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
