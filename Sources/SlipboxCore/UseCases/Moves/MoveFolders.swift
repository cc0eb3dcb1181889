import Bytes
package import NoteIndex
import Notes
import Platform
import Text

/// Finds and moves folders with all that is in them.
package struct MoveFolders {
  private let snapshot: BoxSnapshot

  package init(in snapshot: BoxSnapshot) { self.snapshot = snapshot }

  /// The plan that moves folders with all that is in them, and notes beside them.
  ///
  /// - Parameter target: the path in the box that one folder alone gets, unless a folder is there.
  func plan(
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
          "\(other.path)/ and \(folder.path)/ would both become \(new)/",
          hints: ["nothing was changed; move them separately, with different names"])
      }
      guard new != folder.path else { continue }
      try refuse(folder, as: new)
      moves += folder.entries.map { ($0, path($0.note.path)) }
      for file in folder.files { files[file] = path(file) }
      for place in folder.folders { places[place] = place == folder.path ? new : path(place) }
      warnOfFilesLeft(in: folder)
      try warnOfCopiesLeft(in: folder)
    }
    let moving = Set(moves.map(\.entry.note.path))
    let others = entries.filter { !moving.contains($0.note.path) }
    for entry in others {
      moves.append((entry, BytePath.join(target, BytePath.name(of: entry.note.path))))
    }
    for file in files.values { try PlaceCheck(in: snapshot).refuseUnusable(file) }
    let loose = attachments.filter { files[$0] == nil }
    files.merge(try MoveNotes(in: snapshot).fileMoves(loose) { BytePath.join(target, BytePath.name(of: $0)) })
    { first, _ in first }
    let names = folders.map { "\($0.path)/" as Phrase }.joined(separator: ", ")
    let place = Phrase(target) + "/"
    let count = others.isEmpty ? "" : " and \(others.count) \(others.count == 1 ? "note" : "notes")"
    return try RenameNotes(in: snapshot).plan(
      try MoveNotes(in: snapshot).renames(moves), files: files, folders: places, command: "mv",
      reason: reason,
      inPlace: "\(names) is already there"
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
        "\(folder.path)/ is already moved with \(outer.element.path)/",
        hints: ["name only one of them"])
    }
  }

  private func isThereAsFolder(_ path: [UInt8]) -> Bool {
    (try? Files.status(snapshot.box.absolutePath(path), followLinks: true))??.kind == .directory
  }

  /// Refuses an impossible new path of a folder: one in itself, one that exists, and any for a folder with symbolic
  /// links, which have other targets at another place.
  private func refuse(_ folder: FolderContents, as path: [UInt8]) throws(SlipboxError) {
    if path.starts(with: folder.path + [UInt8(ascii: "/")]) {
      throw SlipboxError(.cannotCreate, "\(folder.path)/ can't be moved into itself")
    }
    if let link = folder.links.first {
      throw SlipboxError(
        .cannotCreate,
        "\(link) is a symbolic link that would point elsewhere from another folder",
        hints: ["nothing was changed; use git mv"])
    }
    if snapshot.box.isThere(path), !isEmptyFolder(path) { throw FileEdit.taken(path) }
    try refuseAttributes(of: folder)
  }

  /// Refuses a folder with git attributes that name filters: they stay behind, and its notes would not be encrypted any more.
  private func refuseAttributes(of folder: FolderContents) throws(SlipboxError) {
    for place in folder.folders {
      let file = place / ".gitattributes"
      guard let bytes = try snapshot.box.bytes(at: file), bytes.firstRange(of: "filter".utf8) != nil else {
        continue
      }
      throw SlipboxError(
        .cannotCreate, "\(file) names git filters of the folder, and slip does not move it",
        hints: ["nothing was changed; use git mv, which moves it too, then run: \(slip: "commit")"])
    }
  }

  private func isEmptyFolder(_ path: [UInt8]) -> Bool {
    (try? Files.list(snapshot.box.absolutePath(path)))?.isEmpty ?? false
  }

  private func warnOfFilesLeft(in folder: FolderContents) {
    guard let first = folder.left.first else { return }
    let count = folder.left.count
    let others = count == 1 ? "" : " and \(count - 1) more"
    snapshot.reporter.remarkWhenDone(
      "\(first)\(others) \(count == 1 ? "is" : "are") not moved: untracked, and no note links to "
        + "\(count == 1 ? "it" : "them")")
  }

  /// Copies of programs for synchronising files stay, since such a program may still write them.
  private func warnOfCopiesLeft(in folder: FolderContents) throws(SlipboxError) {
    let start = folder.path + [UInt8(ascii: "/")]
    let copies = try snapshot.originalsOfCopies().keys.filter { $0.starts(with: start) }
    guard let first = copies.min(by: { $0.lexicographicallyPrecedes($1) }) else { return }
    let (others, verb) = copies.count == 1 ? ("", "is") : (" and \(copies.count - 1) more", "are")
    snapshot.reporter.remarkWhenDone(
      "\(first)\(others) \(verb) not moved: made by a sync program; \(slip: "heal") merges "
        + (copies.count == 1 ? "it" : "them"))
  }
}

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

