import ArgumentParser
import NoteIndex
import Notes
import Presentation
import SlipboxCore
import Text

/// The form of an answer about links, and the time of which it is asked.
struct WebOptions: ParsableArguments {
  @Option(
    name: .option(.limit), parsing: .unconditional,
    help: ArgumentHelp(
      "The maximum number of rows; if notes are named, for each of them.", valueName: "n"))
  var limit: Int?

  @Flag(name: .option(.json), help: "As JSON.")
  var json = false

  @Flag(name: .option(.paths), help: "Print the paths of the files, each once.")
  var paths = false

  @Flag(name: .customShort("0"), help: "End rows and paths with NUL, and read - as NUL-separated names.")
  var nulSeparated = false

  @OptionGroup var past: PastOptions

  func validate() throws {
    guard !json || !paths else {
      throw ValidationError(
        "Choose one of \(Sentence.list([OptionName.json.typed, OptionName.paths.typed])).")
    }
    guard limit ?? 0 >= 0 else { throw ValidationError("\(OptionName.limit.typed) takes a number from 0.") }
  }

  /// The first elements, up to the requested number.
  func limited<Element>(_ all: [Element]) -> [Element] { Array(all.prefix(limit ?? .max)) }
}

/// An answer about links in all of its forms; only the requested one is made.
struct WebAnswer {
  let json: () -> [UInt8]
  let rows: () -> [String]
  let table: () throws -> [String]
  let paths: () -> [[UInt8]]
  /// The notes that `@1` and the next ones name afterwards.
  let listed: () -> [Entry]
  /// The check boxes that they name; nil for a list of notes.
  var boxes: (() -> [Todo])?

  /// Writes the answer as the options say.
  func write(_ options: WebOptions, _ snapshot: BoxSnapshot, _ session: Session) throws {
    if options.json {
      try session.console.print(bytes: json())
    } else if options.paths || !session.display.isTerminal {
      let end: UInt8 = options.nulSeparated ? 0 : UInt8(ascii: "\n")
      let bytes =
        options.paths
        ? Array(paths().map { $0 + [end] }.joined()) : Console.bytes(of: rows(), end: end)
      try session.console.print(bytes: bytes)
    } else {
      if let boxes {
        LastList(in: snapshot).remember(boxes())
      } else {
        LastList(in: snapshot).remember(listed())
      }
      try session.page(try table())
    }
  }
}

/// The input of a command about the links of some notes: the box, its link graph, and the notes.
struct WebQuestion {
  let snapshot: BoxSnapshot
  let web: NoteWeb
  let notes: [Entry]
  /// The parts of the notes that REFs name; nil for a whole note.
  let parts: [NotePart?]
  /// The places of the notes in the catalogue.
  let places: [Int]

  /// Opens the box at the requested time, and finds the notes that REFs name, those of standard input for `-`.
  ///
  /// If no note is named, the user chooses on the terminal.
  ///
  /// - Parameters:
  ///   - command: the name of the command.
  ///   - isOne: whether exactly one note is needed.
  init(
    _ references: [Word], of command: String, _ options: WebOptions, _ session: Session, isOne: Bool = false
  ) throws {
    snapshot = try session.openBox(options.past)
    if references.isEmpty {
      let refusal = NotePicker.refusal(of: command)
      notes = try NotePicker(snapshot, session).entries(isOne: isOne, refusal: refusal)
      parts = notes.map { _ in nil }
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
    if isOne {
      notes = [try NoteLookup(in: snapshot).entry(names[0], fuzzy: true)]
      parts = [nil]
    } else {
      let named = try NoteLookup(in: snapshot).notesAndParts(names)
      notes = named.map(\.entry)
      parts = named.map(\.part)
    }
    web = try NoteWeb(snapshot)
    places = try web.places(of: notes)
    session.warnOfUnreadableNotes(in: snapshot)
  }
}
