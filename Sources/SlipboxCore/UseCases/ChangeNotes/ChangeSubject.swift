import Notes
import Text

/// The subject of a commit that applies CHANGEs, as a person would put it.
struct ChangeSubject {
  private let changes: [Change]
  private let hasBody: Bool

  private static let longest = 50

  init(_ changes: [Change], hasBody: Bool) {
    self.changes = changes
    self.hasBody = hasBody
  }

  /// The subject for the files that were changed.
  func text(_ files: [FileChange]) -> String {
    if changes.count == 1, !hasBody, case .set(let field, let title) = changes[0], field == "title" {
      return "Retitle \(Self.oldTitle(files)) to \(title)"
    }
    return "\(summary): \(Plan.described(files))"
  }

  /// The title before, or the number of notes.
  private static func oldTitle(_ files: [FileChange]) -> String {
    guard files.count == 1, let file = files.first, let before = file.before else {
      return Plan.described(files)
    }
    return Note(path: file.path, text: NoteText(before)).title
  }

  private var summary: String {
    var parts: [String] = []
    var last = ""
    for change in changes {
      let (verb, object) = Self.phrase(change)
      // What is done alike one after the other shares its verb.
      parts.append(verb == last ? object : "\(verb) \(object)")
      last = verb
    }
    if hasBody { parts.append("replace the text") }
    let text = parts.joined(separator: ", ")
    guard let first = text.first else { return "Give an id" }
    return CellWidth.truncate(first.uppercased() + text.dropFirst(), to: Self.longest)
  }

  private static func phrase(_ change: Change) -> (verb: String, object: String) {
    switch change {
    case .set(let field, let value): ("set", "\(field) \(value)")
    case .clear(let field): ("clear", field)
    case .addTag(let tag): ("add tag", tag)
    case .removeTag(let tag): ("remove tag", tag)
    case .add(let element, let field): ("add", "\(element) to \(field)")
    case .remove(let element, let field): ("remove", "\(element) from \(field)")
    }
  }
}
