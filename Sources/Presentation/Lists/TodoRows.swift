package import NoteIndex
package import Notes
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
        todo.note.name, String(todo.line), todo.state.rawValue, todo.due?.description ?? "", todo.text,
        todo.note.names.title, todo.tags.joined(separator: " "),
      ])
    }
  }

  /// The boxes of each note under its row.
  package func table(_ presenter: NotePresenter, _ display: Display) throws(SlipboxError) -> [String] {
    let notes = notes()
    let rows = try presenter.rows(of: notes.map(\.entry), display)
    let groups = Dictionary(grouping: todos) { $0.note.names.path }
    let width = String(todos.map(\.line).max() ?? 0).utf8.count + 1
    return zip(notes, rows).flatMap { note, row in
      [row] + (groups[note.names.path] ?? []).map { "  " + line($0, width, display.indented) }
    }
  }

  /// The boxes one by one, each with the title of its note.
  package func flatTable(_ display: Display) -> [String] {
    let width = String(todos.map(\.line).max() ?? 0).utf8.count + 1
    return todos.map { todo in
      let title = display.style.dim(Visible.escape(todo.note.names.title))
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
  package func notes() -> [ListedNote] {
    var seen: Set<[UInt8]> = []
    return todos.map(\.note).filter { seen.insert($0.names.path).inserted }
  }

  /// One object with the boxes.
  package func json() -> [UInt8] {
    JSONDocument.list("todos", todos) { todo, writer in
      writer.object { writer in
        writer.names(of: todo.note.names)
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

/// The headings of a note as a list.
package struct OutlineRows {
  private struct Row {
    let line: Int
    let level: Int
    let text: String
    let words: Int
    let open: Int
    let done: Int
  }

  private let headings: [Row]

  package init(_ text: NoteText) {
    let anchors = HeadingAnchors(text)
    let boxes = CheckBox.all(in: text)
    let lines = text.positions(of: anchors.headings.map(\.lines.lowerBound)).map(\.line)
    var box = 0
    headings = anchors.headings.indices.map { number in
      let own = text.own(ofHeading: number, among: anchors)
      var (open, done) = (0, 0)
      while box < boxes.count, boxes[box].mark < own.upperBound {
        if boxes[box].mark >= own.lowerBound {
          open += boxes[box].state == .open ? 1 : 0
          done += boxes[box].state == .done ? 1 : 0
        }
        box += 1
      }
      let words = text.bytes[own].split { $0 <= 0x20 }.filter(Self.isWord)
      return Row(
        line: lines[number], level: anchors.headings[number].level, text: anchors.texts[number],
        words: words.count, open: open, done: done)
    }
  }

  /// Whether letters between blanks are a word: not the mark of a list, of a box or of a table.
  private static func isWord(_ letters: ArraySlice<UInt8>) -> Bool {
    if letters.count == 3, letters.first == UInt8(ascii: "["), letters.last == UInt8(ascii: "]") {
      return false
    }
    let isNumbered = letters.dropLast().allSatisfy { (0x30...0x39).contains($0) }
    if letters.count > 1, isNumbered, letters.last.map({ ".)".utf8.contains($0) }) == true { return false }
    return letters.contains { $0 >= 0x80 || (0x30...0x39).contains($0) || (0x61...0x7A).contains($0 | 0x20) }
  }

  /// A row for each heading with tabs between its columns.
  package func rows() -> [String] {
    headings.map { row in
      NoteColumns.row([
        String(row.line), String(row.level), row.text, String(row.words), String(row.open), String(row.done),
      ])
    }
  }

  /// The headings indented by their level.
  package func table(_ display: Display) -> [String] {
    let style = display.style
    let width = String(headings.map(\.line).max() ?? 0).utf8.count + 1
    return headings.map { row in
      let indent = String(repeating: "  ", count: row.level - 1)
      var remark = row.words > 0 ? "\(row.words) \(row.words == 1 ? "word" : "words")" : ""
      if row.open + row.done > 0 {
        remark += (remark.isEmpty ? "" : ", ") + "\(row.done)/\(row.open + row.done)"
      }
      let number = style.dim(CellWidth.pad("\(row.line):", to: width))
      return "\(number) \(indent)\(Visible.escape(row.text))"
        + (remark.isEmpty ? "" : "  " + style.dim(remark))
    }
  }

  /// One object with the headings.
  package func json() -> [UInt8] {
    JSONDocument.list("headings", headings) { row, writer in
      writer.object { writer in
        writer.member("line", row.line)
        writer.member("level", row.level)
        writer.member("text", row.text)
        writer.member("words", row.words)
        writer.member("open", row.open)
        writer.member("done", row.done)
      }
    }
  }
}
