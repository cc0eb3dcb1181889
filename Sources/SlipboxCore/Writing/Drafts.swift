import Bytes
import Git
package import Notes
import Platform
import Text

/// Texts that have no note yet, and texts that could not be saved: kept inside the git directory.
extension Box {
  /// Writes a draft for an editor.
  package func writeDraft(_ bytes: [UInt8], name: String) throws(SlipboxError) -> [UInt8] {
    try system { () throws(SystemError) in try makePrivateFolder() }
    let file = BytePath.join(privateFolder, Array("drafts/\(name).md".utf8))
    try system { () throws(SystemError) in try Files.write(bytes, to: file, permissions: .ofUser) }
    return file
  }

  /// What an editor made of a draft.
  package func readDraft(_ file: [UInt8]) throws(SlipboxError) -> [UInt8] {
    do throws(SystemError) {
      return try Files.read(file)
    } catch {
      if error.isMissing { return [] }
      throw SlipboxError(error)
    }
  }

  /// Drops a draft that became a note, or nothing.
  package func removeDraft(_ file: [UInt8]) { try? Files.remove(file) }

  /// The error with a hint where the text that could not be saved is kept, or with the text where it is kept nowhere.
  ///
  /// - Parameters:
  ///   - name: what the file is called after its time, such as the note that the text was meant for.
  ///   - again: a hint how the text is used from the file, which is given as it is typed in a shell.
  package func keeping(
    _ bytes: [UInt8], name: String, at now: Timestamp, _ error: SlipboxError,
    again: ((_ file: String) -> String)? = nil
  ) -> SlipboxError {
    guard !bytes.isEmpty else { return error }
    // The name of a note may be a path.
    let name = String(decoding: FileName.stem(of: Array(name.utf8)), as: UTF8.self)
    // If that fails, the write below says why.
    try? makeStateFolder()
    do throws(SystemError) {
      let file = try keepApart(bytes, name: Array("\(name).md".utf8), at: now)
      let hint = again.map { [$0(ShellWord.quoted(file))] } ?? []
      return SlipboxError(
        error.kind, error.message,
        hints: error.hints + ["your text is kept at \(Visible.escape(file))"] + hint)
    } catch let failure {
      return SlipboxError(
        .inputOutput, error.message,
        hints: error.hints
          + [
            "your text could not be saved in \(Visible.escape(privateFolder / "recovered")): \(failure.reason)"
          ],
        unsavedText: bytes)
    }
  }

  /// A change as a patch that `git apply` takes at the top of the repository.
  package func patch(of changes: [FileChange]) throws(SlipboxError) -> [UInt8] {
    var patch: [UInt8] = []
    for change in changes {
      let name = repositoryPath(change.path)
      patch += try git { repository throws(GitError) in
        try repository.patch(path: name, before: change.before, after: change.after)
      }
    }
    return patch
  }
}
