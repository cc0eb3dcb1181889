package import Git
import NoteIndex
package import Notes
import Text

/// The history of the box of a snapshot.
package struct BoxHistory {
  private let snapshot: BoxSnapshot
  private var box: Box { snapshot.box }

  package init(of snapshot: BoxSnapshot) { self.snapshot = snapshot }

  /// Visits the commits of the whole box, newest first, until `visit` returns false.
  ///
  /// - Parameter limit: the maximum number of commits.
  /// - Complexity: linear in the commits; if changes are requested that messages do not list, also in the notes that
  ///   differ.
  package func visit(
    _ filter: HistoryFilter = HistoryFilter(), limit: Int? = nil,
    _ visit: (HistoryEntry) throws(SlipboxError) -> Bool
  ) throws(SlipboxError) {
    var left = limit ?? .max
    guard left > 0 else { return }
    try visitCommits { commit throws(SlipboxError) in
      guard filter.isWanted() else { return false }
      guard let entry = try entry(of: commit, filter) else { return true }
      left -= 1
      return try visit(entry) && left > 0
    }
  }

  /// Visits the commits of the whole box without their changes, newest first, until `visit` returns false.
  ///
  /// - Parameter followsAncestry: whether a commit comes before its ancestors although they have later dates.
  func visitCommits(
    followsAncestry: Bool = false, _ visit: (Commit) throws(SlipboxError) -> Bool
  ) throws(SlipboxError) {
    guard let tip = try tip() else { return }
    let folder = box.prefix.isEmpty ? [] : [Array(box.prefix.dropLast())]
    var failure: SlipboxError?
    try box.git { repository throws(GitError) in
      try repository.history.visit(from: tip, touching: folder, followsAncestry: followsAncestry) { commit in
        do throws(SlipboxError) {
          return try visit(commit)
        } catch {
          failure = error
          return false
        }
      }
    }
    if let failure { throw failure }
  }

  /// Visits the commits of some notes, across their renames, newest first, until `visit` returns false.
  ///
  /// - Complexity: linear in the visited commits, once an index of history is cached.
  package func visit(
    of notes: [PastNote], _ filter: HistoryFilter = HistoryFilter(), limit: Int? = nil,
    _ visit: (HistoryEntry) throws(SlipboxError) -> Bool
  ) throws(SlipboxError) {
    guard !notes.isEmpty, let index = try index() else { return }
    let trails = try trails(of: notes, index)
    var left = limit ?? .max
    for id in try trails.commits(index, in: box) {
      guard left > 0, filter.isWanted() else { return }
      let commit = try box.git { repository throws(GitError) in try repository.read(id) }
      guard let entry = try entry(of: commit, filter, trails) else { continue }
      left -= 1
      guard try visit(entry) else { return }
    }
  }

  /// Returns the index of the box's history; nil before the first commit.
  func index() throws(SlipboxError) -> HistoryIndex? {
    guard let tip = try tip() else { return nil }
    return try box.historyIndex(at: tip, snapshot.reporter)
  }

  /// Returns the commit whose history is that of the snapshot; nil before the first one.
  func tip() throws(SlipboxError) -> ObjectID? {
    if case .commit(let id) = snapshot.source { return id }
    return try box.tip()
  }

  /// Returns the time of the first commit of the box's history, as far as this clone has it; nil before the first one.
  package func beginning() throws(SlipboxError) -> Timestamp? {
    guard let index = try index() else { return nil }
    let seconds = try box.git { _ throws(GitError) in try index.oldestCommit().seconds }
    return snapshot.clock.at(seconds).now
  }

  private func trails(
    of notes: [PastNote], _ index: HistoryIndex
  ) throws(SlipboxError) -> NoteTrails {
    var trails = NoteTrails()
    for note in notes {
      let trail = try box.git { repository throws(GitError) in
        try NoteTrail(
          of: box.repositoryPath(note.path), id: note.id, in: repository, index, below: box.prefix)
      }
      trails.add(trail, of: note, below: box.prefix)
    }
    return trails
  }

  /// Returns the entry of a commit with the changes that the filter selects; nil if it has none of them.
  package func entry(of commit: Commit, _ filter: HistoryFilter) throws(SlipboxError) -> HistoryEntry? {
    try entry(of: commit, filter, nil)
  }

  /// Returns the entry of a commit; nil if the filter excludes it.
  private func entry(
    of commit: Commit, _ filter: HistoryFilter, _ trails: NoteTrails?
  ) throws(SlipboxError) -> HistoryEntry? {
    guard filter.isMet(byAuthorOf: commit) else { return nil }
    let paths = trails?.paths(at: commit.id)
    guard filter.wantsChanges || filter.field != nil else { return HistoryEntry(commit, paths: paths) }
    var changes = try changes(of: commit, at: paths)
    if let trails { changes = changes.filter { trails.holds($0, at: commit.id) } }
    if let field = filter.field {
      changes = changes.compactMap { $0.only(field) }
      if changes.isEmpty { return nil }
    }
    return HistoryEntry(commit, changes: changes, paths: paths)
  }

  /// Returns the changes of a commit to the requested notes, as a patch that `git apply` accepts.
  package func patch(of entry: HistoryEntry) throws(SlipboxError) -> [UInt8] {
    let files = try box.git { repository throws(GitError) in
      try NoteVersion.files(changedBy: entry.commit, at: entry.paths, in: repository, below: box.prefix)
    }
    var changes: [FileChange] = []
    for file in files {
      let bytes = { [box] (entry: TreeEntry?) throws(SlipboxError) -> [UInt8]? in
        guard let entry else { return nil }
        return entry.isRegular ? try box.content(of: entry) : try box.stored(entry.id)
      }
      changes.append(
        FileChange(
          path: Array(file.path.dropFirst(box.prefix.count)), before: try bytes(file.old),
          after: try bytes(file.new)))
    }
    return try box.patch(of: changes)
  }

  /// Returns all changes of a commit. If its parent is not in this clone, these are the changes that its message lists.
  /// - Parameter paths: the only files that are read, from the root of the repository; nil for all.
  private func changes(of commit: Commit, at paths: [[UInt8]]? = nil) throws(SlipboxError) -> [NoteChange] {
    let read = OperationTrailers.operation(of: commit)
    if read.isWhole { return read.changes }
    let cut = SlipboxError.Kind.notFound
    do throws(SlipboxError) {
      return try box.git { repository throws(GitError) in
        NoteChange.between(
          try NoteVersion.changed(by: commit, at: paths, in: repository, below: box.prefix))
      }
    } catch {
      guard error.kind == cut, box.isShallow else { throw error }
      return read.changes
    }
  }
}

