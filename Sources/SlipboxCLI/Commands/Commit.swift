import ArgumentParser
import NoteIndex
import Notes
import Platform
import SlipboxCore
import Text

struct Commit: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "commit", abstract: "Commit what other editors changed in notes.",
    discussion: """
      Without REFs, all notes that differ from the last commit, the files they link to, and the settings and kinds of \
      the box. Other files are left to git.

      Examples:
        slip commit
        slip commit kqzmvtrp -m "Corrected on the train"
        slip commit --each
      """)

  @Argument(help: ArgumentHelp("Only these notes.", valueName: "ref"))
  var references: [Word] = []

  @Flag(name: .long, help: "A commit for each note.")
  var each = false

  @Flag(name: [.long, .customShort("y")], help: "Commit linked files above 100 MB without asking.")
  var yes = false

  @Option(
    name: [.long, .customShort("m")], parsing: .unconditional,
    help: ArgumentHelp("Why, for the commit message.", valueName: "reason"))
  var message: Word?

  @OptionGroup var global: GlobalOptions

  func run() throws {
    let session = Session(global)
    let box = try session.openBox()
    let paths = try chosenPaths(box, session)
    guard !paths.isEmpty else {
      session.say("nothing to commit")
      return
    }
    let groups = each ? paths.map { [$0] } : [paths]
    var count = 0
    for group in groups {
      let recorded = try ProgressLine.showing(unlessQuiet: global.quiet) {
        try box.commitAsFound(group, reason: message?.text)
      }
      try Changes.report(recorded, session)
      count += recorded.changes.count
    }
    session.say("committed \(count == 1 ? "1 file" : "\(count) files")")
  }

  private func chosenPaths(_ box: Slipbox, _ session: Session) throws -> [[UInt8]] {
    let changes = try box.outsideChanges()
    if let conflicted = changes.first(where: { $0.difference == .conflicted }) {
      throw SlipboxError(
        .busy, "\(Visible.escape(conflicted.path)) is in the middle of a merge",
        hints: ["finish the merge with git, then try again"])
    }
    if references.isEmpty {
      let linked = try box.uncommittedLinkedFiles()
      let size = linked.reduce(0) { $0 + $1.size }
      let takesLinked = try yes || size <= Slipbox.linkedFilesLimit || asks(size)
      return try changes.map(\.path) + box.uncommittedSettings() + (takesLinked ? linked.map(\.path) : [])
    }
    let deleted = Dictionary(
      changes.filter { $0.difference == .deleted }.map {
        (String(decoding: $0.path, as: UTF8.self), $0.path)
      },
      uniquingKeysWith: { first, _ in first })
    return try references.texts.map { reference in
      try deleted[reference] ?? box.entry(reference, fuzzy: false).note.path
    }
  }

  private func asks(_ size: Int64) throws(SlipboxError) -> Bool {
    guard
      let answer = Terminal.ask("The notes link to \(size >> 20) MB of new files. Commit them too? [y/N] ")
    else {
      throw SlipboxError(
        .usage, "the notes link to \(size >> 20) MB of new files, and there is no terminal to ask on",
        hints: ["add --yes to commit them too"])
    }
    return ["y", "yes"].contains(answer.lowercased())
  }
}
