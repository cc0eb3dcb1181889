import NoteIndex
import Notes

/// A link of a document, or a value of a reference field, with what it leads to.
struct FoundLink: Sendable {
  enum Target: Hashable, Sendable {
    /// Another note, by its place in the catalogue.
    case note(Int)
    /// The document itself, or a place in it.
    case itself
    /// Several notes.
    case ambiguous([Int])
    /// A file or a folder, by its address.
    case file(uri: String)
    /// A place elsewhere.
    case url([UInt8])
    case broken
  }

  /// The bytes of the whole link; of a reference its name.
  let range: Range<Int>
  /// How the link is written; nil for the value of a reference field.
  let link: BodyScan.Link?
  /// The target as it is written.
  let name: String
  /// The heading or block that it names.
  let part: LinkedPart?
  let target: Target

  /// The same link where it stands at other bytes, as the use of a definition does.
  func standing(at range: Range<Int>) -> FoundLink {
    FoundLink(range: range, link: link, name: name, part: part, target: target)
  }

  /// The places of the notes that it may lead to.
  var places: [Int] {
    switch target {
    case .note(let place): [place]
    case .ambiguous(let places): places
    default: []
    }
  }
}
