import Bytes
package import Git
import NoteIndex
package import Notes
import Synchronization

/// Whether notes of earlier commits would have been on a site then: by the settings and the git attributes of those commits.
package final class PastPublication: Sendable {
  private struct Rules: Sendable {
    let requiresMark: Bool
    let excluded: ExcludedPaths
  }

  private let box: Box
  private let rule: PublicationRule
  /// The rules by the blobs of the settings.
  private let known = Mutex<[ObjectID: Rules]>([:])

  package init(_ snapshot: BoxSnapshot, _ rule: PublicationRule) {
    (box, self.rule) = (snapshot.box, rule)
  }

  /// Whether a version of a note was hidden at a commit. The flags of the version are not read.
  package func hides(_ note: Note, at commit: ObjectID) -> Bool {
    do throws(SlipboxError) {
      let rules = try rules(at: commit)
      if rules.excluded.covers(note.path) { return true }
      if rules.requiresMark, try !rule.isMarked(note) { return true }
      let path = box.repositoryPath(note.path)
      return try box.git { repository throws(GitError) in
        try repository.committedAttributes.filter(
          of: path, at: commit, except: Box.filtersForLargeFiles)
      } != nil
    } catch {
      // Settings and attributes that can't be read may hide it.
      return true
    }
  }

  /// Whether the version that a path had before a commit was hidden.
  package func hides(_ note: Note, before commit: ObjectID) -> Bool {
    do throws(SlipboxError) {
      let parents = try box.git { repository throws(GitError) in try repository.read(commit).parents }
      return parents.first.map { hides(note, at: $0) } ?? false
    } catch {
      return true
    }
  }

  private func rules(at commit: ObjectID) throws(SlipboxError) -> Rules {
    let file = box.repositoryPath(Settings.boxFile)
    let found = try box.git { repository throws(GitError) in try repository.file(file, at: commit) }
    guard let found else { return Rules(requiresMark: false, excluded: ExcludedPaths([])) }
    if let rules = known.withLock({ $0[found.id] }) { return rules }
    let settings = try Settings.ofBox(try box.content(of: found.id, at: Settings.boxFile), isLenient: false)
    let patterns = settings.exclude?.map { ExcludedPaths.Pattern($0, source: "") } ?? []
    let isUnclear =
      settings.unknownNames.contains { $0.near?.hasPrefix("publish") == true }
      || ["publish", "exclude"].contains { settings.formProblem(of: $0) != nil }
    let rules = Rules(
      requiresMark: settings["publish"] == "required" || isUnclear, excluded: ExcludedPaths(patterns))
    known.withLock { $0[found.id] = rules }
    return rules
  }
}
