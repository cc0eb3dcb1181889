import Bytes
import Git
import Notes

/// Merges the files of two commits that come from a base. The merge is symmetric: exchanging the commits changes no byte
/// of the result.
///
/// If a side moved a file, it is identified by its note's id, or by its similarity. A file that one side deleted and the
/// other changed stays, unless a program changed only the time of the last change. If two files need one path, the second
/// gets a path beside it.
struct TreeMerge<Store: MergeStore> {
  private let store: Store
  private let rules: MergeRules
  private let tips: (one: ObjectID, other: ObjectID)
  private let removed: Set<[UInt8]>
  private let origins: ChangeOrigins<Store>
  /// The files that need each path that a side touched; not yet reduced to one file per path.
  private var wanted: [[UInt8]: [MergedFile]] = [:]
  /// The file of each touched path; nil for a path without a file.
  private var placed: [[UInt8]: MergedFile?] = [:]
  private(set) var conflicts: [MergeConflict] = []
  /// The notes that got another id, because each side created a note with the same one.
  private(set) var renumbered: [SharedIDs.Renumbering] = []
  /// The paths at which a side created a note that the merge puts at another one.
  private var leftPaths: [[UInt8]] = []

  /// - Parameters:
  ///   - base: the common ancestor; nil if there is none. If there are several, the virtual base from their merge.
  ///   - bases: the best common ancestors.
  ///   - scope: whether links and ids of other files follow.
  ///   - isPicked: whether the base is not a common ancestor, but the parent of a commit that is picked, or a commit that
  ///     is reverted: then files that the base deleted count as deleted (see `DeletedInBase`).
  ///   - removed: the paths that the user removed after git had stopped; a note gets the path of the other side then.
  init(
    _ store: Store, base: ObjectID?, bases: [ObjectID], one: ObjectID, other: ObjectID, rules: MergeRules,
    scope: MergeScope = .box, isPicked: Bool = false, removed: Set<[UInt8]> = []
  ) throws(SlipboxError) {
    self.store = store
    self.rules = rules
    self.removed = removed
    tips = (one, other)
    origins = ChangeOrigins(store)
    let found = (
      one: try FileChanges(store, from: base, to: one), other: try FileChanges(store, from: base, to: other)
    )
    let known =
      isPicked
      ? found
      : try DeletedInBase(found.one, found.other, base, origins, store).applied(to: found.one, found.other)
    let settled =
      bases.count > 1
      ? try CrossedHistory(store, bases: bases, tips: tips).settling(known.one, known.other) : known
    if scope == .files {
      try merge(settled.one, settled.other)
      return
    }
    let shared = try SharedIDs(settled.one, settled.other, base, origins, tips: tips, store)
    let changes = try shared.applied(to: settled.one, settled.other, store)
    leftPaths = shared.leftPaths
    renumbered = shared.all
    try merge(changes.one, changes.other)
    let followed = try followingLinks(changes.one, changes.other, base)
    if let followed { try merge(followed.one, followed.other) }
  }

  /// Merges all files, and gives each a path.
  private mutating func merge(_ one: FileChanges, _ other: FileChanges) throws(SlipboxError) {
    (wanted, placed, conflicts) = ([:], [:], [])
    for left in leftPaths { wanted[left] = [] }
    for (changes, side) in [(one, MergeSide.one), (other, .other)] {
      for pair in changes.pairs where pair.isSettled { keep(pair, side) }
    }
    try mergeKnown(one, other)
    try mergeAdded(one, other)
    try place()
  }

  /// Returns the changes of both sides with links that lead to the same notes after the merge; nil if all do already.
  private func followingLinks(
    _ one: FileChanges, _ other: FileChanges, _ base: ObjectID?
  ) throws(SlipboxError) -> (one: FileChanges, other: FileChanges)? {
    let aligned = try base.map { (base) throws(SlipboxError) in
      try AlignedLinks(store, placed, rules.sameNames).applied(to: one, other, base: base, tips: tips)
    }
    let (alignedOne, alignedOther) = (aligned?.one ?? one, aligned?.other ?? other)
    let done = aligned?.aligned ?? []
    let (first, second) = (
      try links(of: .one, others: other, besides: done).applied(to: alignedOne),
      try links(of: .other, others: one, besides: done).applied(to: alignedOther)
    )
    let isSame = { (old: FileChanges, new: FileChanges) in
      zip(old.pairs, new.pairs).allSatisfy { $0.new?.entry == $1.new?.entry }
    }
    return isSame(one, first) && isSame(other, second) ? nil : (first, second)
  }

