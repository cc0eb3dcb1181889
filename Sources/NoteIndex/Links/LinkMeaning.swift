package import Notes

/// The meaning of a link. Notes are given by their places in the catalogue.
package enum LinkMeaning: Sendable, Equatable {
  case note(Int)
  /// Several notes fit, of which none is meant more than another.
  case ambiguous([Int])
  /// No note fits; a file may.
  case dangling
  /// A place in the note that holds the link.
  case itself
  /// A place that is no file of the box.
  case url
}

/// A link and what it came to.
package struct ResolvedLink: Sendable {
  package let link: BodyScan.Link
  package let meaning: LinkMeaning
  /// Which of the readings of its target has that meaning.
  package let reading: Int

  /// The heading or block that it names, with its mark; empty where it names the whole of its target.
  package var suffix: [UInt8] { LinkSpelling(link, reading: reading).suffix }
}
