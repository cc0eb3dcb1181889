import NoteIndex
import Notes
import SlipboxCore
import Text

/// Something that can be done on the screen by a key: the row of a table that keys, footer, help, palette, settings and the
/// manual read.
struct ScreenAction: Sendable {
  /// The groups of actions in help.
  enum Group: String, Sendable, CaseIterable {
    case notes = "Notes"
    case finding = "Finding"
    case history = "History"
    case moving = "Moving"
    case screen = "The screen"
  }

  /// The name by which settings give it other keys.
  let name: String
  var keys: [Key]
  /// Its effect in a few words.
  let text: String
  let group: Group
  /// The word by which the foot of the screen names it; nil if it does not.
  var foot: String?
  /// The panes in which its keys work.
  var panes = Set(ScreenState.Pane.allCases)
  /// Why it can't be done now; nil if it can.
  var refusal: @Sendable (ScreenState) -> String? = { _ in nil }
  let run: @Sendable (inout ScreenState) -> [ScreenEffect]

  /// The keys by their names.
  var keyNames: String { keys.compactMap(\.name).joined(separator: " ") }
}

/// All that can be done on the screen.
struct ActionTable: Sendable {
  private(set) var actions: [ScreenAction]
  /// Whether a command can show its patch and be run without a question.
  let showsPatch: @Sendable (_ words: [String]) -> Bool

  /// A setting of keys that can't be used.
  struct Fault: Error {
    let message: String
    let hint: String
  }

  /// - Parameter keys: keys that the user has set, as in `delete=X`, with blanks between them.
  init(
    keys: String = "", showsPatch: @escaping @Sendable (_ words: [String]) -> Bool = { _ in false }
  ) throws(Fault) {
    self.showsPatch = showsPatch
    actions = ScreenAction.all
    for setting in keys.split(separator: " ") { try set(String(setting)) }
  }

  private mutating func set(_ setting: String) throws(Fault) {
    let parts = setting.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
    guard parts.count == 2, let place = actions.firstIndex(where: { $0.name == parts[0] }) else {
      let near = Spelling.nearest(to: parts[0], among: actions.map(\.name))
      throw Fault(
        message: "browse.keys: there is no action \(Visible.escape(parts[0]))",
        hint: near.map { "did you mean: \($0)" } ?? "slip browse --help lists the actions")
    }
    guard let key = Key(named: parts[1]) else {
      throw Fault(
        message: "browse.keys: \(Visible.escape(parts[1])) is not a key",
        hint: "keys are X, ctrl-x, space, page-up and the like")
    }
    for other in actions.indices { actions[other].keys.removeAll { $0 == key } }
    actions[place].keys = [key]
  }

  /// The action of a key; nil if it has none here.
  func action(for key: Key, in state: ScreenState) -> ScreenAction? {
    actions.first { $0.keys.contains(key) && $0.panes.contains(state.focus) }
      ?? Self.ofKind(state).first { $0.keys.contains(key) }
  }

  /// The actions of the kind of the note at the cursor, by the keys 1 to 9 in the order of their declaration.
  static func ofKind(_ state: ScreenState) -> [ScreenAction] {
    guard let listing = state.listing, let entry = state.entry else { return [] }
    return listing.actions(of: entry).prefix(9).enumerated().map { place, action in
      ScreenAction(
        name: action.name, keys: [.text(String(place + 1))], text: action.name, group: .notes,
        foot: action.name,
        refusal: { ScreenAction.change($0) ?? ScreenAction.changesNothing(action, $0) }
      ) { $0.run(["do", action.name, "@"]) }
    }
  }

