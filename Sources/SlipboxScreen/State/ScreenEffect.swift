import NoteIndex

/// Something that is to be done outside of the state.
enum ScreenEffect: Sendable {
  /// Reads a list. The cursor goes to the note of a REF, else to that of a path.
  case load(number: Int, ListRequest, keeping: [UInt8]?, reference: String?)
  /// Draws a note for a width.
  case preview(number: Int, Listing, Entry, width: Int)
  /// Counts what the sidebar lists, at the moment of a list of the past, else now.
  case readSidebar(Listing?)
  /// Finds what the words of a query may go on with.
  case completeQuery(head: String)
  /// Finds what the words of a command may go on with; `note` is a REF of the notes that `@` stands for.
  case completeCommand(head: String, note: String?)
  /// Reads the history of notes, by their paths in the list; nil for the whole box.
  case readHistory(Listing, Entry?)
  /// Reads what merges left to decide in a note.
  case readConflicts(Listing, Entry)
  /// Runs a command, whose output is shown in so much room.
  case run(CommandRun, size: (columns: Int, rows: Int))
  /// Hands a text to the clipboard of the terminal.
  case copy(String)
  /// Looks at all files again.
  case refresh
  case redraw
  case suspend
  case quit
}
