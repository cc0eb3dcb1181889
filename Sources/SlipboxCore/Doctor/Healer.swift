import Bytes
package import Git
import NoteIndex
import Notes
import Platform
import Text

/// Finds damage that other programs did to the notes of a box.
package struct Healer {
  /// The maximum number of versions of a note that are searched for the one from which a copy comes.
  static let mostVersions = 50

  let snapshot: BoxSnapshot
  private let context: CommandContext
  let rules: MergeRules

  var box: Box { snapshot.box }

  /// - Throws: `.busy` during a merge of git: its markers are not damage yet.
  package init(_ snapshot: BoxSnapshot, _ context: CommandContext) throws(SlipboxError) {
    let box = snapshot.box
    let operation = try box.git { repository throws(GitError) in try repository.operation.stopped() }
    if let operation, operation != .bisect {
      throw SlipboxError(
        .busy, "a \(operation.name) is in progress in this repository",
        hints: box.wayOut(of: operation))
    }
    self.snapshot = snapshot
    self.context = context
    rules =
      try box.tip().map { (tip) throws(SlipboxError) in try MergeRules(of: [tip], box, context) }
      ?? MergeRules()
  }

  /// Returns the damage of the present notes, and the changes that merge commits dropped.
  ///
  /// - Complexity: linear in the notes, and a merge for each of the commits.
  package func damage(of merges: [ForeignMerge]) throws(SlipboxError) -> Healing {
    var healing = Healing()
    let reader = MergeCheck(self)
    // Beyond the boundary of a shallow clone, the common ancestor of the two sides is unknown.
    let merges = box.isShallow ? [] : merges
    for (number, merge) in merges.enumerated() {
      context.reporter.report(.reading, number, of: merges.count)
      healing.notes += try reader.damagedNotes(in: merge)
    }
    healing.mergeCount = merges.count
    healing.notes += try copiesOfNotes() + copiesOfSettings() + markedNotes() + markedSettings()
    let paths = Set(healing.certain.flatMap(\.repairs).map(\.path))
    healing.notes += try notesOfOneID().filter { !$0.repairs.contains { paths.contains($0.path) } }
    // The first repair of a file covers its other damage.
    var seen: Set<[UInt8]> = []
    healing.notes = healing.notes.filter { note in
      guard note.isCertain else { return true }
      let paths = note.repairs.map(\.path)
      defer { seen.formUnion(paths) }
      return seen.isDisjoint(with: paths)
    }
    return healing
  }

  /// Returns the merges that slip did not make, newest first: commits of several parents, and squashes whose other sides
  /// still exist.
  ///
  /// - Parameters:
  ///   - since: a commit whose history is not examined; nil for the commit in which the folder became a box.
  /// - Complexity: linear in the commits.
  package func foreignMerges(since: ObjectID?) throws(SlipboxError) -> [ForeignMerge] {
    guard let head = try box.tip() else { return [] }
    var commits = try self.commits(to: head, notTo: since)
    // Clocks of devices differ, so only ancestry determines which commits are older than the box.
    let start = since == nil ? commits.first(where: OperationTrailers.adoptsFolder) : nil
    if let start, !start.parents.isEmpty { commits = try self.commits(to: head, notTo: start.id) }
    return commits.compactMap { ForeignMerge($0) ?? ForeignMerge(squash: $0, in: box) }
  }

  private func commits(to tip: ObjectID, notTo start: ObjectID?) throws(SlipboxError) -> [Commit] {
    try box.git { repository throws(GitError) in try repository.history.commits(to: tip, notTo: start) }
  }

  /// Returns the notes with git's markers in their text.
  private func markedNotes() throws(SlipboxError) -> [Healing.DamagedNote] {
    let entries = try snapshot.catalogue().entries
    let facts = EntryFacts(entries)
    var notes: [Healing.DamagedNote] = []
    for place in entries.indices where facts.flags(at: place)?.contains(.hasMergeMarkers) ?? true {
      let note = entries[place].note
      guard let bytes = try snapshot.bytes(at: note.path), MergeMarkers.firstLine(in: bytes) != nil else {
        continue
      }
      let merged = try marked(bytes, at: [note.path])?.merged(rules: rules).map(\.bytes)
      notes.append(
        Healing.DamagedNote(
          path: note.path, title: note.title, damage: .markers,
          repairs: merged.map { [.init(path: note.path, before: bytes, after: $0)] } ?? []))
    }
    return notes
  }

  /// Returns the settings of the box and its kinds with git's markers in their text.
  private func markedSettings() throws(SlipboxError) -> [Healing.DamagedNote] {
    try box.markedSettings().map { path, bytes in
      let merged = SettingsMerge.settled(bytes)
      return Healing.DamagedNote(
        path: path, title: String(decoding: BytePath.name(of: path), as: UTF8.self), damage: .markers,
        repairs: merged.map { [.init(path: path, before: bytes, after: $0)] } ?? [])
    }
  }

  /// Returns the notes whose ids another file has too; the oldest of them keeps its path.
  private func notesOfOneID() throws(SlipboxError) -> [Healing.DamagedNote] {
    let entries = try snapshot.catalogue().entries
    var groups: [NoteID: [Int]] = [:]
    for place in entries.indices {
      if let id = entries.key(at: place).id { groups[id, default: []].append(place) }
    }
    let ages = NoteAges(snapshot)
    var notes: [Healing.DamagedNote] = []
    for places in groups.values.filter({ $0.count > 1 }).sorted(by: { $0[0] < $1[0] }) {
      notes += try notesOfOneID(ages.oldestFirst(places.map { entries[$0] }))
    }
    return notes
  }

  /// Returns the files with one id, the oldest first, merged into the oldest. Files that can't be merged are listed
  /// separately.
  private func notesOfOneID(
    _ entries: [Entry]
  ) throws(SlipboxError) -> [Healing.DamagedNote] {
    let paths = entries.map(\.note.path)
    guard let note = try snapshot.bytes(at: paths[0]) else { return [] }
    var text = try settled(note, at: [paths[0]])
    // A text of more than two files has no one author.
    let stamp = paths.count == 2 ? try stamp(of: note, at: paths[0]) : nil
    var (merged, left): ([Healing.FileRepair], [[UInt8]]) = ([], [])
    for copy in paths.dropFirst() {
      guard let bytes = try snapshot.bytes(at: copy) else { continue }
      let known = try base(of: bytes, and: note, at: [paths[0]], copyPath: copy)
      let other = try settled(bytes, at: [copy, paths[0]])
      let stamps = MergeStamps(one: stamp, other: try self.stamp(of: bytes, at: copy))
      if try haveOneFilter(paths[0], copy), let joined = joined(text, other, known, stamps) {
        text = joined
        merged.append(.init(path: copy, before: bytes, after: nil))
      } else {
        left.append(copy)
      }
    }
    let damage = { (others: [[UInt8]], repairs: [Healing.FileRepair]) in
      Healing.DamagedNote(
        path: paths[0], title: entries[0].note.title, damage: .sameID(as: others), repairs: repairs)
    }
    let repairs = [Healing.FileRepair(path: paths[0], before: note, after: text.bytes)] + merged
    return (merged.isEmpty ? [] : [damage(merged.map(\.path), repairs)])
      + (left.isEmpty ? [] : [damage(left, [])])
  }

  /// Returns the notes beside which a program left a copy of them.
  ///
  /// The copy is merged with the note. The base is the version of history from which both come.
  private func copiesOfNotes() throws(SlipboxError) -> [Healing.DamagedNote] {
    let originals = try snapshot.originalsOfCopies()
    let copies = Dictionary(grouping: originals.keys.sorted(by: ByteOrder.precedes)) { originals[$0] ?? $0 }
    var notes: [Healing.DamagedNote] = []
    for (path, copies) in copies.sorted(by: { ByteOrder.precedes($0.key, $1.key) }) {
      guard let note = try snapshot.bytes(at: path) else { continue }
      // Git may have left its markers in the note too.
      var merged = try settled(note, at: [path])
      let stamp = copies.count == 1 ? try stamp(of: note, at: path)?.withoutOrder : nil
      var (repairs, left): ([Healing.FileRepair], [[UInt8]]) = ([], [])
      for copy in copies {
        guard let text = try snapshot.bytes(at: copy) else { continue }
        // The note may have been moved since the copy was made.
        let paths = [path] + (ConflictCopy(copy).map { [$0.original] } ?? [])
        if try box.isReadableCopy(copy, of: path) {
          // A commit of the copy would publish the text of the note.
          let known = try [note] + versions(at: paths)
          if known.contains(text), try snapshot.committedFiles().file(copy) == nil {
            repairs.append(.init(path: copy, before: text, after: nil, isDiscarded: true))
          } else {
            left.append(copy)
          }
          continue
        }
        let base = try base(of: text, and: note, at: paths)
        if let other = Self.merged(try settled(text, at: paths), with: note, base) {
          let stamps = MergeStamps(one: stamp, other: ConflictCopy(copy)?.stamp)
          guard try haveOneFilter(path, copy), let joined = joined(merged, other, base, stamps) else {
            left.append(copy)
            continue
          }
          merged = joined
        }
        repairs.append(.init(path: copy, before: text, after: nil))
      }
      let title = try snapshot.catalogue().entry(path: path)?.note.title ?? ""
      let damage = { (copies: [[UInt8]], repairs: [Healing.FileRepair]) in
        Healing.DamagedNote(path: path, title: title, damage: .copies(copies), repairs: repairs)
      }
      let repair = Healing.FileRepair(path: path, before: note, after: merged.bytes)
      if !repairs.isEmpty { notes.append(damage(repairs.map(\.path), [repair] + repairs)) }
      if !left.isEmpty { notes.append(damage(left, [])) }
    }
    return notes
  }

  /// Returns the settings and kinds beside which a program left a copy of them; merged like copies of notes.
  private func copiesOfSettings() throws(SlipboxError) -> [Healing.DamagedNote] {
    let paths = box.settingsPaths
    let copies = Dictionary(grouping: paths.filter(ConflictCopy.isOne)) { ConflictCopy($0)?.original ?? $0 }
    var notes: [Healing.DamagedNote] = []
    for (path, copies) in copies.sorted(by: { ByteOrder.precedes($0.key, $1.key) }) {
      guard let settings = try box.bytes(at: path) else { continue }
      var (merged, repairs): ([UInt8]?, [Healing.FileRepair]) = (settings, [])
      for copy in copies {
        guard let text = try box.bytes(at: copy), let one = merged else { continue }
        let base = try base(of: text, and: settings, at: [path]) ?? []
        merged = SettingsMerge.merge(base: base, one: one, other: text)?.bytes
        repairs.append(.init(path: copy, before: text, after: nil))
      }
      notes.append(
        Healing.DamagedNote(
          path: path, title: String(decoding: BytePath.name(of: path), as: UTF8.self),
          damage: .copies(copies),
          repairs: merged.map { [.init(path: path, before: settings, after: $0)] + repairs } ?? []))
    }
    return notes
  }

  /// Returns whether attributes name the same filter for two files, or none for both: no encrypted text is written to an
  /// unencrypted file.
  func haveOneFilter(_ one: [UInt8], _ other: [UInt8]) throws(SlipboxError) -> Bool {
    try box.namedFilter(of: one) == box.namedFilter(of: other)
  }

  /// Merges two texts over a base or, if it is nil, over the lines that both have; returns nil if they can't be merged.
  private func joined(
    _ one: NoteText, _ other: NoteText, _ base: [UInt8]?, _ stamps: MergeStamps
  ) -> NoteText? {
    guard one.isMergeable, other.isMergeable else { return nil }
    let base = base.map { NoteText($0) } ?? MarkedText.base(of: one, and: other)
    return NoteMerge.merge(
      base: base, one: one, other: other, rules: rules, times: MergeTimes(all: stamps))?.text
  }

  /// When and by whom the text of a file was committed; nil if the last commit has another text.
  private func stamp(of text: [UInt8], at path: [UInt8]) throws(SlipboxError) -> MergeStamp? {
    guard let tip = try box.tip() else { return nil }
    let name = box.repositoryPath(path)
    let entry = try box.git { repository throws(GitError) in try repository.file(name, at: tip) }
    guard let entry, try box.stores(text, at: path, as: entry.id) else { return nil }
    return try ChangeOrigins(RepositoryMergeStore(box)).stamp(of: .content, at: name, in: tip)
  }

  /// Returns the version in history from which a note and a copy of it come; nil if history has none from which both can
  /// come.
  ///
  /// It differs from the present text of either at its own path: a program that has not changed a text leaves no second
  /// one. Both contain more than half of its lines.
  ///
  /// Of several versions, the one with the fewest unlikely lines is taken. These are lines that count as deleted, because
  /// only one of the two has them, or as added twice, because the version lacks a line that both have. If that is equal,
  /// the one most similar to both is taken.
  /// - Parameters:
  ///   - paths: the paths of the note, its own one first.
  ///   - copyPath: the path of the copy, if it is a note of its own.
  private func base(
    of copy: [UInt8], and note: [UInt8], at paths: [[UInt8]], copyPath: [UInt8]? = nil
  ) throws(SlipboxError) -> [UInt8]? {
    // A copy that only adds lines to the note comes from the present note.
    if copyPath == nil, Self.addsLines(copy, to: note) { return note }
    var candidates = try versions(at: paths).filter { $0 != note }
    if let copyPath { candidates += try versions(at: [copyPath]).filter { $0 != copy } }
    let lines = { (text: [UInt8]) in Set(text.split(separator: 0x0A)) }
    let (inCopy, inNote) = (lines(copy), lines(note))
    let (inOne, inBoth) = (inCopy.symmetricDifference(inNote), inCopy.intersection(inNote))
    var best: (unlikely: Int, distance: Int, bytes: [UInt8])?
    for version in candidates where Self.mayCome(copy, from: version) && Self.mayCome(note, from: version) {
      let own = lines(version)
      let unlikely = own.intersection(inOne).count + inBoth.subtracting(own).count
      let distance = TextDiff.distance(version, copy) + TextDiff.distance(version, note)
      // Of two equally similar versions, take the older one: a repair may have created the newer one.
      if best.map({ (unlikely, distance) <= ($0.unlikely, $0.distance) }) ?? true {
        best = (unlikely, distance, version)
      }
    }
    return best?.bytes
  }

  /// Returns whether a text has all lines of another one in their order, and more.
  private static func addsLines(_ text: [UInt8], to other: [UInt8]) -> Bool {
    var lines = other.split(separator: 0x0A)[...]
    for line in text.split(separator: 0x0A) where line == lines.first { lines.removeFirst() }
    return lines.isEmpty && text != other
  }

  /// Returns whether a merged text has exactly the lines of another. That one then has the dropped lines, perhaps at
  /// another place.
  static func haveSameLines(_ merged: [UInt8], _ text: [UInt8]) -> Bool {
    Set(merged.split(separator: 0x0A)) == Set(text.split(separator: 0x0A))
  }

  /// Returns whether a text has more than half of a version's lines with a letter or digit, the id excluded.
  static func mayCome(_ text: [UInt8], from version: [UInt8]) -> Bool {
    let lines = Set(
      version.split(separator: 0x0A).filter { line in
        !line.starts(with: "id:".utf8)
          && line.contains { $0 >= 0x80 || ASCII.isDigit($0) || ($0 | 0x20) &- 0x61 < 26 }
      })
    return lines.intersection(text.split(separator: 0x0A)).count * 2 > lines.count || lines.isEmpty
  }

  /// Returns a copy as it is merged with its note. It gets the fields of the note if it has none, which a program may
  /// have cut off.
  ///
  /// - Returns: nil if it has nothing to add: each of its lines is in the note or in the version from which both come, or
  ///   it is the beginning of one of them.
  private static func merged(_ copy: NoteText, with note: [UInt8], _ base: [UInt8]?) -> NoteText? {
    let known = Set((note + [0x0A] + (base ?? [])).split(separator: 0x0A))
    let isCut = note.starts(with: copy.bytes) || base?.starts(with: copy.bytes) == true
    if isCut || copy.bytes.split(separator: 0x0A).allSatisfy(known.contains) { return nil }
    let own = NoteText(base ?? note)
    guard copy.body.lowerBound == 0, own.body.lowerBound > 0 else { return copy }
    return NoteText(Array(own.bytes[..<own.body.lowerBound]) + copy.bytes)
  }

  /// Returns the latest versions of a note in history, newest first.
  func versions(at paths: [[UInt8]]) throws(SlipboxError) -> [[UInt8]] {
    guard let tip = try box.tip() else { return [] }
    let names = paths.map(box.repositoryPath)
    let blobs = try box.git { repository throws(GitError) in
      var commits: [ObjectID] = []
      try repository.history.visit(from: tip, touching: names, limit: Self.mostVersions) { commit in
        commits.append(commit.id)
        return true
      }
      var blobs: [ObjectID] = []
      for commit in commits {
        for name in names {
          if let blob = try repository.file(name, at: commit)?.id, blobs.last != blob { blobs.append(blob) }
        }
      }
      return blobs
    }
    return try blobs.map { (blob) throws(SlipboxError) in try box.content(of: blob, at: paths[0]) }
  }
}

