import ArgumentParser
import Platform
import SlipboxCore
import Text

/// The merge driver that git runs for notes; see gitattributes(5), "Defining a custom merge driver".
struct MergeDriver: SlipCommand {
  static let configuration = CommandConfiguration(
    commandName: "merge-driver", abstract: "Merge three versions of a note for git.", shouldDisplay: false)

  @Argument var base: Word
  @Argument var ours: Word
  @Argument var theirs: Word
  @Argument var path: Word?

  @OptionGroup var global: GlobalOptions

  func run(in session: Session) throws {
    let files = SlipboxCore.MergeDriver.Files(
      base: base.bytes, ours: ours.bytes, theirs: theirs.bytes, path: path?.bytes)
    let driver = SlipboxCore.MergeDriver(
      files, in: session.context.workingDirectory, environment: Array(environmentVariables().keys),
      session.context)
    let parts = try driver.run()
    let name = path.map { Visible.escape($0.text) } ?? "a note"
    guard let parts else {
      session.context.reporter.warn("\(name): this is no text that can be merged; git left yours in the file")
      throw EarlyExit(code: 1)
    }
    guard !parts.isEmpty else { return }
    let named = parts.map { Visible.escape($0) }.joined(separator: ", ")
    session.context.reporter.warn("\(name): both versions are kept of: \(named)")
  }
}
