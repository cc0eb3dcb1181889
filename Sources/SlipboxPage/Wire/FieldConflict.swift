import Notes
import Presentation

/// A field of a note that was changed here and elsewhere to different values.
struct FieldConflict: Sendable {
  /// The note as requests name it.
  let ref: String
  /// The field, or `body`; `note` where the note as a whole was changed.
  let field: String
  let base: FieldValue?
  let mine: FieldValue?
  let theirs: FieldValue?

  func write(to writer: inout JSONWriter) {
    writer.object { writer in
      writer.member("ref", ref)
      writer.member("field", field)
      for (name, value) in [("base", base), ("mine", mine), ("theirs", theirs)] {
        writer.key(name)
        if let value { writer.json(value.json) } else { writer.null() }
      }
    }
  }
}
