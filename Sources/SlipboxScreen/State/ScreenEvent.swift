import Presentation

/// Something that happened.
enum ScreenEvent: Sendable {
  case key(Key)
  case resized(columns: Int, rows: Int)
  /// A list was read. The row is where the note stands that the cursor stood on.
  case listed(number: Int, Listing, row: Int?)
  /// A list can't be read: why.
  case notListed(number: Int, [String])
  case previewed(number: Int, path: [UInt8], [[Cell]])
  case sidebar([SidebarItem])
  case completed(head: String, [Candidate])
  /// What was asked for to be read over the panes.
  case opened(Sheet)
  case ran(CommandResult)
  /// The box shows something else than before.
  case changed
  /// Something went wrong beside all that was asked for.
  case failed([String])
}

/// How a command ended.
struct CommandResult: Sendable {
  let run: CommandRun
  let output: [String]
  let messages: [String]
  let isSuccess: Bool
  /// Whether it had the terminal, so that what it said was seen.
  var hadTerminal = false
}
