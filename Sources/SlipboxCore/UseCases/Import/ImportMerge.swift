import Git
import Notes

/// Merges a note of the box with the current content of its source.
struct ImportMerge {
  /// The bytes that the note is to have.
  let bytes: [UInt8]
  /// The parts that both changed differently since the last import: the box's own are kept.
  let kept: [String]

  /// - Parameters:
  ///   - base: the note as it was last imported.
  ///   - own: the note as it is in the box.
  ///   - imported: the note as the source says it.
  ///   - check: the fields of a note that break its kind.
  init(base: [UInt8], own: [UInt8], imported: [UInt8], check: (NoteText) -> [String]) {
    if imported == base || imported == own {
      (bytes, kept) = (own, [])
      return
    }
    let (old, mine) = (NoteText(base), NoteText(own))
    let known = check(mine)
    var theirs = NoteText(imported)
    var kept: [MergePart] = []
    // Each round removes parts that are in conflict, or that break the kind together with the box's values; they are few.
    while kept.count < 100 {
      guard let merge = NoteMerge.merge(base: old, one: mine, other: theirs) else {
        (bytes, self.kept) = (own, ["text"])
        return
      }
      var parts = merge.conflicts
      if parts.isEmpty {
        let broken = check(merge.text).filter { !known.contains($0) }
        guard !broken.isEmpty else {
          (bytes, self.kept) = (merge.text.bytes, kept.map(\.name))
          return
        }
        let theirParts = Self.fields(of: mine, differingIn: merge.text)
        parts = theirParts.filter { part in broken.contains { part == .field($0) } }
        // Nothing of the source is at fault by itself: one field more that holds only with others, else all of them.
        if parts.isEmpty {
          let one = theirParts.first { part in
            let without = theirs.taking([part], from: mine)
            let other = without.flatMap { NoteMerge.merge(base: old, one: mine, other: $0) }
            return other.map { check($0.text).allSatisfy(known.contains) } ?? false
          }
          parts = one.map { [$0] } ?? theirParts
        }
      }
      let new = parts.filter { !kept.contains($0) }
      guard !new.isEmpty, let without = theirs.taking(parts, from: mine) else {
        kept += new
        break
      }
      kept += new
      theirs = without
    }
    (bytes, self.kept) = (own, kept.map(\.name))
  }

  /// The fields that two texts do not have alike.
  private static func fields(of one: NoteText, differingIn other: NoteText) -> [MergePart] {
    let (first, second) = (FrontMatter(one), FrontMatter(other))
    var names = first.fields.map(\.name)
    names += second.fields.map(\.name).filter { name in !names.contains { $0.hasSameBytes(as: name) } }
    return names.filter { first[$0] != second[$0] }.map { .field($0) }
  }
}

extension NoteText {
  /// The text with the effects of an earlier import's CHANGEs, which no source contains.
  ///
  /// Effects that can't be written are left out.
  func keeping(_ changes: [Change], of base: NoteText) -> NoteText {
    var text = self
    let fields = FrontMatter(base)
    let order = fields.fields.map(\.name)
    for change in changes {
      switch change {
      case .set(let field, _), .add(_, let field), .clear(let field), .remove(_, let field):
        let name = fields.field(field)?.name ?? field
        text = (try? fields[name].map { try text.setting(name, to: $0, order: order) }) ?? text
      case .addTag(let tag):
        let note = Note(path: [], text: text)
        let wasTagged = Note(path: [], text: base).frontMatterTags.contains { $0.isSameName(as: tag) }
        guard wasTagged, !note.tags.contains(where: { $0.isSameName(as: tag) }) else { continue }
        text = (try? text.adding(tag, to: note.tagsField ?? "tags", order: order)) ?? text
      case .removeTag: continue
      }
    }
    return text
  }

  /// The text with some parts as another one has them; nil if one of them can't be changed.
  fileprivate func taking(_ parts: [MergePart], from other: NoteText) -> NoteText? {
    var text = self
    let fields = FrontMatter(other)
    for part in parts {
      switch part {
      case .body: text = text.replacingBody(Array(other.bytes[other.body]))
      case .frontMatter: return nil
      case .field(let name):
        // Fields that can't be written stay as they are in the box.
        let value = fields[name]
        guard let changed = try? value.map({ try text.setting(name, to: $0) }) ?? text.clearing(name) else {
          return nil
        }
        text = changed
      }
    }
    return text
  }
}

/// A note as it was last imported.
struct ImportedVersion {
  let bytes: [UInt8]
  /// The CHANGEs of the imports that it came from, which no source says again.
  let changes: [Change]
}

/// The notes as they were last imported, from the commits of imports.
///
/// If an import changed a note, only that change belongs to the source: earlier changes of the user are left
/// out. An undone import does not count.
struct ImportedVersions {
  private let snapshot: BoxSnapshot
  private let index: HistoryIndex
  private var commits: [ObjectID: KnownCommit] = [:]

