import NoteIndex
import Notes

/// The actions of boards and calendars.
extension ScreenAction {
  static let ofViews: [ScreenAction] = [
    shift("shift-left", "<", "move the note to the column or day before", step: -1),
    shift("shift-right", ">", "move the note to the next column or day", step: 1),
    month("month-before", "[", "the month before", step: -1),
    month("month-after", "]", "the next month", step: 1),
  ]

  private static func shift(_ name: String, _ key: String, _ text: String, step: Int) -> ScreenAction {
    ScreenAction(
      name: name, keys: [.text(key)], text: text, group: .moving, foot: step > 0 ? "move" : nil,
      refusal: { state in
        guard state.listing?.form != nil else { return "this is not a board or a calendar" }
        return change(state) ?? (state.shifting(step) == nil ? "the note can't be moved there" : nil)
      }
    ) { state in
      guard let words = state.shifting(step) else { return [] }
      // The cursor follows the note.
      state.awaited = state.entry?.reference
      return state.run(words)
    }
  }

  private static func month(_ name: String, _ key: String, _ text: String, step: Int) -> ScreenAction {
    ScreenAction(
      name: name, keys: [.text(key)], text: text, group: .moving,
      refusal: { $0.shownMonth == nil ? "this is not a calendar" : nil }
    ) { state in
      guard let month = state.shownMonth else { return [] }
      var request = state.view.request
      request.day = month.adding(days: 1 - month.day).adding(months: step)
      return [state.load(request)]
    }
  }
}

extension ScreenState {
  /// The words of the command that moves the note of the cursor.
  fileprivate func shifting(_ step: Int) -> [String]? {
    guard view.marked.isEmpty, view.anchor == nil, let entry else { return nil }
    return listing?.form?.moving(entry, at: view.cursor, step: step)
  }

  fileprivate var shownMonth: CivilDate? {
    guard case .calendar(_, _, let month)? = listing?.form?.kind else { return nil }
    return month
  }

  /// Moves the cursor to the next column or day, and says whether there is one.
  mutating func moveBeside(_ step: Int) -> Bool {
    guard focus == .list, let row = listing?.form?.row(beside: view.cursor, step: step) else { return false }
    view.moveTo(row)
    return true
  }
}

/// The actions of headings and check boxes.
extension ScreenAction {
  static let ofParts: [ScreenAction] = [
    ScreenAction(
      name: "boxes", keys: [.text("b")], text: "tick check boxes of the note", group: .notes, panes: inBox,
      refusal: oneNote
    ) { state in
      guard let listing = state.listing, let entry = state.entry else { return [] }
      return [.readParts(listing, entry, .boxes)]
    },
    ScreenAction(name: "todos", keys: [.text("w")], text: "notes with open check boxes", group: .finding) {
      $0.list("is:todo")
    },
    ScreenAction(
      name: "outline", keys: [.text("i")], text: "to a heading of the note", group: .moving,
      refusal: anyNote
    ) { state in
      guard let listing = state.listing, let entry = state.entry else { return [] }
      return [.readParts(listing, entry, .headings)]
    },
  ]
}
