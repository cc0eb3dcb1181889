import NoteIndex
import Notes
import Presentation
import SlipboxCore

extension ScreenState {
  /// Handles an event, and returns its effects outside of the state.
  mutating func take(_ event: ScreenEvent) -> [ScreenEffect] {
    var effects: [ScreenEffect] = []
    switch event {
    case .key(let key): effects = take(key)
    case .resized(let columns, let rows): size = (columns, rows)
    case .listed(let number, let listing, let row):
      // While a query is typed on, the results so far are shown.
      if number == listNumber { show(listing, number, row) }
      // The sidebar takes longer, and waits for the first list.
      if sidebar.isEmpty || sidebarMoment != self.listing?.request.moment {
        sidebarMoment = self.listing?.request.moment ?? .now
        effects = [.readSidebar(self.listing)]
      }
    case .notListed(let number, let lines):
      if number == listNumber {
        // Of a list that can't be shown nothing stays.
        if view.listing == nil, views.count > 1, prompt == nil { close() }
        message = Message(lines: lines, isError: true)
        prompt?.fault = lines
      }
    case .previewed(let number, let preview): if number == previewNumber { show(preview) }
    case .sidebar(let items):
      let query = sidebarItem?.query
      sidebar = items
      sidebarCursor =
        items.firstIndex { $0.query != nil && $0.query == query } ?? min(sidebarCursor, items.count - 1)
    case .completed(let head, let candidates):
      if prompt?.line.head == head, prompt?.chosen == nil {
        prompt?.candidates = candidates
        prompt?.completedHead = head
      }
    case .titles(let typed, let titles):
      if case .palette(let line, _)? = sheet, line.text == typed { foundTitles = titles }
    case .opened(let sheet): if running == nil { self.sheet = sheet }
    case .nextConflict(let next):
      guard case .text(let waiting)? = sheet, waiting.isWaiting else { break }
      sheet = next.map(Sheet.text)
      // The foot shows the keys of the choices.
      if next != nil { message = nil }
    case .ran(let result): effects = take(result)
    case .changed: effects = [load(view.request), .readSidebar(listing)]
    case .failed(let lines):
      message = Message(lines: lines, isError: true)
      if case .text(let waiting)? = sheet, waiting.isWaiting { sheet = nil }
    }
    return effects + settle()
  }

  var sidebarItem: SidebarItem? { sidebar.indices.contains(sidebarCursor) ? sidebar[sidebarCursor] : nil }

  private mutating func show(_ listing: Listing, _ number: Int, _ row: Int?) {
    shownNumber = number
    // The cursor may have been moved while the list was read.
    let path = self.listing.flatMap { $0.path(view.cursor) }
    var row =
      path == keptPath
      ? row : listing.matches.firstIndex { $0.entries.path(at: $0.place) == path } ?? row
    if let stayed = stayedList, number > stayed, awaited == nil {
      row = view.cursor
      stayedList = nil
    }
    awaited = nil
    prompt?.fault = nil
    if view.request.lastWord == .either { view.request = listing.request }
    let isSame = view.listing?.request == listing.request
    view.listing = listing
    view.cursor = row ?? (isSame ? view.cursor : 0)
    if !isSame { view.top = restoredTop ?? 0 }
    restoredTop = nil
    if !view.marked.isEmpty, let all = try? listing.snapshot.catalogue() {
      view.marked = view.marked.filter { all.entry(path: $0) != nil }
    }
  }

  private mutating func show(_ preview: Preview) {
    if let note = restoredNote, note.path == preview.path {
      previewTop = note.top
    } else if self.preview?.path != preview.path {
      previewTop = firstLine(of: preview)
    }
    restoredNote = nil
    self.preview = preview
  }

  /// The line from which on a note is shown: the one with a word that was looked for has to be in sight.
  private func firstLine(of preview: Preview) -> Int {
    let rows = Panes(self).preview?.rows ?? 0
    guard let line = preview.foundLine, line >= rows else { return 0 }
    return line - rows / 3
  }

  private mutating func take(_ result: CommandResult) -> [ScreenEffect] {
    running = nil
    if result.run.isPreview { return confirm(result) }
    var next: [ScreenEffect] = []
    if case .text(let waiting)? = sheet, waiting.isWaiting {
      if result.isSuccess, result.run.words.count > 1 {
        next = [.readNextConflict(result.run.input.first ?? result.run.words[1])]
      } else {
        sheet = nil
      }
    }
    var said: [String] = []
    for line in result.messages where !line.isEmpty && !said.contains(line) { said.append(line) }
    if result.isSuccess {
      view.anchor = nil
      view.marked = []
      if !result.run.input.isEmpty || result.run.words.first == "do" { stayedList = listNumber }
      if result.run.words.first == "new" { awaited = result.output.first.map(Self.firstWord) }
      let lines = result.output.count > 1 ? result.output : []
      if !lines.isEmpty, next.isEmpty {
        var text = TextSheet(title: result.run.line, lines: lines + said)
        if case .history(let history)? = sheet { text.history = history }
        sheet = .text(text)
      } else {
        let first = result.output.first.map { [$0] } ?? []
        message = Message(lines: said.isEmpty ? (first.isEmpty ? ["done"] : first) : Array(said.prefix(3)))
      }
    } else if !result.hadTerminal {
      let lines = said + result.output
      if reopen(result), lines.count <= Self.mostLinesBesidePrompt {
        message = Message(lines: lines.isEmpty ? ["the command failed"] : lines, isError: true)
      } else if lines.count > 3 {
        prompt = nil
        sheet = .text(TextSheet(title: result.run.line, lines: lines))
      } else {
        message = Message(lines: lines.isEmpty ? ["\(result.run.line) failed"] : lines, isError: true)
      }
    }
    return [.refresh] + next + startNext(after: result)
  }

