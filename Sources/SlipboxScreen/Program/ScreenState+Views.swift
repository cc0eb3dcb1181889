import NoteIndex
import Notes
import Presentation
import Text

extension ScreenState {
  /// Rows of a kind need at least this room; narrower ones show the title alone.
  private static let leastRow = 30

  /// A board or a calendar in the pane of the list.
  func draw(_ form: ViewForm, of listing: Listing, in area: Layout.Area, _ frame: inout Frame) {
    let places = ViewPlaces(form, in: area, cursor: view.cursor)
    for heading in places.headings {
      let place = heading.place
      let text = CellWidth.truncate(heading.text, to: place.width, mark: style.ellipsis)
      frame.put(text, .bold, row: place.row, column: place.column, width: place.width)
    }
    for (row, place) in places.notes {
      guard let entry = listing.entry(row) else { continue }
      let isMarked = view.isMarked(row)
      let line: String
      if place.width >= Self.leastRow {
        let display = Display(style: style, width: place.width)
        line = listing.rows.lines([entry], kind: listing.kind, display).first ?? ""
      } else {
        line = CellWidth.truncate(Visible.escape(entry.note.title), to: place.width, mark: style.ellipsis)
      }
      let sign = isMarked ? (style.unicode ? "●" : "*") : ""
      frame.put(
        CellLine.cells(sign + line, limit: place.width), row: place.row, column: place.column,
        width: place.width, adding: row != view.cursor ? [] : focus == .list ? .reverse : .underline)
    }
  }
}
