import Bytes
import Presentation

/// The line at the foot of the screen.
extension ScreenState {
  /// Asks for something.
  ///
  /// - Parameter rest: what stands behind the cursor.
  mutating func ask(_ purpose: Prompt.Purpose, _ text: String = "", rest: String = "") -> [ScreenEffect] {
    let place = (path: listing?.path(view.cursor), top: view.top)
    prompt = Prompt(
      purpose: purpose, line: LineEditor(text, rest: rest), before: purpose == .filter ? view.request : nil)
    prompt?.place = place
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
      if prompt.purpose == .command, Self.words(of: prompt.line.text) == nil {
        message = Message(lines: ["a quote has no end"], isError: true)
        self.prompt?.candidates = []
        return []
      }
      self.prompt = nil
      return accept(prompt)
    case .tab, .backTab:
      self.prompt?.complete(key == .tab ? 1 : -1)
      return followed()
    case .up, .down, .ctrl("p"), .ctrl("n"):
      let lines = prompt.purpose == .filter ? queries : prompt.purpose == .command ? commands : []
      let step = key == .up || key == .ctrl("p") ? 1 : -1
      let place = (prompt.historyPlace ?? -1) + step
      guard place < lines.count else { return [] }
      self.prompt?.historyPlace = place < 0 ? nil : place
      self.prompt?.line.set(place < 0 ? "" : lines[lines.count - 1 - place])
      self.prompt?.chosen = nil
      return followed() + completion()
    default:
      guard prompt.line.take(key) else { return [] }
      prompt.chosen = nil
      self.prompt = prompt
      return followed() + completion()
    }
  }

  /// The list of a query that is being typed.
  private mutating func followed() -> [ScreenEffect] {
    guard let prompt, prompt.purpose == .filter, prompt.line.text != view.request.query else { return [] }
    var request = view.request
    request.query = prompt.line.text
    return [load(request)]
  }

  private func completion() -> [ScreenEffect] {
    guard let prompt, prompt.isCompleted else { return [] }
    let head = prompt.line.head
    return prompt.purpose == .filter
      ? [.completeQuery(head: head)] : [.completeCommand(head: head, note: targets.first)]
  }

  /// The words of a line; in a note that is added, an apostrophe is one of its title.
  private static func words(of line: String) -> [String]? {
    if let words = CommandRun.words(of: line) { return words }
    guard line.hasPrefix("new "), !line.contains("\"") else { return nil }
    return line.split(separator: " ").map(String.init)
  }

  private mutating func accept(_ prompt: Prompt) -> [ScreenEffect] {
    let text = prompt.line.text
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
      views[views.count - 1].marked = []
      return []
    case .command:
      guard !isBlank else { return [] }
      commands.removeAll { $0 == text }
      commands.append(text)
      var words = Self.words(of: text) ?? []
      if words.first == "slip" { words.removeFirst() }
      if ["q", "quit"].contains(words.first) { return perform(.quit) }
      return words.isEmpty ? [] : run(words)
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
  /// Puts the next candidate in the place of what is typed.
  mutating func complete(_ step: Int) {
    guard !candidates.isEmpty else { return }
    let next = chosen.map { $0 + step } ?? (step > 0 ? 0 : candidates.count - 1)
    let place = (next + candidates.count) % candidates.count
    chosen = place
    line.replaceHead(candidates[place].text)
  }
}
