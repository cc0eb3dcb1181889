import Bytes
import Platform

extension GitProgram {
  /// Packs the objects of a repository and writes its commit-graph, by the user's git, and waits for it.
  ///
  /// Unreachable objects that are younger than two weeks stay, whatever the configuration says: another program may be
  /// about to refer to them. Writers need not stand still meanwhile.
  /// - Parameter prunes: whether older ones go.
  /// - Throws: `locked` where another git is at it, `unsupported` where the configuration names a program that git would
  ///   run, and git's own words where it fails.
  package static func tidy(_ repository: Repository, prunes: Bool) throws(GitError) {
    guard repository.settings["gc.recentObjectsHook"] == nil else {
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
    // Git has no exit code of its own for this.
    if reason.contains("gc is already running") {
      throw .locked(repository.commonDirectory / "gc.pid")
    }
    throw GitError(.other, "git \(words[0]) failed: \(reason)")
  }
}

extension GitProgram {
  /// Starts `git gc --auto` in the background, where it could have something to do.
  ///
  /// The guess is git's own: it counts the loose objects of one folder in 256, and the packs; so nothing is started
  /// after most commits. Call it with no lock held.
  /// - Returns: whether git was started.
  @discardableResult
  package static func startAutoGC(_ repository: Repository) -> Bool {
    guard needsGC(repository) else { return false }
    let folder = repository.workTree ?? repository.gitDirectory
    let words = arguments(["gc", "--auto", "--quiet"], in: folder)
    // Where git can't be started, the next commit tries again.
    return (try? ChildProcess.detach(words, environment: repository.environment.forChildren)) != nil
  }

  private static func needsGC(_ repository: Repository) -> Bool {
    let objects = repository.commonDirectory / "objects"
    let loose = RawFile.names(in: objects / "17").count
    let packs = RawFile.names(in: objects / "pack").filter { $0.hasSuffix(".pack") }.count
    // Below the least that any sensible setting means, the configuration need not even be read.
    guard loose > 1 || packs > 1 else { return false }
    let limit = repository.settings["gc.auto"].flatMap { Int($0) } ?? 6_700
    let packLimit = repository.settings["gc.autoPackLimit"].flatMap { Int($0) } ?? 50
    guard limit > 0 else { return false }
    // The programs that it names can't be taken back on the command line.
    guard repository.settings["gc.recentObjectsHook"] == nil else { return false }
    return loose > limit / 256 + (limit % 256 == 0 ? 0 : 1) || packLimit > 0 && packs > packLimit
  }
}
