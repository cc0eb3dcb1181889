import Notes
import Text

/// A query as a tree, with the positions of its terms.
indirect enum QueryNode: Sendable {
  /// All notes: a query without terms.
  case everything
  case term(QueryTerm)
  case not(QueryNode)
  /// Two nodes or more, none of them an `and`.
  case and([QueryNode])
  /// Two nodes or more, none of them an `or`.
  case or([QueryNode])
  /// A filter that is used by its name.
  case filter(String, QueryNode)

  /// Returns a condition outside any query as a node.
  static func condition(_ condition: QueryCondition) -> QueryNode {
    .term(QueryTerm(condition: condition, range: 0..<0, reading: ""))
  }
}

/// One term of a query.
struct QueryTerm: Sendable {
  let condition: QueryCondition
  /// Its range in the bytes of the query.
  let range: Range<Int>
  /// The term in a form that parses to the same term again.
  let reading: String
}

/// The test of one term.
enum QueryCondition: Sendable {
  /// Words anywhere: title, aliases, tags, text fields or body.
  case text(TextPattern)
  case title([ValueTest])
  case body([TextPattern])
  case kind([Glob])
  /// A tag, or one below it.
  case tag([Glob])
  case path([PathCondition])
  case id([Glob])
  case created([DateInterval])
  case modified([DateInterval])
  /// A field of the front-matter, by its name as it was typed.
  case field(String, [ValueTest])
  /// One of these fields has a value.
  case has([String])
  /// A field is empty or absent.
  case lacks(String)
  /// A field, as the kind of each note declares it.
  case declared(DeclaredTest)
  /// A field of a certain kind of note.
  case typed(TypedTest)
  /// A field that refers to records, for notes of one kind; within `declared` alone.
  case referring(ReferenceTest)
  case active(ActiveTest)
  /// The note is shown as "Untitled".
  case untitled
  /// A merge left conflicts.
  case conflicted
  /// Open check boxes in the text.
  case todo(TodoTest)
  /// Links to other notes, or from them.
  case links(LinksTest)
  /// Open records that a record depends on, or that depend on it.
  case dependency(DependencyTest)
}

extension QueryNode {
  /// Joins nodes, of which there may be any number.
  static func all(_ nodes: [QueryNode]) -> QueryNode {
    var parts: [QueryNode] = []
    for node in nodes {
      if case .and(let inner) = node { parts += inner } else { parts.append(node) }
    }
    return parts.count > 1 ? .and(parts) : parts.first ?? .everything
  }

  /// Joins alternatives, of which there is at least one.
  static func any(_ nodes: [QueryNode]) -> QueryNode {
    var parts: [QueryNode] = []
    for node in nodes {
      if case .or(let inner) = node { parts += inner } else { parts.append(node) }
    }
    return parts.count > 1 ? .or(parts) : parts.first ?? .everything
  }

  /// The notes that this node leaves out.
  var negated: QueryNode {
    if case .not(let inner) = self { return inner }
    return .not(self)
  }

  /// Calls `body` with every term, and whether the term is required and not excluded.
  func forEachTerm(isWanted: Bool = true, _ body: (QueryTerm, Bool) -> Void) {
    switch self {
    case .everything: break
    case .term(let term): body(term, isWanted)
    case .not(let node): node.forEachTerm(isWanted: !isWanted, body)
    case .filter(_, let node): node.forEachTerm(isWanted: isWanted, body)
    case .and(let nodes), .or(let nodes): for node in nodes { node.forEachTerm(isWanted: isWanted, body) }
    }
  }

  /// Whether a term tests dependencies: blocked or blocking records.
  var asksDependencies: Bool {
    var asks = false
    forEachTerm { term, _ in if case .dependency = term.condition { asks = true } }
    return asks
  }

  /// The same query with cheap tests before tests that read the texts of notes.
  var cheapestFirst: QueryNode {
    switch self {
    case .everything, .term: self
    case .not(let node): .not(node.cheapestFirst)
    case .filter(_, let node): node.cheapestFirst
    case .and(let nodes): .and(Self.ordered(nodes))
    case .or(let nodes): .or(Self.ordered(nodes))
    }
  }

  private static func ordered(_ nodes: [QueryNode]) -> [QueryNode] {
    let nodes = nodes.map(\.cheapestFirst)
    return nodes.filter { !$0.readsText } + nodes.filter(\.readsText)
  }

  private var readsText: Bool {
    contains { condition in
      switch condition {
      case .text, .body, .todo: true
      default: false
      }
    }
  }

