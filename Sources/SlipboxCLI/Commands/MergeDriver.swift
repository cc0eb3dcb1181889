import ArgumentParser
import SlipboxCore

/// What git runs to merge a note; see gitattributes(5), "Defining a custom merge driver".
struct MergeDriver: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "merge-driver", abstract: "Merge three versions of a note for git.", shouldDisplay: false)

  @Argument var base: Word
  @Argument var ours: Word
  @Argument var theirs: Word

  @OptionGroup var global: GlobalOptions

  func run() throws {
    let session = Session(global)
    let isConflicted = try Slipbox.mergeForGit(
      base: base.bytes, ours: ours.bytes, theirs: theirs.bytes, in: session.surroundings.workingDirectory)
    if isConflicted { throw Silent(code: 1) }
  }
}
