package import Notes
import Text

/// A test of the open check boxes of a note: `is:todo`, `todo:word`, `todo-due:RANGE`.
struct TodoTest: Sendable {
  enum Question: Sendable {
    case any
    /// One of the patterns occurs in the text of the box.
    case text([TextPattern])
    /// The date of the box is in one of the intervals.
    case due([DateInterval])
  }

  let question: Question
  /// Whether the note has no such box.
  let isAbsent: Bool

  init(_ question: Question) {
    self.question = question
    isAbsent = false
  }

  /// The test of `todo:` and `todo-due:` without a value.
  init(absent name: String) {
    question = name == "todo" ? .any : .due([.all])
    isAbsent = true
  }

  /// All patterns that are searched for.
  var patterns: [TextPattern] {
    if case .text(let patterns) = question { patterns } else { [] }
  }

  /// The answer if nothing is known of a note except that it has an open box.
  var answerIfOpen: EntryFilter.Answer {
    guard case .any = question else { return .unknown }
    return EntryFilter.Answer(!isAbsent)
  }

  /// - Complexity: O(n) in the length of the note. Only notes with `[ ]` are scanned for blocks.
  func holds(for note: Note) -> Bool {
    let text = note.text
    let isFound = text.hasBox && CheckBox.all(in: text).contains { passes($0, in: text.bytes) }
    return isFound != isAbsent
  }

  /// Whether an open box has the words or the date.
  func passes(_ box: CheckBox, in bytes: [UInt8]) -> Bool {
    guard box.state == .open else { return false }
    switch question {
    case .any: return true
    case .text(let patterns): return patterns.contains { $0.occurs(in: bytes[box.text]) }
    case .due(let intervals):
      guard let day = box.due(in: bytes) else { return false }
      return intervals.contains { $0.contains(day) }
    }
  }
}

extension Query {
  /// The same query limited to notes with an open check box.
  package var withOpenBoxes: Query { replacing(.all([root, .condition(.todo(TodoTest(.any)))])) }

  /// Whether an open box has the words and the dates that all notes of the query must have in a box: those of the terms
  /// `todo:` and `todo-due:` that are joined by AND. True for every box if there is no such term.
  package func selects(_ box: CheckBox, in bytes: [UInt8]) -> Bool {
    root.spelledOut.topTodoTests.allSatisfy { $0.isAbsent || $0.passes(box, in: bytes) }
  }

  /// Whether `selects` may be false for an open box.
  package var selectsBoxes: Bool {
    root.spelledOut.topTodoTests.contains { test in
      if case .any = test.question { false } else { !test.isAbsent }
    }
  }
}

extension QueryNode {
  fileprivate var topTodoTests: [TodoTest] {
    switch self {
    case .everything, .not, .or, .filter: return []
    case .and(let nodes): return nodes.flatMap(\.topTodoTests)
    case .term(let term):
      guard case .todo(let test) = term.condition else { return [] }
      return [test]
    }
  }
}