  /// Whether a term asks when notes were modified.
  var asksModified: Bool {
    contains { condition in
      if case .modified = condition { true } else { false }
    }
  }

  private func contains(_ isWanted: (QueryCondition) -> Bool) -> Bool {
    switch self {
    case .everything: false
    case .term(let term): isWanted(term.condition)
    case .not(let node), .filter(_, let node): node.contains(isWanted)
    case .and(let nodes), .or(let nodes): nodes.contains { $0.contains(isWanted) }
    }
  }
}

extension QueryNode {
  /// The node with explicit operators; within another operator in parentheses.
  func described(within isInner: Bool = false) -> String {
    switch self {
    case .everything: return "all notes"
    case .term(let term): return term.reading
    case .not(let node): return "NOT " + node.described(within: true)
    case .filter(let name, _): return "@" + name
    case .and(let nodes): return Self.joined(nodes, " AND ", isInner)
    case .or(let nodes): return Self.joined(nodes, " OR ", isInner)
    }
  }

  private static func joined(_ nodes: [QueryNode], _ separator: String, _ isInner: Bool) -> String {
    let text = nodes.map { $0.described(within: true) }.joined(separator: separator)
    return isInner ? "(\(text))" : text
  }
}

/// The place of a term in a query.
struct TermPlace {
  /// The name of the innermost filter that contains it.
  var filter: String?
  /// The kinds to which the terms beside it limit it.
  var scope = KindScope.all
}

extension QueryNode {
  /// Returns the same tree with other conditions in its terms.
  func mappingTerms<Failure: Error>(
    in place: TermPlace = TermPlace(),
    _ transform: (QueryTerm, _ place: TermPlace) throws(Failure) -> QueryCondition
  ) throws(Failure) -> QueryNode {
    switch self {
    case .everything: return self
    case .not(let node): return .not(try node.mappingTerms(in: place, transform))
    case .filter(let name, let node):
      let inside = TermPlace(filter: name, scope: place.scope)
      return .filter(name, try node.mappingTerms(in: inside, transform))
    case .and(let nodes):
      let inside = TermPlace(filter: place.filter, scope: place.scope.within(nodes))
      return .and(try Self.mapped(nodes, inside, transform))
    case .or(let nodes): return .or(try Self.mapped(nodes, place, transform))
    case .term(let term):
      return .term(
        QueryTerm(condition: try transform(term, place), range: term.range, reading: term.reading))
    }
  }

  private static func mapped<Failure: Error>(
    _ nodes: [QueryNode], _ place: TermPlace,
    _ transform: (QueryTerm, _ place: TermPlace) throws(Failure) -> QueryCondition
  ) throws(Failure) -> [QueryNode] {
    var result: [QueryNode] = []
    for node in nodes { result.append(try node.mappingTerms(in: place, transform)) }
    return result
  }

  /// Returns the same tree with other tests of links.
  func mappingLinks<Failure: Error>(
    _ transform: (LinksTest) throws(Failure) -> LinksTest
  ) throws(Failure) -> QueryNode {
    try mappingTerms { (term, _) throws(Failure) -> QueryCondition in
      guard case .links(let test) = term.condition else { return term.condition }
      return .links(try transform(test))
    }
  }
}

extension QueryNode {
  /// Whether a note matches.
  ///
  /// - Parameter modified: used only if the query needs it.
  func matches(_ entry: Entry, modified: Timestamp?) -> Bool {
    switch self {
    case .everything: true
    case .term(let term): term.condition.holds(for: entry, modified: modified)
    case .not(let node): !node.matches(entry, modified: modified)
    case .filter(_, let node): node.matches(entry, modified: modified)
    case .and(let nodes): nodes.allSatisfy { $0.matches(entry, modified: modified) }
    case .or(let nodes): nodes.contains { $0.matches(entry, modified: modified) }
    }
  }
}

