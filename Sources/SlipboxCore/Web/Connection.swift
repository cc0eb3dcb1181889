package import NoteIndex
package import Notes

/// A link of a note, or a value of a reference field of a record, with what it came to.
package struct Connection: Sendable {
  /// What is connected with the note.
  package enum Target: Sendable {
    /// A note, by its place in the catalogue.
    case note(Int)
    /// Several notes, of which none is meant more than another.
    case ambiguous([Int])
    /// Another file of the box, by its path.
    case file([UInt8])
    /// A place that is no file of the box.
    case url([UInt8])
    /// Nothing that is there.
    case broken
  }

  /// The place of the note that holds it.
  package let source: Int
  /// How the link is written; nil for the value of a reference field.
  package let form: BodyScan.Link.Form?
  /// The field in which it stands; nil in the body.
  package let field: String?
  /// The target as it is written.
  package let text: String
  /// The line of the file in which it begins, from 1.
  package let line: Int
  /// Its bytes in the file; of a reference those of the whole field.
  package let range: Range<Int>
  package let target: Target
  /// The heading or block that it names and its note has not; nil if it names none, or one that is there.
  package var missing: LinkedPart?

  /// Whether it leads to nothing, to a part that its note has not, or to several notes.
  package var isUnresolved: Bool { if case .ambiguous = target { true } else { isBroken } }

  /// Whether it leads to nothing, or to a part that its note has not.
  package var isBroken: Bool { if case .broken = target { true } else { missing != nil } }
}

extension Connection {
  init(
    _ link: BodyScan.Link, from source: Int, field: String?, _ target: Target, missing: LinkedPart? = nil
  ) {
    self.init(
      source: source, form: link.form, field: field, text: link.target, line: link.line, range: link.range,
      target: target, missing: missing)
  }
}
