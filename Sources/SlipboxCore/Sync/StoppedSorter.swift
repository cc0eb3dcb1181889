import Git
import Notes
import Text

/// Decides for each file at which git stopped whether slip merges it, the user has settled it, or it is left to the user.
struct StoppedSorter {
  private(set) var files: [StoppedNotes.File] = []
  private(set) var edited: [StoppedNotes.File] = []
  private(set) var left: [[UInt8]] = []
  /// The notes that the user took out of git's index and kept in the work tree, in the box.
  private(set) var untracked: [[UInt8]] = []
  /// The untracked files and folders at paths that the merge needs, in the box.
  private(set) var blocking: [[UInt8]] = []
  /// The notes that slip's merge keeps and that are in no file, because the user put another note in their place.
  var lost: [StoppedDecisions.LostNote] { decisions.lost }
  /// The files that the merge removes and that the user has edited since git stopped, each with git's version.
  private var displaced: [(file: StoppedNotes.File, written: TreeEntry)] = []

  private let box: Box
  private let stopped: StoppedMerge
  /// The changes of slip's own merge relative to the tip, by paths of the repository.
  private let edits: [[UInt8]: TreeEdit]
  /// The files that have two versions in slip's own merge, by paths of the repository.
  private let contested: Set<[UInt8]>
  private var decisions: StoppedDecisions
  private let unmerged: Set<[UInt8]>
  /// The blobs of git's index, without those of conflicts.
  private let staged: [[UInt8]: ObjectID]
  /// The entries whose files a flag of git's index hides from git.
  private let flagged: [[UInt8]: IndexEntry]
  private let names: Set<[UInt8]>
  private let tip: CommitLookup
  private let other: CommitLookup

  init(
    _ stopped: StoppedMerge, _ edits: [TreeEdit], _ contested: Set<[UInt8]>, _ decisions: StoppedDecisions,
    _ box: Box
  ) throws(SlipboxError) {
    (self.box, self.stopped, self.contested, self.decisions) = (box, stopped, contested, decisions)
    self.edits = Dictionary(edits.map { ($0.path, $0) }, uniquingKeysWith: { $1 })
    let entries = try box.git { repository throws(GitError) in try repository.index.entries() }
    flagged = Dictionary(
      entries.flagged.filter { $0.stage == 0 && $0.hidingFlag != nil }.map { ($0.path, $0) },
      uniquingKeysWith: { $1 })
    unmerged = Set(entries.lazy.filter { $0.stage > 0 }.map(\.path))
    let changed = Set(self.edits.keys).union(unmerged).union(stopped.written.keys)
      .union(decisions.kept).union(decisions.dropped)
    let pairs = entries.lazy.filter { $0.stage == 0 && changed.contains($0.path) }.map { ($0.path, $0.id) }
    staged = Dictionary(pairs, uniquingKeysWith: { $1 })
    names = changed
    tip = try CommitLookup(box, at: stopped.tip, count: names.count)
    other = try CommitLookup(box, at: stopped.other, count: names.count)
  }

  mutating func sortAll() throws(SlipboxError) {
    for name in names.sorted(by: { $0.lexicographicallyPrecedes($1) }) {
      if box.isMerged(name) || isFollowingCanvas(name) {
        try sort(name)
      } else if let note = try copiedNote(name) {
        try sortCopy(name, of: note)
      } else if unmerged.contains(name) {
        left.append(name)
      }
    }
    for (file, written) in displaced { try join(file, written) }
    decisions.addReplaced(by: edited)
  }

  /// Moves the edit of a file that the merge removes into the file in which the merge has the note.
  private mutating func join(_ file: StoppedNotes.File, _ written: TreeEntry) throws(SlipboxError) {
    let id = file.found.bytes.flatMap { Note(path: file.path, text: NoteText($0)).id }
    for number in files.indices where id != nil {
      guard let wanted = files[number].wanted, wanted.isRegular, files[number].text == nil else { continue }
      let other = Note(path: files[number].path, text: NoteText(try box.content(of: wanted))).id
      guard other == id, let text = try joined(written, file.found, wanted) else { continue }
      files[number].text = text
      files.append(file)
      return
    }
    let name = box.repositoryPath(file.path)
    if box.noteOfCopy(name) != nil, unmerged.contains(name) { left.append(name) } else { edited.append(file) }
  }

