import Git
import Notes
import Text

/// The decisions of the user about the notes of a stopped merge, made with `git add`, `git rm` and `git mv`, or by moving a
/// file.
///
/// A decision is about a note as a whole, its path and its text: slip's own merge of that note is then not applied, at that
/// path or at another one.
struct StoppedDecisions {
  /// A note that the merge keeps, and that is in no file because of a decision about another note.
  struct LostNote {
    /// From the root of the repository.
    let path: [UInt8]
    let commit: ObjectID
    /// The text of slip's merge, which has the changes of both sides.
    let merged: ObjectID
  }

  /// The files that stay as the user has them, from the root of the repository.
  private(set) var kept: Set<[UInt8]> = []
  /// The paths at which slip's merge has a note that the user has at another path or removed.
  private(set) var dropped: Set<[UInt8]> = []
  /// The files in conflict that are left to the user, who has staged another text of the note at another path.
  private(set) var undecided: Set<[UInt8]> = []
  private(set) var lost: [LostNote] = []
  /// The paths at which git wrote a file and the user removed it.
  let removed: Set<[UInt8]>

  private let box: Box
  private let stopped: StoppedMerge
  private let index: IndexEntries
  /// The versions that git's index has of the sides for files in conflict.
  private let sides: [[UInt8]: [IndexEntry]]
  /// The notes of slip's own merge.
  private var files: [(path: [UInt8], file: MergedFile)] = []
  /// The paths whose conflict was settled, and those whose entry in git's index is not the one that git wrote.
  private var touched: Set<[UInt8]>
  private let resolved: Set<[UInt8]>
  /// The notes of `touched`, and untracked ones that may have been moved.
  private var notes: [[UInt8]: NoteVersion] = [:]
  private var moved: Set<[UInt8]> = []
  /// The notes of `removed`, as git wrote them.
  private var gone: [[UInt8]: NoteVersion] = [:]

  init(_ stopped: StoppedMerge, _ box: Box) throws(SlipboxError) {
    (self.box, self.stopped) = (box, stopped)
    let (index, staged, resolved) = try box.git { repository throws(GitError) in
      let operation = repository.operation
      return (
        try repository.index.entries(), try operation.stagedFiles(since: stopped.tip),
        try operation.resolvedPaths()
      )
    }
    self.index = index
    var settled: Set<[UInt8]> = []
    for path in resolved where try !Self.isAsLeft(path, stopped, index, box) { settled.insert(path) }
    self.resolved = settled
    sides = Dictionary(grouping: index.filter { $0.stage > 1 }, by: \.path)
    touched = settled
    let tip = staged.filter { $0.value == nil }.keys
    removed = settled.union(stopped.written.keys).union(tip).filter { path in
      if case .some(.none) = stopped.written[path] { return false }
      return index.entry(at: path) == nil
    }
    for path in Set(staged.keys).union(stopped.written.keys).union(stopped.ofUser)
    where !Self.isUnmerged(path, index) {
      guard let own = staged[path] else {
        // The file of the tip, although git wrote another one.
        if let written = stopped.written[path], written?.id != index.entry(at: path)?.id {
          touched.insert(path)
        }
        continue
      }
      if let written = stopped.written[path], written?.id == own?.id { continue }
      touched.insert(path)
    }
    for path in touched { notes[path] = try stagedNote(at: path) }
    for path in removed {
      guard case .some(.some(let file)) = stopped.written[path], file.isRegular else { continue }
      let name = box.noteOfCopy(path) ?? path
      guard box.isNoteFile(name) else { continue }
      gone[path] = NoteVersion(path: name, bytes: try box.content(of: file), blob: file.id)
    }
  }

  /// - Parameter placed: the files of slip's own merge, by their paths from the root of the repository.
  mutating func decide(_ placed: [[UInt8]: MergedFile]) throws(SlipboxError) {
    for (path, file) in placed where box.isNoteFile(path) && !file.isApart { files.append((path, file)) }
    files.sort { $0.path.lexicographicallyPrecedes($1.path) }
    try findMoved()
    for (path, file) in files { try decide(path, file) }
  }

  /// Whether a file was added with the markers as git left them, so that it is not settled.
  private static func isAsLeft(
    _ path: [UInt8], _ stopped: StoppedMerge, _ index: IndexEntries, _ box: Box
  ) throws(SlipboxError) -> Bool {
    guard let entry = index.entry(at: path), case .some(.some(let written)) = stopped.written[path],
      written.id == entry.id, entry.isFile
    else { return false }
    return MergeMarkers.firstLine(in: try box.content(of: written)) != nil
  }

  private static func isUnmerged(_ path: [UInt8], _ index: IndexEntries) -> Bool {
    index.entry(at: path).map { $0.stage > 0 } ?? false
  }

  private func isUnmerged(_ path: [UInt8]) -> Bool { Self.isUnmerged(path, index) }

