package import Notes
import Text

/// A test of the open check boxes of a note: `is:todo`, `todo:word`, `todo-due:RANGE`.
struct TodoTest: Sendable {
  enum Question: Sendable {
    case any
    /// The note has no open box.
    case none
    /// One of the patterns occurs in the text of the box.
    case text([TextPattern])
    /// The date of the box is in one of the intervals.
    case due([DateInterval])
    /// The box has no date.
    case undated
  }

  let question: Question

  init(_ question: Question) { self.question = question }

  /// All patterns that are searched for.
  var patterns: [TextPattern] {
    if case .text(let patterns) = question { patterns } else { [] }
  }

  /// Whether a note passes that has no open box.
  var isAbsent: Bool {
    if case .none = question { true } else { false }
  }

  /// The answer if nothing is known of a note except that it has an open box.
  var answerIfOpen: EntryFilter.Answer {
    switch question {
    case .any: .yes
    case .none: .no
    case .text, .due, .undated: .unknown
    }
  }

  /// - Complexity: that of `Note.boxes`.
  func holds(for note: Note) -> Bool {
    let open = note.boxes.filter { $0.state == .open }
    return isAbsent ? open.isEmpty : open.contains(where: passes)
  }

  /// Whether a box is one of those that the term is about.
  func passes(_ box: CheckBoxFacts) -> Bool {
    switch question {
    case .any: return box.state == .open
    case .none: return box.state != .open
    case .text(let patterns):
      let bytes = Array(box.text.utf8)
      return patterns.contains { $0.occurs(in: bytes[...]) }
    case .undated: return box.due == nil
    case .due(let intervals):
      guard let day = box.due else { return false }
      return intervals.contains { $0.contains(day) }
    }
  }
}

extension Query {
  /// The same query limited to notes that may have an open check box which `selects(_:of:)` selects.
  package var withOpenBoxes: Query {
    replacing(.all([root.ofNotesWithBoxes(areOpen: true), .condition(.todo(TodoTest(.any)))]))
  }

  /// The query of the notes that may have a check box, open or not, which `selects(_:of:)` selects.
  package var withBoxes: Query { replacing(root.ofNotesWithBoxes(areOpen: false)) }

  /// Whether a check box of a note is one of those that the query is about: the terms `is:todo`, `todo:` and `todo-due:` are
  /// tested on the box, the other ones on the note.
  ///
  /// - Parameter entry: a note that `withOpenBoxes` or `withBoxes` matches; terms about boxes do not need it.
  package func selects(_ box: CheckBoxFacts, of entry: @autoclosure () -> Entry) -> Bool {
    root.selects(box, of: entry) ?? true
  }

  /// Whether the query has a term about check boxes.
  package var selectsBoxes: Bool {
    var isFound = false
    root.forEachTerm { term, _ in
      if case .todo = term.condition { isFound = true }
    }
    return isFound
  }
}

extension QueryNode {
  /// The query of the notes that may have a box which the query is about: a note with such a box may have others too, so a
  /// term about boxes that is excluded excludes no note.
  ///
  /// - Parameter areOpen: whether only open boxes are meant.
  fileprivate func ofNotesWithBoxes(areOpen: Bool, isWanted: Bool = true) -> QueryNode {
    switch self {
    case .everything: return self
    case .filter(let name, let node):
      return .filter(name, node.ofNotesWithBoxes(areOpen: areOpen, isWanted: isWanted))
    case .not(let node): return .not(node.ofNotesWithBoxes(areOpen: areOpen, isWanted: !isWanted))
    case .and(let nodes):
      return .all(nodes.map { $0.ofNotesWithBoxes(areOpen: areOpen, isWanted: isWanted) })
    case .or(let nodes):
      return .any(nodes.map { $0.ofNotesWithBoxes(areOpen: areOpen, isWanted: isWanted) })
    case .term(let term):
      guard case .todo(let test) = term.condition else { return self }
      guard isWanted else { return .not(.everything) }
      return areOpen && !test.isAbsent ? self : .everything
    }
  }

  /// Whether a box passes; nil if a term decides that needs more than the note.
  fileprivate func selects(_ box: CheckBoxFacts, of entry: () -> Entry) -> Bool? {
    switch self {
    case .everything: return true
    case .filter(_, let node): return node.selects(box, of: entry)
    case .not(let node): return node.selects(box, of: entry).map { !$0 }
    case .and(let nodes):
      let answers = nodes.map { $0.selects(box, of: entry) }
      return answers.contains(false) ? false : answers.contains(nil) ? nil : true
    case .or(let nodes):
      let answers = nodes.map { $0.selects(box, of: entry) }
      return answers.contains(true) ? true : answers.contains(nil) ? nil : false
    case .term(let term):
      switch term.condition {
      case .todo(let test): return test.passes(box)
      case .modified, .links, .dependency, .referring: return nil
      case .declared(let test) where !test.references.isEmpty: return nil
      default: return term.condition.holds(for: entry(), modified: nil)
      }
    }
  }
}
