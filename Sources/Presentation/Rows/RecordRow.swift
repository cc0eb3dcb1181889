import NoteIndex
import Notes

/// The cells of a record's row as plain text.
struct RecordRow: Sendable {
  private let kind: Kind
  private let titles: RecordTitles
  private let states: RecordStates
  private let unicode: Bool

  init(_ kind: Kind, _ titles: RecordTitles, _ states: RecordStates, unicode: Bool) {
    self.kind = kind
    self.states = states
    self.titles = titles
    self.unicode = unicode
  }

  /// The text of each column that the kind declares.
  func cells(of entry: Entry) -> [String] {
    let surroundings = RowSurroundings(
      created: entry.created, count: { [titles] kind in titles.count(of: kind, referringTo: entry) },
      title: titles.title, isIn: { [states] in states.isIn($0, entry) })
    return kind.row.map { $0.text(for: entry.note, kind: kind, unicode: unicode, surroundings) }
  }
}