  /// - Parameter aligned: keys of the base's versions of notes whose links are written for the result already.
  private func links(
    of side: MergeSide, others: FileChanges, besides aligned: Set<[UInt8]>
  ) throws(SlipboxError) -> MergedLinks<Store> {
    let moves = try MergeMoves(placed, of: side == .one ? \.paths.one : \.paths.other, store)
    let otherPath = side == .one ? \MergedFile.paths.other : \.paths.one
    let joined = others.joinedNotes.compactMapValues { target in
      placed.first { $0.value?[keyPath: otherPath] == target }?.key
    }
    return MergedLinks(
      store, tip: side == .one ? tips.one : tips.other, moves: moves, joined: joined, others: others,
      besides: aligned, sameNames: rules.sameNames)
  }

  /// The files of the result that a side touched, by their paths.
  var placedFiles: [[UInt8]: MergedFile] { placed.compactMapValues { $0 } }

  /// Returns the merged files as edits of one of the commits.
  func edits(of tip: ObjectID) throws(SlipboxError) -> [TreeEdit] {
    var edits: [TreeEdit] = []
    for (path, file) in placed.sorted(by: { $0.key.lexicographicallyPrecedes($1.key) }) {
      let known = try store.file(path, at: tip)
      guard let file else {
        if known != nil { edits.append(.remove(path: path)) }
        continue
      }
      if known?.id != file.blob || known?.mode != file.mode {
        edits.append(.put(path: path, blob: file.blob, mode: file.mode))
      }
    }
    return edits
  }
}

extension TreeMerge {
  /// Merges the files that the base has.
  private mutating func mergeKnown(_ one: FileChanges, _ other: FileChanges) throws(SlipboxError) {
    let (first, second) = (one.byOldVersion, other.byOldVersion)
    for key in Set(first.keys).union(second.keys).sorted(by: { $0.lexicographicallyPrecedes($1) }) {
      switch (first[key], second[key]) {
      case (let pair?, nil): keep(pair, .one)
      case (nil, let pair?): keep(pair, .other)
      case (let pair?, let otherPair?): try merge(pair, otherPair)
      case (nil, nil): break
      }
    }
  }

  /// Takes the version of the only side that changed a file.
  private mutating func keep(_ pair: FileChanges.Pair, _ side: MergeSide) {
    let (own, others) = (pair.new?.entry.path, pair.old?.entry.path)
    if let others { wanted[others, default: []] += [] }
    guard let new = pair.new else { return }
    var file = MergedFile(
      blob: new.entry.id, mode: new.entry.mode, origin: new.origin, id: new.version.id)
    file.paths = side == .one ? (own, others, others) : (others, own, others)
    want(file, at: new.entry.path)
  }

  private mutating func want(_ file: MergedFile, at path: [UInt8]) {
    var files = wanted[path] ?? []
    if let index = files.firstIndex(where: { $0.blob == file.blob && $0.mode == file.mode }) {
      let known = files[index].paths
      let new = file.paths
      files[index].origin = min(files[index].origin, file.origin)
      files[index].paths = (known.one ?? new.one, known.other ?? new.other, known.base ?? new.base)
    } else {
      files.append(file)
    }
    wanted[path] = files
  }

