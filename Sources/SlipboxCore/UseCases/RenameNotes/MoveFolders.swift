import Bytes
import NoteIndex
import Notes
import Platform
import Text

extension BoxSnapshot {
  /// The plan that moves folders with all that is in them, and notes beside them.
  ///
  /// - Parameter target: the path in the box that one folder alone gets, unless a folder is there.
  func moving(
    _ entries: [Entry], _ folders: [FolderContents], attachments: [[UInt8]], into target: [UInt8],
    _ reason: String?
  ) throws(SlipboxError) -> Plan {
    try Self.refuseNested(folders)
    let isInside =
      folders.count > 1 || !entries.isEmpty || !attachments.isEmpty || isThereAsFolder(target)
    var moves: [(entry: Entry, path: [UInt8])] = []
    var (files, places): ([[UInt8]: [UInt8]], [[UInt8]: [UInt8]]) = ([:], [:])
    var taken: [[UInt8]: FolderContents] = [:]
    for folder in folders {
      let new = isInside ? BytePath.join(target, BytePath.name(of: folder.path)) : target
      let path = { (old: [UInt8]) in BytePath.join(new, Array(old.dropFirst(folder.path.count + 1))) }
      if let other = taken.updateValue(folder, forKey: new) {
        throw SlipboxError(
          .badData,
          "\(Visible.escape(other.path))/ and \(Visible.escape(folder.path))/ would both become \(Visible.escape(new))/",
          hints: ["nothing was changed; move them separately, with different names"])
      }
      guard new != folder.path else { continue }
      try refuse(folder, as: new)
      moves += folder.entries.map { ($0, path($0.note.path)) }
      for file in folder.files { files[file] = path(file) }
      for place in folder.folders { places[place] = place == folder.path ? new : path(place) }
      warnOfFilesLeft(in: folder)
    }
    let moving = Set(moves.map(\.entry.note.path))
    let others = entries.filter { !moving.contains($0.note.path) }
    for entry in others {
      moves.append((entry, BytePath.join(target, BytePath.name(of: entry.note.path))))
    }
    for file in files.values { try refuseAsPlace(file) }
    let loose = attachments.filter { files[$0] == nil }
    files.merge(try fileMoves(loose) { BytePath.join(target, BytePath.name(of: $0)) }) { first, _ in first }
    let names = folders.map { "\(Visible.escape($0.path))/" }.joined(separator: ", ")
    let place = Visible.escape(target) + "/"
    let count = others.isEmpty ? "" : " and \(others.count) \(others.count == 1 ? "note" : "notes")"
    return try renaming(
      try renames(moves), files: files, folders: places, command: "mv", reason: reason,
      inPlace: "\(names) already exists"
    ) { _ in "Move \(names)\(count) to \(place == "/" ? "./" : place)" }
  }

  /// Refuses folders of which one is in another, or which are one: each has to have one new place.
  private static func refuseNested(_ folders: [FolderContents]) throws(SlipboxError) {
    for (number, folder) in folders.enumerated() {
      let outer = folders.enumerated().first { other in
        other.offset != number
          && (folder.path + [UInt8(ascii: "/")]).starts(with: other.element.path + [UInt8(ascii: "/")])
      }
      guard let outer else { continue }
      throw SlipboxError(
        .usage,
        "\(Visible.escape(folder.path))/ is already moved with \(Visible.escape(outer.element.path))/",
        hints: ["name only one of them"])
    }
  }

  private func isThereAsFolder(_ path: [UInt8]) -> Bool {
    (try? Files.status(box.absolutePath(path), followLinks: true))??.kind == .directory
  }

  /// Refuses what can't be the new path of a folder: one in itself, one that is taken, and any for a folder with symbolic
  /// links, which lead elsewhere from another place.
  private func refuse(_ folder: FolderContents, as path: [UInt8]) throws(SlipboxError) {
    if path.starts(with: folder.path + [UInt8(ascii: "/")]) {
      throw SlipboxError(.cannotCreate, "\(Visible.escape(folder.path))/ can't be moved into itself")
    }
    if let link = folder.links.first {
      throw SlipboxError(
        .cannotCreate,
        "\(Visible.escape(link)) is a symbolic link that would point elsewhere from another folder",
        hints: ["nothing was changed; use git mv"])
    }
    if box.isThere(path), !isEmptyFolder(path) { throw Self.taken(path) }
  }

  private func isEmptyFolder(_ path: [UInt8]) -> Bool {
    (try? Files.list(box.absolutePath(path)))?.isEmpty ?? false
  }

  private func warnOfFilesLeft(in folder: FolderContents) {
    guard let first = folder.left.first else { return }
    let count = folder.left.count
    let others = count == 1 ? "" : " and \(count - 1) more"
    reporter.warnOnce(
      "\(Visible.escape(first))\(others) \(count == 1 ? "stays" : "stay"): what git does not know and no note "
        + "links to is not moved")
  }
}
