import Bytes
import Git
import NoteIndex
import Notes
import Text

/// Rewrites the links in the notes and canvases that one side of a merge changed: each leads to the same note or file as
/// on that side.
///
/// A link by path would lead to another note, or to none, if the merge gives its note a path that the side did not know.
/// If the other side changed the note too, lines that the base has are left alone: the side that moved their notes
/// rewrote the links in them.
struct MergedLinks<Store: MergeStore> {
  private let store: Store
  /// The side's commit.
  private let tip: ObjectID
  private let moves: MergeMoves
  /// The paths in the merge of notes to which the other side joined notes, by the paths of those.
  private let joined: [[UInt8]: [UInt8]]
  /// The keys of the base's versions that the other side changed.
  private let shared: Set<[UInt8]>
  /// The keys of the base's versions whose notes are final.
  private let aligned: Set<[UInt8]>
  private let sameNames: SameNameRule

  /// - Parameters:
  ///   - others: the changes of the other side.
  ///   - joined: the paths in the merge of notes to which the other side joined notes, by the paths of those.
  ///   - aligned: the keys of the base's versions of notes whose links are written for the result already.
  ///   - sameNames: the rule for the target of a link that matches the names of several files.
  init(
    _ store: Store, tip: ObjectID, moves: MergeMoves, joined: [[UInt8]: [UInt8]], others: FileChanges,
    besides aligned: Set<[UInt8]>, sameNames: SameNameRule
  ) {
    self.joined = joined
    self.sameNames = sameNames
    self.aligned = aligned
    shared = Set(others.pairs.compactMap { $0.isSettled || $0.new == nil ? nil : $0.old?.key })
    self.store = store
    self.tip = tip
    self.moves = moves
  }

  /// Returns the changes of the side with its links rewritten.
  func applied(to changes: FileChanges) throws(SlipboxError) -> FileChanges {
    // A note that gets the name of another one attracts links to it, or makes them ambiguous.
    let made = moves.made
    guard !moves.paths.isEmpty || !moves.madeFiles.isEmpty || !joined.isEmpty || !made.isEmpty else {
      return changes
    }
    let moved = try notes(at: Array(moves.paths.keys))
    let gone = try notes(at: Array(joined.keys))
    let renamed = try moved.map { (note) throws(SlipboxError) in
      Note(path: newPath(note.path), text: try note.text)
    }
    let names = LinkKeySet((moved + gone + made + renamed).flatMap(\.nameKeys))
    let files = try moves.linkedFiles(at: tip, store, sameNames)
    var candidates: [Int] = []
    for (index, pair) in changes.pairs.enumerated() {
      if try isConcerned(pair, names, files) { candidates.append(index) }
    }
    guard !candidates.isEmpty else { return changes }
    let rewriting = try rewriting(of: moved, gone, files)
    var pairs = changes.pairs
    for index in candidates { pairs[index] = try rewritten(pairs[index], rewriting) }
    return FileChanges(pairs: pairs)
  }

  /// Returns whether a link in a changed note or canvas may need another target.
  private func isConcerned(
    _ pair: FileChanges.Pair, _ names: LinkKeySet, _ files: LinkedFileFinder
  ) throws(SlipboxError) -> Bool {
    if let old = pair.old, aligned.contains(old.key) { return false }
    guard let note = changedNote(pair) else {
      return changedCanvas(pair) != nil && !(moves.paths.isEmpty && files.moves.isEmpty)
    }
    if note.linkKeys.contains(where: { names.contains($0) }) { return true }
    guard !files.moves.isEmpty else { return false }
    let newPath = newPath(note.path)
    return LinkEditor.links(of: try note.text).contains { link in
      guard let file = files.before(link, note.path) else { return false }
      return files.after(link, newPath) != files.moves[file] ?? file
    }
  }

  private func changedNote(_ pair: FileChanges.Pair) -> Note? {
    guard let new = pair.new, let bytes = new.version.bytes, new.entry.path.starts(with: store.prefix) else {
      return nil
    }
    return Note(path: boxPath(new.entry.path), text: NoteText(bytes))
  }

  private func changedCanvas(_ pair: FileChanges.Pair) -> FileChanges.Version? {
    guard let new = pair.new, new.entry.isRegular, new.entry.path.starts(with: store.prefix),
      CanvasFile.isOne(new.entry.path)
    else { return nil }
    return new
  }

