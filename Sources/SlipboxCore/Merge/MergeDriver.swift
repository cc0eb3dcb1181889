import Bytes
import Git
import Notes
import Platform
import Text

/// The program that git runs to merge a note, or a file of settings.
package struct MergeDriver {
  /// The files that git passes: the result is written to `ours`.
  package struct Files {
    let base: [UInt8]
    let ours: [UInt8]
    let theirs: [UInt8]
    /// The path from the root of the repository; nil if git does not pass it.
    let path: [UInt8]?

    package init(base: [UInt8], ours: [UInt8], theirs: [UInt8], path: [UInt8]?) {
      self.base = base
      self.ours = ours
      self.theirs = theirs
      self.path = path
    }
  }

  private let files: Files
  private let folder: [UInt8]
  private let context: CommandContext
  /// The commit that git merges into HEAD, according to its environment; nil if that does not name it.
  private let theirs: ObjectID?

  /// - Parameter environment: the names of the variables that git set; `git merge` names each commit by one.
  package init(_ files: Files, in folder: [UInt8], environment: [String], _ context: CommandContext) {
    self.files = files
    self.folder = folder
    self.context = context
    let heads = environment.compactMap { name in
      name.hasPrefix("GITHEAD_") ? ObjectID(hex: String(name.dropFirst(8))) : nil
    }
    theirs = heads.count == 1 ? heads[0] : nil
  }

  /// The content of the file `ours` after the merge.
  package enum Outcome: Sendable, Equatable {
    /// The merged note, with both versions of these parts.
    case merged([String])
    /// The lines of both sides, with git's conflict markers.
    case marked
  }

  /// Merges, and replaces the file `ours` with the result.
  ///
  /// A note that can't be merged by fields is merged by lines, as git does without a driver. A failed driver must not
  /// leave only our version in the file, because the next commit would then drop theirs.
  /// A note behind a filter is merged by its decoded text, never by its stored form.
  /// - Throws: if git can't merge the lines either, as with binary content; the file is then unchanged.
  package func run() throws(SlipboxError) -> Outcome {
    // Without a readable box the values alone decide the merge.
    let box = try? Box(at: try BoxLocation.find(named: nil, in: context))
    if let box, let path = files.path, isFiltered(path, box) {
      guard let parts = try? mergedParts(box, filteredAt: path) else {
        throw unmergeable("a git filter stores it")
      }
      return .merged(parts)
    }
    // After any failure here, the lines are merged.
    if let parts = try? mergedParts(box, filteredAt: nil) { return .merged(parts) }
    return try mergeLines()
  }

  private func isFiltered(_ path: [UInt8], _ box: Box) -> Bool {
    let filter = try? box.git { repository throws(GitError) in
      try repository.attributes.foreignFilter(of: path)
    }
    return (filter ?? nil) != nil
  }

  private func unmergeable(_ reason: Phrase) -> SlipboxError {
    SlipboxError(
      .badData, "\(Phrase(files.path ?? files.ours)): git can't merge it: \(reason)",
      hints: ["if it is a note, \(slip: "resolve", "--yes") keeps both versions"])
  }

  private func mergeLines() throws(SlipboxError) -> Outcome {
    let labels = ["ours", "base", "theirs"].flatMap { ["-L", $0] }
    let names = [files.ours, files.base, files.theirs].map { String(decoding: $0, as: UTF8.self) }
    let answer: GitProgram.Answer
    do throws(GitError) {
      answer = try GitProgram.capture(["merge-file"] + labels + names, in: folder)
    } catch {
      throw SlipboxError(error)
    }
    // The status is the number of conflicts, at most 127.
    guard answer.status < 128 else {
      throw unmergeable(Phrase(Array(answer.errors.split(separator: 10).first ?? [])))
    }
    return answer.status == 0 ? .merged([]) : .marked
  }

  /// Returns the text of a version, which git passes in its stored form.
  private func content(_ stored: [UInt8], _ path: [UInt8]?, _ box: Box?) throws(SlipboxError) -> [UInt8] {
    guard let path, let box, !stored.isEmpty else { return stored }
    return try box.git { repository throws(GitError) in
      try repository.conversion.content(of: ObjectID(ofBlob: stored), at: path)
    }
  }

  /// Merges by fields; returns nil if a version is not text or has front matter that is never closed.
  ///
  /// - Parameter path: the path of the file if it is behind a filter; otherwise nil.
  private func mergedParts(_ box: Box?, filteredAt path: [UInt8]?) throws(SlipboxError) -> [String]? {
    let stored = (base: try read(files.base), ours: try read(files.ours), theirs: try read(files.theirs))
    let bytes = (
      base: try content(stored.base, path, box), ours: try content(stored.ours, path, box),
      theirs: try content(stored.theirs, path, box)
    )
    if files.path?.suffix(5).elementsEqual(".yaml".utf8) ?? false {
      guard let merged = SettingsMerge.merge(base: bytes.base, one: bytes.ours, other: bytes.theirs) else {
        return nil
      }
      try write(merged.bytes, path, box)
      return merged.contested
    }
    if bytes.base.isEmpty, isOfTwoNotes(bytes.ours, bytes.theirs) { return nil }
    if StoredForm(bytes.ours) != nil || StoredForm(bytes.theirs) != nil { return nil }
    let rules = box.flatMap { kindRules($0) } ?? MergeRules()
    let texts = [
      MarkedText.settled(bytes.base, rules: rules),
      settled(bytes.ours, in: (try? box?.tip()) ?? nil, bytes.base, rules, box),
      settled(bytes.theirs, in: theirs, bytes.base, rules, box),
    ]
    guard var merged = NoteMerge.merge(base: texts[0], one: texts[1], other: texts[2], rules: rules) else {
      return nil
    }
    if !merged.ordered.isEmpty, let box,
      let times = times(of: merged.ordered, stored.ours, stored.theirs, box)
    {
      merged =
        NoteMerge.merge(base: texts[0], one: texts[1], other: texts[2], rules: rules, times: times) ?? merged
    }
    try write(merged.text.bytes, path, box)
    return merged.conflicts.map(\.name)
  }

  /// Returns a side's text with the versions between git's markers merged, as in a sync if the side's commit is known.
  private func settled(
    _ bytes: [UInt8], in tip: ObjectID?, _ base: [UInt8], _ rules: MergeRules, _ box: Box?
  ) -> NoteText {
    if let box, let tip, let path = files.path {
      let origins = ChangeOrigins(RepositoryMergeStore(box))
      let text = try? origins.settled(bytes, at: [path], in: tip, base: base, rules: rules)
      if let text { return text }
    }
    return MarkedText.settled(bytes, rules: rules, known: base)
  }

  /// Returns whether two notes were created at the path. A merge driver can't give one of them another path, so git
  /// stops.
  private func isOfTwoNotes(_ ours: [UInt8], _ theirs: [UInt8]) -> Bool {
    let path = files.path ?? Array("note.md".utf8)
    let versions = [ours, theirs].map { NoteVersion(path: path, bytes: $0, blob: .zero) }
    return !versions[0].isSameNote(as: versions[1])
  }

  private func read(_ file: [UInt8]) throws(SlipboxError) -> [UInt8] {
    try system { () throws(SystemError) in try Platform.Files.read(BytePath.join(folder, file)) }
  }

  /// Writes the merged text in its stored form.
  private func write(_ text: [UInt8], _ path: [UInt8]?, _ box: Box?) throws(SlipboxError) {
    var bytes = text
    if let path, let box {
      bytes = try box.git { repository throws(GitError) in
        try repository.blob(try repository.conversion.writeBlob(ofContent: text, path: path))
      }
    }
    try system { () throws(SystemError) in
      try Platform.Files.write(bytes, to: BytePath.join(folder, files.ours))
    }
  }

  private func kindRules(_ box: Box) -> MergeRules? {
    guard let tip = try? box.tip() else { return nil }
    return try? MergeRules(of: [tip] + (theirs.map { [$0] } ?? []), box, context)
  }

  /// Returns the times at which both sides changed parts of the note, if git merges exactly these two commits.
  ///
  /// Git also merges their bases with this driver: then the files are those of neither commit.
  private func times(
    of parts: Set<MergePart>, _ ours: [UInt8], _ other: [UInt8], _ box: Box
  ) -> MergeTimes? {
    guard let theirs, let path = files.path, let tip = try? box.tip() else { return nil }
    let store = RepositoryMergeStore(box)
    let isOf = { (bytes: [UInt8], commit: ObjectID) in
      (try? store.file(path, at: commit))?.id == ObjectID(ofBlob: bytes)
    }
    guard isOf(ours, tip), isOf(other, theirs) else { return nil }
    let origins = ChangeOrigins(store)
    var times: [MergePart: MergeStamps] = [:]
    for part in parts {
      guard let one = try? origins.stamp(of: .note(part), at: path, in: tip),
        let another = try? origins.stamp(of: .note(part), at: path, in: theirs)
      else { return nil }
      times[part] = MergeStamps(one: one, other: another)
    }
    return MergeTimes(times)
  }
}

extension MergeRules {
  /// Reads the rules of the kinds and settings of some commits.
  init(of commits: [ObjectID], _ box: Box, _ context: CommandContext) throws(SlipboxError) {
    var groups: [Set<String>] = []
    var declared: [String: [String: MergeRule]] = [:]
    var stamps: [String] = []
    var sameNames = SameNameRule.ambiguous
    // Commits with different rules for a field are merged alike in both directions.
    for commit in commits.sorted(by: { $0.hex < $1.hex }) {
      let snapshot = try CommitReader(box, context).snapshot(of: commit)
      for kind in snapshot.schema().kinds {
        groups += kind.transitions.map { Set([$0.field] + $0.effects.compactMap(\.field)) }
        for field in kind.fields { declared[kind.name, default: [:]][field.name] = field.merge }
      }
      stamps += snapshot.settings.values(ofList: "merge.later") ?? []
      if snapshot.settings.sameNames == .obsidian { sameNames = .obsidian }
    }
    self.init(groups: groups, declared: declared, stamps: stamps, sameNames: sameNames)
  }
}