  /// The actions whose words hold all that was typed, those that begin with it first, and the notes whose titles do.
  func found(_ typed: String, _ state: ScreenState) -> [ScreenAction] {
    let words = Folding.fold(typed).split(separator: " ")
    let all = (Self.ofKind(state) + actions).filter { $0.name != "palette" }
    let fitting = all.filter { action in
      let text = Folding.fold("\(action.name) \(action.text)")
      return words.allSatisfy { text.contains($0) }
    }
    let beginning = { (action: ScreenAction) in
      words.first.map { Folding.fold(action.text).hasPrefix($0) || Folding.fold(action.name).hasPrefix($0) }
        ?? false
    }
    let notes = words.isEmpty ? [] : state.foundTitles
    let views = words.isEmpty ? [] : Self.views(state, words)
    return notes.filter(\.isExact).map(Self.note) + views + fitting.filter(beginning)
      + fitting.filter { !beginning($0) } + notes.filter { !$0.isExact }.map(Self.note) + Self.titled(typed)
  }

  /// The actions that show the saved views whose names have all words.
  private static func views(_ state: ScreenState, _ words: [Substring]) -> [ScreenAction] {
    state.sidebar.compactMap(\.view).filter { name in
      let text = Folding.fold("view \(name)")
      return words.allSatisfy { text.contains($0) }
    }.map { name in
      ScreenAction(name: "view", keys: [], text: "view: \(Visible.escape(name))", group: .finding) {
        $0.list("", view: name)
      }
    }
  }

  /// The action that goes to a note.
  private static func note(_ found: FoundTitle) -> ScreenAction {
    let text = "\(Visible.escape(found.title))  (\(Visible.escape(found.kind)))"
    return ScreenAction(name: "note", keys: [], text: text, group: .finding) { $0.go(to: found.reference) }
  }

  /// The action that lists the notes whose titles have words that begin as those that were typed, in any order.
  private static func titled(_ typed: String) -> [ScreenAction] {
    let query = FoundTitle.query(typed)
    guard !query.isEmpty else { return [] }
    return [
      ScreenAction(name: "titles", keys: [], text: "list the notes with titles: \(typed)", group: .finding) {
        $0.list(query)
      }
    ]
  }

  /// The lines of help: a heading a group, then a key and its action a line.
  func helpLines(_ state: ScreenState) -> [(keys: String, text: String)] {
    var lines: [(keys: String, text: String)] = []
    let ofKind = Self.ofKind(state)
    if let entry = state.entry, !ofKind.isEmpty {
      lines.append(("", "Actions of \(entry.kind)"))
      lines += ofKind.map { ($0.keyNames, $0.text) }
    }
    for group in ScreenAction.Group.allCases {
      lines.append(("", group.rawValue))
      lines += actions.filter { $0.group == group }.map { ($0.keyNames, $0.text) }
    }
    return lines
  }
}

/// The table of actions as the manual shows it.
package enum ScreenHelp {
  /// A line an action: its keys and its effect.
  package static var lines: [String] {
    ScreenAction.all.map { "\(CellWidth.pad($0.keyNames, to: 18)) \($0.text)" }
  }

  /// The names by which settings give actions other keys.
  package static var names: [String] { ScreenAction.all.map(\.name) }
}

// MARK: Fields

/// The actions that set one field of a kind, by the letters that they have on the page too.
extension ScreenAction {
  static let fields: [ScreenAction] = [
    field("state", .text("s"), "set the state: close, finish", foot: "state") { $0.stateField },
    field("priority", .text("p"), "set the priority") { $0.rankField },
    ScreenAction(
      name: "date", keys: [.text("d")], text: "set the date", group: .notes, foot: "date", panes: inBox,
      refusal: { dateField($0) == nil ? change($0) ?? "\(kind($0)) has no date" : change($0) }
    ) { state in
      state.sayOnce("d sets the date; s sets the state")
      return dateField(state).map { state.ask(.command, "set @ \($0.name):") } ?? []
    },
    ScreenAction(
      name: "tags", keys: [.text("l")], text: "add a tag; -tag removes one", group: .notes, foot: "tags",
      panes: inBox, refusal: change
    ) { $0.ask(.command, "set @ +") },
    ScreenAction(
      name: "day", keys: [.text("m")], text: "add to My Day, or remove from it", group: .notes, panes: inBox,
      refusal: { day($0) == nil ? change($0) ?? "the kind \(kind($0)) can't be added to My Day" : change($0) }
    ) { state in
      guard let day = day(state), let entry = state.entry else { return [] }
      let today = state.listing?.snapshot.clock.today.description
      let isSet = value(of: day.field, entry, state) == today
      return state.run(isSet ? ["set", "@", "\(day.field):"] : ["do", day.action, "@"])
    },
  ]

