import NoteIndex
import Notes
import Presentation
import SlipboxCore

/// A line above a line of a text.
struct CodeLens: Codable, Sendable {
  let range: PositionRange
  var command: ClientCommand?
}

/// How many notes link to a note, and how many links lead to its headings.
///
/// No command that shows references is known to all clients, and a client does not say which of its own it has: a lens is
/// its title alone, with an empty command, which editors show as text. `textDocument/references` gives the places.
struct CodeLenses {
  private let place: DocumentPlace

  init(_ place: DocumentPlace) { self.place = place }

  /// None for what nothing links to.
  func all() throws -> [CodeLens] {
    let reader = try LinkReader(place)
    guard let web = reader.web else { return [] }
    let lines = place.document.lines
    let links = LinksToNote(reader.note, web, own: reader.all())
    var lenses: [CodeLens] = []
    if links.noteCount > 0 {
      lenses.append(Self.lens(lines.content(ofLine: 0), lines, links.noteCount, "backlink"))
    }
    let anchors = HeadingAnchors(place.text)
    for (number, count) in links.counts(anchors).sorted(by: { $0.key < $1.key }) {
      lenses.append(Self.lens(anchors.headings[number].lines, lines, count, "link"))
    }
    return lenses
  }

  private static func lens(_ range: Range<Int>, _ lines: LineTable, _ count: Int, _ noun: String) -> CodeLens
  {
    let line = lines.content(ofLine: lines.line(at: range.lowerBound))
    return CodeLens(
      range: lines.range(of: line),
      command: ClientCommand(
        title: count == 1 ? "1 \(noun)" : "\(count) \(noun)s", command: "", arguments: nil))
  }
}

/// A remark between the letters of a text.
struct InlayHint: Encodable, Sendable {
  let position: Position
  let label: String
  let paddingLeft = true
}

/// The states of the records that a document links to, behind the links.
struct InlayHints {
  /// A longer remark is cut, in characters.
  private static let longest = 40

  private let place: DocumentPlace

  init(_ place: DocumentPlace) { self.place = place }

  /// - Parameter range: the part of the document that is shown.
  func all(in range: PositionRange) throws -> [InlayHint] {
    guard let box = place.box else { return [] }
    let lines = place.document.lines
    let wanted = lines.offsets(of: range)
    let links = try LinkReader(place).all().filter {
      wanted.lowerBound <= $0.range.upperBound && $0.range.upperBound <= wanted.upperBound
    }
    guard links.contains(where: { !$0.places.isEmpty }) else { return [] }
    let (row, today) = (try LiveRow(box.snapshot), box.snapshot.clock.today)
    let entries = try box.snapshot.catalogue().entries
    return links.compactMap { link in
      guard case .note(let place) = link.target else { return nil }
      let hint = row.hint(of: entries[place]) { DayWords.short($0, today: today) }
      guard !hint.isEmpty else { return nil }
      let label = hint.joined(separator: ", ")
      return InlayHint(
        position: lines.position(of: link.range.upperBound),
        label: label.count > Self.longest ? label.prefix(Self.longest - 1) + "…" : label)
    }
  }
}
