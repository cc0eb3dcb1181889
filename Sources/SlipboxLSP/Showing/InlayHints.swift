import NoteIndex
import Notes
import Presentation
import SlipboxCore

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
