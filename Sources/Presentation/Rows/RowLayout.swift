import NoteIndex
import Notes
import Text

/// How the columns of a row are laid out on a terminal.
///
/// Where there is too little room, tags leave first, then other text, then numbers and days, then signs and states,
/// the rightmost of each first; the name and the title stay. Days, numbers and states are never cut.
enum RowLayout {
  /// The column of the name: an id's first letters, or a path.
  ///
  /// - Parameter isAlone: whether all notes are named by paths, which get more room then.
  static func name(_ width: Int?, isAlone: Bool, _ paint: @escaping Table.Paint) -> Table.Column {
    var column = Table.Column(isFlexible: true, minimumWidth: 8, paint: paint)
    column.cut = .middle
    column.maximumWidth = width.map { max(8, $0 / (isAlone ? 3 : 6)) } ?? .max
    return column
  }

  /// The column of the title.
  static var title: Table.Column { title(atLeast: 16) }

  /// The least room for titles beside other panes, while other columns can leave.
  static let windowTitle = 30

  private static func title(atLeast width: Int) -> Table.Column {
    var column = Table.Column(isFlexible: true, minimumWidth: width)
    column.weight = 3
    return column
  }

  /// A column of text, which may be cut.
  static func text(leaves: Int) -> Table.Column {
    var column = Table.Column(isFlexible: true, minimumWidth: 8)
    column.leaves = leaves
    return column
  }

  /// A column that is never cut.
  static func fixed(leaves: Int, keeping width: Int = 0) -> Table.Column {
    var column = Table.Column(minimumWidth: width)
    column.leaves = leaves
    column.isKept = width > 0
    return column
  }

  /// The columns that a kind declares for its row.
  ///
  /// - Parameter leastTitle: the least room for the title; nil for the usual one.
  static func columns(of kind: Kind, unicode: Bool, leastTitle: Int? = nil) -> [Table.Column] {
    kind.row.enumerated().map { index, column in
      let place = kind.row.count - index
      guard case .field(let name) = column.content else { return fixed(leaves: 200 + place) }
      if name == "title" { return leastTitle.map { title(atLeast: $0) } ?? title }
      guard column.symbols.isEmpty, let field = kind.field(name) else {
        return fixed(leaves: 300 + place, keeping: column.markWidth(unicode: unicode))
      }
      switch field.type {
      case .tags: return text(leaves: place)
      case .text, .reference: return text(leaves: 100 + place)
      default: return field.isList ? text(leaves: 100 + place) : fixed(leaves: 200 + place)
      }
    }
  }
}

extension RowColumn {
  private static let widestMark = 3

  /// The room that is kept for signs of a few letters, so that titles stand at one place in every list; else 0.
  fileprivate func markWidth(unicode: Bool) -> Int {
    let signs = symbols.map { unicode ? $0.sign : $0.ascii ?? $0.sign }
    let widest = signs.map { CellWidth.of($0) }.max() ?? 0
    return widest <= Self.widestMark ? widest : 0
  }
}

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