  private mutating func merge(_ one: FileChanges.Pair, _ other: FileChanges.Pair) throws(SlipboxError) {
    guard let old = one.old else { return }
    wanted[old.entry.path, default: []] += []
    guard let first = one.new, let second = other.new else {
      guard let kept = one.new ?? other.new, try !isOnlyStamped(kept.entry, since: old.entry) else { return }
      let deletion = one.new == nil ? tips.one : tips.other
      return try keepDeleted(
        kept, old, one.new == nil ? .other : .one,
        try origins.stamp(of: .path, at: old.entry.path, in: deletion))
    }
    let path = try mergedPath(old.entry.path, first.entry.path, second.entry.path)
    // The note leaves its path of each side, whichever commit the edits apply to.
    for left in [first.entry.path, second.entry.path] { wanted[left, default: []] += [] }
    try mergeContents(old, first, second, at: path.path, lost: path.lost)
  }

  /// Returns whether the only change of a note is a time of the last change, which programs write by themselves.
  private func isOnlyStamped(_ new: TreeEntry, since old: TreeEntry) throws(SlipboxError) -> Bool {
    guard new.path == old.path, new.isRegular, old.isRegular, FileName.isNote(new.path) else { return false }
    return rules.differOnlyInStamps(
      NoteText(try store.content(of: old)), NoteText(try store.content(of: new)))
  }

  /// Keeps a file that one side deleted and the other changed, and records the conflict in the note.
  private mutating func keepDeleted(
    _ kept: FileChanges.Version, _ old: FileChanges.Version, _ side: MergeSide, _ stamp: MergeStamp?
  ) throws(SlipboxError) {
    conflicts.append(MergeConflict(path: kept.entry.path, kind: .deleted))
    let entry = ConflictEntry(field: ConflictEntry.note, value: .text(ConflictEntry.deleted), stamp)
    var file = try marked(kept.entry, [entry], origin: kept.origin)
    file.id = kept.version.id
    let (own, base) = (kept.entry.path, old.entry.path)
    file.paths = side == .one ? (own, nil, base) : (nil, own, base)
    want(file, at: kept.entry.path)
  }

  /// Returns a file with conflict entries for the values that were not taken. A file that is not a note, and so can't
  /// have them, is returned unchanged.
  private func marked(
    _ entry: TreeEntry, _ conflicts: [ConflictEntry], origin: ObjectID
  ) throws(SlipboxError) -> MergedFile {
    guard entry.isRegular, FileName.isNote(entry.path), !conflicts.isEmpty,
      let text = NoteText(try store.content(of: entry)).addingConflicts(conflicts)
    else { return MergedFile(blob: entry.id, mode: entry.mode, origin: origin) }
    return MergedFile(
      blob: try store.store(text.bytes, at: entry.path), mode: entry.mode, origin: origin)
  }

  /// Returns the path that a moved file gets, and the rejected path of the other side. The later path is taken, but none
  /// that the user removed. If only one is behind a filter, such as that of an encrypted folder, that one is taken.
  private func mergedPath(
    _ old: [UInt8], _ one: [UInt8], _ other: [UInt8]
  ) throws(SlipboxError) -> (path: [UInt8], lost: ConflictEntry?) {
    if one == other { return (one, nil) }
    if removed.contains(one) != removed.contains(other) { return (removed.contains(one) ? other : one, nil) }
    if other == old { return (one, nil) }
    if one == old { return (other, nil) }
    let stamps = MergeStamps(
      one: try origins.stamp(of: .path, at: one, in: tips.one),
      other: try origins.stamp(of: .path, at: other, in: tips.other))
    let later = stamps.later ?? (one.lexicographicallyPrecedes(other) ? .other : .one)
    let isFiltered = (one: try store.isFiltered(one), other: try store.isFiltered(other))
    let winner = isFiltered.one == isFiltered.other ? later : isFiltered.one ? .one : .other
    let lost = ConflictEntry(
      field: ConflictEntry.path, value: .text(String(decoding: winner == .one ? other : one, as: UTF8.self)),
      winner == .one ? stamps.other : stamps.one)
    return (winner == .one ? one : other, lost)
  }

