package import Notes

/// A note that links to another one, with the links that do.
package struct LinkingNote: Sendable {
  /// The place of the note in the catalogue.
  package let place: Int
  /// The links, in the order of the text.
  package let links: [BodyScan.Link]
}
