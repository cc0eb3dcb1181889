package import NoteIndex
import Notes
package import SlipboxCore
import Text

/// Check boxes as a list: under their notes on a terminal, as columns in a pipe, as JSON.
package struct TodoRows {
  private let todos: [Todo]

  package init(_ todos: [Todo]) { self.todos = todos }

  /// A row for each box with tabs between its columns: the note, the line, open, done or other, the due date, the text, the
  /// title of the note, and the tags in the text.
  package func rows() -> [String] {
    todos.map { todo in
      NoteColumns.row([
        todo.entry.name, String(todo.line), todo.state.rawValue, todo.due?.description ?? "", todo.text,
        todo.entry.note.title, todo.tags.joined(separator: " "),
      ])
    }
  }

  /// The boxes of each note under its row.
  package func table(_ presenter: NotePresenter, _ display: Display) throws(SlipboxError) -> [String] {
    let notes = notes()
    let rows = try presenter.rows(of: notes, display)
    let groups = Dictionary(grouping: todos) { $0.entry.note.path }
    let width = String(todos.map(\.line).max() ?? 0).utf8.count + 1
    return zip(notes, rows).flatMap { note, row in
      [row] + (groups[note.note.path] ?? []).map { "  " + line($0, width, display.indented) }
    }
  }

  /// The boxes one by one, each with the title of its note.
  package func flatTable(_ display: Display) -> [String] {
    let width = String(todos.map(\.line).max() ?? 0).utf8.count + 1
    return todos.map { todo in
      let title = display.style.dim(Visible.escape(todo.entry.note.title))
      return line(todo, width, display) + "  " + title
    }
  }

  /// The boxes under each of their tags, in the order of the tags; those without a tag last.
  package func tagTable(_ display: Display) -> [String] {
    var groups: [(tag: String, todos: [Todo])] = []
    for todo in todos {
      for tag in todo.tags {
        if let index = groups.firstIndex(where: { Folding.fold($0.tag) == Folding.fold(tag) }) {
          groups[index].todos.append(todo)
        } else {
          groups.append((tag, [todo]))
        }
      }
    }
    groups.sort { Folding.fold($0.tag) < Folding.fold($1.tag) }
    let bare = todos.filter(\.tags.isEmpty)
    let named =
      groups.map { ("#" + Visible.escape($0.tag), $0.todos) } + (bare.isEmpty ? [] : [("no tag", bare)])
    return named.flatMap { name, todos in
      [display.style.bold(name)] + TodoRows(todos).flatTable(display.indented).map { "  " + $0 }
    }
  }

  private func line(_ todo: Todo, _ width: Int, _ display: Display) -> String {
    let style = display.style
    let number = CellWidth.pad("\(todo.line):", to: width)
    let box =
      switch todo.state {
      case .open: style.unicode ? "☐" : "[ ]"
      case .done: style.unicode ? "☑" : "[x]"
      case .other: "[-]"
      }
    let room = display.width.map { max(1, $0 - width - CellWidth.of(box) - 2) } ?? .max
    let text = CellWidth.truncate(Visible.escape(todo.text), to: room, mark: style.ellipsis)
    return "\(style.dim(number)) \(box) \(todo.state == .open ? text : style.dim(text))"
  }

  /// The notes with the boxes, each once.
  package func notes() -> [Entry] {
    var seen: Set<[UInt8]> = []
    return todos.map(\.entry).filter { seen.insert($0.note.path).inserted }
  }

  /// One object with the boxes.
  package func json() -> [UInt8] {
    JSONDocument.list("todos", todos) { todo, writer in
      writer.object { writer in
        writer.names(of: todo.entry.note)
        writer.member("line", todo.line)
        writer.member("state", todo.state.rawValue)
        writer.member("text", todo.text)
        writer.member("due", todo.due?.description)
        if !todo.tags.isEmpty {
          writer.key("tags")
          writer.strings(todo.tags)
        }
      }
    }
  }
}
