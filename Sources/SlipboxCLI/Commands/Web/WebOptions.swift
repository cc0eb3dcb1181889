import ArgumentParser
import NoteIndex
import Presentation
import SlipboxCore

/// The form of an answer about links, and the time of which it is asked.
struct WebOptions: ParsableArguments {
  @Option(
    name: .option(.limit), parsing: .unconditional,
    help: ArgumentHelp("The maximum number for each note.", valueName: "n"))
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

  /// As many of some things as are asked for.
  func limited<Element>(_ all: [Element]) -> [Element] { Array(all.prefix(limit ?? .max)) }
}

/// An answer about links in all of its forms; only the one that is asked for is made.
struct WebAnswer {
  let json: () -> [UInt8]
  let rows: () -> [String]
  let table: () throws -> [String]
  let paths: () -> [[UInt8]]
  /// The notes that `@1` and the next ones name afterwards.
  let listed: () -> [Entry]

  /// Writes the answer as the options say.
  func write(_ options: WebOptions, _ snapshot: BoxSnapshot, _ session: Session) throws {
    if options.json {
      try session.console.print(bytes: json())
    } else if options.paths || !session.display.isTerminal {
      let lines = options.paths ? paths() : rows().map { Array($0.utf8) }
      let end: UInt8 = options.nulSeparated ? 0 : UInt8(ascii: "\n")
      for line in lines { session.console.write(line + [end]) }
      try session.console.flush()
    } else {
      snapshot.rememberList(listed())
      try session.page(try table())
    }
    try snapshot.refuseUnreadTexts()
  }
}