extension MergeStamp {
  /// The stamp as that of a text for which no order is known: the greater value wins then.
  fileprivate var withoutOrder: MergeStamp {
    MergeStamp(seconds: 0, commit: "", when: when, who: who, device: device)
  }
}

extension Healer {
  /// Parses a text with git's markers; returns nil without paired markers.
  ///
  /// A line of a base that no version in history has was written there after the merge. It stays, in a further version.
  /// - Parameter paths: the paths of the note.
  func marked(
    _ bytes: [UInt8], at paths: [[UInt8]], isEverywhere: Bool = false
  ) throws(SlipboxError) -> MarkedText? {
    let marked = MarkedText(bytes, isEverywhere: isEverywhere)
    guard let marked, !marked.linesOfBasesAlone.isEmpty else { return marked }
    var known: Set<ArraySlice<UInt8>> = []
    // Git names the paths of both sides if a side moved the note.
    let named = MergeMarkers.paths(in: bytes).filter { $0.starts(with: box.prefix) }
    let all = paths + named.map { Array($0.dropFirst(box.prefix.count)) }.filter { !paths.contains($0) }
    for version in try versions(at: all) where !MergeMarkers.isAnywhere(in: version) {
      known.formUnion(version.split { $0 == 0x0A || $0 == 0x0D })
    }
    return marked.keepingBases(unless: known.contains)
  }

  /// Returns a text with its versions merged. A text without markers, or with versions that can't be merged, is returned
  /// unchanged.
  func settled(_ bytes: [UInt8], at paths: [[UInt8]]) throws(SlipboxError) -> NoteText {
    try marked(bytes, at: paths)?.merged(rules: rules) ?? NoteText(bytes)
  }
}
