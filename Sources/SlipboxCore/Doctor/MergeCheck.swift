import Bytes
import Git
import NoteIndex
import Notes

/// Compares merge commits that slip did not make with slip's own merge of their parents.
///
/// If there are more than two parents, slip merges the first two, then the result with the third one, and so on.
struct MergeCheck {
  /// The maximum number of sides of a merge whose merges without one side are compared too.
  private static let mostSides = 8

  let healer: Healer
  let store: RepositoryMergeStore

  var box: Box { healer.box }

  init(_ healer: Healer) {
    self.healer = healer
    store = RepositoryMergeStore(healer.box)
  }

  /// Returns the damage that a merge did and that still exists.
  ///
  /// A note is damaged only if the merge took it whole from one side or, with more than two sides, left out one. Any
  /// other text is the decision of the user who merged.
  func damagedNotes(in merge: ForeignMerge) throws(SlipboxError) -> [Healing.DamagedNote] {
    // A link that does not follow a moved note does not count as a dropped change, nor does an id that both sides gave.
    let lost = try edits(of: merge, .files)
    guard !lost.isEmpty else { return [] }
    var commit = merge
    if (3...Self.mostSides).contains(merge.sides.count) {
      for place in merge.sides.indices {
        var sides = merge.sides
        sides.remove(at: place)
        commit.partial.append(try joined(sides, .files))
      }
    }
    let paths = Set(lost.map(\.path))
    var notes: [Healing.DamagedNote] = []
    let edits = try edits(of: commit, .box)
    var (wanted, removed): (Set<[UInt8]>, [[UInt8]]) = ([], [])
    for edit in edits {
      if case .put(let name, _, _) = edit { wanted.insert(name) }
      if case .remove(let name) = edit { removed.append(Array(name.dropFirst(box.prefix.count))) }
    }
    var moves: DroppedMoves?
    for case .put(let name, let blob, _) in edits where paths.contains(name) {
      if moves == nil, try store.file(name, at: merge.commit) == nil {
        moves = try DroppedMoves(in: merge, bases: try bases(of: merge), store)
      }
      let path = Array(name.dropFirst(box.prefix.count))
      let merged = try box.content(of: blob, at: path)
      let note =
        if let place = moves?[name], box.isNoteFile(place.name), !wanted.contains(place.name) {
          try unmoved(place, to: path, should: merged, commit)
        } else {
          try dropped(path, name, should: merged, commit)
        }
      if let note { notes.append(note) }
    }
    return notes + (try duplicates(removed, commit))
  }

  /// Returns the edits of notes in slip's own merge that the commit lacks.
  private func edits(of commit: ForeignMerge, _ scope: MergeScope) throws(SlipboxError) -> [TreeEdit] {
    let (first, last) = (try joined(commit.sides.dropLast(), scope), commit.sides[commit.sides.count - 1])
    let merge = try CommitMerge(store, rules: healer.rules, scope: scope).merge(first, last)
    return try merge.edits(of: commit.commit).filter { box.isNoteFile($0.path) }
  }

  /// Merges commits one after the other, and returns the result as a commit without a branch; a single commit is returned
  /// as it is.
  private func joined(_ sides: [ObjectID], _ scope: MergeScope) throws(SlipboxError) -> ObjectID {
    var joined = sides[0]
    for side in sides.dropFirst() {
      let merge = try CommitMerge(store, rules: healer.rules, scope: scope).merge(joined, side)
      joined = try store.virtualCommit(joined, try merge.edits(of: joined), parents: [joined, side])
    }
    return joined
  }

  /// Returns the first best common ancestor of each two sides of a merge, each commit once.
  private func bases(of commit: ForeignMerge) throws(SlipboxError) -> [ObjectID] {
    var bases: [ObjectID] = []
    for (place, side) in commit.sides.enumerated() {
      for other in commit.sides[..<place] {
        guard let base = try store.bases(of: other, and: side).first, !bases.contains(base) else { continue }
        bases.append(base)
      }
    }
    return bases
  }