  private mutating func mergeContents(
    _ old: FileChanges.Version?, _ one: FileChanges.Version, _ other: FileChanges.Version, at path: [UInt8],
    lost: ConflictEntry? = nil
  ) throws(SlipboxError) {
    let mode = Self.mode(old?.entry.mode, one.entry.mode, other.entry.mode)
    let merged = try mergedBlob(old?.entry, one.entry, other.entry, at: path)
    switch merged {
    case .blob(let blob, let parts):
      let entry = TreeEntry(path: path, id: blob, mode: mode)
      var file = try marked(
        entry, lost.map { [$0] } ?? [], origin: max(one.origin, other.origin))
      file.id = one.version.id ?? other.version.id
      file.paths = (one.entry.path, other.entry.path, old?.entry.path)
      want(file, at: path)
      let names = parts + (lost.map { [$0.field] } ?? [])
      if !names.isEmpty { conflicts.append(MergeConflict(path: path, kind: .parts(names))) }
      let isMadeTwice = old == nil && one.entry.id != other.entry.id
      if names.isEmpty, isMadeTwice, FileName.isNote(path) {
        conflicts.append(MergeConflict(path: path, kind: .joined))
      }
    case .apart:
      for (version, side) in [(one, MergeSide.one), (other, .other)] {
        let entry = version.entry
        var file = MergedFile(blob: entry.id, mode: entry.mode, origin: version.origin, isApart: true)
        // Links of a side lead to the file that it added.
        if old == nil { file.paths = side == .one ? (entry.path, nil, nil) : (nil, entry.path, nil) }
        want(file, at: path)
      }
      let later = max(one.origin, other.origin)
      let second = MergedFile(blob: later, mode: mode, origin: later)
      conflicts.append(MergeConflict(path: path, kind: .apart(try store.path(beside: path, second))))
    }
  }

  /// Returns the mode that a side changed; if both did, the greater.
  private static func mode(_ old: UInt32?, _ one: UInt32, _ other: UInt32) -> UInt32 {
    if one == other || other == old { return one }
    return one == old ? other : max(one, other)
  }

  private enum MergedBlob {
    case blob(ObjectID, [String])
    case apart
  }

  private func mergedBlob(
    _ old: TreeEntry?, _ one: TreeEntry, _ other: TreeEntry, at path: [UInt8]
  ) throws(SlipboxError) -> MergedBlob {
    if one.id == other.id || other.id == old?.id { return .blob(try store.blob(of: one, at: path), []) }
    if one.id == old?.id { return .blob(try store.blob(of: other, at: path), []) }
    guard one.isRegular, other.isRegular else { return .apart }
    let base = try old.flatMap { (old) throws(SlipboxError) in
      old.isRegular ? try store.content(of: old) : nil
    }
    let bytes = (one: try store.content(of: one), other: try store.content(of: other))
    // Lines of a ciphertext can't be merged.
    guard StoredForm(bytes.one) == nil, StoredForm(bytes.other) == nil else { return .apart }
    if FileName.isNote(path) {
      return try mergedNote(base ?? [], bytes.one, bytes.other, (one.path, other.path), at: path)
    }
    if path.suffix(5).elementsEqual(".yaml".utf8),
      let merged = SettingsMerge.merge(base: base ?? [], one: bytes.one, other: bytes.other)
    {
      return .blob(try store.store(merged.bytes, at: path), merged.contested)
    }
    let isText = [base ?? [], bytes.one, bytes.other].allSatisfy { NoteText($0).unreadable == nil }
    let lines = isText ? LineMerge.merge(base: base ?? [], one: bytes.one, other: bytes.other) : nil
    guard let lines, lines.conflicts == 0, !lines.usesOrder else { return .apart }
    return .blob(try store.store(lines.bytes, at: path), [])
  }