  /// The note that git's index has at a path; nil for a conflict, for another file and without an entry.
  private func stagedNote(at path: [UInt8]) throws(SlipboxError) -> NoteVersion? {
    guard box.isNoteFile(path), let entry = index.entry(at: path), entry.stage == 0, entry.isFile,
      !entry.intentToAdd
    else { return nil }
    let file = TreeEntry(path: path, id: entry.id, mode: entry.mode)
    return NoteVersion(path: path, bytes: try box.content(of: file), blob: entry.id)
  }

  /// The paths that the sides and the merge have a note at.
  private static func paths(of file: MergedFile, at path: [UInt8]) -> Set<[UInt8]> {
    Set([path, file.paths.one, file.paths.other, file.paths.base].compactMap(\.self))
  }

  /// Reads the untracked notes if the file of a conflict is gone: the user may have resolved and moved it.
  private mutating func findMoved() throws(SlipboxError) {
    var hasGone = false
    for (path, file) in files where !hasGone {
      for path in Self.paths(of: file, at: path) where try isGone(path) { hasGone = true }
    }
    guard hasGone else { return }
    let untracked = try box.git { repository throws(GitError) in try repository.operation.untrackedFiles() }
    for path in untracked where box.isNoteFile(path) {
      guard let bytes = try box.workTreeFile(at: Array(path.dropFirst(box.prefix.count))).state.bytes else {
        continue
      }
      notes[path] = NoteVersion(path: path, bytes: bytes, blob: ObjectID(ofBlob: bytes))
      moved.insert(path)
    }
  }

  /// Whether a file in conflict that git left in the work tree is not there any more.
  private func isGone(_ path: [UInt8]) throws(SlipboxError) -> Bool {
    guard isUnmerged(path), let written = stopped.written[path], written != nil else { return false }
    return try box.workTreeFile(at: Array(path.dropFirst(box.prefix.count))).status == nil
  }

  private mutating func decide(_ path: [UInt8], _ file: MergedFile) throws(SlipboxError) {
    let paths = Self.paths(of: file, at: path)
    var holders: Set<[UInt8]> = []
    for (place, note) in notes where !paths.contains(place) {
      if try isVersion(note, at: place, of: path, file) { holders.insert(place) }
    }
    var isRemoved = false
    for (place, note) in gone where !isRemoved && !paths.contains(place) {
      isRemoved = try isVersion(note, at: place, of: path, file)
    }
    guard
      isRemoved || !paths.isDisjoint(with: touched) || !holders.isEmpty || paths.contains(where: isUnmerged)
    else { return }
    let isMoved = !holders.isEmpty
    var isEdited = false
    var open: [[UInt8]] = []
    for place in paths {
      var note = try stagedNote(at: place)
      if isUnmerged(place) {
        if isMoved, try isGone(place) { continue }
        note = try resolvedNote(at: place)
        if note == nil { open.append(place) } else { isEdited = true }
      }
      if let note, try isVersion(note, at: place, of: path, file) { holders.insert(place) }
    }
    var chosen = holders.intersection(touched)
    if isMoved {
      for place in paths where try isGone(place) { chosen.formUnion(holders.intersection(moved)) }
    }
    var undecided: Set<[UInt8]> = []
    for place in open where try hasVersion(at: place, of: path, file) { undecided.insert(place) }
    if !undecided.isEmpty {
      guard chosen.count == 1 else { return }
      // Git wrote one text to both paths of a note that both sides moved.
      let ids = paths.compactMap { stopped.written[$0].flatMap { $0?.id } }
      let isOfOneSide = file.paths.one == nil || file.paths.other == nil
      for place in undecided {
        if isOfOneSide {
          if place == path { dropped.insert(place) }
          continue
        }
        let id = stopped.written[place].flatMap { $0?.id }
        if ids.count(where: { $0 == id }) > 1 { dropped.insert(place) } else { self.undecided.insert(place) }
      }
      dropped.formUnion(
        paths.subtracting(chosen).subtracting(undecided).filter { $0 == path || isUnmerged($0) })
      return kept.formUnion(chosen)
    }
    // Both sides left the path, and the user took none of theirs.
    if !open.isEmpty, chosen.isEmpty, !removed.contains(path) { return }
    if holders.isEmpty {
      // The text of a conflict was edited, and the merge has a free path for the other note.
      if isEdited, !isUnmerged(path) { return }
      return try settleRemoved(path, file, paths)
    }
    guard holders.contains(path) else {
      dropped.formUnion(paths.subtracting(holders).filter { $0 == path || isUnmerged($0) })
      kept.formUnion(holders)
      return
    }
    // Of a note that is staged at several paths, nothing is decided.
    guard !isEdited, holders == [path], !paths.isDisjoint(with: resolved), let entry = index.entry(at: path),
      entry.id != file.blob
    else { return }
    if try !isMarked(path) { kept.insert(path) }
  }

