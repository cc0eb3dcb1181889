import NoteIndex
import Notes
import Text

/// Something that can be done on the screen by a key: the row of a table that keys, footer, help, palette, settings and the
/// manual read.
struct ScreenAction: Sendable {
  /// What actions are grouped by in help.
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
  /// What it does, in a few words.
  let text: String
  let group: Group
  /// The word by which the foot of the screen names it; nil where it does not.
  var foot: String?
  /// The panes in which its keys work.
  var panes = Set(ScreenState.Pane.allCases)
  /// Why it can't be done now; nil where it can.
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

  /// The action of a key; nil where it has none here.
  func action(for key: Key, in state: ScreenState) -> ScreenAction? {
    actions.first { $0.keys.contains(key) && $0.panes.contains(state.focus) }
      ?? Self.ofKind(state).first { $0.keys.contains(key) }
  }

  /// The actions of the kind of the note that the cursor stands on, by the keys 1 to 9 in the order of their declaration.
  static func ofKind(_ state: ScreenState) -> [ScreenAction] {
    guard let listing = state.listing, let entry = state.entry else { return [] }
    return listing.actions(of: entry).prefix(9).enumerated().map { place, action in
      ScreenAction(
        name: action.name, keys: [.text(String(place + 1))], text: action.name, group: .notes,
        foot: action.name,
        refusal: ScreenAction.change
      ) { $0.run(["do", action.name, "@"]) }
    }
  }

  /// The actions whose words hold all that was typed, those that begin with it first.
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
    return fitting.filter(beginning) + fitting.filter { !beginning($0) } + Self.titled(typed)
  }

  /// The action that lists the notes whose titles have words that begin as those that were typed, in any order.
  private static func titled(_ typed: String) -> [ScreenAction] {
    let words = typed.split { !$0.isLetter && !$0.isNumber }
    guard !words.isEmpty else { return [] }
    let query = words.map { "title:\($0)*" }.joined(separator: " ")
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
  /// A line an action: its keys and what it does.
  package static var lines: [String] {
    ScreenAction.all.map { "\(CellWidth.pad($0.keyNames, to: 18)) \($0.text)" }
  }

  /// The names by which settings give actions other keys.
  package static var names: [String] { ScreenAction.all.map(\.name) }
}
