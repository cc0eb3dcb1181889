import Git
import NoteIndex
import Notes
import Presentation
import SlipboxCore
import Synchronization
import Text

/// Answers the reads of the state, each from a snapshot.
struct ScreenAnswers: Sendable {
  let box: ScreenBox
  private let circumstances: ScreenCircumstances
  private let titles = LatestTitles()

  init(_ box: ScreenBox, _ circumstances: ScreenCircumstances) {
    self.box = box
    self.circumstances = circumstances
  }

  /// The answer to an effect; nil for one that asks nothing of the box.
  func event(for effect: ScreenEffect) -> ScreenEvent? {
    switch effect {
    case .load(let number, let request, let path, let reference): load(number, request, path, reference)
    case .preview(let number, let listing, let entry, let width): preview(number, listing, entry, width)
    case .readSidebar(let listing):
      telling {
        .sidebar(try SidebarItem.all(in: listing.flatMap { $0.isOfPast ? $0.snapshot : nil } ?? box.now))
      }
    case .completeQuery(let head): completed(head, TermCompletion(CompletedBox { box.now }).query(head, []))
    case .completeCommand(let head, let note): completed(head, candidates(head, note))
    case .readHistory(let listing, let entry): telling { .opened(.history(try history(listing, entry))) }
    case .readParts(let listing, let entry, let purpose):
      telling { .opened(.parts(try parts(of: entry, in: listing.snapshot, purpose))) }
    case .readConflicts(let listing, let entry):
      telling { .opened(.text(try conflict(of: entry, in: listing.snapshot))) }
    case .readNextConflict(let reference):
      telling {
        try box.advance(by: WatchedChanges(everything: true))
        let entry = try NoteLookup(in: box.now).entry(reference, fuzzy: false)
        return .nextConflict(
          try ResolveConflicts(in: box.now).conflicts(of: entry).isEmpty
            ? nil : conflict(of: entry, in: box.now))
      }
    case .findTitles(let typed): telling { .titles(typed: typed, try titles(typed)) }
    case .refresh:
      telling {
        try box.advance(by: WatchedChanges(everything: true))
        return .changed
      }
    case .run, .copy, .redraw, .suspend, .quit: nil
    }
  }

  private func telling(_ body: () throws -> ScreenEvent) -> ScreenEvent {
    do { return try body() } catch { return .failed(Self.lines(error)) }
  }

  private func load(_ number: Int, _ request: ListingRequest, _ path: [UInt8]?, _ reference: String?)
    -> ScreenEvent
  {
    do {
      let listing = try Listing.read(request, box.now, circumstances.context()) {
        try titles.titles(of: $0)
      }
      // A note that is gone again is no reason to show no list.
      let made = reference.flatMap { try? NoteLookup(in: listing.snapshot).entry($0, fuzzy: false) }
      let path = made?.note.path ?? path
      let row = path.flatMap { path in
        listing.matches.firstIndex { $0.entries.path(at: $0.place) == path }
      }
      return .listed(number: number, listing, row: row)
    } catch {
      return .notListed(number: number, Self.lines(error))
    }
  }

  private func preview(_ number: Int, _ listing: Listing, _ entry: Entry, _ width: Int) -> ScreenEvent {
    let display = Display(style: circumstances.style, width: max(1, width - 2))
    let path = entry.note.path
    do {
      let lines = try NotePresenter(listing.snapshot).views(of: [entry], display, isWindow: true)
      var preview = ScreenState.Preview(
        path: path, lines: lines.flatMap { CellLine.wrapped($0, to: width - 1) })
      if let words = listing.found?.words(of: entry), !words.isEmpty { preview.mark(words) }
      return .previewed(number: number, preview)
    } catch {
      let lines = Self.lines(error).flatMap { CellLine.wrapped($0, to: width - 1) }
      return .previewed(number: number, ScreenState.Preview(path: path, lines: lines))
    }
  }

  private func completed(_ head: String, _ candidates: [Candidate]) -> ScreenEvent {
    .completed(head: head, Array(candidates.prefix(Self.mostCandidates)))
  }

  /// The completions of the words of a command.
  private func candidates(_ head: String, _ note: String?) -> [Candidate] {
    // Quoted text is free text.
    guard var words = CommandRun.words(of: head) else { return [] }
    if head.isEmpty || head.last == " " { words.append("") }
    let last = words.last ?? ""
    let kept = String(head.dropLast(last.count))
    guard head.hasSuffix(last) else { return [] }
    let isOfNotes = words.contains("@")
    let found = circumstances.complete(words.map { $0 == "@" ? note ?? $0 : $0 })
    // The notes are named by @ already.
    let changes = found.filter { $0.text.contains(":") || "+-".contains($0.text.first ?? " ") }
    return (isOfNotes && !changes.isEmpty ? changes : found).compactMap { Candidate(kept + $0.text, $0.note) }
  }