  /// Returns the changes of a note that the merge dropped, unless they came back later.
  func dropped(
    _ path: [UInt8], _ name: [UInt8], should merged: [UInt8], _ commit: ForeignMerge
  ) throws(SlipboxError) -> Healing.DamagedNote? {
    // Encrypted content can't be compared.
    guard box.storedForm(in: merged, of: path, isInWorkTree: false) == nil else { return nil }
    let made = try store.file(name, at: commit.commit)
    let sides = try commit.sides.map { (side) throws(SlipboxError) in try store.file(name, at: side) }
    let partial = try commit.partial.map { (one) throws(SlipboxError) in try store.file(name, at: one) }
    let isOfOneSide = (sides + partial).contains { $0?.id == made?.id }
    let id = Note(path: path, text: NoteText(merged)).id
    let base = try made.map { (made) throws(SlipboxError) in try box.content(of: made.id, at: path) }
    guard let base, !Self.isOther(base, than: id, at: path) else {
      // A user deleted the note, or joined the text of two notes.
      if !isOfOneSide, base.map({ Self.holds($0, linesOf: merged) }) ?? true { return nil }
      return try lost(path, id, merged, commit)
    }
    let merged = Self.withDecidedPath(merged, in: base)
    // A text that differs from both sides is the decision of a user.
    guard isOfOneSide || isMarked(base, sides) else { return nil }
    guard let entry = try current(path, id) else { return try deletedBeside(path, id, merged, commit) }
    guard let now = try healer.snapshot.bytes(at: entry.note.path), MergeMarkers.firstLine(in: now) == nil
    else { return nil }
    if !isOfOneSide { return try markedInCode(entry, now, base, sides) }
    let note = { (repairs: [Healing.FileRepair]) in
      Healing.DamagedNote(
        path: entry.note.path, title: entry.note.title, damage: .dropped(by: commit.commit), repairs: repairs)
    }
    // Markers in the merge were settled since: the note has none any more.
    let (old, wanted) = (try settled(base, entry), try settled(merged, entry))
    // Versions that can't be merged are left to the user, who has decided if the note was changed since.
    guard [now, wanted].allSatisfy({ NoteText($0).isMergeable }) else { return now == old ? note([]) : nil }
    let restored = NoteMerge.merge(
      base: NoteText(old), one: NoteText(now), other: NoteText(wanted), rules: healer.rules)
    if let restored, Healer.haveSameLines(restored.text.bytes, now) { return nil }
    if try wasRestored(entry, old, wanted, since: commit) { return nil }
    return note(restored.map { [.init(path: entry.note.path, before: now, after: $0.text.bytes)] } ?? [])
  }

  /// Returns the text of slip's merge without the path that it did not take: the user who merged has decided between two
  /// moves.
  private static func withDecidedPath(_ merged: [UInt8], in made: [UInt8]) -> [UInt8] {
    let isOpen = NoteText(made).conflictEntries.contains { $0.field == ConflictEntry.path }
    guard !isOpen, let decided = try? NoteText(merged).droppingConflicts(of: [ConflictEntry.path]) else {
      return merged
    }
    return decided.bytes
  }

  /// Returns whether a text is that of another note than the one with an id.
  private static func isOther(_ text: [UInt8], than id: NoteID?, at path: [UInt8]) -> Bool {
    guard let id, let own = Note(path: path, text: NoteText(text)).id else { return false }
    return own != id
  }

  /// Returns whether a text has all lines of another's body.
  private static func holds(_ text: [UInt8], linesOf other: [UInt8]) -> Bool {
    let note = NoteText(other)
    let lines = Set(text.split(separator: 0x0A))
    return note.bytes[note.body].split(separator: 0x0A).allSatisfy(lines.contains)
  }

  /// Returns a note that the merge dropped and that was not deleted on purpose.
  private func lost(
    _ path: [UInt8], _ id: NoteID?, _ merged: [UInt8], _ commit: ForeignMerge
  ) throws(SlipboxError) -> Healing.DamagedNote? {
    let catalogue = try healer.snapshot.catalogue()
    if let id, let entry = catalogue.entry(id: id) { return try returned(entry, id, should: merged, commit) }
    // A note that has lost its id may be this one, if it has most of its lines.
    if catalogue.entry(path: path)?.note.id == nil, let there = try healer.snapshot.bytes(at: path),
      Healer.mayCome(there, from: merged)
    {
      return nil
    }
    // A note that existed again later was deleted on purpose.
    for blob in try versions(of: path, since: commit) {
      let version = try box.content(of: blob, at: path)
      if !Self.isOther(version, than: id, at: path), Healer.mayCome(version, from: merged) { return nil }
    }
    if let id, try isHeld(id, by: commit) { return nil }
    guard let place = try freePath(for: path, id) else { return nil }
    if place != path, try !versions(of: place, since: commit).isEmpty { return nil }
    let title = Note(path: path, text: NoteText(merged)).title
    return Healing.DamagedNote(
      path: place, title: title, damage: .deleted(by: commit.commit),
      repairs: [.init(path: place, before: nil, after: merged)])
  }

