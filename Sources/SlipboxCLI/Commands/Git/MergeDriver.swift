import ArgumentParser
import SlipboxCore

/// The merge driver that git runs for notes; see gitattributes(5), "Defining a custom merge driver".
struct MergeDriver: SlipCommand {
  static let configuration = CommandConfiguration(
    commandName: "merge-driver", abstract: "Merge three versions of a note for git.", shouldDisplay: false)

  @Argument var base: Word
  @Argument var ours: Word
  @Argument var theirs: Word

  @OptionGroup var global: GlobalOptions

  func run(in session: Session) throws {
    let isConflicted = try SlipboxCore.MergeDriver.merge(
      base: base.bytes, ours: ours.bytes, theirs: theirs.bytes, in: session.context.workingDirectory)
    if isConflicted { throw EarlyExit(code: 1) }
  }
}
