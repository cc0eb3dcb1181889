import NoteIndex
import Notes

/// The cells of a record's row as plain text.
struct RecordRow: Sendable {
  private let kind: Kind
  private let titles: RecordTitles
  private let unicode: Bool

  init(_ kind: Kind, _ titles: RecordTitles, unicode: Bool) {
    self.kind = kind
    self.titles = titles
    self.unicode = unicode
  }

  /// The text of each column that the kind declares.
  func cells(of entry: Entry) -> [String] {
    let surroundings = RowSurroundings(
      created: entry.created, count: { [titles] kind in titles.count(of: kind, referringTo: entry) },
      title: titles.title)
    return kind.row.map { $0.text(for: entry.note, kind: kind, unicode: unicode, surroundings) }
  }
}