  /// Whether git's index has a side's version of a note for a file in conflict.
  private func hasVersion(
    at place: [UInt8], of path: [UInt8], _ file: MergedFile
  ) throws(SlipboxError) -> Bool {
    for entry in sides[place] ?? [] where entry.isFile {
      let bytes = try box.content(of: TreeEntry(path: place, id: entry.id, mode: entry.mode))
      let note = NoteVersion(path: place, bytes: bytes, blob: entry.id)
      if try isVersion(note, at: place, of: path, file) { return true }
    }
    return false
  }

  /// The note of a file in conflict from which the user took git's markers; nil if it is as git left it, or has markers.
  private func resolvedNote(at path: [UInt8]) throws(SlipboxError) -> NoteVersion? {
    // After strategies other than ort, git's version of a conflict is not an object of the repository. The file has it.
    guard box.isNoteFile(path), case .some(.some(let written)) = stopped.written[path], written.isRegular,
      let left = try? box.content(of: written), MergeMarkers.firstLine(in: left) != nil,
      let bytes = try box.workTreeFile(at: Array(path.dropFirst(box.prefix.count))).state.bytes,
      MergeMarkers.firstLine(in: bytes) == nil
    else { return nil }
    return NoteVersion(path: path, bytes: bytes, blob: ObjectID(ofBlob: bytes))
  }

  /// Whether git's index has a text with git's markers.
  private func isMarked(_ path: [UInt8]) throws(SlipboxError) -> Bool {
    try stagedNote(at: path)?.bytes.flatMap(MergeMarkers.firstLine) != nil
  }

  /// A note that is staged nowhere: the user removed it, or put another note in its place.
  private mutating func settleRemoved(
    _ path: [UInt8], _ file: MergedFile, _ paths: Set<[UInt8]>
  ) throws(SlipboxError) {
    // Git may have put it into a folder that a side renamed.
    for place in stopped.written.keys where !paths.contains(place) {
      if let note = try stagedNote(at: place), try isVersion(note, at: place, of: path, file) { return }
    }
    dropped.insert(path)
    if paths.contains(where: { touched.contains($0) && index.entry(at: $0) != nil }) { addLost(file) }
  }

  private mutating func addLost(_ file: MergedFile) {
    // A note without an id is identified by its path.
    guard file.id != nil else { return }
    if let place = file.paths.one {
      lost.append(LostNote(path: place, commit: stopped.tip, merged: file.blob))
    } else if let place = file.paths.other {
      lost.append(LostNote(path: place, commit: stopped.other, merged: file.blob))
    }
  }

  /// Adds the notes that slip's merge keeps at paths at which an edited file has another note.
  mutating func addReplaced(by edited: [StoppedNotes.File]) {
    var ids: [[UInt8]: NoteID] = [:]
    for file in edited where FileName.isNote(file.path) {
      guard let bytes = file.found.bytes else { continue }
      ids[box.repositoryPath(file.path)] = Note(path: file.path, text: NoteText(bytes)).id
    }
    let known = Set(ids.values).union(notes.values.compactMap(\.id))
    for (path, file) in files {
      guard let id = file.id, let other = ids[path], other != id, other.another(at: path) != id,
        !known.contains(id), !dropped.contains(path)
      else { continue }
      addLost(file)
    }
  }

  /// Whether a note is a version of one that slip's merge has: by its id; without ids by its path or text.
  private func isVersion(
    _ note: NoteVersion, at place: [UInt8], of path: [UInt8], _ file: MergedFile
  ) throws(SlipboxError) -> Bool {
    if let id = file.id { return note.id == id || note.id?.another(at: path) == id }
    guard note.id == nil else { return false }
    let paths = file.paths
    let isBeside = ![paths.one, paths.other, paths.base].contains(path)
    if !isBeside && Self.paths(of: file, at: path).contains(place) || note.blob == file.blob { return true }
    guard isBeside || index.entry(at: path) == nil || isUnmerged(path), let bytes = note.bytes else {
      return false
    }
    let text = TextChunks(bytes)
    // The merged note may have both versions of many lines, and the user kept one version.
    return try versions(of: path, file).contains {
      text.similarity(to: TextChunks($0)) >= TextChunks.leastOfRename
    }
  }

  /// The texts of a note in slip's merge and on both sides; without those that can't be read.
  private func versions(of path: [UInt8], _ file: MergedFile) throws(SlipboxError) -> [[UInt8]] {
    var entries = [TreeEntry(path: path, id: file.blob, mode: file.mode)]
    for (place, commit) in [(file.paths.one, stopped.tip), (file.paths.other, stopped.other)] {
      guard let place else { continue }
      let entry = try box.git { repository throws(GitError) in try repository.file(place, at: commit) }
      if let entry, entry.isRegular { entries.append(entry) }
    }
    return entries.compactMap { try? box.content(of: $0) }
  }
}