  private mutating func sort(_ name: [UInt8]) throws(SlipboxError) {
    let path = Array(name.dropFirst(box.prefix.count))
    let head = try tip.file(path)
    let wanted: TreeEntry? =
      switch edits[name] {
      case .put(_, let blob, let mode): TreeEntry(path: name, id: blob, mode: mode)
      case .remove: nil
      case nil: head.map { TreeEntry(path: name, id: $0.id, mode: $0.mode) }
      }
    let written = stopped.written[name] ?? head.map { TreeEntry(path: name, id: $0.id, mode: $0.mode) }
    let found = try box.workTreeFile(at: path)
    if let entry = flagged[name] {
      // A change that the user hides from git is not committed: the staged version counts.
      let staged = TreeEntry(path: name, id: entry.id, mode: entry.mode)
      guard try box.holds(staged, found, entry) else { return }
    }
    var file = StoppedNotes.File(path: path, found: found.state, wanted: wanted)
    if try keepDecision(name, file, found, written) { return }
    // If a folder is at the path now, a note that the merge removes is gone already.
    if found.isObstructed || wanted != nil && found.status == nil && box.isInNestedRepository(path) {
      if wanted == nil {
        files.append(file)
      } else if unmerged.contains(name) {
        left.append(name)
      } else {
        blocking.append(path)
      }
      return
    }
    let blob = try box.contentID(of: found.state, at: path)
    let isMarked = found.state.bytes.flatMap(MergeMarkers.firstLine) != nil
    if blob == wanted?.id {
      files.append(file)
    } else if isTakenOut(name, found, written) {
      untracked.append(path)
    } else if try isBlocking(name, file) {
      blocking.append(path)
    } else if found.state == .absent, wanted != nil, blob != written?.id, unmerged.contains(name) {
      // Git would refuse to continue: the conflict is not settled before `git rm`.
      files.append(file)
    } else if stopped.ofUser.contains(name) {
      // An unstaged deletion does not belong to the merge.
      if found.state == .absent, staged[name] != nil { return }
      if isMarked { left.append(name) } else { edited.append(file) }
    } else if blob == written?.id {
      if try isDecided(name, written) { edited.append(file) } else { files.append(file) }
    } else if found.state == .absent, wanted != nil, staged[name] != nil {
      file.isDeleted = true
      files.append(file)
    } else if CanvasFile.isOne(path) {
      // Other edits of the user stay.
      if let text = try joined(written, found.state, wanted) {
        file.text = text
        files.append(file)
      }
    } else if try isSettled(name, found.state, written, wanted) {
      if isMarked, !unmerged.contains(name) { left.append(name) } else { edited.append(file) }
    } else if try isContent(found.state, of: written) {
      // A filter may store equal text in other bytes.
      files.append(file)
    } else if let text = try joined(written, found.state, wanted) {
      file.text = text
      files.append(file)
    } else if isMarked {
      left.append(name)
    } else if wanted == nil, unmerged.contains(name), let written {
      displaced.append((file, written))
    } else {
      edited.append(file)
    }
  }

  /// Leaves a file as the user has decided.
  /// - Returns: whether there is a decision about it.
  private mutating func keepDecision(
    _ name: [UInt8], _ file: StoppedNotes.File, _ found: WorkTreeFile, _ written: TreeEntry?
  ) throws(SlipboxError) -> Bool {
    let isDropped = decisions.dropped.contains(name)
    if decisions.undecided.contains(name) {
      left.append(name)
      return true
    }
    guard isDropped || decisions.kept.contains(name) else { return false }
    if isDropped, staged[name] == nil {
      if unmerged.contains(name), found.status != nil {
        let blob = try box.contentID(of: found.state, at: file.path)
        var isLeft = blob == written?.id
        if !isLeft { isLeft = try isContent(found.state, of: written) }
        // The user may have edited it.
        guard isLeft, !found.isObstructed else {
          left.append(name)
          return true
        }
        files.append(StoppedNotes.File(path: file.path, found: file.found, wanted: nil))
      } else if found.status == nil {
        // No one but slip's own merge has a file there.
        guard written != nil || unmerged.contains(name) else { return true }
        edited.append(StoppedNotes.File(path: file.path, found: file.found, wanted: nil))
      } else if isTakenOut(name, found, written) {
        untracked.append(file.path)
      }
      return true
    }
    if found.isObstructed {
      left.append(name)
    } else if file.found == .absent, staged[name] != nil {
      // An unstaged deletion does not belong to the merge.
    } else if file.found.bytes.flatMap(MergeMarkers.firstLine) != nil {
      left.append(name)
    } else {
      edited.append(file)
    }
    return true
  }