/// The trails of the requested notes.
struct NoteTrails {
  private var ids: Set<NoteID> = []
  private var names: [[UInt8]] = []
  /// For each commit the requested paths, from the root of the repository.
  private var pathsOfCommits: [ObjectID: Set<[UInt8]>] = [:]
  private var first: [ObjectID] = []
  private var count = 0
  private var prefix = 0

  mutating func add(_ trail: NoteTrail, of note: PastNote, below prefix: [UInt8]) {
    self.prefix = prefix.count
    if let id = note.id { ids.insert(id) }
    count += 1
    for (place, era) in trail.eras.enumerated() {
      names.append(era.path)
      if count == 1 { first += era.commits }
      for commit in era.commits { pathsOfCommits[commit, default: []].insert(era.path) }
      // The commit that gave the later name removed the former one.
      if place > 0, let last = trail.eras[place - 1].commits.last {
        pathsOfCommits[last, default: []].insert(era.path)
      }
    }
  }

  /// Returns the commits of all trails, newest first, each once.
  func commits(_ index: HistoryIndex, in box: Box) throws(SlipboxError) -> [ObjectID] {
    if count == 1 {
      var seen: Set<ObjectID> = []
      return first.filter { seen.insert($0).inserted }
    }
    let all = try box.git { _ throws(GitError) in try index.commits(touching: names) }
    return all.filter { pathsOfCommits[$0] != nil }
  }

