import Text

/// A folder as it is typed before the name of a note: the end of one, whatever its case and accents.
package struct NameFolder {
  private let folded: [UInt8]

  package static let any = NameFolder("")

  /// - Parameter typed: what stands before the last slash.
  package init(_ typed: String) { folded = Folding.fold(Array(typed.utf8)[...]) }

  /// Whether the folder of a path, or one above it, ends so.
  package func holds(_ path: [UInt8]) -> Bool {
    if folded.isEmpty { return true }
    let wanted = folded + [UInt8(ascii: "/")]
    let name = Folding.fold(path[...])
    var place = 0
    while place + wanted.count <= name.count {
      if place == 0 || name[place - 1] == UInt8(ascii: "/"), name[place...].starts(with: wanted) {
        return true
      }
      place += 1
    }
    return false
  }
}
