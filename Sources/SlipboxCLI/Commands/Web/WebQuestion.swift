import NoteIndex
import SlipboxCore

/// What a command about some notes' links needs: the box, its web, and the notes.
struct WebQuestion {
  let snapshot: BoxSnapshot
  let web: NoteWeb
  let notes: [Entry]
  /// The places of the notes in the catalogue.
  let places: [Int]

  /// Opens the box of the time that is asked for, and finds the notes that REFs name, those of standard input for `-`.
  ///
  /// Where none is named the user chooses on the terminal.
  ///
  /// - Parameters:
  ///   - command: the name of the command.
  ///   - isOne: whether exactly one note is wanted.
  init(
    _ references: [Word], of command: String, _ options: WebOptions, _ session: Session, isOne: Bool = false
  ) throws {
    snapshot = try session.openBox(options.past)
    if references.isEmpty {
      let refusal = NotePicker.refusal(of: command)
      notes = try NotePicker(snapshot, session).entries(isOne: isOne, refusal: refusal)
      web = try NoteWeb(snapshot)
      places = try web.places(of: notes)
      return
    }
    let names = try session.expandingInput(references.texts, nulSeparated: options.nulSeparated)
    if isOne, names.count != 1 {
      throw SlipboxError(
        .usage,
        names.isEmpty ? "no note was named" : "\(names.count) notes were named, but this command takes one",
        hints: ["slip backlinks and slip links take several"])
    }
    notes = isOne ? [try snapshot.entry(names[0], fuzzy: true)] : try snapshot.entries(names, fuzzy: true)
    web = try NoteWeb(snapshot)
    places = try web.places(of: notes)
    session.warnOfUnreadableNotes(in: snapshot)
  }
}
