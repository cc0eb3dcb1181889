import NoteIndex

/// The colours of a row for a pipe, where colour was asked for.
struct RowPaint: Sendable {
  private let style: Style
  private let states: RecordStates

  init(_ style: Style, _ states: RecordStates) {
    self.style = style
    self.states = states
  }

  /// A cell with its colour: a title says how its record stands.
  @Sendable func callAsFunction(_ column: String, _ text: String, _ entry: Entry) -> String {
    guard style.colour else { return text }
    switch column {
    case "name": return style.bold(text)
    case "title":
      let state = states.state(of: entry)
      return (state.paint(style) ?? { $0 })(text)
    default: return style.dim(text)
    }
  }
}
