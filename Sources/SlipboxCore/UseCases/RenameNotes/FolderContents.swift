import Bytes
package import NoteIndex
import Notes
import Platform
import Text

/// A folder of a box that moves as a whole.
package struct FolderContents {
  /// The path in the box, without a slash at its end.
  let path: [UInt8]
  /// The notes in it and in the folders below it.
  package let entries: [Entry]
  /// The other files that move along: those that git knows and those that notes link to.
  let files: [[UInt8]]
  /// The paths of all others, which stay.
  let left: [[UInt8]]
  /// The symbolic links in it that git knows.
  let links: [[UInt8]]

  /// Its own path and those of the folders below it that hold something which moves.
  var folders: Set<[UInt8]> {
    var folders: Set<[UInt8]> = [path]
    for file in entries.map(\.note.path) + files {
      var folder = BytePath.folder(of: file)
      while folder.count > path.count, folders.insert(folder).inserted {
        folder = BytePath.folder(of: folder)
      }
    }
    return folders
  }
}

extension BoxSnapshot {
  /// The folder that a reference names: one that ends with a slash, or that is a folder and no note.
  ///
  /// - Returns: nil where it names no folder.
  /// - Throws: `.notFound` for a folder with nothing that moves, `.cannotCreate` for the box itself and what is outside of it.
  package func folder(named reference: [UInt8]) throws(SlipboxError) -> FolderContents? {
    let hasSlash = reference.last == UInt8(ascii: "/")
    if !hasSlash, isNote(reference) { return nil }
    guard let path = try? place(reference).path, path.isEmpty || isFolder(path) else {
      guard hasSlash else { return nil }
      throw SlipboxError(.notFound, "there is no folder \(Visible.escape(reference)) in the box")
    }
    if path.isEmpty { throw SlipboxError(.cannotCreate, "slip can't move the box itself") }
    let contents = try contents(of: path)
    guard !contents.entries.isEmpty || !contents.files.isEmpty else {
      throw SlipboxError(
        .notFound, "\(Visible.escape(path))/ has no note and no file that is committed or linked to",
        hints: ["use mv for other files"])
    }
    return contents
  }

  /// The path of the file other than a note that a reference names; nil if it names none, or a note.
  ///
  /// - Throws: `.notFound` for a file that is not committed and that no note links to.
  package func attachment(named reference: [UInt8]) throws(SlipboxError) -> [UInt8]? {
    guard reference.last != UInt8(ascii: "/"), !isNote(reference), let path = try? place(reference).path,
      isOtherFile(path)
    else { return nil }
    var isKnown = try committedFiles().isTracked(path)
    if !isKnown { isKnown = try linkedFiles().contains(path) }
    guard isKnown else {
      throw SlipboxError(
        .notFound, "\(Visible.escape(path)) is not committed, and no note links to it",
        hints: ["use mv"])
    }
    return path
  }

  private func isNote(_ reference: [UInt8]) -> Bool {
    (try? entry(String(decoding: reference, as: UTF8.self), fuzzy: false, isStrict: true)) != nil
  }

  private func contents(of folder: [UInt8]) throws(SlipboxError) -> FolderContents {
    let start = folder + [UInt8(ascii: "/")]
    let all = try catalogue().entries
    let entries = all.indices.filter { all.path(at: $0).starts(with: start) }.map { all[$0] }
    let others = try otherFiles()
    let committed = try committedFiles()
    var (files, unknown): ([[UInt8]], [[UInt8]]) = ([], [])
    for path in others.paths where path.starts(with: start) {
      if try committed.isTracked(path) { files.append(path) } else { unknown.append(path) }
    }
    let linked = unknown.isEmpty ? [] : Set(try linkedFiles())
    files += unknown.filter(linked.contains)
    let links = try committed.links(under: folder)
    let left =
      unknown.filter { !linked.contains($0) }
      + others.links.filter { $0.starts(with: start) && !links.contains($0) }
    return FolderContents(path: folder, entries: entries, files: files, left: left, links: links)
  }
}
