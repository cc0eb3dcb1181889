import NoteIndex

/// Keys, by the topmost element: a prompt, a sheet, then the panes.
extension ScreenState {
  mutating func take(_ key: Key) -> [ScreenEffect] {
    let isRefused = message?.isError == true
    message = nil
    if prompt != nil { return takeInPrompt(key) }
    if sheet != nil { return takeInSheet(key) }
    // Esc only removes an error message.
    if key == .escape, isRefused { return [] }
    switch key {
    case .click(let column, let row): return click(column, row)
    case .wheel(let lines, let column, _):
      return wheel(lines, column)
    case .paste: return []
    default: break
    }
    guard let action = actions.action(for: key, in: self) else {
      if let name = key.name { say("\(name) does nothing here; ? shows the keys") }
      return []
    }
    return perform(action)
  }

  /// Does an action, or says why it can't be done now.
  mutating func perform(_ action: ScreenAction) -> [ScreenEffect] {
    if let refusal = action.refusal(self) {
      say("\(action.text): \(refusal)", isError: true)
      return []
    }
    return action.run(&self)
  }

  private mutating func click(_ column: Int, _ row: Int) -> [ScreenEffect] {
    let layout = Panes(self)
    for (pane, area) in [(Pane.sidebar, layout.sidebar), (.list, layout.list), (.preview, layout.preview)] {
      guard let area, area.holds(column, row) else { continue }
      focus = pane
      if pane == .list, let form = listing?.form {
        let places = ViewPlaces(form, in: area, cursor: view.cursor)
        if let found = places.row(atColumn: column, row: row) { view.moveTo(found) }
      } else if pane == .list {
        view.moveTo(view.top + (row - area.row) / (listing?.rowHeight ?? 1))
      }
      if pane == .sidebar {
        sidebarCursor = min(sidebarTop + row - area.row, sidebar.count - 1)
        if let item = sidebarItem, let query = item.query { return list(query, view: item.view) }
      }
    }
    return []
  }

  private mutating func wheel(_ lines: Int, _ column: Int) -> [ScreenEffect] {
    let layout = Panes(self)
    if let area = layout.preview, column >= area.column {
      previewTop += lines
    } else if let area = layout.sidebar, column < area.column + area.columns {
      moveInSidebar(by: lines)
    } else {
      view.move(lines)
    }
    return []
  }

  /// Replaces the list by the results of a query of the sidebar.
  mutating func list(_ query: String, view name: String? = nil) -> [ScreenEffect] {
    var request = view.request
    request.query = query
    (request.view, request.day) = (name, nil)
    request.sort = nil
    if request.moment == .deleted { request.moment = .now }
    let effects = open(request)
    focus = .list
    return effects
  }

  // MARK: Sheets

  /// Runs the choice of a key; nil if no choice has it.
  private mutating func choose(_ key: Key, of choices: [Menu.Choice]) -> [ScreenEffect]? {
    guard let choice = choices.first(where: { $0.key == key.name }) else { return nil }
    let old = sheet
    sheet = nil
    switch choice.result {
    case .run(let words): return run(words)
    case .start(let command):
      if command.words.first == "resolve", case .text(var text)? = old {
        // Keys typed ahead are for the next conflict, not for the list.
        (text.choices, text.isWaiting) = ([], true)
        sheet = .text(text)
      }
      return start(command)
    case .ask(let text, let rest): return ask(.command, text, rest: rest)
    case .copy(let text):
      say("copied: \(text)")
      return [.copy(text)]
    }
  }