  /// Returns a note that a user without the merge deleted: with the changes that the merge dropped, the note would have
  /// stayed.
  private func deletedBeside(
    _ path: [UInt8], _ id: NoteID?, _ merged: [UInt8], _ merge: ForeignMerge
  ) throws(SlipboxError) -> Healing.DamagedNote? {
    guard try !wasDeletedOnPurpose(path, since: merge), let place = try freePath(for: path, id), place == path
    else { return nil }
    return Healing.DamagedNote(
      path: path, title: Note(path: path, text: NoteText(merged)).title,
      damage: .droppedBeforeDeletion(by: merge.commit),
      repairs: [.init(path: path, before: nil, after: merged)])
  }

  /// Returns whether a later commit than a merge, which is not a merge itself, deleted or moved a file.
  private func wasDeletedOnPurpose(
    _ path: [UInt8], since merge: ForeignMerge
  ) throws(SlipboxError) -> Bool {
    guard let tip = try box.tip() else { return false }
    let name = box.repositoryPath(path)
    return try box.git { repository throws(GitError) in
      var deletions: [ObjectID] = []
      try repository.history.visit(from: tip, touching: [name], limit: Healer.mostVersions) { commit in
        if commit.parents.count == 1 { deletions.append(commit.id) }
        return commit.id != merge.commit
      }
      for commit in deletions where try repository.file(name, at: commit) == nil {
        if try repository.history.isAncestor(merge.commit, of: commit) { return true }
      }
      return false
    }
  }

  /// Returns whether a merge commit has a note of an id, at any path.
  private func isHeld(_ id: NoteID, by commit: ForeignMerge) throws(SlipboxError) -> Bool {
    for base in try bases(of: commit) {
      for file in try store.differences(from: base, to: commit.commit) {
        guard let new = file.new, new.isRegular, box.isNoteFile(new.path) else { continue }
        if Note(path: new.path, text: NoteText(try store.content(of: new))).id == id { return true }
      }
    }
    return false
  }

  /// Returns the path at which a dropped note is restored: its own, or a free one if another note has its path. Returns
  /// nil for a note without an id in that case, because its path is its identity.
  private func freePath(for path: [UInt8], _ id: NoteID?) throws(SlipboxError) -> [UInt8]? {
    if try isFree(path) { return path }
    guard let id else { return nil }
    var file = MergedFile(blob: .zero, mode: 0, origin: .zero)
    file.id = id
    let beside = TreeMerge<RepositoryMergeStore>.path(beside: path, file)
    return try isFree(beside) ? beside : nil
  }

  func isFree(_ path: [UInt8]) throws(SlipboxError) -> Bool {
    if try healer.snapshot.catalogue().entry(path: path) != nil { return false }
    return try box.bytes(at: path) == nil
  }

  /// Returns whether a merge left git's markers in code or in a comment: neither side has any, and all lines of the
  /// versions are from the sides.
  private func isMarked(_ made: [UInt8], _ sides: [TreeEntry?]) -> Bool {
    guard MergeMarkers.isAnywhere(in: made), MergeMarkers.firstLine(in: made) == nil,
      let marked = MarkedText(made, isEverywhere: true)
    else { return false }
    var known: Set<ArraySlice<UInt8>> = []
    for case let side? in sides {
      guard let bytes = try? store.content(of: side), !MergeMarkers.isAnywhere(in: bytes) else {
        return false
      }
      known.formUnion(bytes.split(separator: 0x0A))
    }
    return marked.versions.allSatisfy { $0.split(separator: 0x0A).allSatisfy(known.contains) }
  }

  /// Returns the conflicts that a merge left in code, if they are still in the note and no others are.
  private func markedInCode(
    _ entry: Entry, _ now: [UInt8], _ made: [UInt8], _ sides: [TreeEntry?]
  ) throws(SlipboxError) -> Healing.DamagedNote? {
    let left = MarkedText.blocks(in: now)
    guard !left.isEmpty, left.isSubset(of: MarkedText.blocks(in: made)) else { return nil }
    let marked = try healer.marked(now, at: [entry.note.path], isEverywhere: true)
    let merged = marked?.merged(rules: healer.rules)
    return Healing.DamagedNote(
      path: entry.note.path, title: entry.note.title, damage: .markers,
      repairs: merged.map { [.init(path: entry.note.path, before: now, after: $0.bytes)] } ?? [])
  }

  /// Returns whether a note had all dropped changes at some time after the merge: later removals of them are intended.
  ///
  /// - Complexity: a merge for each of the latest versions of the note.
  private func wasRestored(
    _ entry: Entry, _ base: [UInt8], _ merged: [UInt8], since merge: ForeignMerge
  ) throws(SlipboxError) -> Bool {
    let path = entry.note.path
    for blob in try versions(of: path, since: merge) {
      let version = try settled(try box.content(of: blob, at: path), entry)
      let restored = NoteMerge.merge(
        base: NoteText(base), one: NoteText(version), other: NoteText(merged), rules: healer.rules)
      if let restored, Healer.haveSameLines(restored.text.bytes, version) { return true }
    }
    return false
  }

