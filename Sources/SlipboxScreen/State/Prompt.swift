import Bytes
import Notes
import Presentation
import SlipboxCore

/// An input line at the foot of the screen.
struct Prompt: Sendable {
  /// The purpose of the input.
  enum Purpose: Equatable, Sendable {
    /// The query of the list, which follows as it is typed.
    case filter
    /// A command of slip; `@` means the selected notes.
    case command
    /// The day or revision of which the box is shown.
    case past
    /// The name under which the filter is saved.
    case filterName
    /// Keys to sort by.
    case sort
  }

  let purpose: Purpose
  var line: LineEditor
  /// The list to return to if the prompt is cancelled.
  var before: ListingRequest?
  /// The text that the line began with; nil if a command that failed is typed again.
  var initial: String?
  /// The note of the cursor and the first row that was shown when the prompt was opened.
  var place: (path: [UInt8]?, top: Int) = (nil, 0)
  /// The reasons why the query in the line is invalid; nil if it is valid.
  var fault: [String]?
  /// The completions of the text before the cursor.
  var candidates: [Candidate] = []
  /// The candidate that was chosen last; nil if none was.
  var chosen: Int?
  /// The text for which the candidates were asked.
  var completedHead = ""
  /// How far back in history the line is; nil: it is new.
  var historyPlace: Int?
  /// The line that was typed before one went back in history.
  var typed = ""

  /// The sign before the line.
  var sign: String {
    switch purpose {
    case .filter: "/"
    case .command: ":"
    case .past: "as of: "
    case .filterName: "save filter as: "
    case .sort: "sort by: "
    }
  }

  /// The line as a query: without the blank behind which the next term is typed.
  var query: String {
    guard let shown = before?.query, line.text == shown + " " else { return line.text }
    return shown
  }

  /// Whether the line is completed.
  var isCompleted: Bool { [.filter, .command].contains(purpose) }
}

/// One line of text that is being typed.
struct LineEditor: Equatable, Sendable {
  private(set) var characters: [Character]
  /// Before which character the next one goes.
  private(set) var cursor: Int

  /// - Parameter rest: the text after the cursor.
  init(_ text: String = "", rest: String = "") {
    let head = Array(text)
    characters = head + rest
    cursor = head.count
  }

  var text: String { String(characters) }
  /// The text before the cursor.
  var head: String { String(characters[..<cursor]) }

  /// Replaces the whole text.
  mutating func set(_ text: String) { self = LineEditor(text) }

  /// Replaces a part of the text before the cursor.
  mutating func replaceHead(_ text: String) {
    let new = Array(text)
    characters = new + characters[cursor...]
    cursor = new.count
  }

  /// Takes a key as lines on a terminal do; false if it means nothing here.
  mutating func take(_ key: Key) -> Bool {
    switch key {
    case .text(let text): insert(text)
    case .space: insert(" ")
    case .paste(let text): insert(String(text.map { $0.isNewline || $0 == "\t" ? " " : $0 }))
    case .left, .ctrl("b"): cursor = max(0, cursor - 1)
    case .right, .ctrl("f"): cursor = min(characters.count, cursor + 1)
    case .home, .ctrl("a"): cursor = 0
    case .end, .ctrl("e"): cursor = characters.count
    case .backspace:
      guard cursor > 0 else { return true }
      characters.remove(at: cursor - 1)
      cursor -= 1
    case .delete, .ctrl("d"):
      if cursor < characters.count { characters.remove(at: cursor) }
    case .ctrl("u"): remove(from: 0)
    case .ctrl("w"):
      let end = characters[..<cursor].lastIndex { $0 != " " } ?? -1
      let start = characters[..<max(0, end)].lastIndex { $0 == " " } ?? -1
      remove(from: start + 1)
    case .ctrl("k"): characters.removeSubrange(cursor...)
    default: return false
    }
    return true
  }

  private mutating func insert(_ text: String) {
    // A mark may join the character before it, so that all of it is read again.
    let head = Array(String(characters[..<cursor]) + text)
    characters = head + characters[cursor...]
    cursor = head.count
  }

  private mutating func remove(from start: Int) {
    characters.removeSubrange(start..<cursor)
    cursor = start
  }
}

/// The line at the foot of the screen.
extension ScreenState {
  /// Opens a prompt.
  ///
  /// - Parameter rest: the text after the cursor.
  mutating func ask(_ purpose: Prompt.Purpose, _ text: String = "", rest: String = "") -> [ScreenEffect] {
    let place = (path: listing?.path(view.cursor), top: view.top)
    prompt = Prompt(
      purpose: purpose, line: LineEditor(text, rest: rest), before: purpose == .filter ? view.request : nil)
    prompt?.place = place
    prompt?.initial = text + rest
    return completion()
  }

