import NoteIndex
import Notes
import SlipboxCore

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
      if name == "state" { state.sayOnce("s sets the state; , sorts") }
      let now = value(of: field.name, entry, state)
      if field.type == .boolean {
        return state.run(words(setting: field.name, to: now == "true" ? "false" : "true", kind))
      }
      let choices = field.values.prefix(9).enumerated().map { place, value in
        Menu.Choice(
          key: String(place + 1), text: value == now ? "\(value) (now)" : value,
          result: .run(words(setting: field.name, to: value, kind)))
      }
      state.sheet = .menu(Menu(title: "\(field.name): \(entry.note.title)", choices: choices))
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
    let queries = listing.snapshot.allFilters.map(\.query)
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

extension Kind {
  /// The first choice beside the state.
  fileprivate var rankField: Field? {
    let state = stateField?.name
    return fields.first { $0.type == .choice && !$0.isList && $0.name != state }
  }
}

extension ScreenState {
  /// Says once which key does what a letter meant before.
  mutating func sayOnce(_ text: String) {
    if said.insert(text).inserted { say(text) }
  }
}