  private mutating func takeInSheet(_ key: Key) -> [ScreenEffect] {
    guard let sheet else { return [] }
    var isLeaving = [.escape, .ctrl("c"), .left].contains(key)
    if case .menu(let menu) = sheet, menu.line != nil {
    } else {
      isLeaving = isLeaving || [.text("q"), .text("h")].contains(key)
    }
    switch sheet {
    case .palette(let line, let cursor): return takeInPalette(key, line, cursor)
    case .text(let text) where isLeaving && text.history != nil: self.sheet = text.history.map(Sheet.history)
    case _ where isLeaving: self.sheet = nil
    case .help(let top): self.sheet = .help(top: scrolled(top, key, actions.helpLines(self).count))
    case .menu(let menu):
      if let effects = choose(key, of: menu.choices) { return effects }
      guard let line = menu.line, case .text(let typed) = key else { return [] }
      self.sheet = nil
      return ask(.command, line + typed)
    case .text(var text):
      if let effects = choose(key, of: text.choices) { return effects }
      if let run = text.confirmed, key == .text("y") || key == .text("n") {
        self.sheet = nil
        if key == .text("y") { return start(run) }
        say("nothing was changed")
        return []
      }
      text.top = scrolled(text.top, key, text.lines.count)
      self.sheet = .text(text)
    case .history(let history): return takeInHistory(key, history)
    case .parts(let parts): return takeInParts(key, parts)
    }
    return []
  }

  /// The scroll position of a sheet of lines after a key.
  private func scrolled(_ top: Int, _ key: Key, _ count: Int) -> Int {
    let page = max(1, size.rows - 5)
    let moved =
      switch key {
      case .down, .text("j"), .text("J"), .enter: top + 1
      case .up, .text("k"), .text("K"): top - 1
      case .pageDown, .space, .ctrl("d"), .ctrl("f"): top + page
      case .pageUp, .ctrl("u"), .ctrl("b"): top - page
      case .home, .text("g"): 0
      case .end, .text("G"): count
      case .wheel(let lines, _, _): top + lines
      default: top
      }
    return max(0, min(moved, count - page))
  }

  private mutating func takeInHistory(_ key: Key, _ old: HistorySheet) -> [ScreenEffect] {
    var history = old
    let item = history.items.indices.contains(history.cursor) ? history.items[history.cursor] : nil
    switch key {
    case .enter, .right, .text("l"):
      guard let item, item.isOperation else { return [] }
      return start(CommandRun(["log", "--op", item.name], on: []))
    case .text("u"):
      guard let item, item.isOperation else { return [] }
      sheet = nil
      return start(CommandRun(["undo", "--op", item.name], on: []))
    case .text("r"):
      guard let item, let note = history.note else { return [] }
      sheet = nil
      return start(CommandRun(["restore", "@", "--at", item.commit], on: [note]))
    case .text("T"):
      guard let item else { return [] }
      sheet = nil
      var request = view.request
      request.moment = .past(item.commit, shown: item.time)
      return open(request, over: .history(history))
    default: break
    }
    history.cursor = max(0, min(moved(history.cursor, key, history.items.count), history.items.count - 1))
    sheet = .history(history)
    return []
  }

  /// Goes to a heading, or ticks a box and stays.
  private mutating func takeInParts(_ key: Key, _ old: PartsSheet) -> [ScreenEffect] {
    var parts = old
    let item = parts.items[parts.cursor]
    switch (key, parts.purpose) {
    case (.enter, .headings):
      sheet = nil
      focus = .preview
      previewTop = previewLine(of: parts.cursor, parts.items)
      return []
    case (.enter, .boxes), (.space, .boxes):
      parts.items[parts.cursor].isDone.toggle()
      sheet = .parts(parts)
      return start(CommandRun([item.isDone ? "untick" : "tick", "\(parts.note):\(item.line)"], on: []))
    default: break
    }
    parts.cursor = max(0, min(moved(parts.cursor, key, parts.items.count), parts.items.count - 1))
    sheet = .parts(parts)
    return []
  }

  /// The line of the preview with a heading: the headings follow each other in it.
  private func previewLine(of number: Int, _ headings: [PartsSheet.Item]) -> Int {
    let lines = (preview?.lines ?? []).map { $0.map(\.text).joined() }
    var line = -1
    for heading in headings[...number] {
      let start = heading.text.prefix(12)
      line = lines.indices.dropFirst(line + 1).first { lines[$0].contains(start) } ?? line
    }
    return max(0, line)
  }