  /// With more lines than these, an error is shown over the panes.
  private static let mostLinesBesidePrompt = 8

  /// Opens the prompt again with the line of a command that failed; false if something else is open, or none was typed.
  private mutating func reopen(_ result: CommandResult) -> Bool {
    guard let source = result.run.source, prompt == nil, sheet == nil else { return false }
    _ = ask(.command, source)
    prompt?.initial = nil
    return true
  }

  /// Shows the patch of a change of many notes, and asks.
  private mutating func confirm(_ result: CommandResult) -> [ScreenEffect] {
    guard result.isSuccess else {
      _ = reopen(result)
      message = Message(lines: Array((result.messages + ["nothing was changed"]).prefix(3)), isError: true)
      return []
    }
    guard !result.output.isEmpty else {
      message = Message(
        lines: result.messages.isEmpty ? ["nothing would change"] : Array(result.messages.prefix(3)))
      return []
    }
    var run = result.run
    run.isPreview = false
    run.words.removeAll { $0 == Self.dryRun }
    run.words.append(Self.yes)
    sheet = .text(
      TextSheet(
        title: "\(run.typed) on \(Count.notes(max(1, run.input.count)))?", lines: result.output,
        confirmed: run))
    return []
  }

  /// The first word of a line, without its colours.
  private static func firstWord(_ line: String) -> String {
    String(CellLine.cells(line).map(\.text).joined().prefix { $0 != " " })
  }

  static let dryRun = "--dry-run"
  static let yes = "--yes"

  /// Starts the next command of those that wait; none after one that failed.
  private mutating func startNext(after result: CommandResult) -> [ScreenEffect] {
    guard result.isSuccess else {
      if !waiting.isEmpty {
        message = Message(
          lines: (message?.lines ?? []) + [
            "not run: \(waiting.map(\.line).joined(separator: ", "))"
          ],
          isError: true)
      }
      waiting = []
      return []
    }
    return waiting.isEmpty ? [] : start(waiting.removeFirst())
  }

  /// Runs a command on the notes that are meant. Of many, and of a marked one without the cursor, the patch is shown first.
  ///
  /// - Parameter source: the line of the prompt.
  mutating func run(_ words: [String], typedAs source: String? = nil) -> [ScreenEffect] {
    let names = targets
    if words.contains("@"), names.isEmpty {
      say("no note is selected", isError: true)
      return []
    }
    var run = CommandRun(words, on: names)
    run.source = source
    let isElsewhere = !view.marked.isEmpty && names != [entry?.reference ?? ""]
    if !run.input.isEmpty || isElsewhere, actions.showsPatch(words) {
      run.isPreview = true
      run.words.append(Self.dryRun)
    }
    return start(run)
  }

  mutating func start(_ run: CommandRun) -> [ScreenEffect] {
    guard running == nil else {
      waiting.append(run)
      return []
    }
    running = run
    return [.run(run, size: (max(20, size.columns), max(2, size.rows)))]
  }

  /// Moves cursors into the valid range, and requests the missing preview.
  private mutating func settle() -> [ScreenEffect] {
    let layout = Panes(self)
    view.settle(height: (layout.list?.rows ?? 1) / (listing?.rowHeight ?? 1))
    if sidebar.indices.contains(sidebarCursor), sidebar[sidebarCursor].query == nil {
      sidebarCursor = min(sidebarCursor + 1, max(0, sidebar.count - 1))
    }
    if let area = layout.sidebar {
      sidebarTop = max(0, min(sidebarTop, sidebar.count - area.rows))
      if sidebarCursor < sidebarTop + 1 { sidebarTop = max(0, sidebarCursor - 1) }
      if sidebarCursor >= sidebarTop + area.rows { sidebarTop = sidebarCursor - area.rows + 1 }
    }
    guard let area = layout.preview else { return [] }
    previewTop = max(0, min(previewTop, (preview?.lines.count ?? 0) - 1))
    guard let listing, let entry else {
      preview = nil
      previewKey = nil
      return []
    }
    let key = PreviewKey(path: entry.note.path, list: shownNumber, width: area.columns)
    guard key != previewKey else { return [] }
    previewKey = key
    previewNumber += 1
    return [.preview(number: previewNumber, listing, entry, width: area.columns)]
  }
}
