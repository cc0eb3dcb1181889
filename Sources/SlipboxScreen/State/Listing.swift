import NoteIndex
import Notes
import Presentation
import SlipboxCore
import Synchronization
import Text

/// The notes of a list in their order, with what their rows need.
struct Listing: Sendable {
  let request: ListingRequest
  let snapshot: BoxSnapshot
  let matches: [Match]
  /// The kind whose row is shown; nil for the row that all kinds share.
  let kind: Kind?
  let rows: WindowRows
  /// A suggestion for a query with few results.
  let hint: String?
  /// The actions that end a record, by kind.
  let endings: [String: String]
  /// The columns or days of a saved view; nil for a list of rows.
  let form: ViewForm?
  /// The lines that show why the notes were found; nil if no words were looked for.
  let found: FoundLines?

  /// How many lines of the screen a note takes.
  var rowHeight: Int { found == nil ? 1 : 2 }

  /// Whether notes may be changed: those of now alone may.
  var isOfNow: Bool { request.moment == .now }

  /// Whether it lists the notes of a day or a revision.
  var isOfPast: Bool { if case .past = request.moment { true } else { false } }

  /// The requested list, with the interpretation of its last word.
  ///
  /// - Parameter titles: the row titles of a snapshot, which lists of it share.
  /// - Throws: if the query or the notes can't be read.
  static func read(
    _ request: ListingRequest, _ now: BoxSnapshot, _ context: CommandContext,
    titles: (BoxSnapshot) throws -> RowTitles = { try RowTitles(of: $0) }
  ) throws -> Listing {
    guard request.lastWord == .either else { return try Listing(request, now, context, titles) }
    var read = request
    read.lastWord = .whole
    let whole = try Listing(read, now, context, titles)
    read.query = request.queryOfBeginning
    guard whole.matches.isEmpty, read.query != request.query else { return whole }
    let beginning = try Listing(read, now, context, titles)
    return beginning.matches.isEmpty ? whole : beginning
  }

  private init(
    _ request: ListingRequest, _ now: BoxSnapshot, _ context: CommandContext,
    _ titles: (BoxSnapshot) throws -> RowTitles
  ) throws {
    self.request = request
    let text = request.lastWord == .beginning ? request.queryOfBeginning : request.query
    var deleted: DeletedNotes?
    switch request.moment {
    case .now: snapshot = now
    case .past(let point, _):
      snapshot = try now.box.snapshot(at: try now.box.pastPoint(point, context), context)
    case .deleted:
      deleted = try DeletedNotes(of: now, context)
      snapshot = deleted?.snapshot ?? now
    }
    if let name = request.view {
      let view = try View(named: name, in: snapshot)
      let notes = try ViewNotes(view, filter: text, in: snapshot)
      let shown = try ViewForm.of(view, notes, filter: text, day: request.day, in: snapshot)
      (form, matches) = (shown?.form, shown?.matches ?? notes.matches)
      rows = try WindowRows(snapshot, titles: try titles(snapshot))
      kind = notes.kind.flatMap { [snapshot] in snapshot.schema().kind(named: $0) }.flatMap {
        $0.isOfPlainNotes || $0.row.isEmpty ? nil : $0
      }
      hint = matches.isEmpty ? "no note matches" : nil
      endings = Self.endings(in: snapshot)
      found = form == nil ? FoundLines(try snapshot.query([text]), matches, in: snapshot) : nil
      return
    }
    form = nil
    var query = try snapshot.query([text])
    if let sort = request.sort, !sort.isEmpty { query.sort = try SortKey.parse(sort) }
    if request.moment == .deleted {
      matches = try deleted?.matches(query) ?? []
    } else {
      matches = query.hasText ? try snapshot.ranked(query) : try snapshot.matches(query)
    }
    found = FoundLines(query, matches, in: snapshot)
    let deletion = deleted.map { deleted -> @Sendable (Entry) -> PastDeletion? in
      { deleted.deletion(of: $0.note) }
    }
    rows = try WindowRows(snapshot, deletion: deletion, titles: try titles(snapshot))
    let schema = snapshot.schema()
    let named = query.kindName.flatMap { schema.kind(named: $0) }
    kind = named.flatMap { $0.isOfPlainNotes || $0.row.isEmpty ? nil : $0 }
    let hints = QueryHints(query, in: snapshot)
    let lines = matches.isEmpty ? hints.emptyList(isQueried: !request.query.isEmpty) : hints.unknownNames()
    if matches.isEmpty, request.moment == .deleted {
      hint =
        request.query.isEmpty ? "no notes have been deleted" : "no deleted note matches: \(request.query)"
      endings = Self.endings(in: snapshot)
      return
    }
    let isFirst = matches.isEmpty && request == ListingRequest()
    hint =
      isFirst
      ? "the box is empty; press c to add a note or record"
      : lines.isEmpty ? nil : lines.joined(separator: "\n")
    endings = Self.endings(in: snapshot)
  }

  /// The note in a row; nil if there is no such row.
  func entry(_ row: Int) -> Entry? { matches.indices.contains(row) ? matches[row].entry : nil }

  func path(_ row: Int) -> [UInt8]? {
    matches.indices.contains(row) ? matches[row].entries.path(at: matches[row].place) : nil
  }

  /// The actions of a note's kind.
  func actions(of entry: Entry) -> [Action] { snapshot.schema().kind(named: entry.kind)?.actions ?? [] }
}

