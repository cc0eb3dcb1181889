import NoteIndex
import Notes
import Presentation

/// All that the screen shows and knows; every event makes the next one of it.
struct ScreenState: Sendable {
  enum Pane: Int, Sendable, CaseIterable {
    case sidebar, list, preview

    /// The name that the first line shows.
    var name: String {
      switch self {
      case .sidebar: "filters"
      case .list: "list"
      case .preview: "note"
      }
    }
  }

  /// The note beside the list.
  struct Preview: Sendable {
    let path: [UInt8]
    private(set) var lines: [[Cell]]
    /// The first line with a word of the query; nil if no line has one.
    private(set) var foundLine: Int?

    init(path: [UInt8], lines: [[Cell]]) { (self.path, self.lines) = (path, lines) }

    /// Marks folded words that were looked for.
    mutating func mark(_ words: Set<String>) {
      for place in lines.indices where CellLine.mark(words, in: &lines[place]) {
        foundLine = foundLine ?? place
      }
    }
  }

  /// The message at the foot until the next key.
  struct Message: Sendable, Equatable {
    let lines: [String]
    var isError = false
  }

  /// The key of a preview.
  struct PreviewKey: Equatable, Sendable {
    let path: [UInt8]
    let list: Int
    let width: Int
  }

  let actions: ActionTable
  let style: Style
  let boxName: String
  var size: (columns: Int, rows: Int)
  /// The lists, the one of now last; Esc goes back to the one before.
  var views = [ListView(request: ListingRequest())]
  var focus = Pane.list
  /// How much room the pane with the keys has: 0 its share, 1 most, 2 all.
  var zoom = 0
  var sidebar: [SidebarItem] = []
  var sidebarCursor = 1
  var sidebarTop = 0
  var preview: Preview?
  var previewTop = 0
  /// The key of the preview requested last.
  var previewKey: PreviewKey?
  var prompt: Prompt?
  var sheet: Sheet?
  /// The notes that match the text typed last into the palette.
  var foundTitles: [FoundTitle] = []
  var message: Message?
  /// The command that is running.
  var running: CommandRun?
  /// The commands that wait for it.
  var waiting: [CommandRun] = []
  /// The path of the note at the cursor when a list was requested last.
  var keptPath: [UInt8]?
  /// The number of the last list from before a command: in a later one the cursor stays in its row, wherever the note went.
  var stayedList: Int?
  /// The first row of the list that a filter was typed over, to which Esc goes back.
  var restoredTop: Int?
  /// A note that is shown again, from the line on that was its first one before.
  var restoredNote: (path: [UInt8], top: Int)?
  /// The moment that the sidebar counts.
  var sidebarMoment = ListingRequest.Moment.now
  /// The REF of a note that was made, to which the cursor goes once it is listed.
  var awaited: String?
  /// The messages already shown about keys with a new meaning.
  var said: Set<String> = []
  /// The lines that were typed, by purpose, the last one last.
  var queries: [String] = []
  var commands: [String] = []
  /// The number of the list requested last; answers for earlier ones are dropped.
  var listNumber = 0
  /// The number of the list that is shown.
  var shownNumber = 0
  var previewNumber = 0

  init(actions: ActionTable, style: Style, boxName: String, size: (columns: Int, rows: Int)) {
    self.actions = actions
    self.style = style
    self.boxName = boxName
    self.size = size
  }

  /// The list of now.
  var view: ListView {
    get { views[views.count - 1] }
    set { views[views.count - 1] = newValue }
  }

  var listing: Listing? { view.listing }

  /// The note at the cursor.
  var entry: Entry? { listing?.entry(view.cursor) }

  /// How many notes an action is for.
  var targetCount: Int {
    if view.marked.isEmpty, view.anchor == nil { return entry == nil ? 0 : 1 }
    var view = view
    view.endRange()
    return view.marked.count
  }

  /// The notes that an action is for, in words: the title of the only one, else how many.
  var targetName: String {
    guard let listing, targetCount == 1 else { return Count.notes(targetCount) }
    var view = view
    view.endRange()
    guard let path = view.marked.first else { return entry?.note.title ?? "" }
    let match = listing.matches.first { $0.entries.path(at: $0.place) == path }
    return match?.entry.note.title ?? Count.notes(1)
  }

  /// The REFs of the notes that an action is for: those that are marked, else that of the cursor.
  var targets: [String] {
    guard let listing else { return [] }
    var view = view
    view.endRange()
    if view.marked.isEmpty { return entry.map { [$0.reference] } ?? [] }
    return listing.matches.compactMap { match in
      view.marked.contains(match.entries.path(at: match.place)) ? match.entry.reference : nil
    }
  }

  /// The requests before the first frame.
  mutating func start() -> [ScreenEffect] { [load(view.request)] }

  /// Asks for a list, which takes the place of the one of now when it is there.
  ///
  /// - Parameter other: the path of the note to which the cursor goes; by default that of its note.
  mutating func load(_ request: ListingRequest, keeping other: [UInt8]? = nil) -> ScreenEffect {
    listNumber += 1
    view.request = request
    let path = listing.flatMap { $0.path(view.cursor) }
    keptPath = path
    return .load(number: listNumber, request, keeping: other ?? path, reference: awaited)
  }

  /// Opens a list over the one of now. That of another moment begins at the same note.
  ///
  /// - Parameter sheet: what Esc brings back with the list of now.
  mutating func open(_ request: ListingRequest, over sheet: Sheet? = nil) -> [ScreenEffect] {
    if request == view.request { return [] }
    let path = request.moment == view.request.moment ? nil : listing?.path(view.cursor)
    view.left = ListView.Left(
      isReading: focus == .preview, note: preview.map { ($0.path, previewTop) }, sheet: sheet)
    views.append(ListView(request: request))
    // Views beyond the limit are forgotten.
    if views.count > Self.mostViews { views.remove(at: 1) }
    focus = .list
    return [load(request, keeping: path)]
  }

