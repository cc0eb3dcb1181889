import Text

/// The table of actions as the manual shows it.
package enum ScreenHelp {
  /// A line an action: its keys and what it does.
  package static var lines: [String] {
    ScreenAction.all.map { "\(CellWidth.pad($0.keyNames, to: 18)) \($0.text)" }
  }

  /// The names by which settings give actions other keys.
  package static var names: [String] { ScreenAction.all.map(\.name) }
}
