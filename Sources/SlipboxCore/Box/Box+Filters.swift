import Bytes
import Git
package import NoteIndex
import Notes
import Platform
package import Text

/// Files of the box whose stored form a git filter produces, such as encrypted notes.
extension Box {
  /// Returns whether a configured filter produces the stored form of a file of the box, or would without uncommitted
  /// changes of the attributes.
  func isFiltered(_ path: [UInt8]) throws(SlipboxError) -> Bool {
    let name = repositoryPath(path)
    return try git { repository throws(GitError) in
      if try repository.attributes.isFiltered(name) { return true }
      guard let dropped = try repository.committedAttributes.droppedFilter(of: name) else { return false }
      return repository.attributes.hasProgram(for: "filter=\(dropped.filter)", .either)
    }
  }

  /// Returns whether text moves from a file behind a git filter to one without a filter.
  package func leavesFilter(from old: [UInt8], to new: [UInt8]) throws(SlipboxError) -> Bool {
    guard try isFiltered(old) else { return false }
    return try !isFiltered(new)
  }

  /// Whether a copy of an encrypted note would be stored without its filter.
  func isReadableCopy(_ copy: [UInt8], of note: [UInt8]) throws(SlipboxError) -> Bool {
    guard let filter = encryption(of: note) else { return false }
    return encryption(of: copy) != filter
  }

  /// Warns about text that was behind a git filter and no longer is.
  ///
  /// - Parameters:
  ///   - shown: the description of the text, if it belongs to one note.
  ///   - count: the number of notes to which it belongs.
  package func warnOfReadableText(of shown: Phrase, count: Int = 1, _ reporter: Reporter) {
    reporter.warnOnce(
      count == 1
        ? "\(shown) leaves an encrypted folder: its text will be readable in the history"
        : "\(count) notes leave an encrypted folder: their text will be readable in the history")
  }

  /// Returns the filter that attributes name for a file of the box, whether or not it is configured; nil if they name
  /// none.
  ///
  /// Attributes of the last commit count too if the work tree has others.
  func namedFilter(of path: [UInt8]) throws(SlipboxError) -> String? {
    let name = repositoryPath(path)
    return try git { repository throws(GitError) in
      if let named = try repository.attributes.namedFilter(of: name) { return named }
      return try repository.committedAttributes.droppedFilter(of: name)?.filter
    }
  }

  /// The filter that may encrypt a file of the box, whether or not it is configured; nil if none does.
  ///
  /// Every filter counts but those for large files. Attributes that can't be read may name one.
  package func encryption(of path: [UInt8]) -> String? {
    do throws(SlipboxError) {
      return try namedFilter(of: path).flatMap { Self.filtersForLargeFiles.contains($0) ? nil : $0 }
    } catch {
      return ""
    }
  }

  /// The filters that store large files elsewhere and encrypt nothing.
  static let filtersForLargeFiles: Set<String> = ["lfs", "annex"]

  /// Returns the stored form that a file of the box has in place of its text; nil if it has a text.
  ///
  /// - Parameter isInWorkTree: whether the bytes are those of the work tree, which a filter should have written.
  func storedForm(in bytes: [UInt8], of path: [UInt8], isInWorkTree: Bool = true) -> StoredForm? {
    guard StoredForm.mayBeOne(bytes) else { return nil }
    let name = repositoryPath(path)
    return withRepository { repository in
      // Attributes that can't be read are reported when the file is written.
      try? repository.attributes.storedForm(in: bytes, of: name, isInWorkTree: isInWorkTree)
    }
  }

  /// Returns whether an attributes file names a filter for files in a folder of the box.
  func mayFilter(in folder: [UInt8]) throws(SlipboxError) -> Bool {
    let name = repositoryPath(BytePath.join(folder, Array("note.md".utf8)))
    return try git { repository throws(GitError) in try repository.attributes.mayFilter(name) }
  }

  /// Returns the path of a new note. Behind a filter the file name is the id, because git shows the names of files to
  /// everybody.
  func pathWithoutTitle(_ path: [UInt8], _ id: NoteID) -> [UInt8] {
    let bare = BytePath.join(BytePath.folder(of: path), id.bytes + Array(".md".utf8))
    guard (try? isFiltered(path)) == true, (try? isFiltered(bare)) == true else { return path }
    return bare
  }

  /// Returns the folder of a file if attributes name a filter for it, whether or not this clone has the filter; nil for
  /// other files.
  ///
  /// A text of such a file must not become a note elsewhere.
  package func folderBehindFilter(of path: [UInt8]) -> [UInt8]? {
    // Attributes that can't be read are reported when the file is written.
    let filter = try? namedFilter(of: path)
    return filter == nil ? nil : BytePath.folder(of: path)
  }

  /// Returns the folder of the first note among some for which attributes name a filter; nil without such a note.
  package func folderBehindFilter(ofOneOf entries: [Entry]) -> [UInt8]? {
    entries.lazy.compactMap { folderBehindFilter(of: $0.note.path) }.first
  }
}

extension Box {
  /// Returns the commands for a merge or another operation with a conflict in a note whose filter this clone lacks; nil
  /// without such a note.
  ///
  /// Nothing can merge the note here, and git-crypt(1) does not unlock a clone during a merge.
  func wayOutWithoutFilter(of operation: Repository.Operation) -> [Phrase]? {
    let locked = withRepository { repository -> (path: [UInt8], filter: String)? in
      let unmerged = (try? repository.index.unmergedPaths()) ?? []
      for path in unmerged where isMerged(path) {
        guard let filter = try? repository.attributes.namedFilter(of: path),
          !repository.attributes.hasProgram(for: "filter=\(filter)", .storing)
        else { continue }
        return (path, filter)
      }
      return nil
    }
    guard let locked else { return nil }
    let drop: Phrase = operation == .stash ? "git reset --merge" : "git \(operation.command) --abort"
    let unlock = locked.filter == "git-crypt" ? "git-crypt unlock KEY" : "set up the filter \(locked.filter)"
    let again: Phrase = operation == .merge ? "\(slip: "sync")" : "repeat the \(operation.name)"
    return [
      "\(locked.path) is in conflict, and this clone can't merge it without the filter \(locked.filter)",
      "drop the \(operation.name) with: \(drop)", "then: \(unlock), and \(again)",
    ]
  }
}
