import Bytes
import Git
package import Notes
import Platform
package import Text

/// A text that is in no note: one that an editor left, or that could not be saved. It is stored inside the git directory.
package struct KeptText: Sendable {
  /// The absolute path of its file.
  package let file: [UInt8]
  /// The name by which a command resumes it: the name of the file without the extension.
  package let name: String
  /// Its title or, without one, its first words, safe for a terminal.
  package let title: String
  /// The folder of the box for a note of the text; nil for the default folder.
  package let folder: [UInt8]?

  private static let longestTitle = 60

  init(file: [UInt8], folder: [UInt8]?, _ bytes: [UInt8]) {
    self.file = file
    self.folder = folder
    name = String(decoding: FileName.stem(of: file), as: UTF8.self)
    let note = Note(path: [], text: NoteText(bytes))
    let line = bytes[note.wholeText.body].split(separator: UInt8(ascii: "\n")).first { line in
      line.contains { $0 > 0x20 }
    }
    let words = note.title == Note.untitled ? String(decoding: line ?? [], as: UTF8.self) : note.title
    title = CellWidth.truncate(Phrase(words).description, to: Self.longestTitle)
  }

  /// The command that opens the text in an editor again.
  package var command: Phrase { .slip("new", "--draft", .value(name)) }

  /// The command that deletes the text.
  package var removal: Phrase { "rm \(typed: file)" }
}

extension Box {
  private static let keptFolders = ["drafts", "recovered"]
  /// The maximum number of bytes of a text that are read for its title.
  private static let titleLimit = 1 << 20

  /// Writes a text that could not be saved to a new file of the folder `recovered`; never replaces a file.
  ///
  /// If a file of the name has the same bytes, it is reused.
  /// - Parameters:
  ///   - name: the name of the file after its time, with its extension.
  ///   - noteFolder: the folder of the box for a note of the text; nil for the default folder.
  /// - Returns: the path of the file.
  func keepApart(
    _ bytes: [UInt8], name: [UInt8], in noteFolder: [UInt8]? = nil, at now: Timestamp
  ) throws(SystemError) -> [UInt8] {
    let folder = keptFolder("recovered", of: noteFolder)
    try Files.makeDirectory(folder)
    let start = Array("\(now.seconds)-".utf8) + FileName.stem(of: name)
    let ending = name.dropFirst(FileName.stem(of: name).count)
    var number = 1
    while true {
      let file = folder / (start + (number == 1 ? [] : Array("-\(number)".utf8)) + ending)
      do throws(SystemError) {
        try Files.create(file, bytes, mode: 0o600)
        return file
      } catch {
        guard error.isOccupied, number < 10_000 else { throw error }
        if (try? Files.read(file)) == bytes { return file }
        number += 1
      }
    }
  }

  /// Returns the folder of kept texts. A text of a folder of the box is stored in a subfolder of that path.
  private func keptFolder(_ name: String, of noteFolder: [UInt8]?) -> [UInt8] {
    let folder = privateFolder / name
    return noteFolder.map { $0.isEmpty ? folder : folder / $0 } ?? folder
  }

  /// Returns the texts that are in no note, by name.
  package func keptTexts() -> [KeptText] { Self.keptFolders.flatMap { keptTexts(in: $0, of: []) } }

  private func keptTexts(in kept: String, of noteFolder: [UInt8]) -> [KeptText] {
    let folder = keptFolder(kept, of: noteFolder)
    // The folder does not exist before the first text is stored.
    return ((try? Files.list(folder)) ?? []).flatMap { name -> [KeptText] in
      let file = BytePath.join(folder, name)
      if (try? Files.status(file, followLinks: false))??.kind == .directory {
        return keptTexts(in: kept, of: noteFolder.isEmpty ? name : noteFolder / name)
      }
      guard FileName.isNote(name) else { return [] }
      // A text that can't be read is listed anyway.
      let bytes = (try? Files.read(file, limit: Self.titleLimit)) ?? []
      return [KeptText(file: file, folder: noteFolder.isEmpty ? nil : noteFolder, bytes)]
    }
  }