  private struct KnownCommit {
    let command: String?
    let operation: OperationID?
    /// The operation that it undoes or redoes.
    let reversed: OperationID?
    let changes: [Change]
    let parent: ObjectID?
    /// Whether files went in it, so that one that came may be one of them under another name.
    var hasDeletions: Bool?
  }

  /// Nil before the first commit.
  init?(_ snapshot: BoxSnapshot) throws(SlipboxError) {
    guard let index = try BoxHistory(of: snapshot).index() else { return nil }
    self.snapshot = snapshot
    self.index = index
  }

  /// How a line of the commit's message begins that holds a CHANGE.
  static let changeMark = "with "

  /// A note as its source last had it; nil if no import created it.
  ///
  /// - Complexity: that of one lookup in the index if the import was the last change; else some trees for each commit
  ///   of the note.
  mutating func last(_ path: [UInt8], id: NoteID?) throws(SlipboxError) -> ImportedVersion? {
    let name = snapshot.box.repositoryPath(path)
    let (times, ids) = try snapshot.box.git { [index] _ throws(GitError) in
      (try index.times(of: name), try index.commits(touching: [name]))
    }
    if ids.count == 1, let times, try known(ids[0]).command == "import" {
      return ImportedVersion(
        bytes: try snapshot.box.content(of: times.blob, at: path), changes: try known(ids[0]).changes)
    }
    var steps = ids.map { (path: name, commit: $0) }
    if let first = steps.last, try known(first.commit).command != "import" {
      guard try hasDeletions(first.commit) else { return try folded(steps) }
      // It had another name when it came.
      let trail = try snapshot.box.git { [snapshot, index] repository throws(GitError) in
        try NoteTrail(of: name, id: id, in: repository, index, below: snapshot.box.prefix)
      }
      steps = trail.eras.flatMap { era in era.commits.map { (path: era.path, commit: $0) } }
    }
    return try folded(steps)
  }

  /// - Parameter steps: newest first.
  private mutating func folded(_ steps: [(path: [UInt8], commit: ObjectID)]) throws(SlipboxError)
    -> ImportedVersion?
  {
    var base: [UInt8]?
    var changes: [Change] = []
    // The imports, and what took them back or did them again.
    var imports: Set<OperationID> = []
    for (path, id) in steps.reversed() {
      let commit = try known(id)
      guard commit.command == "import" || commit.reversed.map(imports.contains) ?? false else { continue }
      if let operation = commit.operation { imports.insert(operation) }
      changes += commit.changes
      let after = try bytes(path, at: id)
      let before = try commit.parent.flatMap { (parent) throws(SlipboxError) in try bytes(path, at: parent) }
      guard let known = base, let before, let after else {
        base = after
        continue
      }
      let merge = NoteMerge.merge(base: NoteText(before), one: NoteText(known), other: NoteText(after))
      base = merge.map { $0.conflicts.isEmpty ? $0.text.bytes : after } ?? after
    }
    return base.map { ImportedVersion(bytes: $0, changes: changes) }
  }

  private func bytes(_ path: [UInt8], at commit: ObjectID) throws(SlipboxError) -> [UInt8]? {
    try snapshot.box.git { repository throws(GitError) in
      try repository.file(path, at: commit).map { entry throws(GitError) in
        try repository.conversion.content(of: entry.id, at: path)
      }
    }
  }

  /// - Complexity: that of comparing two trees, once for each commit.
  private mutating func hasDeletions(_ id: ObjectID) throws(SlipboxError) -> Bool {
    var commit = try known(id)
    if let known = commit.hasDeletions { return known }
    guard let parent = commit.parent else { return false }
    let folder = Array(snapshot.box.prefix.dropLast())
    let files = try snapshot.box.git { repository throws(GitError) in
      try repository.changedFiles(from: parent, to: id, under: folder)
    }
    let result = files.contains { $0.new == nil }
    commit.hasDeletions = result
    commits[id] = commit
    return result
  }

  private mutating func known(_ id: ObjectID) throws(SlipboxError) -> KnownCommit {
    if let known = commits[id] { return known }
    let commit = try snapshot.box.git { repository throws(GitError) in try repository.read(id) }
    let operation = OperationTrailers.operation(of: commit)
    let lines = operation.command == "import" ? operation.reason?.split(separator: "\n") ?? [] : []
    let changes = lines.compactMap { line in
      line.hasPrefix(Self.changeMark) ? Change(String(line.dropFirst(Self.changeMark.count))) : nil
    }
    let reversed: OperationID? =
      switch operation.reversal {
      case .undo(let id, _), .redo(let id): id
      case nil: nil
      }
    let known = KnownCommit(
      command: operation.command, operation: operation.id, reversed: reversed, changes: changes,
      parent: commit.parents.first)
    commits[id] = known
    return known
  }
}
