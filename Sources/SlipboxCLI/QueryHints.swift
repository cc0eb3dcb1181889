import NoteIndex
import Notes
import SlipboxCore
import Text

/// What is said of a query that is most likely not what was meant.
extension Slipbox {
  /// A field or a kind that no note has is likely a slip of the finger.
  func hintAtUnknownNames(_ query: Query, _ session: Session) {
    hintAtUnknownKind(query, session)
    guard let unknown = try? catalogue().unknownFields(of: query), !unknown.isEmpty,
      let notes = try? notes().notes
    else { return }
    let known = Set(notes.flatMap { $0.note.frontMatter.fields.map { $0.name.lowercased() } }).union(
      Self.derivedFields
    ).union(schema().kinds.flatMap { $0.fields.map { $0.name.lowercased() } })
    for name in unknown {
      let near = Spelling.nearest(to: name.lowercased(), among: known.sorted())
      session.say(
        "no note has a field \(Visible.escape(name))"
          + (near.map { "; did you mean \(Visible.escape($0)):" } ?? ""))
    }
  }

  private func hintAtUnknownKind(_ query: Query, _ session: Session) {
    guard let name = query.kindName, schema().kind(named: name) == nil, !hasRecords(of: name) else { return }
    let near = Spelling.nearest(to: name, among: schema().kinds.map(\.name))
    session.say(
      "there is no kind \(Visible.escape(name))" + (near.map { "; did you mean kind:\($0)" } ?? ""))
  }

  private static let derivedFields: Set<String> = [
    "id", "title", "kind", "created", "modified", "path", "body", "tag", "tags",
  ]

  /// A value that no record can have is likely a slip too: a choice that is none, words for a number.
  func hintAtUnfitValues(_ query: Query, _ session: Session) {
    if query.hasComparisonAsText { session.say("fields are compared so: 'rating:>=4'") }
    let wanted = query.kindName
    let unfit = query.unfitFields { kind in
      wanted.map { $0 == kind.name } ?? hasRecords(of: kind.name)
    }
    for field in unfit {
      let values = field.declarations.map { "\($0.field.takes) in \($0.kind.name)" }
      session.say("\(Visible.escape(field.declarations[0].field.name)) is \(values.joined(separator: "; "))")
    }
  }
}

extension Field {
  /// What may be its value, in words.
  fileprivate var takes: String {
    switch type {
    case .choice: values.map { Visible.escape($0) }.joined(separator: ", ")
    case .boolean: "true or false"
    case .integer: "a number"
    case .date, .moment: "a date (2026-11, today, friday, 3d)"
    case .text, .tags, .reference: "text"
    }
  }
}