  /// Returns the kept text with a name or a path.
  /// - Throws: `.notFound` with the existing names.
  package func keptText(named name: String) throws(SlipboxError) -> KeptText {
    let (texts, typed) = (keptTexts(), ByteText.bytes(of: name))
    if let text = texts.first(where: { text in
      text.name == name || text.file == typed
        || BytePath.relative(text.file, to: root) == typed
        || FileName.lastPart(of: text.file).elementsEqual(typed)
    }) {
      return text
    }
    throw SlipboxError(
      .notFound, "there is no draft \(name)",
      hints: texts.isEmpty
        ? ["this box has no drafts"]
        : ["the drafts are:"] + texts.map { "  \($0.name)  \($0.title)" })
  }

  /// Returns the path of a kept text for display: relative to the root of the box if it is below it.
  package func shownPath(of text: KeptText) -> Phrase {
    Phrase(BytePath.relative(text.file, to: root) ?? text.file)
  }
}

/// Texts that have no note yet, and texts that could not be saved: stored inside the git directory.
extension Box {
  /// Writes a draft for an editor.
  /// - Parameter noteFolder: the folder of the box for the note; nil for the default folder.
  package func writeDraft(
    _ bytes: [UInt8], name: String, in noteFolder: [UInt8]?
  ) throws(SlipboxError) -> [UInt8] {
    let folder = keptFolder("drafts", of: noteFolder)
    try system { () throws(SystemError) in
      try makePrivateFolder()
      try Files.makeDirectory(folder)
    }
    let file = folder / "\(name).md"
    try system { () throws(SystemError) in try Files.write(bytes, to: file, permissions: .ofUser) }
    return file
  }

  /// Reads a draft after the editor has closed it.
  package func readDraft(_ file: [UInt8]) throws(SlipboxError) -> [UInt8] {
    do throws(SystemError) {
      return try Files.read(file)
    } catch {
      if error.isMissing { return [] }
      throw SlipboxError(error)
    }
  }

  /// Removes a draft that became a note or is not needed.
  package func removeDraft(_ file: [UInt8]) { try? Files.remove(file) }

  /// Returns the error with a hint that names the file of the text that could not be saved. If the file can't be written
  /// either, the error has the text.
  ///
  /// - Parameters:
  ///   - name: the name of the file after its time, such as the note for which the text was written.
  ///   - folder: the folder of the box for a note of the text; nil for the default folder.
  ///   - again: returns a hint that explains how to use the text from the file. The file is given as it is typed in a
  ///     shell.
  package func keeping(
    _ bytes: [UInt8], name: String, in folder: [UInt8]?, at now: Timestamp, _ error: SlipboxError,
    again: ((_ file: Phrase) -> Phrase)? = nil
  ) -> SlipboxError {
    guard !bytes.isEmpty else { return error }
    // The name of a note may be a path.
    let name = String(decoding: FileName.stem(of: Array(name.utf8)), as: UTF8.self)
    // If that fails, the write below reports the reason.
    try? makeStateFolder()
    do throws(SystemError) {
      let file = try keepApart(bytes, name: Array("\(name).md".utf8), in: folder, at: now)
      let hint = again.map { [$0(Phrase(typed: file))] } ?? []
      return SlipboxError(
        error.kind, error.message,
        hints: error.hints + ["your text is kept at \(file)"] + hint)
    } catch let failure {
      return SlipboxError(
        .inputOutput, error.message,
        hints: error.hints
          + [
            "your text could not be saved in \(privateFolder / "recovered"): \(failure.reason)"
          ],
        unsavedText: bytes)
    }
  }

  /// Returns a change as a patch that `git apply` accepts at the top of the repository.
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
