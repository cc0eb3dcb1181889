import NoteIndex
import Notes
import Presentation
import SlipboxCore

/// The open check boxes of the notes that a query finds, those that are due first.
enum TodosAnswer {
  private static let most = 500

  static func answer(_ call: PageCall) throws -> PageResponse {
    let snapshot = try call.moment().snapshot
    let query = try snapshot.query([try call.argument("q") ?? ""])
    let todos = try snapshot.openTodos(query).todos
    let sorted = todos.enumerated().sorted { left, right in
      let days = [left, right].map { $0.element.due?.dayNumber ?? .max }
      return (days[0], left.offset) < (days[1], right.offset)
    }
    return .json(
      JSONDocument.object { writer in
        writer.member("total", todos.count)
        writer.member("todos", of: sorted.prefix(most)) { item, writer in
          let todo = item.element
          writer.object { writer in
            writer.member("ref", PageMoment.ref(of: todo.entry.note))
            writer.member("title", todo.entry.note.title)
            writer.member("line", todo.line)
            writer.member("text", todo.text)
            writer.member("due", todo.due?.description)
          }
        }
      })
  }
}
