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
    let lines: [[Cell]]
  }

  /// What is said at the foot until the next key.
  struct Message: Sendable, Equatable {
    let lines: [String]
    var isError = false
  }

  /// What a preview is asked for.
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
  var views = [ListView(request: ListRequest())]
  var focus = Pane.list
  /// How much room the pane with the keys has: 0 its share, 1 most, 2 all.
  var zoom = 0
  var sidebar: [SidebarItem] = []
  var sidebarCursor = 1
  var sidebarTop = 0
  var preview: Preview?
  var previewTop = 0
  /// What the preview was asked for last.
  var previewKey: PreviewKey?
  var prompt: Prompt?
  var sheet: Sheet?
  var message: Message?
  /// The command that is running.
  var running: CommandRun?
  /// The commands that wait for it.
  var waiting: [CommandRun] = []
  /// The path of the note that the cursor stood on when a list was asked for last.
  var keptPath: [UInt8]?
  /// The number of the last list from before a command: in a later one the cursor stays in its row, wherever the note went.
  var stayedList: Int?
  /// The first row of the list that a filter was typed over, to which Esc goes back.
  var restoredTop: Int?
  /// The moment that the sidebar counts.
  var sidebarMoment = ListRequest.Moment.now
  /// The REF of a note that was made, to which the cursor goes once it is listed.
  var awaited: String?
  /// The lines that were typed, by purpose, the last one last.
  var queries: [String] = []
  var commands: [String] = []
  /// The number of the list that was asked for last; answers to others come too late.
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

  /// The note that the cursor stands on.
  var entry: Entry? { listing?.entry(view.cursor) }

  /// How many notes an action is for.
  var targetCount: Int {
    if view.marked.isEmpty, view.anchor == nil { return entry == nil ? 0 : 1 }
    var view = view
    view.endRange()
    return view.marked.count
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

  /// What is asked for before the first frame.
  mutating func start() -> [ScreenEffect] { [load(view.request)] }

  /// Asks for a list, which takes the place of the one of now when it is there.
  ///
  /// - Parameter other: the path of the note to which the cursor goes; by default that of its note.
  mutating func load(_ request: ListRequest, keeping other: [UInt8]? = nil) -> ScreenEffect {
    listNumber += 1
    view.request = request
    let path = listing.flatMap { $0.path(view.cursor) }
    keptPath = path
    return .load(number: listNumber, request, keeping: other ?? path, reference: awaited)
  }

  /// Opens a list over the one of now.
  mutating func open(_ request: ListRequest) -> [ScreenEffect] {
    if request == view.request { return [] }
    views.append(ListView(request: request))
    // What cannot be gone back to one by one is forgotten.
    if views.count > Self.mostViews { views.remove(at: 1) }
    focus = .list
    return [load(request)]
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
