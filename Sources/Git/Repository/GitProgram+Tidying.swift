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
        .other, "the git configuration has gc.recentObjectsHook, a program that slip does not run")
    }
    // What nothing refers to goes into a pack of its own, or else, by git before 2.37, stays in files.
    let pack = ["gc", "--quiet", prunes ? "--prune=2.weeks.ago" : "--no-prune"]
    do { try run(pack + ["--cruft"], repository) } catch {
      guard error.message.contains("cruft") else { throw error }
      try run(pack, repository)
    }
    // Without changed paths it serves as well, but for the log of one file; git before 2.27 has no such option.
    let write = ["commit-graph", "write", "--reachable"]
    do { try run(write + ["--changed-paths"], repository) } catch { try run(write, repository) }
  }

  private static func run(_ words: [String], _ repository: Repository) throws(GitError) {
    let folder = repository.workTree ?? repository.gitDirectory
    let answer = try capture(words, in: folder, environment: repository.environment)
    guard answer.status != 0 else { return }
    let lines = answer.errors.split(separator: 10).map { GitError.text($0) }
    // The first line says what is wrong, the others how git is typed.
    let reason = lines.first ?? "it exited with code \(answer.status)"
    throw GitError(.other, "git \(words[0]) failed: \(reason)")
  }
}
