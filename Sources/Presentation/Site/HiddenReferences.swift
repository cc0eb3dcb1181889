import NoteIndex
import Notes
import SlipboxCore

/// The values of fields that name notes which are not on the site: neither their ids nor their titles are told.
struct HiddenReferences {
  private let hidden: [(field: String, text: String)]

  /// - Parameter connections: those of the note that has the fields.
  init(_ connections: [Connection], _ map: SiteMap) {
    hidden = connections.compactMap { connection in
      guard let field = connection.field, case .note(let place) = connection.target,
        map.number(ofPlace: place) == nil
      else { return nil }
      return (field, connection.text)
    }
  }

  /// Whether a value of a field is the name of such a note, alone or as a wiki link.
  func hide(_ value: String, in field: FrontMatterField) -> Bool {
    guard !hidden.isEmpty else { return false }
    let name = Field.bareReference(value)
    return hidden.contains { known in
      known.field == field.name && (known.text.hasSameBytes(as: name) || isLink(value, to: known.text))
    }
  }

  private func isLink(_ value: String, to target: String) -> Bool {
    value.hasPrefix("[[") && value.hasSuffix("]]")
      && WikiLabel(Array(value.utf8)[...]).target.hasSameBytes(as: target)
  }

  /// The text of a field without such values; nil where nothing is left.
  func text(of field: FrontMatterField) -> String? {
    let strings = field.value.strings
    guard !hidden.isEmpty, !strings.isEmpty else { return NoteColumns.text(field.value) }
    let shown = strings.filter { !hide($0, in: field) }.map { words(of: $0, in: field) }
    return shown.isEmpty ? nil : shown.joined(separator: ", ")
  }

  /// A value with the words of each link to such a note in the place of the link.
  func words(of value: String, in field: FrontMatterField) -> String {
    guard !hidden.isEmpty else { return value }
    var (result, rest) = ("", value[...])
    while let open = rest.firstRange(of: "[["), let close = rest[open.upperBound...].firstRange(of: "]]") {
      let link = rest[open.lowerBound..<close.upperBound]
      let label = WikiLabel(Array(link.utf8)[...])
      let isHidden = hidden.contains { $0.field == field.name && $0.text.hasSameBytes(as: label.target) }
      let words = label.text ?? (NoteMarks.namesByPlace(label.target) ? NoteMarks.unnamed : label.target)
      result += rest[..<open.lowerBound] + (isHidden ? words[...] : link)
      rest = rest[close.upperBound...]
    }
    return result + rest
  }
}
