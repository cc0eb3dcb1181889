import Notes
import SlipboxCore
import Text

/// What settles values that a merge left to decide.
struct ConflictFixes {
  private let place: ActionPlace

  init(_ place: ActionPlace) { self.place = place }

  /// A choice for each version of what is in conflict at the place.
  func offers() -> [ActionOffer] {
    var offers: [ActionOffer] = []
    for conflict in NoteConflict.all(in: place.note.text) where isHere(conflict) {
      for (number, version) in conflict.versions.enumerated() {
        let title = "Keep \(Visible.escape(conflict.name)): \(Self.shown(version))"
        let command = ClientCommand(
          title, .resolve,
          [
            "uri": .string(place.document.uri), "field": .string(conflict.name),
            "version": .number(Double(number + 1)),
          ])
        let way = place.way(
          of: { () throws(SlipboxError) in
            try place.view.snapshot.resolving(
              place.entry, .version(number + 1), fields: [conflict.name], reason: nil)
          }, command: command)
        if let way { offers.append(ActionOffer(title: title, kind: .quickFix, way: way)) }
      }
    }
    return offers
  }

  /// Whether the place is in the field itself, in the list of conflicts, or in the body where that is in conflict.
  private func isHere(_ conflict: NoteConflict) -> Bool {
    let names = [conflict.name, ConflictEntry.fieldName]
    let isInField = place.note.frontMatter.fields.contains { field in
      names.contains { field.name.isSameName(as: $0) } && place.isHere(field.span)
    }
    return isInField || conflict.versions.contains { $0.text != nil } && place.isHere(place.note.text.body)
  }

  private static func shown(_ version: NoteConflict.Version) -> String {
    let value: String =
      if let text = version.text {
        String(decoding: text.prefix(40), as: UTF8.self).split(separator: "\n").first.map(String.init) ?? ""
      } else {
        version.value?.strings.joined(separator: ", ") ?? "nothing"
      }
    let origin = [version.who, version.device, version.when].filter { !$0.isEmpty }.joined(separator: ", ")
    return Visible.escape(value) + (origin.isEmpty ? "" : " (\(Visible.escape(origin)))")
  }
}
