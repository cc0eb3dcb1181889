import Bytes
import Platform

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
    let limit = repository.configuration("gc.auto").flatMap { Int($0) } ?? 6_700
    let packLimit = repository.configuration("gc.autoPackLimit").flatMap { Int($0) } ?? 50
    guard limit > 0 else { return false }
    // The programs that it names can't be taken back on the command line.
    guard repository.configuration("gc.recentObjectsHook") == nil else { return false }
    return loose > limit / 256 + (limit % 256 == 0 ? 0 : 1) || packLimit > 0 && packs > packLimit
  }
}