  /// Goes back to the list before, as it was left.
  mutating func close() {
    views.removeLast()
    guard let left = view.left else { return }
    view.left = nil
    focus = left.isReading ? .preview : .list
    (restoredNote, sheet) = (left.note, left.sheet)
  }

  private static let mostViews = 50

  mutating func say(_ lines: String..., isError: Bool = false) {
    message = Message(lines: lines, isError: isError)
  }
}

extension Entry {
  /// The REF that names the note in a command.
  var reference: String { note.id?.description ?? String(decoding: note.path, as: UTF8.self) }
}

/// Something that happened.
enum ScreenEvent: Sendable {
  case key(Key)
  case resized(columns: Int, rows: Int)
  /// A list was read. The row is that of the note that the cursor was on.
  case listed(number: Int, Listing, row: Int?)
  /// A list can't be read: why.
  case notListed(number: Int, [String])
  case previewed(number: Int, ScreenState.Preview)
  case sidebar([SidebarItem])
  case completed(head: String, [Candidate])
  case titles(typed: String, [FoundTitle])
  /// A requested sheet over the panes.
  case opened(Sheet)
  /// The next conflict of a note; nil if it has no other.
  case nextConflict(TextSheet?)
  case ran(CommandResult)
  /// The box shows something else than before.
  case changed
  /// An error that belongs to no request.
  case failed([String])
}

/// How a command ended.
struct CommandResult: Sendable {
  let run: CommandRun
  let output: [String]
  let messages: [String]
  let isSuccess: Bool
  /// Whether it had the terminal, so that the user has seen its output.
  var hadTerminal = false
}

/// Something that is to be done outside of the state.
enum ScreenEffect: Sendable {
  /// Reads a list. The cursor goes to the note of a REF, else to that of a path.
  case load(number: Int, ListingRequest, keeping: [UInt8]?, reference: String?)
  /// Draws a note for a width.
  case preview(number: Int, Listing, Entry, width: Int)
  /// Counts the items of the sidebar, at the moment of a list of the past, else now.
  case readSidebar(Listing?)
  /// Completes the words of a query.
  case completeQuery(head: String)
  /// Completes the words of a command; `note` is a REF of the notes that `@` means.
  case completeCommand(head: String, note: String?)
  /// Finds the notes whose titles match the typed text.
  case findTitles(String)
  /// Reads the history of notes, by their paths in the list; nil for the whole box.
  case readHistory(Listing, Entry?)
  /// Reads the headings or the check boxes of a note.
  case readParts(Listing, Entry, PartsSheet.Purpose)
  /// Reads the conflicts of a note.
  case readConflicts(Listing, Entry)
  /// Reads the next conflict of a note, by its REF, after one was resolved.
  case readNextConflict(String)
  /// Runs a command, whose output is shown in so much room.
  case run(CommandRun, size: (columns: Int, rows: Int))
  /// Hands a text to the clipboard of the terminal.
  case copy(String)
  /// Looks at all files again.
  case refresh
  case redraw
  case suspend
  case quit
}

/// A list on the screen: its request, the position of the cursor, and the marked notes.
struct ListView: Sendable {
  var request: ListingRequest
  /// Nil until the list was read.
  var listing: Listing?
  /// The row of the cursor, from 0.
  var cursor = 0
  /// The first row that is shown.
  var top = 0
  /// The paths of the notes that are marked.
  var marked: Set<[UInt8]> = []
  /// The first row of a range; nil if none is being marked.
  var anchor: Int?
  /// How the screen was when another list was opened over this one.
  var left: Left?

  struct Left: Sendable {
    /// Whether the note had the keys.
    let isReading: Bool
    /// The note that was shown, and its first line on the screen.
    let note: (path: [UInt8], top: Int)?
    let sheet: Sheet?
  }

  var count: Int { listing?.matches.count ?? 0 }

  /// The rows of the range that is being marked.
  var range: ClosedRange<Int>? { anchor.map { min($0, cursor)...max($0, cursor) } }

  /// Moves the cursor by some rows, as far as there are any.
  mutating func move(_ rows: Int) { moveTo(cursor + rows) }

  mutating func moveTo(_ row: Int) { cursor = max(0, min(row, count - 1)) }

  /// Takes the range for marked.
  mutating func endRange() {
    if let range, let listing {
      for row in range { if let path = listing.path(row) { marked.insert(path) } }
    }
    anchor = nil
  }

  mutating func toggleMark() {
    guard let path = listing?.path(cursor) else { return }
    if marked.remove(path) == nil { marked.insert(path) }
  }

  func isMarked(_ row: Int) -> Bool {
    if let range, range.contains(row) { return true }
    guard !marked.isEmpty, let path = listing?.path(row) else { return false }
    return marked.contains(path)
  }

  /// Keeps the cursor in the list and among the rows that are shown.
  mutating func settle(height: Int) {
    moveTo(cursor)
    if let place = anchor { anchor = min(place, max(0, count - 1)) }
    let height = max(1, height)
    // The last rows stay at the bottom, as long as there are enough above them.
    top = max(0, min(top, count - height))
    if cursor < top { top = cursor }
    if cursor >= top + height { top = cursor - height + 1 }
  }
}

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
  /// The list gets so many columns, in which a title has 30, as long as the note beside it keeps its least.
  private static let usualListColumns = 57
  private static let leastPreviewColumns = 36

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
      var list = left * share / 100
      if state.zoom == 0 { list = max(list, min(Self.usualListColumns, left - Self.leastPreviewColumns)) }
      widths[.list] = list
      widths[.preview] = left - list
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
