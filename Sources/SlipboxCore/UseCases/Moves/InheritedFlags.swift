import NoteIndex
import Notes
import Text

/// The flags that keep a note off a site, for text that goes from it to another note.
struct InheritedFlags {
  private let source: Note
  private let fields: [(name: String, value: String)]

  /// - Throws: if the text of the note can't be read.
  init(of source: Entry, in snapshot: BoxSnapshot) throws(SlipboxError) {
    self.source = source.note
    let flags = try PublicationFlags(source.note, snapshot.schema().kind(named: source.kind))
    fields = [
      flags.isPrivate.map { _ in ("private", "true") }, flags.isUnpublished.map { _ in ("publish", "false") },
      flags.isDraft.map { _ in ("draft", "true") },
    ].compactMap { $0 }
  }

  /// Adds the flags to a note that is made of a part of this one, and says so. Flags that the draft sets itself stay.
  func add(to draft: inout Draft, _ reporter: Reporter) {
    let missing = fields.filter { field in
      !draft.changes.contains { change in
        switch change {
        case .set(let name, _), .clear(let name): name.isSameName(as: field.name)
        case .addTag, .removeTag, .add, .remove: false
        }
      }
    }
    guard !missing.isEmpty else { return }
    draft.changes += missing.map { .set(field: $0.name, value: $0.value) }
    let shown = missing.map { "\($0.name): \($0.value)" }.joined(separator: ", ")
    reporter.warnOnce("the new note has \(shown), as \(source.mention) has")
  }

  /// Warns that a part of the note goes to a note that a site shows.
  func warn(movingTo target: Entry, in snapshot: BoxSnapshot) throws(SlipboxError) {
    guard let field = fields.first, try InheritedFlags(of: target, in: snapshot).fields.isEmpty else {
      return
    }
    snapshot.reporter.warnOnce(
      "a part of \(source.mention), which has \(field.name): \(field.value), goes to \(target.note.mention), which has not"
    )
  }
}
