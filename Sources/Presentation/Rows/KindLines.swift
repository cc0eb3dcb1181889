package import Notes
import Text

/// Kinds of records as lines for people.
package enum KindLines {
  /// A line a kind: its name and what it says of itself.
  package static func list(_ kinds: [Kind], _ display: Display) -> [String] {
    var table = Table(
      columns: [.init(paint: display.style.bold), .init(isFlexible: true)], style: display.style,
      width: display.width)
    for kind in kinds { table.add([kind.name, kind.comment ?? ""]) }
    return table.lines()
  }

  /// A kind's whole declaration, with its line ends.
  package static func declaration(of kind: Kind) -> String {
    Visible.escape(kind.declaration, keepingLines: true)
  }
}