/// A requested list.
struct ListingRequest: Equatable, Sendable {
  /// The moment whose notes are listed.
  enum Moment: Equatable, Sendable {
    case now
    /// A revision or a date, as `--as-of` takes it, and how it is shown.
    case past(String, shown: String)
    /// The notes that were deleted.
    case deleted
  }

  /// The meaning of the last word of the query.
  enum LastWord: Equatable, Sendable {
    case whole
    /// The beginning of a word: it is still being typed.
    case beginning
    /// The whole word, or the beginning of one if no note has it.
    case either
  }

  var moment = Moment.now
  var query = ""
  var lastWord = LastWord.whole
  /// The saved view whose notes are listed; the query narrows it.
  var view: String?
  /// A day of the month that a calendar shows; nil for today.
  var day: CivilDate?
  /// Sort keys as `--sort` takes them; nil for the order of the query.
  var sort: String?

  /// The query with its last word as the beginning of one; the same if that is not a plain word.
  var queryOfBeginning: String {
    let last = query.split(separator: " ", omittingEmptySubsequences: false).last ?? ""
    let isWord = last.count > 1 && last.allSatisfy { $0.isLetter || $0.isNumber }
    let isInQuotes = query.count { $0 == "\"" } % 2 == 1
    return isWord && !isInQuotes && !["or", "and", "not"].contains(last.lowercased()) ? query + "*" : query
  }
}

extension Listing {
  /// The action that ends a record, such as `close` or `finish`, by kind: the first that is declared after which a record is
  /// not active.
  private static func endings(in snapshot: BoxSnapshot) -> [String: String] {
    let (schema, clock) = (snapshot.schema(), snapshot.clock)
    let test = ActiveTest(schema: schema, clock: clock)
    var endings: [String: String] = [:]
    for kind in schema.kinds where kind.active != nil {
      let ending = kind.actions.first { action in
        guard let note = kind.note(after: action) else { return false }
        return !test.isActive(Entry(note: note, created: clock.now, kind: kind.name))
      }
      endings[kind.name] = ending?.name
    }
    return endings
  }
}

extension Kind {
  /// A record with only the fields that an action sets; nil if it sets nothing.
  fileprivate func note(after action: Action) -> Note? {
    let lines = action.changes.compactMap { change -> String? in
      guard case .set(let field, let value) = change else { return nil }
      return "\(field): \(value)\n"
    }
    guard !lines.isEmpty else { return nil }
    let text = "---\nkind: \(name)\n\(lines.joined())---\n"
    return Note(path: Array("record.md".utf8), text: NoteText(Array(text.utf8)))
  }
}

/// The lines of notes with the words that were looked for. Each is looked up once.
///
/// Safe for several threads.
final class FoundLines: Sendable {
  private let query: Query
  private let matches: [Match]
  private let snapshot: BoxSnapshot
  private let known = Mutex<[Int: [Snippet]]>([:])

  /// How many notes are looked at to see whether any text has the words.
  private static let sample = 50

  /// Fails for a query without words, and if the words are in titles alone.
  init?(_ query: Query, _ matches: [Match], in snapshot: BoxSnapshot) {
    guard query.hasText else { return nil }
    (self.query, self.matches, self.snapshot) = (query, matches, snapshot)
    guard matches.indices.prefix(Self.sample).contains(where: { !snippets(ofRow: $0).isEmpty }) else {
      return nil
    }
  }

  /// The snippet under a row of the list; nil if its text has none of the words.
  func line(ofRow row: Int, _ display: Display) -> String? { snippets(ofRow: row).first?.shown(display) }

  private func snippets(ofRow row: Int) -> [Snippet] {
    guard matches.indices.contains(row) else { return [] }
    if let found = known.withLock({ $0[row] }) { return found }
    // A text that can't be read has no line to show; the preview says why.
    let found = (try? snapshot.withSnippets([matches[row]], of: query))?.first?.snippets ?? []
    known.withLock { $0[row] = found }
    return found
  }

  /// The words of a note as they are in its text, folded.
  func words(of entry: Entry) -> Set<String> {
    guard let row = matches.firstIndex(where: { $0.entries.path(at: $0.place) == entry.note.path }) else {
      return []
    }
    let words = snippets(ofRow: row).flatMap { snippet in
      snippet.highlights.map { Folding.fold(String(decoding: Array(snippet.text.utf8)[$0], as: UTF8.self)) }
    }
    return Set(words.filter { !$0.isEmpty })
  }
}

extension CellLine {
  /// Marks words in a line of a note, and says whether it has any.
  ///
  /// - Parameter words: folded words.
  /// - Complexity: O(n m) in the cells and the letters of the words.
  static func mark(_ words: Set<String>, in line: inout [Cell]) -> Bool {
    let letters = line.map { Folding.fold($0.text) }
    var isFound = false
    for word in words {
      for start in letters.indices where word.hasPrefix(letters[start]) && !letters[start].isEmpty {
        var (end, rest) = (start, word[...])
        while end < letters.count, !rest.isEmpty, rest.hasPrefix(letters[end]) {
          rest = rest.dropFirst(letters[end].count)
          end += 1
        }
        guard rest.isEmpty else { continue }
        for place in start..<end { line[place].style.attributes.insert([.bold, .underline]) }
        isFound = true
      }
    }
    return isFound
  }
}