  /// Returns a text of a note with the versions between markers merged.
  private func settled(_ bytes: [UInt8], _ entry: Entry) throws(SlipboxError) -> [UInt8] {
    try healer.settled(bytes, at: [entry.note.path]).bytes
  }

  /// Returns the latest contents that a file had in a merge and after it.
  func versions(
    of path: [UInt8], since merge: ForeignMerge
  ) throws(SlipboxError) -> Set<ObjectID> {
    guard let tip = try box.tip() else { return [] }
    let name = box.repositoryPath(path)
    return try box.git { repository throws(GitError) in
      var commits: [ObjectID] = []
      try repository.history.visit(from: tip, touching: [name], limit: Healer.mostVersions) { commit in
        commits.append(commit.id)
        return commit.id != merge.commit
      }
      var blobs: Set<ObjectID> = []
      for commit in commits where try repository.history.isAncestor(merge.commit, of: commit) {
        if let blob = try repository.file(name, at: commit)?.id { blobs.insert(blob) }
      }
      return blobs
    }
  }

  /// Returns a note that a merge dropped and that came back later, without the changes of one side.
  private func returned(
    _ entry: Entry, _ id: NoteID, should merged: [UInt8], _ commit: ForeignMerge
  ) throws(SlipboxError) -> Healing.DamagedNote? {
    guard let base = try base(of: id, commit), let now = try healer.snapshot.bytes(at: entry.note.path),
      MergeMarkers.firstLine(in: now) == nil
    else { return nil }
    let (old, wanted) = (try settled(base, entry), try settled(merged, entry))
    guard [now, wanted].allSatisfy({ NoteText($0).isMergeable }) else { return nil }
    let restored = NoteMerge.merge(
      base: NoteText(old), one: NoteText(now), other: NoteText(wanted), rules: healer.rules)
    guard let restored, !Healer.haveSameLines(restored.text.bytes, now) else { return nil }
    return Healing.DamagedNote(
      path: entry.note.path, title: entry.note.title, damage: .dropped(by: commit.commit),
      repairs: [.init(path: entry.note.path, before: now, after: restored.text.bytes)])
  }

  /// Returns the present note: by its id or, without one, by its path, unless another note has that now.
  private func current(_ path: [UInt8], _ id: NoteID?) throws(SlipboxError) -> Entry? {
    let catalogue = try healer.snapshot.catalogue()
    let entry = catalogue.entry(path: path)
    // If several files have the id, the one at the path is meant.
    if let id, entry?.note.id != id, let moved = catalogue.entry(id: id) { return moved }
    guard let entry else { return nil }
    if let id, let own = entry.note.id, own != id { return nil }
    return entry
  }

  /// Returns the files that slip's merge does not have: a note that both sides moved, each to another path.
  private func duplicates(
    _ removed: [[UInt8]], _ commit: ForeignMerge
  ) throws(SlipboxError) -> [Healing.DamagedNote] {
    var notes: [Healing.DamagedNote] = []
    let catalogue = try healer.snapshot.catalogue()
    for path in removed {
      guard let copy = catalogue.entry(path: path), let id = copy.note.id,
        let other = catalogue.entries.first(where: { $0.note.id == id && $0.note.path != path }),
        let base = try base(of: id, commit), let one = try healer.snapshot.bytes(at: other.note.path),
        let two = try healer.snapshot.bytes(at: path), try healer.haveOneFilter(other.note.path, path)
      else { continue }
      // Git may have left its markers in both.
      let paths = [other.note.path, path]
      let texts = try [one, two].map { (text) throws(SlipboxError) in try healer.settled(text, at: paths) }
      let merged = NoteMerge.merge(base: NoteText(base), one: texts[0], other: texts[1], rules: healer.rules)
      notes.append(
        Healing.DamagedNote(
          path: other.note.path, title: other.note.title, damage: .duplicate(of: path),
          repairs: merged.map {
            [
              .init(path: other.note.path, before: one, after: $0.text.bytes),
              .init(path: path, before: two, after: nil),
            ]
          } ?? []))
    }
    return notes
  }

  /// Returns the note of an id in the common ancestor of two sides of a merge; nil if it was created later.
  private func base(of id: NoteID, _ commit: ForeignMerge) throws(SlipboxError) -> [UInt8]? {
    for base in try bases(of: commit) {
      for side in commit.sides {
        for file in try store.differences(from: base, to: side) {
          guard let old = file.old, box.isNoteFile(old.path) else { continue }
          let bytes = try store.content(of: old)
          if Note(path: old.path, text: NoteText(bytes)).id == id { return bytes }
        }
      }
    }
    return nil
  }
}
