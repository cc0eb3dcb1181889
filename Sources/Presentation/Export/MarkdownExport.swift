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
  package func write(to sink: ByteSink) throws(SlipboxError) {
    let (entries, places, numbers, connections) = (
      web.entries, self.places, self.numbers, self.connections
    )
    let starts = stride(from: 0, to: places.count, by: Self.partLength)
    let parts = starts.map { $0..<min($0 + Self.partLength, places.count) }
    concurrentStream(parts, ahead: 16) { part in
      part.flatMap { number -> [UInt8] in
        let section = MarkdownSection(entries[places[number]], number: number, connections[number]) { place in
          numbers[place].map { number in
            let note = entries[place].note
            return (number: number, title: note.title, id: note.id)
          }
        }
        return (number == 0 ? [] : Array("\n".utf8)) + section.bytes()
      }
    } _: {
      sink($0)
    }
    try snapshot.refuseUnreadTexts()
  }
}