  static let inBox: Set<ScreenState.Pane> = [.list, .preview]

  /// An action that sets a choice by a menu, and turns a field of true and false round.
  private static func field(
    _ name: String, _ key: Key, _ text: String, foot: String? = nil,
    _ find: @escaping @Sendable (Kind) -> Field?
  ) -> ScreenAction {
    ScreenAction(
      name: name, keys: [key], text: text, group: .notes, foot: foot, panes: inBox,
      refusal: { state in
        change(state) ?? (declared(state).flatMap(find) == nil ? "\(kind(state)) has no \(name)" : nil)
      }
    ) { state in
      guard let kind = declared(state), let field = find(kind), let entry = state.entry else { return [] }
      let now = value(of: field.name, entry, state)
      if field.type == .boolean {
        return state.run(words(setting: field.name, to: now == "true" ? "false" : "true", kind))
      }
      if name == "state" { state.sayOnce("s sets the state; , sorts") }
      let choices = field.values.prefix(9).enumerated().map { place, value in
        Menu.Choice(
          key: String(place + 1), text: value == now ? "\(value) (now)" : value,
          result: .run(words(setting: field.name, to: value, kind)))
      }
      state.sheet = .menu(Menu(title: "\(field.name): \(state.targetName)", choices: choices))
      return []
    }
  }

  /// The command that sets a field: the action of the kind that does just that, which history then names.
  private static func words(setting field: String, to value: String, _ kind: Kind) -> [String] {
    let word = "\(field):\(value)"
    let action = kind.actions.first { $0.words == [word] }
    return action.map { ["do", $0.name, "@"] } ?? ["set", "@", word]
  }

  private static func kind(_ state: ScreenState) -> String { state.entry?.kind ?? "note" }

  /// Why an action would leave the note at the cursor as it is: the field of its only change has that value already.
  fileprivate static func changesNothing(_ action: Action, _ state: ScreenState) -> String? {
    guard state.targetCount == 1, state.view.marked.isEmpty, let kind = declared(state),
      let entry = state.entry,
      action.changes.count == 1
    else { return nil }
    switch action.changes[0] {
    case .set(let name, let new):
      guard let field = kind.field(name), [.boolean, .choice].contains(field.type) else { return nil }
      return value(of: name, entry, state) == new ? "\(name) is \(new) already" : nil
    case .clear(let name):
      return entry.note.frontMatter.field(name) == nil ? "it has no \(name)" : nil
    default: return nil
    }
  }

  private static func declared(_ state: ScreenState) -> Kind? {
    state.entry.flatMap { state.listing?.snapshot.schema().kind(named: $0.kind) }
  }

  private static func value(of field: String, _ entry: Entry, _ state: ScreenState) -> String? {
    if case .text(let text)? = entry.note.frontMatter.field(field)?.value { return text }
    return declared(state)?.field(field)?.defaultValue
  }

  /// The date by which a record is due: the one that a filter looks back at, else the first.
  private static func dateField(_ state: ScreenState) -> Field? {
    guard let kind = declared(state), let listing = state.listing else { return nil }
    let today = day(state)?.field
    let dates = kind.fields.filter { $0.type == .date && !$0.isList && $0.name != today }
    let queries = listing.snapshot.settings.allFilters.map(\.query)
    return dates.first { date in queries.contains { $0.contains("\(date.name):..yesterday") } } ?? dates.first
  }

  /// The action that puts a date to today, and the date: My Day, for kinds that have one.
  private static func day(_ state: ScreenState) -> (action: String, field: String)? {
    guard let kind = declared(state) else { return nil }
    for action in kind.actions {
      guard action.changes.count == 1, case .set(let field, "today") = action.changes[0],
        kind.field(field)?.type == .date
      else { continue }
      return (action.name, field)
    }
    return nil
  }
}

