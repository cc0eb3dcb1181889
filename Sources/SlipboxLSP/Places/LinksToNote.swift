import NoteIndex
import Notes
import SlipboxCore

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
