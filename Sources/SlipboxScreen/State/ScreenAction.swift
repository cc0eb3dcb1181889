/// Something that can be done on the screen by a key: the row of a table that keys, footer, help, palette, settings and the
/// manual read.
struct ScreenAction: Sendable {
  /// What actions are grouped by in help.
  enum Group: String, Sendable, CaseIterable {
    case notes = "Notes"
    case finding = "Finding"
    case history = "History"
    case moving = "Moving"
    case screen = "The screen"
  }

  /// The name by which settings give it other keys.
  let name: String
  var keys: [Key]
  /// What it does, in a few words.
  let text: String
  let group: Group
  /// The word by which the foot of the screen names it; nil where it does not.
  var foot: String?
  /// The panes in which its keys work.
  var panes = Set(ScreenState.Pane.allCases)
  /// Why it can't be done now; nil where it can.
  var refusal: @Sendable (ScreenState) -> String? = { _ in nil }
  let run: @Sendable (inout ScreenState) -> [ScreenEffect]

  /// The keys by their names.
  var keyNames: String { keys.compactMap(\.name).joined(separator: " ") }
}