  /// Returns the side's notes at some paths, without files that are not notes of the box.
  private func notes(at paths: [[UInt8]]) throws(SlipboxError) -> [Note] {
    var notes: [Note] = []
    for path in paths where path.starts(with: store.prefix) && FileName.isNote(path) {
      guard let entry = try store.file(path, at: tip), entry.isRegular else { continue }
      notes.append(Note(path: boxPath(path), text: NoteText(try store.content(of: entry))))
    }
    return notes
  }

  /// Returns the rewriting of the links of all of the side's notes.
  ///
  /// - Parameter gone: the notes that the other side joined to others.
  private func rewriting(
    of moved: [Note], _ gone: [Note], _ files: LinkedFileFinder
  ) throws(SlipboxError) -> LinkRewriting {
    let all = try notes(at: store.differences(from: nil, to: tip).map(\.path))
    let successors = try moved.map { (note) throws(SlipboxError) in
      NoteSuccessor(
        Entry(undated: note), becomes: Entry(undated: Note(path: newPath(note.path), text: try note.text)))
    }
    var joinedTo = gone.compactMap { note in
      joined[store.prefix + note.path].map {
        NoteSuccessor(Entry(undated: note), becomes: nil, path: boxPath($0))
      }
    }
    // Their names are needed too if their paths don't change.
    let staying = Set(joinedTo.map(\.path)).subtracting(successors.map(\.path))
    joinedTo += all.filter { staying.contains($0.path) }.map {
      NoteSuccessor(Entry(undated: $0), becomes: Entry(undated: $0))
    }
    return LinkRewriting(
      Entries(all.map { Entry(undated: $0) }).linked(by: sameNames), successors + joinedTo,
      made: moves.made.map { Entry(undated: $0) },
      executor: nil, files: files)
  }

  private func boxPath(_ path: [UInt8]) -> [UInt8] { Array(path.dropFirst(store.prefix.count)) }

  /// Returns the path in the merge of one of the side's files; both are inside of the box.
  private func newPath(_ path: [UInt8]) -> [UInt8] { moves.paths[store.prefix + path].map(boxPath) ?? path }

  private static func line(at place: Int, in bytes: [UInt8]) -> ArraySlice<UInt8> {
    let start = bytes[..<place].lastIndex(of: 0x0A).map { $0 + 1 } ?? 0
    return bytes[start..<(bytes[place...].firstIndex(of: 0x0A) ?? bytes.count)]
  }

  /// Returns a change with its links rewritten, except those of lines that the base has and those that would break or
  /// become ambiguous.
  private func rewritten(
    _ pair: FileChanges.Pair, _ rewriting: LinkRewriting
  ) throws(SlipboxError) -> FileChanges.Pair {
    guard let new = pair.new else { return pair }
    guard let note = changedNote(pair) else {
      guard let canvas = changedCanvas(pair) else { return pair }
      let bytes = try store.content(of: canvas.entry)
      let path = boxPath(canvas.entry.path)
      let paths = Dictionary(
        moves.paths.map { (boxPath($0.key), boxPath($0.value)) }, uniquingKeysWith: { first, _ in first })
      let rewritten = { (text: [UInt8]) in
        Self.text(of: NoteText(text), rewriting, from: path, to: newPath(path)) { _ in true }?.bytes ?? text
      }
      let changed = CanvasFile(bytes).replacing(paths, texts: rewritten)
      return try changed.map { (changed) throws(SlipboxError) in
        try replacing(pair, new, changed.bytes)
      } ?? pair
    }
    let known = pair.old.flatMap { !pair.isSettled && shared.contains($0.key) ? $0.version.bytes : nil }
    let old = Set(known.map { $0.split(separator: 0x0A) } ?? [])
    let text = try note.text
    let changed = Self.text(of: text, rewriting, from: note.path, to: newPath(note.path)) { link in
      !old.contains(Self.line(at: link.range.lowerBound, in: text.bytes))
    }
    guard let changed else { return pair }
    return try replacing(pair, new, changed.bytes)
  }

