import Presentation

/// A line at the foot of the screen that asks for something.
struct Prompt: Sendable {
  /// What is asked for.
  enum Purpose: Equatable, Sendable {
    /// The query of the list, which follows as it is typed.
    case filter
    /// A command of slip; `@` stands for the notes that are meant.
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
  /// The request to go back to where the prompt is left.
  var before: ListRequest?
  /// The note of the cursor and the first row that was shown when the prompt was opened.
  var place: (path: [UInt8]?, top: Int) = (nil, 0)
  /// Why the query that stands in the line can't be read; nil where it can.
  var fault: [String]?
  /// What may stand in the place of the text before the cursor.
  var candidates: [Candidate] = []
  /// The candidate that was chosen last; nil where none was.
  var chosen: Int?
  /// The text for which the candidates were asked.
  var completedHead = ""
  /// How far back in history the line is; nil: it is new.
  var historyPlace: Int?

  /// The sign that stands before the line.
  var sign: String {
    switch purpose {
    case .filter: "/"
    case .command: ":"
    case .past: "as of: "
    case .filterName: "save filter as: "
    case .sort: "sort by: "
    }
  }

  /// Whether candidates are asked for.
  var isCompleted: Bool { [.filter, .command].contains(purpose) }
}