  /// The position of a cursor after a key that moves it.
  ///
  /// - Parameter height: the number of lines of each row.
  func moved(_ cursor: Int, _ key: Key, _ count: Int, height: Int = 1) -> Int {
    let page = max(1, (size.rows - 4) / height)
    return switch key {
    case .down, .text("j"): cursor + 1
    case .up, .text("k"): cursor - 1
    case .pageDown, .ctrl("f"): cursor + page
    case .pageUp, .ctrl("b"): cursor - page
    case .ctrl("d"): cursor + page / 2
    case .ctrl("u"): cursor - page / 2
    case .home, .text("g"): 0
    case .end, .text("G"): count - 1
    case .wheel(let lines, _, _): cursor + lines
    default: cursor
    }
  }

  private mutating func takeInPalette(_ key: Key, _ old: LineEditor, _ place: Int) -> [ScreenEffect] {
    var line = old
    let found = actions.found(line.text, self)
    switch key {
    case .escape, .ctrl("c"): sheet = nil
    case .down, .ctrl("n"), .tab:
      sheet = .palette(line: line, cursor: min(place + 1, max(0, found.count - 1)))
    case .up, .ctrl("p"), .backTab: sheet = .palette(line: line, cursor: max(0, place - 1))
    case .enter:
      sheet = nil
      guard found.indices.contains(place) else { return [] }
      return perform(found[place])
    default:
      guard line.take(key) else { return [] }
      if line.text != old.text { foundTitles = [] }
      sheet = .palette(line: line, cursor: 0)
      return line.text == old.text ? [] : [.findTitles(line.text)]
    }
    return []
  }
}

/// The effects of the actions for finding and moving.
extension ScreenState {
  /// The action that ends the record of the cursor; nil if its kind has none.
  var ending: String? { entry.flatMap { listing?.endings[$0.kind] } }

  /// The notes in a relation to the one at the cursor, at the same moment.
  func request(_ relation: String) -> ListingRequest {
    var request = ListingRequest(moment: view.request.moment)
    let name = entry?.reference ?? ""
    let isPlain = name.utf8.allSatisfy { $0 > 0x20 && !Array("\"*(),=<>!".utf8).contains($0) }
    request.query = relation + (isPlain ? name : "\"\(name)\"")
    return request
  }

  /// Goes to a note in the list of all notes.
  mutating func go(to reference: String) -> [ScreenEffect] {
    awaited = reference
    focus = .list
    let all = ListingRequest()
    return view.request == all ? [load(all)] : open(all)
  }

  mutating func moveInSidebar(_ key: Key) {
    moveInSidebar(by: moved(sidebarCursor, key, sidebar.count) - sidebarCursor)
  }

  /// Moves the cursor of the sidebar by some lines. It passes over headings: on the way, or else back.
  mutating func moveInSidebar(by lines: Int) {
    let places = sidebar.indices.filter { sidebar[$0].query != nil }
    let aim = sidebarCursor + lines
    let next =
      lines < 0 ? places.last { $0 <= aim } ?? places.first : places.first { $0 >= aim } ?? places.last
    sidebarCursor = next ?? sidebarCursor
  }

  /// Lists the item at the cursor of the sidebar, and moves the focus to the list.
  mutating func openSidebarItem() -> [ScreenEffect] {
    guard let item = sidebarItem, let query = item.query else { return [] }
    return list(query, view: item.view)
  }

  /// Moves the focus to the pane beside; the cursor of the sidebar begins at the listed item.
  mutating func moveFocus(_ step: Int) -> [ScreenEffect] {
    let place = max(0, min(focus.rawValue + step, Pane.allCases.count - 1))
    if focus != .sidebar, place == Pane.sidebar.rawValue, let listed = sidebar.firstIndex(where: isListed) {
      sidebarCursor = listed
    }
    focus = Pane.allCases[place]
    return []
  }

  /// Whether the list shows an item of the sidebar.
  func isListed(_ item: SidebarItem) -> Bool {
    guard item.query != nil, let request = listing?.request else { return false }
    return item.view == nil ? request.view == nil && item.query == request.query : item.view == request.view
  }

  mutating func goBack() -> [ScreenEffect] {
    if view.anchor != nil {
      view.anchor = nil
    } else if !view.marked.isEmpty {
      view.marked = []
    } else if focus != .list {
      focus = .list
    } else if views.count > 1 {
      close()
      // Its cached list may be outdated.
      return [load(view.request)]
    } else if zoom > 0 {
      zoom = 0
    }
    return []
  }
}
