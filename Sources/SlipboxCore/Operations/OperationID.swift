package import Notes

/// The name of an operation for life: sixteen letters of the alphabet of note ids.
///
/// It is written into the commit, so it stays the same where a rebase or a cherry-pick gives the commit a new name.
package struct OperationID: Hashable, Sendable, CustomStringConvertible {
  private let first: NoteID
  private let second: NoteID

  /// Makes an id of the letters of two note ids.
  package init(_ first: NoteID, _ second: NoteID) {
    self.first = first
    self.second = second
  }

  /// Reads an id that is spelled exactly; nil for any other text.
  package init?(_ text: String) {
    let letters = Array(text.utf8)
    guard letters.count == 2 * NoteID.length, let first = NoteID(bytes: letters[..<NoteID.length]),
      let second = NoteID(bytes: letters[NoteID.length...])
    else { return nil }
    self.init(first, second)
  }

  /// Whether a text may be the beginning of an id: four of its letters or more.
  package static func mayBegin(_ text: String) -> Bool {
    let letters = Array("bcdfghjklmnpqrstvwxz".utf8)
    return (4...2 * NoteID.length).contains(text.utf8.count) && text.utf8.allSatisfy(letters.contains)
  }

  /// Draws an id; all are equally likely.
  package static func random(using generator: inout some RandomNumberGenerator) -> OperationID {
    OperationID(.random(using: &generator), .random(using: &generator))
  }

  package var description: String { first.description + second.description }
}