  /// Returns a text with its links rewritten; nil if none changes, or if a new target would be parsed as something else.
  private static func text(
    of text: NoteText, _ rewriting: LinkRewriting, from path: [UInt8], to newPath: [UInt8],
    where isOwn: (BodyScan.Link) -> Bool
  ) -> NoteText? {
    let links = LinkEditor.links(of: text)
    let edits = rewriting.links(links, from: path, to: newPath).edits.filter { isOwn(links[$0.number]) }
    guard let changed = try? LinkEditor.text(of: text, links: links, edits), changed != text else {
      return nil
    }
    return changed
  }

  private func replacing(
    _ pair: FileChanges.Pair, _ new: FileChanges.Version, _ bytes: [UInt8]
  ) throws(SlipboxError) -> FileChanges.Pair {
    let entry = TreeEntry(
      path: new.entry.path, id: try store.store(bytes, at: new.entry.path), mode: new.entry.mode)
    let version = NoteVersion(path: entry.path, bytes: bytes, blob: entry.id)
    return FileChanges.Pair(
      old: pair.old, new: FileChanges.Version(version: version, entry: entry, origin: new.origin),
      isSettled: pair.isSettled)
  }
}

/// The choice of a merge for the files of a commit: one of its sides, or the base.
struct MergeMoves {
  /// The paths in the merge of the commit's files, by their paths in the commit, if they differ.
  private(set) var paths: [[UInt8]: [UInt8]] = [:]
  /// The notes that the commit does not have, at their paths in the merge.
  private(set) var made: [Note] = []
  /// The paths in the merge of files other than notes that the commit does not have.
  private(set) var madeFiles: [[UInt8]] = []

  /// - Parameters:
  ///   - placed: the result of the merge, by path.
  ///   - side: the path that a file has in the commit.
  init<Store: MergeStore>(
    _ placed: [[UInt8]: MergedFile?], of side: KeyPath<MergedFile, [UInt8]?>, _ store: Store
  ) throws(SlipboxError) {
    for (path, file) in placed {
      guard let file, file.mode & 0o170000 == 0o100000 else { continue }
      if let own = file[keyPath: side] {
        if own != path { paths[own] = path }
      } else if !FileName.isNote(path) {
        madeFiles.append(path)
      } else if path.starts(with: store.prefix) {
        made.append(
          Note(
            path: Array(path.dropFirst(store.prefix.count)),
            text: NoteText(try store.content(of: file.blob, at: path))))
      }
    }
  }

  /// Returns a finder of the files other than notes that links lead to, in the commit and in the merge.
  ///
  /// Its moves include files whose path stays, if a file that the commit does not have gets the same name.
  /// - Parameter sameNames: the rule for the target of a link that matches the names of several files.
  func linkedFiles<Store: MergeStore>(
    at commit: ObjectID, _ store: Store, _ sameNames: SameNameRule
  ) throws(SlipboxError) -> LinkedFileFinder {
    let none = LinkedFileFinder { _, _ in nil }
    let isOther = { (path: [UInt8]) in path.starts(with: store.prefix) && !FileName.isNote(path) }
    let boxPath = { (path: [UInt8]) in Array(path.dropFirst(store.prefix.count)) }
    guard !madeFiles.isEmpty || paths.keys.contains(where: isOther) else { return none }
    var files: [[UInt8]] = []
    for file in try store.differences(from: nil, to: commit) where isOther(file.path) {
      let path = boxPath(file.path)
      if file.new?.isRegular == true, !FileName.isHidden(path) { files.append(path) }
    }
    let newPath = { (path: [UInt8]) in paths[store.prefix + path].map(boxPath) ?? path }
    let made = madeFiles.filter(isOther).map(boxPath)
    let names = Set(made.map { Folding.fold(BytePath.name(of: $0)[...]) })
    var moved: [[UInt8]: [UInt8]] = [:]
    for path in files {
      let new = newPath(path)
      if new != path || names.contains(Folding.fold(BytePath.name(of: path)[...])) { moved[path] = new }
    }
    let order = { (paths: [[UInt8]]) in paths.sorted { $0.lexicographicallyPrecedes($1) } }
    let before = OtherFiles(order(files), links: [], leftovers: [], sameNames: sameNames)
    let after = OtherFiles(order(files.map(newPath) + made), links: [], leftovers: [], sameNames: sameNames)
    return LinkedFileFinder(
      moves: moved, before: { before.file(of: $0, from: $1) },
      after: { after.file(of: $0, from: $1) })
  }
}