extension ScreenState {
  /// Says once that a letter has a new meaning, and which key has the old one.
  mutating func sayOnce(_ text: String) {
    if said.insert(text).inserted { say(text) }
  }
}

// MARK: Views

/// The actions of boards and calendars.
extension ScreenAction {
  static let ofViews: [ScreenAction] = [
    shift("shift-left", "<", "move the note to the column or day before", step: -1),
    shift("shift-right", ">", "move the note to the next column or day", step: 1),
    month("month-before", "[", "the month before", step: -1),
    month("month-after", "]", "the next month", step: 1),
  ]

  private static func shift(_ name: String, _ key: String, _ text: String, step: Int) -> ScreenAction {
    ScreenAction(
      name: name, keys: [.text(key)], text: text, group: .moving, foot: step > 0 ? "move" : nil,
      refusal: { state in
        guard state.listing?.form?.isGrid == true else { return "this is not a board or a calendar" }
        guard state.shifting(step) == nil else { return change(state) }
        let isOne = state.view.marked.isEmpty && state.view.anchor == nil
        return change(state)
          ?? (isOne ? "the note can't be moved there" : "the marked notes can't be moved there together")
      }
    ) { state in
      guard let words = state.shifting(step) else { return [] }
      // The cursor follows the note.
      state.awaited = state.entry?.reference
      return state.run(words)
    }
  }

  private static func month(_ name: String, _ key: String, _ text: String, step: Int) -> ScreenAction {
    ScreenAction(
      name: name, keys: [.text(key)], text: text, group: .moving,
      refusal: { $0.shownMonth == nil ? "this is not a calendar" : nil }
    ) { state in
      guard let month = state.shownMonth else { return [] }
      var request = state.view.request
      request.day = month.adding(days: 1 - month.day).adding(months: step)
      return [state.load(request)]
    }
  }
}

extension ScreenState {
  /// The words of the command that moves the note of the cursor, or the marked ones if all of them move alike.
  fileprivate func shifting(_ step: Int) -> [String]? {
    guard let listing, let form = listing.form else { return nil }
    var view = view
    view.endRange()
    guard !view.marked.isEmpty else { return entry.flatMap { form.moving($0, at: view.cursor, step: step) } }
    let rows = listing.matches.indices.filter { row in
      let match = listing.matches[row]
      return view.marked.contains(match.entries.path(at: match.place))
    }
    let words = rows.map { form.moving(listing.matches[$0].entry, at: $0, step: step) }
    guard let first = words.first, words.allSatisfy({ $0 == first }) else { return nil }
    return first
  }

  fileprivate var shownMonth: CivilDate? {
    guard case .calendar(_, _, let month)? = listing?.form?.kind else { return nil }
    return month
  }

  /// Moves the cursor to the next column or day, and says whether there is one.
  mutating func moveBeside(_ step: Int) -> Bool {
    guard focus == .list, let row = listing?.form?.row(beside: view.cursor, step: step) else { return false }
    view.moveTo(row)
    return true
  }
}

/// The actions of headings and check boxes.
extension ScreenAction {
  static let ofParts: [ScreenAction] = [
    ScreenAction(
      name: "boxes", keys: [.text("W")], text: "tick check boxes of the note", group: .notes, panes: inBox,
      refusal: oneNote
    ) { state in
      guard let listing = state.listing, let entry = state.entry else { return [] }
      return [.readParts(listing, entry, .boxes)]
    },
    ScreenAction(name: "todos", keys: [.text("w")], text: "notes with open check boxes", group: .finding) {
      $0.list("is:todo")
    },
    ScreenAction(
      name: "outline", keys: [.text("i")], text: "to a heading of the note", group: .moving,
      refusal: anyNote
    ) { state in
      guard let listing = state.listing, let entry = state.entry else { return [] }
      return [.readParts(listing, entry, .headings)]
    },
  ]
}
