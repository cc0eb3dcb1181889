import ArgumentParser
import Git
import Presentation
import SlipboxCore
import Text

struct ManageRemotes: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "remote", abstract: "Manage the remotes of the box.",
    discussion: """
      An address is a bare repository (git init --bare -b main), a path that ssh reaches, or an https URL. \
      Remotes are git remotes: git remote -v lists them too. The default name is origin.

      Examples:
        slip remote
        slip remote add ada@example.org:notes.git
        slip remote add hub https://example.org/notes.git
        slip remote rm backup
        slip remote list --json
      """,
    subcommands: [RemoteList.self, RemoteAdd.self, RemoteRemove.self], defaultSubcommand: RemoteList.self)
}

struct RemoteList: SlipCommand {
  static let configuration = CommandConfiguration(
    commandName: "list", abstract: "All remotes with their addresses.",
    discussion: "Examples:\n  slip remote list")

  @Flag(name: .option(.json), help: "As JSON.")
  var json = false

  @OptionGroup var global: GlobalOptions

  func run(in session: Session) throws {
    let remotes = try session.openBox().box.remotes()
    if json { return try session.console.print(bytes: RemoteJSON.list(remotes)) }
    if remotes.isEmpty { session.say("no remote yet: slip remote add URL") }
    try session.console.print(RemoteRows.lines(remotes, session.display))
  }
}

struct RemoteAdd: SlipCommand {
  static let configuration = CommandConfiguration(
    commandName: "add", abstract: "Add a remote; named origin if only an address is given.",
    discussion: "Examples:\n  slip remote add ada@example.org:notes.git")

  @Argument(help: ArgumentHelp("The name, and the address.", valueName: "url"))
  var words: [Word]

  @OptionGroup var global: GlobalOptions

  func validate() throws {
    guard words.count <= 2 else { throw ValidationError("slip remote add takes a name and an address.") }
  }

  func run(in session: Session) throws {
    let name = words.count == 2 ? words[0].text : "origin"
    let box = try session.openBox().box
    let added = try box.addRemote(
      name, words[words.count - 1].text, from: session.context.workingDirectory)
    let address = Visible.escape(added.remote.address?.shown ?? "")
    session.say(
      added.isKnown
        ? "\(Visible.escape(name)) is \(address) already"
        : "\(Visible.escape(name)) is \(address); slip sync exchanges commits with it")
  }
}

struct RemoteRemove: SlipCommand {
  static let configuration = CommandConfiguration(
    commandName: "rm", abstract: "Remove a remote; fetched commits are kept.",
    discussion: "Examples:\n  slip remote rm backup")

  @Argument(help: ArgumentHelp("The name.", valueName: "remote"))
  var name: Word

  @OptionGroup var global: GlobalOptions

  func run(in session: Session) throws {
    try session.openBox().box.removeRemote(name.text)
    session.say("\(Visible.escape(name.text)) was removed")
  }
}