  /// The notes with titles that have words which begin as those that were typed, in any order; one of exactly that title first.
  private func titles(_ typed: String) throws -> [FoundTitle] {
    let snapshot = box.now
    let query = FoundTitle.query(typed)
    guard !query.isEmpty else { return [] }
    let entries = try snapshot.matches(try snapshot.query([query])).prefix(Self.mostTitles).map(\.entry)
    let isExact = { (entry: Entry) in Folding.fold(entry.note.title) == Folding.fold(typed) }
    return (entries.filter(isExact) + entries.filter { !isExact($0) }).map { entry in
      FoundTitle(
        reference: entry.reference, title: entry.note.title, kind: entry.kind, isExact: isExact(entry))
    }
  }

  private static let mostTitles = 50
  private static let mostCandidates = 100
  private static let mostOperations = 2_000

  private func history(_ listing: Listing, _ entry: Entry?) throws -> HistorySheet {
    let snapshot = box.now
    let display = Display(style: circumstances.style, width: Int(Int16.max))
    let rows = FieldHistoryRows(display) { $0.title(in: snapshot) }
    let filter = HistoryFilter(
      interval: .all, clock: snapshot.clock, author: nil, field: nil, wantsChanges: entry != nil)
    var items: [HistorySheet.Item] = []
    let add = { (found: HistoryEntry) throws(SlipboxError) -> Bool in
      let changes = entry == nil ? [] : rows.lines(found)
      items.append(
        HistorySheet.Item(
          name: found.operation.id?.description ?? found.commit.id.hex, commit: found.commit.id.hex,
          time: found.operation.time.minute, isOperation: found.operation.id != nil,
          line: found.line(display), changes: changes))
      return true
    }
    if let entry {
      let note = PastNote(path: entry.note.path, id: entry.note.id)
      try BoxHistory(of: snapshot).visit(of: [note], filter, limit: Self.mostOperations, add)
    } else {
      try BoxHistory(of: snapshot).visit(filter, limit: Self.mostOperations, add)
    }
    return HistorySheet(
      title: entry?.note.title ?? "History of the box", note: entry?.reference, items: items)
  }

  /// - Throws: `.notFound` if the note has none.
  private func parts(
    of entry: Entry, in snapshot: BoxSnapshot, _ purpose: PartsSheet.Purpose
  ) throws(SlipboxError) -> PartsSheet {
    let text = try entry.note.text
    let items: [PartsSheet.Item]
    switch purpose {
    case .headings:
      let anchors = HeadingAnchors(text)
      let places = text.positions(of: anchors.headings.map(\.lines.lowerBound))
      items = anchors.headings.indices.map { number in
        PartsSheet.Item(
          line: places[number].line, text: anchors.texts[number], level: anchors.headings[number].level)
      }
    case .boxes:
      items = try TodoList(in: snapshot).todos(in: [Match(entry)], [.open, .done]).map { todo in
        PartsSheet.Item(line: todo.line, text: todo.text, isDone: todo.state == .done)
      }
    }
    guard !items.isEmpty else {
      throw SlipboxError(
        .notFound, "\(entry.note.mention) has no \(purpose == .headings ? "heading" : "check box")")
    }
    return PartsSheet(purpose: purpose, title: entry.note.title, note: entry.reference, items: items)
  }

  /// The first thing that is to be decided in a note, with a key for each version.
  private func conflict(of entry: Entry, in snapshot: BoxSnapshot) throws -> TextSheet {
    let conflicts = try ResolveConflicts(in: snapshot).conflicts(of: entry)
    guard let conflict = conflicts.first else {
      return TextSheet(title: entry.note.title, lines: ["no versions to choose from"])
    }
    let keep = { (version: String) in
      CommandRun(["resolve", "@", "--keep", version, conflict.name], on: [entry.reference])
    }
    var choices = (1...conflict.versions.count).prefix(9).map { number in
      Menu.Choice(key: String(number), text: "keep \(number)", result: .start(keep(String(number))))
    }
    if conflict.versions.allSatisfy({ $0.text != nil }) {
      choices.append(Menu.Choice(key: "a", text: "keep all", result: .start(keep("all"))))
    }
    choices.append(
      Menu.Choice(
        key: "e", text: "edit", result: .start(CommandRun(["edit", "@"], on: [entry.reference]))))
    let more = conflicts.count - 1
    let lines = ConflictLines(entry.note, Display(style: circumstances.style, width: Int(Int16.max)))
      .lines(of: conflict)
    return TextSheet(
      title: entry.note.title,
      lines: lines + (more > 0 ? ["", "and \(more) more \(more == 1 ? "conflict" : "conflicts")"] : []),
      choices: choices)
  }

  private static func lines(_ error: any Error) -> [String] {
    switch error {
    case let error as SlipboxError: ([error.message] + error.hints).map(\.description)
    case let error as QueryError: [error.message] + (error.hint.map { [$0] } ?? [])
    default: ["\(error)"]
    }
  }
}

/// The titles that rows show, of the snapshot that was listed last.
final class LatestTitles: Sendable {
  private let latest = Mutex<RowTitles?>(nil)

  /// - Throws: if the notes can't be read.
  func titles(of snapshot: BoxSnapshot) throws -> RowTitles {
    if let known = latest.withLock({ $0 }), known.snapshot === snapshot { return known }
    let titles = try RowTitles(of: snapshot)
    latest.withLock { $0 = titles }
    return titles
  }
}
