import NoteIndex
import Notes
import SlipboxCore
import Text

/// The actions of the record at hand and of one that is linked at the place, and what is done with whole notes.
struct RecordActions {
  private let place: ActionPlace

  init(_ place: ActionPlace) { self.place = place }

  func offers() throws(SlipboxError) -> [ActionOffer] {
    var offers = try linked().flatMap { actions(of: $0, shown: ": \(Visible.escape($0.note.title))") }
    offers += actions(of: place.entry, shown: "")
    let uri = ["uri": JSONValue.string(place.document.uri)]
    let commit = "Commit this note"
    let undo = "Undo the last change by slip"
    offers.append(
      ActionOffer(title: commit, kind: .record, way: .command(ClientCommand(commit, .commit, uri))))
    offers.append(ActionOffer(title: undo, kind: .record, way: .command(ClientCommand(undo, .undo, uri))))
    return offers
  }

  /// The actions of its kind that would change a record.
  private func actions(of entry: Entry, shown: String) -> [ActionOffer] {
    let snapshot = place.view.snapshot
    let kind = snapshot.schema().kindOrPlain(named: entry.kind)
    return kind.actions.filter { snapshot.mayAct($0.name, on: entry) }.compactMap { action in
      let words = action.name.split(separator: "-").joined(separator: " ")
      let title = words.prefix(1).uppercased() + words.dropFirst() + shown
      let command = ClientCommand(
        title, .act,
        ["action": .string(action.name), "uri": .string(place.view.uri(of: entry.note.path))])
      // What is not open changes on disk, and is worked out once it is chosen.
      let isOpen = place.view.documents[entry.note.path] != nil
      let way =
        isOpen
        ? place.way(
          of: { () throws(SlipboxError) in try snapshot.acting(action.name, on: [entry]) }, command: command)
        : .command(command)
      return way.map { ActionOffer(title: title, kind: .record, way: $0) }
    }
  }

  /// The record that a link at the place leads to.
  private func linked() throws(SlipboxError) -> [Entry] {
    let finder = RenameFinder(place.note, at: place.range.lowerBound, in: place.view)
    guard case .note(let entry)? = try finder.find()?.target, entry.note.path != place.note.path else {
      return []
    }
    return [entry]
  }
}
