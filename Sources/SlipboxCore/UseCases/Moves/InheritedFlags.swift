import NoteIndex
import Notes
import Text

/// The flags that keep a note off a site, for text that goes from it to another note.
struct InheritedFlags {
  private let source: Note
  private let fields: [(name: String, value: String)]
  /// The reason for which Hugo or Jekyll makes no page of the note, if it has no flag.
  private let reason: WithheldReason?

  /// - Throws: if the text of the note can't be read.
  init(of source: Entry, in snapshot: BoxSnapshot) throws(SlipboxError) {
    self.source = source.note
    let flags = try PublicationFlags(source.note, snapshot.schema().kind(named: source.kind))
    let own: [(name: String, value: String)] = [
      flags.isPrivate.map { _ in ("private", "true") }, flags.isUnpublished.map { _ in ("publish", "false") },
      flags.isDraft.map { _ in ("draft", "true") },
    ].compactMap { $0 }
    // The new note may be at another place and has other dates.
    reason = try own.isEmpty ? Self.reason(source.note, in: snapshot) : nil
    let isJekyll = try snapshot.layout().name == .jekyll
    fields = reason == nil ? own : [(isJekyll ? "published" : "draft", isJekyll ? "false" : "true")]
  }

  private static func reason(_ note: Note, in snapshot: BoxSnapshot) throws(SlipboxError) -> WithheldReason? {
    switch try snapshot.layout().name {
    case .hugo:
      try HugoPublication(snapshot).withheld(note, snapshot.schema(), includesDrafts: false)?.reason
    case .jekyll: try JekyllPublication(snapshot).withheld(note, includesDrafts: false)?.reason
    default: nil
    }
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
    if let reason {
      reporter.warnOnce("the new note has \(shown), because \(source.mention) \(reason.predicate)")
    } else {
      reporter.warnOnce("the new note has \(shown), as \(source.mention) has")
    }
  }

  /// Warns that a part of the note goes to a note that a site shows.
  func warn(movingTo target: Entry, in snapshot: BoxSnapshot) throws(SlipboxError) {
    guard let field = fields.first, try InheritedFlags(of: target, in: snapshot).fields.isEmpty else {
      return
    }
    let flag: Phrase = reason.map { "\($0.predicate)" } ?? "has \(field.name): \(field.value)"
    let denial: Phrase = reason == nil ? "has not" : "is not hidden"
    snapshot.reporter.warnOnce(
      "a part of \(source.mention), which \(flag), goes to \(target.note.mention), which \(denial)")
  }
}