  func paths(at commit: ObjectID) -> [[UInt8]] {
    (pathsOfCommits[commit] ?? []).sorted { $0.lexicographicallyPrecedes($1) }
  }

  /// Returns whether a change of a commit is a change of one of the notes.
  func holds(_ change: NoteChange, at commit: ObjectID) -> Bool {
    if case .id(let id) = change.note, ids.contains(id) { return true }
    let paths = pathsOfCommits[commit] ?? []
    return [change.pathBefore, change.pathAfter].contains { path in
      path.map { path in paths.contains { $0.dropFirst(prefix).elementsEqual(path) } } ?? false
    }
  }
}

extension HistoryFilter {
  fileprivate func isMet(byAuthorOf commit: Commit) -> Bool {
    let signature = commit.author
    guard
      interval.contains(
        clock?.at(signature.seconds).now ?? Timestamp(seconds: signature.seconds, offsetSeconds: 0))
    else { return false }
    guard let author else { return true }
    let wanted = Folding.fold(author)
    return Folding.fold("\(signature.name) <\(signature.email)>").contains(wanted)
  }
}

extension NoteChange {
  /// Returns the change of one field alone, which may be `body` or `path`; nil if there is none.
  fileprivate func only(_ name: String) -> NoteChange? {
    let name = name.lowercased()
    let change = NoteChange(
      note: note, file: name == "path" ? file : nil,
      fields: fields.filter {
        $0.name.lowercased() == name || (name == "tag" && $0.name.lowercased() == "tags")
      },
      body: name == "body" ? body : nil)
    return change.isEmpty ? nil : change
  }
}

/// One commit of the box's history with its changes to the requested notes.
package struct HistoryEntry: Sendable {
  package let commit: Commit
  /// The operation that the commit's message records.
  package let operation: Operation
  /// The requested changes; if none were requested, those that the message lists.
  package let changes: [NoteChange]
  /// The requested files, from the root of the repository; nil for all of the box.
  let paths: [[UInt8]]?

  init(_ commit: Commit, changes: [NoteChange]? = nil, paths: [[UInt8]]? = nil) {
    self.commit = commit
    self.paths = paths
    operation = OperationTrailers.operation(of: commit)
    self.changes = changes ?? operation.changes
  }
}

/// A present or past note whose history is requested.
package struct PastNote: Sendable, Hashable {
  /// Its present path in the box, or its last one.
  package let path: [UInt8]
  package let id: NoteID?

  package init(path: [UInt8], id: NoteID?) {
    self.path = path
    self.id = id
  }
}

/// The conditions on the requested commits of a history, besides their notes.
package struct HistoryFilter: Sendable {
  /// The interval of the author's time.
  package var interval: DateInterval
  /// The text that the author's name or address must contain, ignoring case; nil for any author.
  package var author: String?
  /// The name of the field that the commits changed; `body` means the text, `path` the path.
  package var field: String?
  /// Whether all changes are requested, also those that messages do not list.
  package var wantsChanges: Bool
  /// Returns whether a client still waits for the commits. Called at each visited commit; false ends the visit.
  package var isWanted: @Sendable () -> Bool = { true }

  /// The clock that defines the days of the interval.
  let clock: ClockReading?

  package init(
    interval: DateInterval = .all, clock: ClockReading? = nil, author: String? = nil, field: String? = nil,
    wantsChanges: Bool = false
  ) {
    self.interval = interval
    self.clock = clock
    self.author = author
    self.field = field
    self.wantsChanges = wantsChanges
  }
}
