import NoteIndex
import Notes
import SlipboxCore
import Text

/// The kinds of a site's notes, each with its records in the order that the kind declares.
struct KindPages: Sendable {
  struct Kind: Sendable {
    let name: String
    /// The records by their numbers.
    let notes: [Int]
  }

  /// Those of plain notes last, the others in the order of the schema.
  let kinds: [Kind]

  init(_ contents: SiteContents, in snapshot: BoxSnapshot) throws(SlipboxError) {
    let numbers = Dictionary(grouping: contents.notes.indices) { contents.notes[$0].kind }
    let declared = contents.schema.kinds.map(\.name)
    let order =
      declared.filter { $0 != "note" } + numbers.keys.filter { !declared.contains($0) }.sorted() + ["note"]
    var kinds: [Kind] = []
    for name in order {
      guard let notes = numbers[name] else { continue }
      kinds.append(Kind(name: name, notes: try Self.ordered(notes, name, contents, snapshot)))
    }
    self.kinds = kinds
  }

  /// The records of a kind as a list of the kind has them.
  private static func ordered(
    _ notes: [Int], _ name: String, _ contents: SiteContents, _ snapshot: BoxSnapshot
  ) throws(SlipboxError) -> [Int] {
    // A list of one kind has the kind's own order; a name that no query can say keeps the newest first.
    guard contents.schema.kind(named: name)?.sort != nil,
      let query = try? snapshot.query(["kind:\"\(name)\""])
    else {
      return notes
    }
    let wanted = Set(notes)
    let ordered = try snapshot.matches(query).compactMap { contents.map.number(ofPlace: $0.place) }
    return ordered.filter(wanted.contains).count == notes.count ? ordered.filter(wanted.contains) : notes
  }
}
