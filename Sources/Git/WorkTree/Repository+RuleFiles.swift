import Bytes
import Platform

extension Repository {
  private static let ruleFiles = [".gitignore", ".gitattributes"].map { Array($0.utf8) }

  /// Refuses to read rules for a path where libgit2 and git would wait for ever: from a FIFO, a socket or a device that
  /// is called as a file of rules, or to which a link of that name leads.
  /// - Complexity: two looks for each folder above the path, none where the last path was in the same folder.
  func refuseSpecialRuleFiles(above path: [UInt8]) throws(GitError) {
    guard let workTree else { return }
    let parent = BytePath.folder(of: path)
    if parent == checkedRuleFolder { return }
    var folder = parent
    while true {
      for name in Self.ruleFiles {
        let file = BytePath.join(folder, name)
        guard RawFile.status(workTree / file, followLinks: true)?.kind == .other else { continue }
        throw GitError(
          .special(path: file),
          "\(GitError.text(file)) is not a regular file, so its git rules can't be read")
      }
      if folder.isEmpty { break }
      folder = BytePath.folder(of: folder)
    }
    checkedRuleFolder = parent
  }
}
