import NoteIndex
import Notes

/// A value by which notes are told apart.
enum ChartValue: Hashable, Sendable {
  case absent
  case text(String)
  /// A tag, by its key: the same in any case of its letters.
  case tag(String)
  /// A record of a kind, by the name that references use.
  case record(kind: String, name: String)
}

/// Reads the values of one field from notes, as their kinds understand it.
struct ChartValues {
  let field: String
  let schema: Schema

  /// The values of a note, each with its text: of a list all, of a missing field the default of its kind, else that it is
  /// absent.
  func values(of entry: Entry) -> [ChartValue: String] {
    if field.isSameName(as: "kind") { return [.text(entry.kind): entry.kind] }
    let kind = schema.kindOrPlain(named: entry.kind)
    var values: [ChartValue: String] = [:]
    let declared = kind.field(field)
    let earlier = declared.map { kind.earlierValues(of: $0, in: entry.note) } ?? []
    for (value, text) in earlier.compactMap({ value in declared.map { element(value, $0) } }) {
      values[value] = text
    }
    if let declared, let value = kind.value(of: field, in: entry.note) {
      for (value, text) in elements(of: value).map({ element($0, declared) }) { values[value] = text }
    } else if field.isSameName(as: "created") {
      let day = entry.created.civilDate.description
      values[.text(day)] = day
    } else {
      // A value that its kind does not allow is shown as it is written.
      let written = entry.note.frontMatter.fields.first { $0.name.isSameName(as: field) }?.value.strings ?? []
      for text in written where !text.isEmpty { values[.text(text)] = text }
    }
    return values.isEmpty ? [.absent: ""] : values
  }

  private func elements(of value: TypedValue) -> [TypedValue] {
    if case .list(let elements) = value { return elements }
    return [value]
  }

  private func element(_ value: TypedValue, _ declared: Field) -> (ChartValue, String) {
    switch value {
    case .reference(let name):
      return (.record(kind: declared.target ?? "", name: name), name)
    case .moment(let stamp, _):
      let day = stamp.civilDate.description
      return (.text(day), day)
    case .text(let text) where declared.type == .tags:
      return (.tag(TagPath.key(text)), text)
    default:
      let text = declared.written(value)
      return text.isEmpty ? (.absent, "") : (.text(text), text)
    }
  }
}

extension Kind {
  /// Whether a field says if a record is active.
  func tellsActivity(_ field: Field) -> Bool {
    [.choice, .boolean].contains(field.type)
      && (active ?? "").split { " ()".contains($0) }.contains { $0.hasPrefix("\(field.name):") }
  }
}
