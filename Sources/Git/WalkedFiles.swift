/// The files that a walk has to answer for, with what it has found so far.
///
/// Without an old table they are all files of the head. With one, only files that some commit touched are given a number;
/// all others stand where the walk began its first set.
struct WalkedFiles {
  /// What is known of one file.
  private struct File {
    /// Its path at the head.
    let path: [UInt8]
    /// Its content at the head.
    let blob: ObjectID
    /// Its path at the commit where it stands, where that is another.
    var formerPath: [UInt8]?
    var place: Int? = 0
    var modified: (time: CommitTime, commit: ObjectID)?
    var first: CommitTime?
  }

  private var files: [File] = []
  /// The file of the head with a path.
  private var numbers: [[UInt8]: Int] = [:]
  /// The files that once had a path and were given another.
  private var former: [[UInt8]: [Int]] = [:]
  private let base: PathTimesTable?
  /// Files of the old table that the head does not have.
  private var deleted: Set<[UInt8]> = []
  /// Files of the old table that the head has with another content.
  private var changed: [[UInt8]: ObjectID] = [:]

  init(
    _ key: PathTimesKey, _ source: HistorySource, _ repository: Repository, base: PathTimesTable?
  ) throws(GitError) {
    self.base = base
    guard let base else {
      let entries = try repository.files(at: key.head, under: key.prefix)
      files.reserveCapacity(entries.count)
      numbers.reserveCapacity(entries.count)
      for entry in entries { add(entry.path, entry.id) }
      return
    }
    let new = try source.links(key.head).tree
    let old = try source.links(base.key.head).tree
    for change in try TreeComparison(source: source).changes(in: new, against: old, under: key.prefix) {
      switch (change.id, change.other) {
      case (nil, _): deleted.insert(change.path)
      case (let id?, nil): add(change.path, id)
      case (let id?, _): changed[change.path] = id
      }
    }
  }

  /// How many files there are; with an old table more than can ever leave, for they are not counted.
  var count: Int { base == nil ? files.count : .max / 2 }

  private mutating func add(_ path: [UInt8], _ blob: ObjectID) {
    numbers[path] = files.count
    files.append(File(path: path, blob: blob))
  }

  /// The files that have a path at the commit where they stand, finished ones too.
  mutating func all(at path: [UInt8]) -> [Int] {
    if numbers[path] == nil, let base, !deleted.contains(path), let times = base[path] {
      add(path, changed[path] ?? times.blob)
    }
    var result = former.isEmpty ? [] : former[path]?.filter { files[$0].formerPath == path } ?? []
    if let own = numbers[path], files[own].formerPath == nil { result.append(own) }
    return result
  }

  /// The set that a file is in; nil when it is finished.
  func place(_ file: Int) -> Int? { files[file].place }

  mutating func setPlace(_ file: Int, _ place: Int) { files[file].place = place }

  /// Gives a file the path that it had before it was renamed.
  mutating func rename(_ file: Int, to path: [UInt8]) {
    files[file].formerPath = path
    if former[path]?.contains(file) != true { former[path, default: []].append(file) }
  }

  /// Notes a commit that changed the file, where none is known.
  mutating func change(_ file: Int, at commit: CommitLinks) {
    if files[file].modified == nil { files[file].modified = (commit.authored, commit.id) }
  }

  /// Notes the commit that added the file, which ends its way.
  mutating func finish(_ file: Int, at commit: CommitLinks) {
    files[file].first = commit.authored
    files[file].place = nil
  }

  /// The answers: all files, or those that differ from the old table and those that are gone; by path, below the folder.
  /// - Parameter hasArrived: whether a set came to the head of the old table.
  func rows(below prefix: [UInt8], hasArrived: (Int) -> Bool) -> [PathTimesRow] {
    let cut = prefix.isEmpty ? 0 : prefix.count + 1
    var rows: [PathTimesRow] = []
    rows.reserveCapacity(files.count + deleted.count)
    for path in deleted { rows.append(PathTimesRow(path: Array(path.dropFirst(cut)), times: nil)) }
    for file in files {
      let stands = file.place.map(hasArrived) == true
      let old = stands ? base?[file.formerPath ?? file.path] : nil
      guard
        let modified = file.modified.map({ ($0.time, $0.commit) })
          ?? old.map({ ($0.modified, $0.modifiedBy) }),
        let first = file.first ?? old?.first
      else { continue }
      let times = PathTimes(modified: modified.0, first: first, modifiedBy: modified.1, blob: file.blob)
      rows.append(PathTimesRow(path: Array(file.path.dropFirst(cut)), times: times))
    }
    rows.sort { left, right in left.path[...].precedes(right.path[...]) }
    return rows
  }
}
