import ArgumentParser

/// The time of which a command that reads is asked.
struct PastOptions: ParsableArguments {
  @Option(
    name: .option(.asOf), parsing: .unconditional,
    help: ArgumentHelp("Use the state of a revision, or of the end of a date.", valueName: "rev"))
  var asOf: Word?
}

extension PastOptions {
  /// A paragraph on points in the past for the help of commands.
  static let help = """
    A REV is a branch, a tag, a commit or an expression of git's such as HEAD~3, an operation, or a date as \
    in queries \
    (2026-11-01, 'last friday', 3w): the last commit by the end of it on the branch's own line, along first \
    parents; merged commits count from the merge on. A name that is both a date and a branch, tag or commit \
    means the branch, tag or commit. Settings, kinds, filters and today are those of that time.
    """
}