  private func mergedNote(
    _ base: [UInt8], _ one: [UInt8], _ other: [UInt8], _ paths: (one: [UInt8], other: [UInt8]),
    at path: [UInt8]
  ) throws(SlipboxError) -> MergedBlob {
    // Another program may have committed git's markers on one side, and the other side has settled them.
    let texts = [
      MarkedText.settled(base, rules: rules),
      try origins.settled(one, at: [paths.one, path], in: tips.one, base: base, rules: rules),
      try origins.settled(other, at: [paths.other, path], in: tips.other, base: base, rules: rules),
    ]
    guard
      var merged = NoteMerge.merge(base: texts[0], one: texts[1], other: texts[2], rules: rules)
    else { return .apart }
    if !merged.ordered.isEmpty {
      var times: [MergePart: MergeStamps] = [:]
      for part in merged.ordered {
        times[part] = MergeStamps(
          one: try origins.stamp(of: .note(part), at: paths.one, in: tips.one),
          other: try origins.stamp(of: .note(part), at: paths.other, in: tips.other))
      }
      merged =
        NoteMerge.merge(
          base: texts[0], one: texts[1], other: texts[2], rules: rules, times: MergeTimes(times)) ?? merged
    }
    return .blob(try store.store(merged.text.bytes, at: path), merged.conflicts.map(\.name))
  }
}

extension TreeMerge {
  /// Merges the files that the base does not have.
  private mutating func mergeAdded(_ one: FileChanges, _ other: FileChanges) throws(SlipboxError) {
    let (first, second) = (one.added, other.added)
    for path in Set(first.keys).union(second.keys).sorted(by: { $0.lexicographicallyPrecedes($1) }) {
      guard let version = first[path], let otherVersion = second[path] else {
        first[path].map { keep(FileChanges.Pair(old: nil, new: $0), .one) }
        second[path].map { keep(FileChanges.Pair(old: nil, new: $0), .other) }
        continue
      }
      if version.version.isSameNote(as: otherVersion.version) {
        try mergeContents(nil, version, otherVersion, at: path)
      } else {
        keep(FileChanges.Pair(old: nil, new: version), .one)
        keep(FileChanges.Pair(old: nil, new: otherVersion), .other)
      }
    }
  }

  /// Gives each file a path: if several need one path, all but the first get a path beside it.
  private mutating func place() throws(SlipboxError) {
    var homeless: [(path: [UInt8], file: MergedFile)] = []
    for (path, files) in wanted {
      let sorted = files.sorted { $0.precedes($1) }
      placed[path] = .some(sorted.first)
      homeless += sorted.dropFirst().map { (path, $0) }
    }
    // A file can't have the path of a folder.
    let folders = Set(placed.filter { $0.value != nil }.keys.flatMap { Self.folders(of: $0) })
    for (path, file) in placed where folders.contains(path) {
      guard let file else { continue }
      placed[path] = .some(nil)
      homeless.append((path, file))
    }
    for (path, file) in homeless.sorted(by: { $0.path.lexicographicallyPrecedes($1.path) }) {
      let beside = try store.path(beside: path, file)
      placed[beside] = file
      if !file.isApart { conflicts.append(MergeConflict(path: beside, kind: .renamed(from: path))) }
    }
  }

  /// Returns the folders above a path.
  private static func folders(of path: [UInt8]) -> [[UInt8]] {
    path.indices.filter { path[$0] == UInt8(ascii: "/") }.map { Array(path[..<$0]) }
  }

  /// Returns a path in the same folder with the note's id, or the first digits of the original content's id: `a.md`
  /// becomes `a-kqzmvtrp.md`.
  ///
  /// If the name would be too long for a file, the end of its stem is cut.
  static func path(beside path: [UInt8], _ file: MergedFile) -> [UInt8] {
    let mark = file.id?.bytes ?? Array(file.origin.hex.utf8.prefix(8))
    let name = path.lastIndex(of: UInt8(ascii: "/")).map { $0 + 1 } ?? 0
    let dot = path[name...].dropFirst().lastIndex(of: UInt8(ascii: ".")) ?? path.count
    let added = [UInt8(ascii: "-")] + mark + path[dot...]
    var stem = path[name..<dot].prefix(max(1, longestName - added.count))
    // The cut does not split a character of several bytes.
    while stem.count > 1, stem.endIndex < dot, path[stem.endIndex] & 0xC0 == 0x80 { stem.removeLast() }
    return path[..<name] + stem + added
  }

  /// The maximum length of a file's name on common file systems, in bytes.
  private static var longestName: Int { 255 }
}
