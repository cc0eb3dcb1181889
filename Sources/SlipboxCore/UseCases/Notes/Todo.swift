import Bytes
package import NoteIndex
package import Notes
import Platform
import Text

/// A check box of a note, for lists of open work.
///
/// A class, so that long lists are sorted and grouped without copying.
package final class Todo: Sendable {
  package let note: ListedNote
  /// Counted from 1 in the file.
  package let line: Int
  package let state: CheckBox.State
  package let text: String
  package let due: CivilDate?
  /// The tags in the text.
  package let tags: [String]

  fileprivate init(_ box: CheckBoxFacts, of note: ListedNote, _ inlineTags: [BodyScan.InlineTag]) {
    self.note = note
    line = box.line
    state = box.state
    text = box.text
    due = box.due
    tags = inlineTags.filter { box.range.contains($0.offset) }.map(\.name)
  }
}

/// The check boxes of a box, for lists.
package struct TodoList {
  private let snapshot: BoxSnapshot

  package init(in snapshot: BoxSnapshot) { self.snapshot = snapshot }

  /// The check boxes of notes, in the order of the notes and of their lines.
  ///
  /// If only open boxes are requested, those that are a link to a closed record are left out.
  /// - Parameter query: limits the boxes to those that its terms about boxes select.
  /// - Complexity: linear in the boxes and tags of notes that are stored, else that of `Note.boxes` for each note.
  package func todos(
    in notes: [Match], _ states: Set<CheckBox.State>, query: Query = .all
  ) throws(SlipboxError) -> [Todo] {
    let todos = try boxes(in: notes, states, query)
    return states == [.open] ? try withoutClosedRecords(todos) : todos
  }

  private func boxes(
    in notes: [Match], _ states: Set<CheckBox.State>, _ query: Query
  ) throws(SlipboxError) -> [Todo] {
    let boxQuery = query.selectsBoxes ? query : nil
    let boxes = { @Sendable (match: Match) -> [Todo] in
      let (boxes, inlineTags) = match.entries.boxes(at: match.place)
      lazy var entry = match.entry
      let wanted = boxes.filter { states.contains($0.state) && boxQuery?.selects($0, of: entry) ?? true }
      guard !wanted.isEmpty else { return [] }
      let note = ListedNote(match)
      return wanted.map { Todo($0, of: note, inlineTags) }
    }
    // A term of the query may be about the text of the note.
    return try snapshot.asking { _ in concurrentMap(notes, boxes) }.flatMap { $0 }
  }

  /// The open check boxes that a query finds, without those of records that are done or closed; how many those are, and
  /// how many notes have open boxes.
  package func open(
    _ query: Query
  ) throws(SlipboxError) -> (todos: [Todo], notes: Int, finished: Int) {
    let matches = try snapshot.matches(query.withOpenBoxes)
    let open = Set(snapshot.active(matches, .open))
    let parts = try [true, false].map { (isOpen) throws(SlipboxError) in
      let notes = matches.filter { open.contains($0.place) == isOpen }
      return try withoutClosedRecords(try boxes(in: notes, [.open], query))
    }
    return (parts[0], matches.count, parts[1].count)
  }

  /// The check boxes without the open ones whose whole text is a link to a closed record: their work is done.
  ///
  /// - Complexity: that of `NoteWeb.resolvedLinks(of:)` for each note with such a box.
  private func withoutClosedRecords(_ todos: [Todo]) throws(SlipboxError) -> [Todo] {
    let records = try linkedRecords(of: todos)
    guard !records.isEmpty else { return todos }
    let open = ActiveTest(.open, schema: snapshot.schema(), clock: snapshot.clock)
    let closed = Set(records.filter { !open.isActive($0.record) }.map(\.place))
    return todos.indices.filter { !closed.contains($0) }.map { todos[$0] }
  }

  /// The notes to which check boxes lead whose whole text is a link, by their places among the boxes.
  func linkedRecords(of todos: [Todo]) throws(SlipboxError) -> [(place: Int, record: Entry)] {
    guard todos.contains(where: { $0.linkText != nil }), let web = try? NoteWeb(snapshot) else { return [] }
    var known: (path: [UInt8], text: NoteText, links: [ResolvedLink])?
    var records: [(place: Int, record: Entry)] = []
    for (number, todo) in todos.enumerated() {
      guard let text = todo.linkText else { continue }
      if known?.path != todo.note.names.path {
        let note = todo.note.entry.note
        known = (note.path, try note.text, web.resolvedLinks(of: note))
      }
      let resolved = known.flatMap { known in
        known.links.first { known.text.bytes[$0.link.range].elementsEqual(text.utf8) }
      }
      if case .note(let place)? = resolved?.meaning { records.append((number, web.entries[place])) }
    }
    return records
  }
}

extension Todo {
  /// The text of an open box without the name of its block, if it may be a link and nothing else.
  fileprivate var linkText: Substring? {
    guard state == .open, text.utf8.first == UInt8(ascii: "[") else { return nil }
    guard let mark = text.firstRange(of: " ^"), !text[mark.upperBound...].contains(" ") else {
      return text[...]
    }
    return text[..<mark.lowerBound]
  }
}

extension LastList {
  /// Remembers the check boxes of a list for this terminal: `@1` is the first of them for ticking commands, and its note
  /// for the others.
  package func remember(_ todos: [Todo]) {
    remember(todos) { todo in
      ListedBox(
        name: todo.note.names.id?.bytes ?? todo.note.names.path, line: todo.line, text: Array(todo.text.utf8)
      ).bytes
    }
  }
}

/// In which order check boxes are listed.
package enum TodoOrder: String, Sendable, CaseIterable {
  /// The order of the notes and of their lines.
  case note
  /// By due date; boxes without one come last.
  case due
  /// By the first tag in the text; boxes without one come last.
  case tag

  /// Sorts boxes that are in the order of the notes, which decides among equals.
  package func sorted(_ todos: [Todo]) -> [Todo] {
    switch self {
    case .note: todos
    case .due: Self.sorted(todos, by: { $0.due?.dayNumber ?? .max }, <)
    case .tag:
      Self.sorted(
        todos.filter { !$0.tags.isEmpty }, by: { Folding.fold(Array($0.tags[0].utf8)[...]) },
        { $0.lexicographicallyPrecedes($1) }) + todos.filter(\.tags.isEmpty)
    }
  }

  private static func sorted<Key: Equatable>(
    _ todos: [Todo], by key: (Todo) -> Key, _ precedes: (Key, Key) -> Bool
  ) -> [Todo] {
    let keyed = todos.enumerated().map { (key: key($1), place: $0, todo: $1) }
    return keyed.sorted { $0.key == $1.key ? $0.place < $1.place : precedes($0.key, $1.key) }.map(\.todo)
  }
}
