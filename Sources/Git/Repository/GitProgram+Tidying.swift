extension GitProgram {
  /// Packs the objects of a repository and writes its commit-graph, by the user's git, and waits for it.
  ///
  /// Unreachable objects that are younger than two weeks stay, whatever the configuration says: another program may be
  /// about to refer to them. Writers need not stand still meanwhile.
  /// - Parameter prunes: whether older ones go.
  /// - Throws: `locked` where another git is at it, `unsupported` where the configuration names a program that git would
  ///   run, and git's own words where it fails.
  package static func tidy(_ repository: Repository, prunes: Bool) throws(GitError) {
    guard repository.configuration("gc.recentObjectsHook") == nil else {
      throw GitError(
        .other, "the configuration of git names a program, gc.recentObjectsHook, which is not run here")
    }
    try run(["gc", "--quiet", prunes ? "--prune=2.weeks.ago" : "--no-prune"], repository)
    // Without changed paths it serves as well, but for the log of one file; git before 2.27 has no such option.
    let write = ["commit-graph", "write", "--reachable"]
    do { try run(write + ["--changed-paths"], repository) } catch { try run(write, repository) }
  }

  private static func run(_ words: [String], _ repository: Repository) throws(GitError) {
    let folder = repository.workTree ?? repository.gitDirectory
    let answer = try capture(words, in: folder, environment: repository.environment)
    guard answer.status != 0 else { return }
    let lines = answer.errors.split(separator: 10).map { GitError.text(Array($0)) }
    let reason = lines.last ?? "it ended with \(answer.status)"
    throw GitError(.other, "git \(words[0]) failed: \(reason)")
  }
}