  mutating func takeInPrompt(_ key: Key) -> [ScreenEffect] {
    guard var prompt else { return [] }
    switch key {
    case .escape, .ctrl("c"):
      self.prompt = nil
      guard let before = prompt.before, before != view.request else { return [] }
      restoredTop = prompt.place.top
      return [load(before, keeping: prompt.place.path)]
    case .enter:
      if let fault = prompt.fault {
        message = Message(lines: fault, isError: true)
        return []
      }
      if prompt.purpose == .command, words(of: prompt.line.text) == nil {
        message = Message(lines: ["a quote has no end"], isError: true)
        self.prompt?.candidates = []
        return []
      }
      self.prompt = nil
      return accept(prompt)
    case .tab, .backTab:
      self.prompt?.complete(key == .tab ? 1 : -1)
      return followed()
    case .down where prompt.historyPlace == nil && !prompt.candidates.isEmpty:
      self.prompt?.complete(1)
      return followed()
    case .up where prompt.chosen != nil:
      self.prompt?.complete(-1)
      return followed()
    case .up, .down, .ctrl("p"), .ctrl("n"):
      let lines = prompt.purpose == .filter ? queries : prompt.purpose == .command ? commands : []
      let step = key == .up || key == .ctrl("p") ? 1 : -1
      let place = (prompt.historyPlace ?? -1) + step
      // Behind the newest line is the one that was typed.
      guard place < lines.count, place >= 0 || prompt.historyPlace != nil else { return [] }
      if prompt.historyPlace == nil { self.prompt?.typed = prompt.line.text }
      self.prompt?.historyPlace = place < 0 ? nil : place
      self.prompt?.line.set(place < 0 ? prompt.typed : lines[lines.count - 1 - place])
      self.prompt?.chosen = nil
      return followed() + completion()
    default:
      // The blank behind the query is there already.
      if key == .space, prompt.query != prompt.line.text { return [] }
      guard prompt.line.take(key) else { return [] }
      prompt.chosen = nil
      self.prompt = prompt
      return followed() + completion()
    }
  }

  /// The list of a query that is being typed.
  private mutating func followed() -> [ScreenEffect] {
    guard let prompt, prompt.purpose == .filter, prompt.query != view.request.query else { return [] }
    var request = view.request
    request.query = prompt.query
    request.lastWord = prompt.before?.query == request.query ? .whole : .beginning
    return [load(request)]
  }

  private func completion() -> [ScreenEffect] {
    guard let prompt, prompt.isCompleted else { return [] }
    let head = prompt.line.head
    return prompt.purpose == .filter
      ? [.completeQuery(head: head)] : [.completeCommand(head: head, note: targets.first)]
  }

  /// The words of a line. In a note that is added, an apostrophe is one of its title. A value of several words is one.
  private func words(of line: String) -> [String]? {
    let isNew = line.hasPrefix("new ")
    let quoted = CommandRun.words(of: line)
    guard
      let words = quoted
        ?? (isNew && !line.contains("\"") ? line.split(separator: " ").map(String.init) : nil)
    else { return nil }
    return isNew
      ? joiningDates(words) : words.starts(with: ["set", "@"]) ? Self.joiningValues(words) : words
  }

  /// The most words of a date, as in `day after tomorrow 9am`.
  private static let mostWordsOfDate = 4

  /// The words with those of a date such as `due:next week`, `due:in 3 days` and `due:monday 9am` as one.
  private func joiningDates(_ words: [String]) -> [String] {
    guard let snapshot = listing?.snapshot else { return words }
    let schema = snapshot.schema()
    let dates = schema.kinds.flatMap(\.fields).filter(\.isTime)
    var joined: [String] = []
    var rest = words[...]
    while let word = rest.popFirst() {
      joined.append(word)
      guard case .set(let name, let value)? = Change(word),
        let field = dates.first(where: { $0.name.isSameName(as: name) }) ?? Field.dateOfEveryKind(name)
      else { continue }
      // The longest date counts: `dec 5`, not `dec`.
      let more = (1..<Self.mostWordsOfDate).reversed().first { count in
        let text = ([value] + rest.prefix(count)).joined(separator: " ")
        return count <= rest.count && field.readsDate(text, clock: snapshot.clock)
      }
      guard let more else { continue }
      joined[joined.count - 1] = ([word] + rest.prefix(more)).joined(separator: " ")
      rest = rest.dropFirst(more)
    }
    return joined
  }

  /// The words of CHANGEs, each with the words up to the next one.
  private static func joiningValues(_ words: [String]) -> [String] {
    words.reduce(into: []) { joined, word in
      if Change(word) == nil, case .set? = joined.last.flatMap(Change.init) {
        joined[joined.count - 1] += " " + word
      } else {
        joined.append(word)
      }
    }
  }

  private mutating func accept(_ prompt: Prompt) -> [ScreenEffect] {
    let text = prompt.purpose == .filter ? prompt.query : prompt.line.text
    let isBlank = !text.contains { $0 != " " }
    switch prompt.purpose {
    case .filter:
      if !isBlank { queries.removeAll { $0 == text }; queries.append(text) }
      guard let before = prompt.before, before != view.request else { return [] }
      // The list of before is where Esc goes back to.
      let found = view
      view.request = before
      view.listing = nil
      views.append(found)
      view.marked = []
      var request = found.request
      request.lastWord = .either
      return [load(request)]
    case .command:
      guard !isBlank else { return [] }
      // A key that opens the prompt for a date or a tag clears nothing if none is typed.
      if text == prompt.initial, text.hasPrefix("set @ ") {
        say("nothing was changed; = and a field without a value clears it")
        return []
      }
      commands.removeAll { $0 == text }
      commands.append(text)
      var words = words(of: text) ?? []
      if words.first == "slip" { words.removeFirst() }
      if ["q", "quit"].contains(words.first) { return perform(.quit) }
      return words.isEmpty ? [] : run(words, typedAs: text)
    case .past:
      var request = view.request
      request.moment = isBlank ? .now : .past(text, shown: text)
      return open(request)
    case .filterName:
      return isBlank ? [] : start(CommandRun(["filter", "save", text, view.request.query], on: []))
    case .sort:
      var request = view.request
      request.sort = isBlank ? nil : text
      return request == view.request ? [] : [load(request)]
    }
  }
}

extension Prompt {
  /// Replaces the typed text by the next candidate.
  mutating func complete(_ step: Int) {
    guard !candidates.isEmpty else { return }
    let next = chosen.map { $0 + step } ?? (step > 0 ? 0 : candidates.count - 1)
    let place = (next + candidates.count) % candidates.count
    chosen = place
    line.replaceHead(candidates[place].text)
  }
}