  /// Whether the user took a file out of git's index with `git rm --cached`, and kept it in the work tree.
  private func isTakenOut(_ name: [UInt8], _ found: WorkTreeFile, _ written: TreeEntry?) -> Bool {
    found.state != .absent && written != nil && staged[name] == nil && !unmerged.contains(name)
  }

  /// Whether an untracked file has a path that the merge needs: git ignores it, or it is another file than the note.
  private func isBlocking(_ name: [UInt8], _ file: StoppedNotes.File) throws(SlipboxError) -> Bool {
    guard let wanted = file.wanted, file.found != .absent, staged[name] == nil, !unmerged.contains(name)
    else {
      return false
    }
    if try box.isIgnored(file.path) { return true }
    guard wanted.isRegular, let bytes = file.found.bytes, FileName.isNote(file.path) else { return true }
    let id = Note(path: file.path, text: NoteText(bytes)).id
    let merged = Note(path: file.path, text: NoteText(try box.content(of: wanted)))
    return id == nil || merged.id != id
  }

  /// Returns whether git merged both versions of a file without a conflict only because of a decision of the user: an
  /// option such as `-X theirs`, or a resolution that git had recorded (`rerere`).
  private func isDecided(_ name: [UInt8], _ written: TreeEntry?) throws(SlipboxError) -> Bool {
    guard contested.contains(name), !unmerged.contains(name), let written, written.isRegular else {
      return false
    }
    // It was staged with git's markers.
    guard MergeMarkers.firstLine(in: try box.content(of: written)) == nil else { return false }
    // Slip's merge driver keeps both versions.
    guard NoteConflict.all(in: NoteText(try box.content(of: written))).isEmpty else { return false }
    let store = RepositoryMergeStore(box)
    var base = stopped.base
    if base == nil { base = try store.bases(of: stopped.tip, and: stopped.other).first }
    let versions = try [base, stopped.tip, stopped.other].map { (commit) throws(SlipboxError) -> [UInt8]? in
      guard let commit, let entry = try store.file(name, at: commit), entry.isRegular else { return nil }
      return try store.content(of: entry)
    }
    guard let old = versions[0], let one = versions[1], let other = versions[2] else { return false }
    return LineMerge.merge(base: old, one: one, other: other).conflicts > 0
  }

  /// Returns whether a file behind a filter has the content that git checks out for an entry.
  private func isContent(_ state: FileState, of entry: TreeEntry?) throws(SlipboxError) -> Bool {
    guard let entry, entry.isRegular, let bytes = state.bytes,
      try box.git({ repository throws(GitError) in try repository.attributes.isFiltered(entry.path) })
    else { return false }
    return try box.checkedOut([entry])[0] == bytes
  }

  /// Returns whether a file is a canvas that git has merged and that shows notes which the merge moves.
  private func isFollowingCanvas(_ name: [UInt8]) -> Bool {
    guard name.starts(with: box.prefix), CanvasFile.isOne(name), !unmerged.contains(name),
      case .put? = edits[name]
    else { return false }
    return true
  }

  /// Returns the note's path if a file of git's index is git's copy of a note; else nil.
  private func copiedNote(_ name: [UInt8]) throws(SlipboxError) -> [UInt8]? {
    guard unmerged.contains(name) || staged[name] != nil, let note = box.noteOfCopy(name) else { return nil }
    let path = Array(name.dropFirst(box.prefix.count))
    guard try tip.file(path) == nil else { return nil }
    return try other.file(path) == nil ? note : nil
  }