extension MoveFolders {
  /// The folder that a reference names: one that ends with a slash, or that is a folder and no note.
  ///
  /// - Returns: nil if it names no folder.
  /// - Throws: `.notFound` for a folder with nothing to move, `.cannotCreate` for the box itself and paths outside of it.
  package func folder(named reference: [UInt8]) throws(SlipboxError) -> FolderContents? {
    let hasSlash = reference.last == UInt8(ascii: "/")
    if !hasSlash, isNote(reference), !isBundle(reference) { return nil }
    guard let path = try? PlaceNote(in: snapshot).place(reference).path,
      path.isEmpty || LinkedFiles(in: snapshot).isFolder(path)
    else {
      guard hasSlash else { return nil }
      throw SlipboxError(.notFound, "there is no folder \(reference) in the box")
    }
    if path.isEmpty { throw SlipboxError(.cannotCreate, "slip can't move the box itself") }
    let contents = try contents(of: path)
    guard !contents.entries.isEmpty || !contents.files.isEmpty else {
      throw SlipboxError(
        .notFound, "\(path)/ has no note and no file that is committed or linked to",
        hints: ["use mv for other files"])
    }
    return contents
  }

  /// Whether a reference is the path of a folder that is also the name of the page in it.
  private func isBundle(_ reference: [UInt8]) -> Bool {
    guard let path = try? PlaceNote(in: snapshot).place(reference).path,
      LinkedFiles(in: snapshot).isFolder(path),
      let catalogue = try? snapshot.catalogue()
    else {
      return false
    }
    return ["index.md", "_index.md"].contains { name in
      let page = BytePath.join(path, Array(name.utf8))
      return FileName.bundle(of: page) != nil && catalogue.place(path: page) != nil
    }
  }

  /// The path of the file other than a note that a reference names; nil if it names none, or a note.
  ///
  /// - Throws: `.notFound` for a file that is not committed and that no note links to.
  package func attachment(named reference: [UInt8]) throws(SlipboxError) -> [UInt8]? {
    guard reference.last != UInt8(ascii: "/"), !isNote(reference),
      let typed = try? PlaceNote(in: snapshot).place(reference).path,
      let others = try? snapshot.otherFiles(),
      let path = others.contains(typed) ? typed : others.path(like: typed)
    else { return nil }
    var isKnown = try snapshot.committedFiles().isTracked(path)
    if !isKnown { isKnown = try LinkedFiles(in: snapshot).all().contains(path) }
    guard isKnown else {
      throw SlipboxError(
        .notFound, "\(path) is not committed, and no note links to it",
        hints: ["use mv"])
    }
    return path
  }

  private func isNote(_ reference: [UInt8]) -> Bool {
    let name = String(decoding: reference, as: UTF8.self)
    return (try? NoteLookup(in: snapshot).entry(name, fuzzy: false, isStrict: true)) != nil
  }

  private func contents(of folder: [UInt8]) throws(SlipboxError) -> FolderContents {
    let start = folder + [UInt8(ascii: "/")]
    let all = try snapshot.catalogue().entries
    let entries = all.indices.filter { all.path(at: $0).starts(with: start) }.map { all[$0] }
    let others = try snapshot.otherFiles()
    let committed = try snapshot.committedFiles()
    var (files, unknown): ([[UInt8]], [[UInt8]]) = ([], [])
    for path in others.paths where path.starts(with: start) {
      if try committed.isTracked(path) { files.append(path) } else { unknown.append(path) }
    }
    let linked = unknown.isEmpty ? [] : Set(try LinkedFiles(in: snapshot).all())
    files += unknown.filter(linked.contains)
    let links = try committed.links(under: folder)
    let left =
      unknown.filter { !linked.contains($0) }
      + others.links.filter { $0.starts(with: start) && !links.contains($0) }
    return FolderContents(path: folder, entries: entries, files: files, left: left, links: links)
  }
}

/// Keeps links where another program moves files and folders.
package struct FollowMoves {
  private let snapshot: BoxSnapshot

  package init(in snapshot: BoxSnapshot) { self.snapshot = snapshot }

  /// The plan that keeps every link where files and folders are about to be moved by another program.
  ///
  /// The edits of notes that move are those of a move: the old path goes, the new one has the text as it is to be. Other files that move have none.
  /// - Parameter moves: the new paths of notes, other files and folders, by their paths now.
  /// - Throws: `.badData` if a link can't be kept for certain.
  package func plan(_ moves: [[UInt8]: [UInt8]]) throws(SlipboxError) -> Plan {
    let catalogue = try snapshot.catalogue()
    var renames: [NoteRename] = []
    var (files, folders): ([[UInt8]: [UInt8]], [[UInt8]: [UInt8]]) = ([:], [:])
    let others = try snapshot.otherFiles().paths
    let known = Set(others)
    for (old, new) in moves {
      if let entry = catalogue.entry(path: old) {
        renames.append(NoteRename(entry, to: new))
      } else if known.contains(old) {
        files[old] = new
      } else {
        let start = old + [UInt8(ascii: "/")]
        let place = { (path: [UInt8]) in BytePath.join(new, Array(path.dropFirst(start.count))) }
        for number in catalogue.entries.indices where catalogue.entries.path(at: number).starts(with: start) {
          let entry = catalogue.entries[number]
          renames.append(NoteRename(entry, to: place(entry.note.path)))
        }
        for path in others where path.starts(with: start) { files[path] = place(path) }
        folders[old] = new
      }
    }
    let plan = try RenameNotes(in: snapshot).plan(
      renames, files: files, folders: folders, command: "mv", reason: nil
    ) { _ in
      "Keep links to \(moves.count == 1 ? "a moved file" : "\(moves.count) moved files")"
    }
    let moving = Set(files.keys).union(files.values)
    return plan.limited { !moving.contains($0) }
  }
}