extension QueryCondition {
  func holds(for entry: Entry, modified: Timestamp?) -> Bool {
    let note = entry.note
    switch self {
    case .text(let pattern): return note.mentions(pattern)
    case .title(let tests): return tests.contains { note.passesTitle($0) }
    case .body(let patterns): return patterns.contains { $0.occurs(in: note.bodyBytes) }
    case .kind(let globs):
      let kind = Folding.fold(Array(entry.kind.utf8)[...])
      return globs.contains { $0.covers(kind) }
    case .tag(let globs):
      return note.tags.contains { tag in
        let tag = Folding.fold(Array(tag.utf8)[...])
        return globs.contains { $0.covers(tag) }
      }
    case .path(let patterns): return patterns.contains { $0.covers(note.path) }
    case .id(let globs): return globs.contains { note.isNamed($0) }
    case .created(let intervals): return intervals.contains { $0.contains(entry.created) }
    case .modified(let intervals):
      guard let modified else { return false }
      return intervals.contains { $0.contains(modified) }
    case .field(let name, let tests):
      guard let value = note.value(of: name) else { return false }
      return value.contains { text in tests.contains { $0.passes(text) } }
    case .has(let names): return names.contains { !entry.lacks($0) }
    case .lacks(let name): return entry.lacks(name)
    case .declared(let test): return test.holds(for: entry)
    case .typed(let test): return test.holds(for: note)
    case .referring(let test): return test.holds(for: entry)
    case .active(let test): return test.isActive(entry)
    case .untitled: return !note.hasOwnTitle && note.title == "Untitled"
    case .conflicted:
      // An unreadable text is reported by the code that reads it.
      return note.isConflicted || (try? note.readText())?.hasSeveralVersions == true
    case .todo(let test): return test.holds(for: note)
    case .links(let test): return test.found?.contains(note) ?? false
    case .dependency(let test): return test.found?.contains(note) ?? false
    }
  }
}

/// A word or phrase of a query with its scope, used for ranking and snippets.
struct TextTerm: Sendable, Equatable {
  enum Scope: Sendable, Equatable { case anywhere, title, body }

  let scope: Scope
  let pattern: TextPattern
}

extension Query {
  /// The texts that the query requires and does not exclude, each once.
  var textTerms: [TextTerm] {
    var terms: [TextTerm] = []
    let add = { (scope: TextTerm.Scope, pattern: TextPattern) in
      let term = TextTerm(scope: scope, pattern: pattern)
      if terms.count < Self.mostRankedTerms, !terms.contains(term) { terms.append(term) }
    }
    root.forEachTerm { term, isWanted in
      guard isWanted else { return }
      switch term.condition {
      case .text(let pattern): add(.anywhere, pattern)
      case .title(let tests): for test in tests { test.pattern.map { add(.title, $0) } }
      case .body(let patterns): for pattern in patterns { add(.body, pattern) }
      case .todo(let test): for pattern in test.patterns { add(.body, pattern) }
      default: break
      }
    }
    return terms
  }

  /// Further terms are matched, but not used for ranking.
  private static let mostRankedTerms = 64
}

extension Query {
  /// The query once for each of its whole words, each time with all words that begin with that word in its place.
  ///
  /// Words of the title or the body alone are widened too.
  package var widened: [(word: String, query: Query)] {
    var words: [TermWord] = []
    root.forEachTerm { term, isWanted in
      if isWanted, let word = term.condition.openWord, !words.contains(word) { words.append(word) }
    }
    return words.prefix(Self.mostWidened).map { word in
      let root = root.mappingTerms { term, _ in
        term.condition.openWord == word ? term.condition.opened(word.letters) : term.condition
      }
      return (word.place + String(decoding: word.letters, as: UTF8.self), replacing(root))
    }
  }

  /// Further words are not widened.
  private static let mostWidened = 8
}

/// A whole word in a term.
private struct TermWord: Equatable {
  /// The name and the colon before the word; empty if the word may occur anywhere.
  let place: String
  /// The word, folded.
  let letters: [UInt8]
}

extension QueryCondition {
  /// The one word of a term of text; nil for any other.
  fileprivate var openWord: TermWord? {
    switch self {
    case .text(let pattern): pattern.singleWord.map { TermWord(place: "", letters: $0) }
    case .title(let tests) where tests.count == 1:
      tests[0].pattern?.singleWord.map { TermWord(place: "title:", letters: $0) }
    case .body(let patterns) where patterns.count == 1:
      patterns[0].singleWord.map { TermWord(place: "body:", letters: $0) }
    default: nil
    }
  }

  /// Returns the same condition for the words that begin with one.
  fileprivate func opened(_ letters: [UInt8]) -> QueryCondition {
    guard let open = WordPattern(letters, isPrefix: true) else { return self }
    return switch self {
    case .text: .text(.words(open))
    case .title: .title([.like(.words(open), number: nil, dates: nil)])
    case .body: .body([.words(open)])
    default: self
    }
  }
}

extension TextPattern {
  /// The word, folded, if the pattern is one whole word of letters and digits.
  fileprivate var singleWord: [UInt8]? {
    guard case .words(let pattern) = self, pattern.words.count == 1, !pattern.isPrefix else { return nil }
    return pattern.words[0]
  }
}