  /// Sorts git's copy of a note whose name a folder has on the other side. Slip's merge has the note under another name.
  private mutating func sortCopy(_ name: [UInt8], of note: [UInt8]) throws(SlipboxError) {
    let path = Array(name.dropFirst(box.prefix.count))
    let found = try box.workTreeFile(at: path).state
    let file = StoppedNotes.File(path: path, found: found, wanted: nil)
    let place = Array(note.dropFirst(box.prefix.count))
    // Git may have merged it with the version of the other side.
    let written = stopped.written[name] ?? nil
    let versions = [written?.id, try tip.file(place)?.id, try other.file(place)?.id].compactMap { $0 }
    if let blob = try box.contentID(of: found, at: path), versions.contains(blob) {
      files.append(file)
    } else if let written, found.bytes != nil {
      displaced.append((file, written))
    } else if unmerged.contains(name) {
      left.append(name)
    }
  }

  /// Returns whether the user has settled a conflict: by `git add` of the file, or by removing the markers from its text.
  private func isSettled(
    _ name: [UInt8], _ found: FileState, _ written: TreeEntry?, _ wanted: TreeEntry?
  ) throws(SlipboxError) -> Bool {
    guard unmerged.contains(name) else {
      guard let id = staged[name] else { return written != nil }
      return id != written?.id && id != wanted?.id
    }
    guard let bytes = found.bytes, MergeMarkers.firstLine(in: bytes) == nil else { return false }
    guard let written,
      let left = try box.git({ repository throws(GitError) in
        try repository.conversion.content(of: written.id, at: name)
      }) as [UInt8]?
    else { return false }
    return MergeMarkers.firstLine(in: left) != nil
  }

  /// Returns the merged text with the user's edits of the file since git stopped; nil if the two can't be merged.
  private func joined(
    _ written: TreeEntry?, _ found: FileState, _ wanted: TreeEntry?
  ) throws(SlipboxError) -> [UInt8]? {
    guard case .file(let edited, _) = found, let written, let wanted,
      written.mode != TreeEntry.symbolicLink, wanted.mode != TreeEntry.symbolicLink
    else { return nil }
    let texts = try box.checkedOut([written, wanted])
    let (before, after) = (texts[0], texts[1])
    if edited.starts(with: before) {
      let isApart = after.isEmpty || after.last == 0x0A || before.last != 0x0A
      return after + (isApart ? [] : NoteText(after).lineEnd) + edited[before.count...]
    }
    if MergeMarkers.firstLine(in: before) != nil {
      // If the user has begun to settle a conflict, only the user can finish it.
      guard Self.conflicts(in: before) == Self.conflicts(in: edited) else { return nil }
      let merged = LineMerge.merge(base: before, one: edited, other: after)
      return merged.conflicts == 0 && MergeMarkers.firstLine(in: merged.bytes) == nil ? merged.bytes : nil
    }
    if written.path.suffix(5).elementsEqual(".yaml".utf8) {
      return SettingsMerge.merge(base: before, one: edited, other: after)?.bytes
    }
    if CanvasFile.isOne(written.path) {
      let merged = LineMerge.merge(base: before, one: edited, other: after)
      return merged.conflicts == 0 ? merged.bytes : nil
    }
    return NoteMerge.merge(base: NoteText(before), one: NoteText(edited), other: NoteText(after))?.text.bytes
  }

  /// Returns the lines of each conflict, with git's markers.
  private static func conflicts(in bytes: [UInt8]) -> [[ArraySlice<UInt8>]] {
    var (found, open): ([[ArraySlice<UInt8>]], [ArraySlice<UInt8>]?) = ([], nil)
    for line in bytes.split(separator: 0x0A, omittingEmptySubsequences: false) {
      if line.starts(with: "<<<<<<< ".utf8) { open = [] }
      open?.append(line)
      if line.starts(with: ">>>>>>> ".utf8), let lines = open { (found, open) = (found + [lines], nil) }
    }
    return found
  }
}

extension Box {
  /// Returns the note's path if a file has the name `NAME~SIDE`, as git's copy of a note has if a folder has its name on the
  /// other side; else nil. Paths are from the root of the repository.
  func noteOfCopy(_ name: [UInt8]) -> [UInt8]? {
    guard let mark = name.lastIndex(of: UInt8(ascii: "~")), mark + 1 < name.count else { return nil }
    let note = Array(name[..<mark])
    return isMerged(note) ? note : nil
  }
}
