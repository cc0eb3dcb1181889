import Git
import Text

/// The settings of the box in a commit that is to be merged.
///
/// A box whose settings can't be read answers no command, not even the sync that would fetch their repair.
struct IncomingSettings {
  private let box: Box
  private let commit: ObjectID
  /// The name of the branch in messages.
  private let branch: Phrase

  init(of commit: ObjectID, on branch: String, in box: Box) {
    self.commit = commit
    self.branch = Phrase(branch)
    self.box = box
  }

  /// Refuses settings with which the box could not be opened.
  ///
  /// - Throws: `.configuration` if the file can't be read or needs a newer version, and if it or its folder is something
  ///   else, such as a symbolic link.
  func refuseUnusable() throws(SlipboxError) {
    let (name, path) = (box.repositoryPath(Settings.boxFile), Settings.boxFile)
    let folder = box.repositoryPath(Array(".slipbox".utf8))
    let found = try box.git { repository throws(GitError) in
      (
        inPlaceOfFolder: try repository.file(folder, at: commit), file: try repository.file(name, at: commit),
        isFolder: try !repository.files(at: commit, under: name).isEmpty
      )
    }
    if found.inPlaceOfFolder != nil { throw refusal("\(folder) is a file or a symbolic link") }
    if found.isFolder { throw refusal("\(name) is a folder") }
    guard let file = found.file else { return }
    guard file.mode != TreeEntry.symbolicLink else { throw refusal("\(name) is a symbolic link") }
    let bytes = try box.content(of: file)
    do throws(SlipboxError) {
      _ = try Settings.of(bytes, file: Phrase(path))
    } catch {
      throw refusal(error.message)
    }
  }

  private func refusal(_ reason: Phrase) -> SlipboxError {
    SlipboxError(
      .configuration, "\(branch) is not merged: \(reason)",
      hints: [
        "nothing was changed; correct it on \(branch) and sync again",
        "or merge it by hand with git, and correct the file then",
      ])
  }
}
