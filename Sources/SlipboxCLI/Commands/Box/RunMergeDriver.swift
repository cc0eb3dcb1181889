import ArgumentParser
import Platform
import SlipboxCore
import SlipboxHost
import Text

/// The merge driver that git runs for notes; see gitattributes(5), "Defining a custom merge driver".
struct RunMergeDriver: SlipCommand {
  static let configuration = CommandConfiguration(
    commandName: "merge-driver", abstract: "Merge three versions of a note for git.", shouldDisplay: false)

  /// Above 128: git then stops the merge, instead of taking our version for the result.
  private static let failure: Int32 = 129

  @Argument var base: Word
  @Argument var ours: Word
  @Argument var theirs: Word
  @Argument var path: Word?

  @OptionGroup var global: GlobalOptions

  func run(in session: Session) throws {
    let files = MergeDriver.Files(
      base: base.bytes, ours: ours.bytes, theirs: theirs.bytes, path: path?.bytes)
    let driver = MergeDriver(
      files, in: session.context.workingDirectory, environment: Array(environmentVariables().keys),
      session.context)
    let name = path.map { Visible.escape($0.bytes) } ?? "a note"
    let parts: [String]
    do {
      switch try driver.run() {
      case .merged(let merged): parts = merged
      case .marked:
        session.context.reporter.warn("\(name): merged by lines; resolve the conflict markers in the file")
        throw EarlyExit(code: 1)
      }
    } catch let error as SlipboxError {
      for line in [error.message] + error.hints { session.context.reporter.warn(line) }
      throw EarlyExit(code: Self.failure)
    }
    guard !parts.isEmpty else { return }
    let named = parts.map { Visible.escape($0) }.joined(separator: ", ")
    session.context.reporter.warn("\(name): both versions are kept of: \(named)")
  }
}

/// Compacts the caches of a box. Other commands start it in the background.
struct FoldCatalogue: SlipCommand {
  static let configuration = CommandConfiguration(
    commandName: Maintenance.command, abstract: "Compact the catalogue cache of a box.",
    shouldDisplay: false)

  @OptionGroup var global: GlobalOptions

  func run(in session: Session) throws {
    try WorkTreeReader(try session.openBox().box, session.context).foldCatalogue()
  }
}
