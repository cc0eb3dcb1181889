import NoteIndex
import Notes
import SlipboxCore

extension ScreenAction {
  /// The actions in the order of the help.
  static let all = notes + fields + finding + history + moving + ofParts + ofViews + screen

  /// Why notes can't be changed now.
  @Sendable static func change(_ state: ScreenState) -> String? {
    guard let listing = state.listing else { return "the list is still loading" }
    if state.targetCount == 0 { return "no note is selected" }
    switch listing.request.moment {
    case .now: return nil
    case .past: return "these are past versions; r restores one"
    case .deleted: return "this note is deleted; r restores it"
    }
  }

  @Sendable static func oneNote(_ state: ScreenState) -> String? {
    change(state)
      ?? (state.targetCount > 1 ? "this action takes one note, but \(state.targetCount) are marked" : nil)
  }

  @Sendable static func anyNote(_ state: ScreenState) -> String? {
    state.entry == nil ? "no note is selected" : nil
  }

  private static let notes: [ScreenAction] = [
    ScreenAction(
      name: "open", keys: [.enter, .text("o")], text: "open the item under the cursor", group: .notes
    ) { state in
      switch state.focus {
      case .sidebar: return state.openSidebarItem()
      case .list: if state.entry != nil { state.focus = .preview }
      case .preview: break
      }
      return []
    },
    ScreenAction(
      name: "edit", keys: [.text("e")], text: "edit in your editor", group: .notes, foot: "edit",
      panes: inBox, refusal: change
    ) { $0.run(["edit", "@"]) },
    ScreenAction(
      name: "done", keys: [.text("E")], text: "end the record: close, finish", group: .notes, foot: "done",
      panes: inBox, refusal: ending
    ) { state in
      guard let ending = state.ending else { return [] }
      return state.run(["do", ending, "@"])
    },
    ScreenAction(
      name: "act", keys: [.text("a")], text: "choose an action of the kind", group: .notes, panes: inBox,
      refusal: acting
    ) { state in
      guard let listing = state.listing, let entry = state.entry else { return [] }
      let choices = listing.actions(of: entry).prefix(9).enumerated().map { place, action in
        Menu.Choice(
          key: String(place + 1), text: "\(action.name): \(action.words.joined(separator: " "))",
          result: .run(["do", action.name, "@"]))
      }
      state.sheet = .menu(Menu(title: state.targetName, choices: Array(choices)))
      return []
    },
    ScreenAction(name: "add", keys: [.text("c")], text: "add a note or record", group: .notes, foot: "add") {
      state in
      guard let listing = state.listing else { return [] }
      if let kind = listing.kind { return state.ask(.command, "new \(kind.name) ") }
      let choices = listing.snapshot.schema().kinds.prefix(9).enumerated().map { place, kind in
        Menu.Choice(
          key: String(place + 1), text: kind.comment.map { "\(kind.name): \($0)" } ?? kind.name,
          result: .ask("new \(kind.isOfPlainNotes ? "" : "\(kind.name) ")", rest: ""))
      }
      // A title that is typed at once, as on the page, is that of a note.
      state.sheet = .menu(
        Menu(title: "add: a kind, or the title of a note", choices: Array(choices), line: "new "))
      return []
    },
    ScreenAction(
      name: "set", keys: [.text("="), .text("f")], text: "modify fields and tags", group: .notes,
      panes: inBox, refusal: change
    ) { $0.ask(.command, "set @ ") },
    ScreenAction(
      name: "retitle", keys: [.text("t")], text: "change the title and the links to it", group: .notes,
      panes: inBox, refusal: oneNote
    ) { state in
      let title = state.entry?.note.title ?? ""
      return state.ask(
        .command, "retitle @ \"\(title.split(separator: "\"").joined(separator: "\\\""))", rest: "\"")
    },
    ScreenAction(
      name: "delete", keys: [.text("#"), .delete], text: "delete", group: .notes, panes: inBox,
      refusal: change
    ) { $0.run(["rm", "@"]) },
    ScreenAction(
      name: "restore", keys: [.text("r")], text: "restore a deleted or past note", group: .notes,
      panes: inBox, refusal: restoring
    ) { state in
      if case .past(let point, _)? = state.listing?.request.moment {
        return state.run(["restore", "@", "--at", point])
      }
      return state.run(["restore", "@"])
    },
    ScreenAction(
      name: "resolve", keys: [.text("!")], text: "resolve a merge conflict", group: .notes, panes: inBox,
      refusal: resolving
    ) { state in
      guard let listing = state.listing, let entry = state.entry else { return [] }
      return [.readConflicts(listing, entry)]
    },
    ScreenAction(
      name: "copy", keys: [.text("y")], text: "copy id, link or path", group: .notes, panes: inBox,
      refusal: anyNote
    ) { state in
      guard let note = state.entry?.note else { return [] }
      let id = note.id.map { [Menu.Choice(key: "i", text: "id: \($0)", result: .copy($0.description))] } ?? []
      let path = String(decoding: note.path, as: UTF8.self)
      state.sheet = .menu(
        Menu(
          title: "copy",
          choices: id + [
            .init(key: "l", text: "link: [[\(note.title)]]", result: .copy("[[\(note.title)]]")),
            .init(key: "t", text: "title: \(note.title)", result: .copy(note.title)),
            .init(key: "p", text: "path: \(path)", result: .copy(path)),
          ]))
      return []
    },
    ScreenAction(
      name: "mark", keys: [.space, .text("x")], text: "mark", group: .notes, panes: [.list], refusal: anyNote
    ) { state in
      state.sayOnce("space and x mark; # deletes")
      if state.view.anchor != nil { state.view.endRange() } else { state.view.toggleMark() }
      state.view.move(1)
      return []
    },
    ScreenAction(
      name: "range", keys: [.text("v"), .text("X")], text: "mark a range: from here to the cursor",
      group: .notes,
      panes: [.list], refusal: anyNote
    ) { state in
      if state.view.anchor == nil { state.view.anchor = state.view.cursor } else { state.view.endRange() }
      return []
    },
    ScreenAction(
      name: "all", keys: [.ctrl("a")], text: "mark all notes of the list, or none", group: .notes,
      panes: [.list], refusal: anyNote
    ) { state in
      guard let listing = state.listing else { return [] }
      state.view.anchor = nil
      state.view.marked =
        state.view.marked.count == listing.matches.count
        ? [] : Set(listing.matches.map { $0.entries.path(at: $0.place) })
      return []
    },
  ]

  @Sendable private static func acting(_ state: ScreenState) -> String? {
    if let refusal = change(state) { return refusal }
    guard let listing = state.listing, let entry = state.entry, listing.actions(of: entry).isEmpty else {
      return nil
    }
    return "the kind \(entry.kind) has no actions"
  }

  @Sendable private static func resolving(_ state: ScreenState) -> String? {
    if let refusal = change(state) { return refusal }
    return state.entry?.note.frontMatter[ConflictEntry.fieldName] == nil
      ? "this note has no conflict; C lists notes with conflicts" : nil
  }

  @Sendable private static func ending(_ state: ScreenState) -> String? {
    if let refusal = change(state) { return refusal }
    return state.ending == nil ? "\(state.entry?.kind ?? "note") has no action that ends it" : nil
  }

  @Sendable private static func restoring(_ state: ScreenState) -> String? {
    if state.targetCount == 0 { return "no note is selected" }
    return state.listing?.request.moment == .now
      ? "this note is not deleted; D lists deleted notes, T shows the past" : nil
  }

  private static let finding: [ScreenAction] = [
    ScreenAction(
      name: "filter", keys: [.text("/")], text: "filter: change the query", group: .finding, foot: "filter"
    ) {
      state in
      state.focus = .list
      let query = state.view.request.query
      return state.ask(.filter, query.isEmpty ? "" : query + " ")
    },
    ScreenAction(name: "everything", keys: [.text("0")], text: "all notes", group: .finding) {
      $0.open(ListingRequest())
    },
    ScreenAction(name: "my-day", keys: [.text("M")], text: "My Day", group: .finding) { $0.list("@my-day") },
    ScreenAction(name: "sort", keys: [.text(",")], text: "sort by fields", group: .finding) {
      $0.ask(.sort, $0.view.request.sort ?? "")
    },
    ScreenAction(
      name: "save", keys: [.text("S")], text: "save the query as a filter", group: .finding,
      refusal: { $0.view.request.query.isEmpty ? "there is no query to save" : nil }
    ) { $0.ask(.filterName) },
    ScreenAction(
      name: "backlinks", keys: [.text("B")], text: "notes that link to this one", group: .finding,
      refusal: linking
    ) { $0.open($0.request("links:")) },
    ScreenAction(
      name: "links", keys: [.text("L")], text: "notes that this one links to", group: .finding,
      refusal: linking
    ) { $0.open($0.request("linked-by:")) },
    ScreenAction(name: "conflicts", keys: [.text("C")], text: "notes in conflict", group: .finding) {
      $0.list("is:conflicted")
    },
    ScreenAction(name: "deleted", keys: [.text("D")], text: "deleted notes", group: .finding) {
      $0.open(ListingRequest(moment: .deleted))
    },
  ]

  @Sendable private static func linking(_ state: ScreenState) -> String? {
    if let refusal = anyNote(state) { return refusal }
    return state.listing?.request.moment == .deleted ? "a deleted note has no links" : nil
  }

  private static let history: [ScreenAction] = [
    ScreenAction(name: "undo", keys: [.text("u"), .text("z")], text: "undo", group: .history, foot: "undo") {
      $0.start(CommandRun(["undo"], on: []))
    },
    ScreenAction(name: "redo", keys: [.text("U"), .text("Z")], text: "redo", group: .history) {
      $0.start(CommandRun(["redo"], on: []))
    },
    ScreenAction(
      name: "history", keys: [.text("H")], text: "history of the note", group: .history, foot: "history",
      refusal: anyNote
    ) { state in
      guard let listing = state.listing, let entry = state.entry else { return [] }
      return [.readHistory(listing, entry)]
    },
    ScreenAction(
      name: "operations", keys: [.text("O")], text: "history of the box", group: .history,
      refusal: { $0.listing == nil ? "the list is still loading" : nil }
    ) { state in
      state.listing.map { [.readHistory($0, nil)] } ?? []
    },
    ScreenAction(name: "past", keys: [.text("T"), .text("@")], text: "the box as of a day", group: .history) {
      $0.ask(.past)
    },
  ]

  private static func move(
    _ name: String, _ keys: [Key], _ text: String, to key: Key
  ) -> ScreenAction {
    ScreenAction(name: name, keys: keys, text: text, group: .moving) { state in
      switch state.focus {
      case .sidebar: state.moveInSidebar(key)
      case .list:
        let height = state.listing?.rowHeight ?? 1
        state.view.moveTo(state.moved(state.view.cursor, key, state.view.count, height: height))
      case .preview: state.previewTop = state.moved(state.previewTop, key, state.preview?.lines.count ?? 0)
      }
      return []
    }
  }

  private static let moving: [ScreenAction] = [
    move("down", [.text("j"), .down], "down", to: .down),
    move("up", [.text("k"), .up], "up", to: .up),
    move("top", [.text("g"), .home], "to the first", to: .home),
    move("bottom", [.text("G"), .end], "to the last", to: .end),
    move("half-down", [.ctrl("d")], "half a page down", to: .ctrl("d")),
    move("half-up", [.ctrl("u")], "half a page up", to: .ctrl("u")),
    move("page-down", [.pageDown, .ctrl("f")], "a page down", to: .pageDown),
    move("page-up", [.pageUp, .ctrl("b")], "a page up", to: .pageUp),
    ScreenAction(name: "preview-down", keys: [.text("J")], text: "scroll the note down", group: .moving) {
      $0.previewTop += 1
      return []
    },
    ScreenAction(name: "preview-up", keys: [.text("K")], text: "scroll the note up", group: .moving) {
      $0.previewTop = max(0, $0.previewTop - 1)
      return []
    },
    ScreenAction(
      name: "left", keys: [.text("h"), .left, .backTab], text: "to the pane or column on the left",
      group: .moving
    ) {
      $0.moveBeside(-1) ? [] : $0.moveFocus(-1)
    },
    ScreenAction(name: "sidebar", keys: [.text("b")], text: "to the filters", group: .moving) {
      $0.moveFocus(ScreenState.Pane.sidebar.rawValue - $0.focus.rawValue)
    },
    ScreenAction(
      name: "enter", keys: [.right, .tab, .text("l")], text: "list what the filter under the cursor finds",
      group: .moving, panes: [.sidebar]
    ) { $0.openSidebarItem() },
    ScreenAction(
      name: "right", keys: [.right, .tab], text: "to the pane or column on the right", group: .moving,
      panes: inBox
    ) {
      $0.moveBeside(1) ? [] : $0.moveFocus(1)
    },
    ScreenAction(
      name: "back", keys: [.escape], text: "clear the marks, else return to the list before", group: .moving
    ) {
      $0.goBack()
    },
  ]

  /// Leaves, but not while a change is made: those that wait for it would never be.
  static let quit = ScreenAction(
    name: "quit", keys: [.text("q"), .ctrl("c")], text: "quit", group: .screen, foot: "quit",
    refusal: { $0.running.map { "\($0.line) is still running" } }
  ) { _ in [.quit] }

  private static let screen: [ScreenAction] = [
    ScreenAction(name: "help", keys: [.text("?")], text: "help", group: .screen, foot: "help") {
      $0.sheet = .help(top: 0)
      return []
    },
    ScreenAction(
      name: "palette", keys: [.ctrl("k"), .ctrl("p")], text: "find an action, or notes by their titles",
      group: .screen
    ) {
      $0.sheet = .palette(line: LineEditor(), cursor: 0)
      return []
    },
    ScreenAction(
      name: "command", keys: [.text(":")], text: "run any slip command; @ means the marked notes",
      group: .screen, foot: "command"
    ) { $0.ask(.command) },
    ScreenAction(name: "wider", keys: [.text("+")], text: "more room for this pane", group: .screen) {
      $0.zoom = min(2, $0.zoom + 1)
      return []
    },
    ScreenAction(
      name: "narrower", keys: [.text("_"), .text("-")], text: "less room for this pane", group: .screen
    ) {
      $0.zoom = max(0, $0.zoom - 1)
      return []
    },
    ScreenAction(
      name: "refresh", keys: [.text("R"), .ctrl("r"), .ctrl("l")], text: "redraw and reload",
      group: .screen
    ) { _ in [.redraw, .refresh] },
    ScreenAction(name: "suspend", keys: [.ctrl("z")], text: "suspend until fg", group: .screen) { _ in
      [.suspend]
    },
    quit,
  ]
}
