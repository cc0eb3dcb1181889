import NoteIndex
package import Notes
import SlipboxCore

/// Completes terms of queries and values of fields.
package struct TermCompletion {
  private let box: CompletedBox

  package init(_ box: CompletedBox) { self.box = box }

  /// The terms that a query may go on with.
  ///
  /// - Parameter others: the arguments before, which may say what kind of note is meant.
  package func query(_ word: String, _ others: [String]) -> [Candidate] {
    // An argument with blanks is one term, `author:Le Guin`, or several, of which the last is completed: the longest
    // that can be.
    var found = term("", word, others)
    for blank in word.indices where found.isEmpty && " (".contains(word[blank]) {
      found = term(String(word[...blank]), String(word[word.index(after: blank)...]), others)
    }
    return found
  }

  /// The continuations of the last term of an argument; `head` is the text before that term.
  private func term(_ head: String, _ term: String, _ others: [String]) -> [Candidate] {
    switch term.first {
    case "+", "-": return tags(head + term.prefix(1), String(term.dropFirst()))
    case "@":
      return box.filters.filter { CompletedBox.begins($0.name, with: term.dropFirst()) }
        .compactMap { Candidate("\(head)@\($0.name)", $0.query) }
    default: break
    }
    let kind = (others + [head]).flatMap { $0.split(separator: " ") }
      .last { $0.hasPrefix("kind:") }.flatMap { box.kind(String($0.dropFirst("kind:".count))) }
    guard let colon = term.firstIndex(of: ":") else { return names(head, term, kind) }
    let name = String(term[..<colon])
    let value = Self.lastValue(of: term[term.index(after: colon)...])
    let kept = head + term[..<value.startIndex]
    // Values before a comma are not offered again.
    let chosen = Set(term[term.index(after: colon)..<value.startIndex].split(separator: ",").map(String.init))
    return values(of: name, kind, kept, String(value)).filter {
      !chosen.contains(String($0.text.dropFirst(kept.count)))
    }
  }

  /// The part of a value that is being typed: after the last comma, `..` or comparison.
  private static func lastValue(of text: Substring) -> Substring {
    var rest = text
    if let comma = rest.lastIndex(of: ",") { rest = rest[rest.index(after: comma)...] }
    var index = rest.startIndex
    while index < rest.endIndex {
      if rest[index...].hasPrefix("..") {
        rest = rest[rest.index(index, offsetBy: 2)...]
        index = rest.startIndex
      } else {
        index = rest.index(after: index)
      }
    }
    return rest.drop { "<>=".contains($0) }
  }

  /// The names of fields: if the kind is known, those of its records alone.
  private func names(_ head: String, _ term: String, _ kind: Kind?) -> [Candidate] {
    var seen: Set<String> = []
    let fields = kind.map { box.fieldNames(of: $0) } ?? box.fieldNames
    return (Query.builtInNames.sorted() + fields).filter {
      CompletedBox.begins($0, with: term) && seen.insert($0.lowercased()).inserted
    }.compactMap { Candidate("\(head)\($0):") }
  }

  private func values(of name: String, _ kind: Kind?, _ head: String, _ word: String) -> [Candidate] {
    let offer = { (texts: [String]) in
      texts.filter { CompletedBox.begins($0, with: word) }.compactMap { Candidate(head + $0) }
    }
    switch name.lowercased() {
    case "kind": return offer(box.kinds.map(\.name))
    case "is": return offer(Query.states)
    case "has": return offer(box.fieldNames + NoteColumn.fields.map(\.rawValue))
    case "sort": return sortKeys(head, word)
    case "tag", "tags":
      return tags(
        head + (word.hasPrefix("-") ? "-" : ""), word.hasPrefix("-") ? String(word.dropFirst()) : word)
    case "path": return box.folders(from: word).compactMap { Candidate(head + $0) }
    case "id", "links", "linked-by":
      return box.ids(from: word).compactMap { Candidate(head + $0.text, $0.note) }
    case "created", "modified": return offer(Self.datesBack)
    case "todo-due" where !box.kinds.contains { $0.field(name) != nil }:
      return offer(Self.datesAhead + ["yesterday"])
    case "limit", "body", "title": return []
    case "todo" where !box.kinds.contains { $0.field(name) != nil }: return []
    default: return declared(name, kind, head, word, isQuery: true)
    }
  }

  private static let datesBack = ["today", "yesterday", "7d", "2w", "6m", "1y", "sow", "som", "soy"]
  private static let datesAhead = ["today", "tomorrow", "friday", "3d", "1w", "eow", "eom", "eoy"]

  /// The values of a field as kinds declare it, with those that notes have.
  package func declared(
    _ name: String, _ kind: Kind?, _ head: String, _ word: String, isQuery: Bool
  ) -> [Candidate] {
    let kinds = kind.map { [$0] } ?? box.kinds
    let fields = kinds.compactMap { $0.field(name) }
    var texts: [(text: String, note: String)] = []
    for field in fields {
      switch field.type {
      case .choice: texts += field.values.map { ($0, "") }
      case .boolean: texts += [("true", ""), ("false", "")]
      case .date, .moment:
        let own = field.looksBack ? Self.datesBack : Self.datesAhead
        texts += (isQuery ? own + ["yesterday"] : own).map { ($0, "") }
      case .reference: texts += box.records(of: field.target, byTitle: !word.isEmpty)
      case .recurrence: texts += Recurrence.words.map { ($0, "") }
      case .text, .tags, .integer: break
      }
    }
    let isOpen = fields.allSatisfy { [.text, .tags, .integer].contains($0.type) }
    if isOpen { texts += box.values(of: name).map { ($0, "") } }
    var seen: Set<String> = []
    return texts.filter {
      CompletedBox.begins($0.text, with: word) && (!isQuery || Self.isPlainValue($0.text))
        && seen.insert($0.text).inserted
    }.compactMap { Candidate(head + $0.text, $0.note) }
  }

  /// Whether a query reads a value without quotes.
  private static func isPlainValue(_ text: String) -> Bool {
    !text.contains { "\"*(),".contains($0) } && !text.contains("..") && !"=<>!-".contains(text.first ?? "=")
  }

  /// The keys of an order: the last of several, with its dash.
  package func sortKeys(_ head: String, _ word: String) -> [Candidate] {
    var head = head
    var key = word[...]
    if let comma = key.lastIndex(of: ",") {
      head += key[...comma]
      key = key[key.index(after: comma)...]
    }
    if key.hasPrefix("-") {
      head += "-"
      key = key.dropFirst()
    }
    let columns = NoteColumn.allCases.filter { $0 != .tags }.map(\.rawValue).sorted()
    let worked = box.kinds.contains { !$0.urgency.isEmpty } ? ["urgency"] : []
    let names = columns + worked + box.fieldNames
    return names.filter { CompletedBox.begins($0, with: key) }.compactMap { Candidate(head + $0) }
  }

  /// Tags that begin with a word.
  package func tags(_ head: String, _ word: String) -> [Candidate] {
    box.tags.filter { CompletedBox.begins($0.name, with: word) && !$0.name.hasPrefix("-") }
      .compactMap { Candidate(head + $0.name, $0.all == 1 ? "1 note" : "\($0.all) notes") }
  }
}
