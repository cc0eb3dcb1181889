/// The layout of the panes: three from 120 columns on, two from 80, one below.
struct Panes: Equatable {
  struct Area: Equatable {
    let column: Int
    let row: Int
    let columns: Int
    let rows: Int

    func holds(_ column: Int, _ row: Int) -> Bool {
      (self.column..<self.column + columns).contains(column) && (self.row..<self.row + rows).contains(row)
    }
  }

  /// Nil for a pane that is not shown.
  let sidebar: Area?
  let list: Area?
  let preview: Area?

  private static let threePanes = 120
  private static let twoPanes = 80
  private static let sidebarColumns = 24

  init(_ state: ScreenState) {
    let (columns, rows) = (max(1, state.size.columns), max(0, state.size.rows - 2))
    var shown: [ScreenState.Pane] =
      columns >= Self.threePanes
      ? [.sidebar, .list, .preview] : columns >= Self.twoPanes ? [.list, .preview] : [state.focus]
    if !shown.contains(state.focus) { shown = [state.focus, .list] }
    // A board or a calendar has the place of the note too, as long as it has the keys.
    if state.listing?.form?.isGrid == true, state.focus != .preview, state.zoom == 0 {
      shown.removeAll { $0 == .preview }
    }
    if state.zoom == 2 { shown = [state.focus] }
    var widths: [ScreenState.Pane: Int] = [:]
    var left = columns - (shown.count - 1)
    if shown.contains(.sidebar), shown.count > 1 {
      widths[.sidebar] =
        state.zoom == 1 && state.focus == .sidebar ? left / 2 : min(Self.sidebarColumns, left / 2)
      left -= widths[.sidebar] ?? 0
    }
    let others = shown.filter { widths[$0] == nil }
    if others.count == 2 {
      let share = state.zoom == 1 ? (state.focus == .list ? 70 : state.focus == .preview ? 30 : 54) : 54
      widths[.list] = left * share / 100
      widths[.preview] = left - left * share / 100
    } else if let only = others.first {
      widths[only] = left
    }
    var areas: [ScreenState.Pane: Area] = [:]
    var column = 0
    for pane in shown.sorted(by: { $0.rawValue < $1.rawValue }) {
      let width = max(0, widths[pane] ?? 0)
      areas[pane] = Area(column: column, row: 1, columns: width, rows: rows)
      column += width + 1
    }
    (sidebar, list, preview) = (areas[.sidebar], areas[.list], areas[.preview])
  }
}
