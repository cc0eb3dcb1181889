import Bytes
package import NoteIndex
import Notes
import Platform
import Text

/// Moves notes, folders and attachments.
package struct MoveNotes {
  private let snapshot: BoxSnapshot

  package init(in snapshot: BoxSnapshot) { self.snapshot = snapshot }

  /// The plan that moves notes, folders and attachments to a path or into a folder, with every link to them and in them.
  ///
  /// One folder alone gets the path, or goes into an existing folder, as with mv(1).
  /// - Parameters:
  ///   - target: a path from the working directory if that is in the box, else from the root of the box. A path that
  ///     ends with a slash or exists as a folder is a folder.
  /// - Throws: `.usage` if several notes are to get one name, `.cannotCreate` if a path is taken or can't hold
  ///   notes, `.badData` if a link can't be kept for certain.
  package func plan(
    _ entries: [Entry], _ folders: [FolderContents] = [], attachments: [[UInt8]] = [], to target: [UInt8],
    reason: String? = nil
  ) throws(SlipboxError) -> Plan {
    let place = try PlaceNote(in: snapshot).place(target)
    if !folders.isEmpty {
      return try MoveFolders(in: snapshot).plan(
        entries, folders, attachments: attachments, into: place.path, reason)
    }
    let isFolder = place.isFolder
    let total = entries.count + attachments.count
    guard isFolder || total < 2 else {
      throw SlipboxError(
        .usage, "\(total) \(attachments.isEmpty ? "notes" : "files") can't be moved to one path",
        hints: ["write a folder with a slash at the end: \(target)/"])
    }
    let files = try fileMoves(attachments) {
      isFolder ? BytePath.join(place.path, BytePath.name(of: $0)) : place.path
    }
    let renames = try renames(
      entries.map { entry in
        let name = BytePath.name(of: entry.note.path)
        return (entry, isFolder ? BytePath.join(place.path, name) : note(place.path, entry))
      })
    let inPlace: Phrase =
      entries.count == 1 && attachments.isEmpty
      ? "\(entries[0].note.mention) is already there" : "all are already there"
    let shown = String(
      decoding: isFolder ? place.path + [UInt8(ascii: "/")] : renames.first?.path ?? place.path, as: UTF8.self
    )
    let count = renames.count
    let names = files.keys.count == 1 ? [Phrase(files.keys.first ?? []).description] : []
    let others = files.isEmpty ? [] : names.isEmpty ? ["\(files.count) files"] : names
    return try RenameNotes(in: snapshot).plan(
      renames, files: files, command: "mv", reason: reason, inPlace: inPlace
    ) { changes in
      let notes = count == 0 ? [] : [count == 1 ? Self.movedTitle(changes) : "\(count) notes"]
      return "Move \((notes + others).joined(separator: " and ")) to \(shown == "/" ? "./" : shown)"
    }
  }

  /// The new paths of attachments, by their paths now.
  ///
  /// - Throws: `.cannotCreate` if a place is taken or is that of a note, `.badData` if two would have one path.
  func fileMoves(
    _ attachments: [[UInt8]], to path: ([UInt8]) -> [UInt8]
  ) throws(SlipboxError) -> [[UInt8]: [UInt8]] {
    var moves: [[UInt8]: [UInt8]] = [:]
    let check = PlaceCheck(in: snapshot)
    for old in attachments {
      let new = path(old)
      guard new != old else { continue }
      if FileName.isNote(new), !snapshot.box.excluded.covers(new) {
        throw SlipboxError(
          .cannotCreate,
          "\(old) can't be moved to \(new): it would be read as a note")
      }
      if let other = moves.first(where: { $0.value == new }) {
        throw SlipboxError(
          .badData,
          "\(other.key) and \(old) would both become \(new)",
          hints: ["nothing was changed; rename one of them first"])
      }
      try check.refuseUnusable(new)
      moves[old] = new
    }
    try check.refuseTwins(
      of: Dictionary(moves.map { ($0.value, $0.key) }, uniquingKeysWith: { first, _ in first }))
    return moves
  }

  func renames(_ moves: [(entry: Entry, path: [UInt8])]) throws(SlipboxError) -> [NoteRename] {
    var taken: [[UInt8]: Entry] = [:]
    var renames: [NoteRename] = []
    let check = PlaceCheck(in: snapshot)
    for (entry, path) in moves {
      if let other = taken.updateValue(entry, forKey: Folding.fold(path[...])) {
        throw SlipboxError(
          .badData,
          "\(other.note.mention) and \(entry.note.mention) would both become \(path)",
          hints: ["nothing was changed; rename one of them first"])
      }
      guard path != entry.note.path else { continue }
      try check.refuseUnusable(path)
      try check.refuseExcluded(path, hint: "change that setting, or choose another path")
      renames.append(try rename(entry, to: path))
    }
    try check.refuseTwins(
      of: Dictionary(renames.map { ($0.path, $0.entry.note.path) }, uniquingKeysWith: { first, _ in first }))
    try warnOfReadableHistory(renames)
    var leaving: [Entry] = []
    for rename in renames where try snapshot.box.leavesFilter(from: rename.entry.note.path, to: rename.path) {
      leaving.append(rename.entry)
    }
    if let first = leaving.first {
      snapshot.box.warnOfReadableText(of: first.note.mention, count: leaving.count, snapshot.reporter)
    }
    return renames
  }

  /// The move of a note; a first heading that was the name of the file becomes the new name, if the layout has titles as
  /// names of files, and stays with a word otherwise.
  private func rename(_ entry: Entry, to path: [UInt8]) throws(SlipboxError) -> NoteRename {
    let note = entry.note
    let title = FileName.title(of: path)
    guard note.titleSource == .heading, !FileName.stem(of: path).elementsEqual(FileName.stem(of: note.path)),
      try FileName.stem(of: note.path).elementsEqual(
        NoteFileName.name(of: note.title, snapshot.layout().naming).utf8)
    else { return NoteRename(entry, to: path) }
    let headings = HeadingAnchors(try note.text)
    guard try snapshot.layout().title == .file, let number = headings.titleNumber,
      Retitling.replacing(headings.headings[number], by: title, in: try note.text) != nil
    else {
      snapshot.reporter.remarkWhenDone(
        "\(note.mention): the heading stays; \(slip: "retitle", .value(path), "TITLE") changes it")
      return NoteRename(entry, to: path)
    }
    let change = { (note: Note) throws(SlipboxError) -> NoteText in
      let all = BodyHeading.all(in: try note.text)
      guard all.indices.contains(number),
        let text = Retitling.replacing(all[number], by: title, in: try note.text)
      else { throw FileEdit.changedMeanwhile(note) }
      return text
    }
    return NoteRename(entry, to: path, headings: NoteRename.inPlace(path), change: change)
  }

  private static func movedTitle(_ changes: [FileChange]) -> String {
    guard let gone = changes.first(where: { $0.after == nil }), let bytes = gone.before else {
      return Plan.described(changes)
    }
    return Note(path: gone.path, text: NoteText(bytes)).title
  }

  /// A path with the ending of the note that is to have it, if it has none.
  private func note(_ path: [UInt8], _ entry: Entry) -> [UInt8] {
    if FileName.isNote(path) { return path }
    let whole = path + FileName.ending(of: entry.note.path)
    if BytePath.name(of: path).contains(UInt8(ascii: ".")) {
      snapshot.reporter.warnOnce("a note's file must end in .md or .markdown; use \(whole)")
    }
    return whole
  }

  /// Warns about notes that move behind a filter of git: the history keeps their earlier text.
  private func warnOfReadableHistory(_ renames: [NoteRename]) throws(SlipboxError) {
    var hidden: [NoteRename] = []
    for rename in renames {
      guard try snapshot.box.mayFilter(in: BytePath.folder(of: rename.path)),
        try snapshot.box.isFiltered(rename.path)
      else {
        continue
      }
      if try !snapshot.box.isFiltered(rename.entry.note.path) { hidden.append(rename) }
    }
    guard let first = hidden.first else { return }
    let notes = hidden.count == 1 ? first.entry.note.mention : "\(hidden.count) notes"
    snapshot.reporter.warnOnce(
      "earlier versions of \(notes) stay readable in the history; \(slip: "help sync") explains how to remove them"
    )
  }
}
