/// The files that a walk has to answer for, with what it has found so far.
///
/// Without an old table they are all files of the head. With one, only files that some commit touched are given a number;
/// all others stand where the walk began its first set.
struct WalkedFiles {
  /// What is known of one file.
  private struct File {
    var place: Int? = 0
    var modified: (time: CommitTime, commit: ObjectID)?
    var first: CommitTime?
  }

  private var numbers: [[UInt8]: Int] = [:]
  private var paths: [[UInt8]] = []
  private var files: [File] = []
  private let base: PathTimesTable?
  /// Files of the head that the old table does not have.
  private var added: Set<[UInt8]> = []
  /// Files of the old table that the head does not have.
  private var deleted: Set<[UInt8]> = []

  init(
    _ key: PathTimesTable.Key, _ source: HistorySource, _ repository: Repository, base: PathTimesTable?
  ) throws(GitError) {
    self.base = base
    guard let base else {
      paths = try repository.files(at: key.head, under: key.prefix).map(\.path)
      files = Array(repeating: File(), count: paths.count)
      numbers.reserveCapacity(paths.count)
      for (number, path) in paths.enumerated() { numbers[path] = number }
      return
    }
    let new = try source.links(key.head).tree
    let old = try source.links(base.key.head).tree
    let comparison = TreeComparison(source: source)
    for change in try comparison.changes(in: new, against: old, under: key.prefix) where !change.isInOther {
      added.insert(change.path)
    }
    for change in try comparison.changes(in: old, against: new, under: key.prefix) where !change.isInOther {
      deleted.insert(change.path)
    }
    for path in added { add(path) }
  }

  /// How many files there are; with an old table more than can ever leave, for they are not counted.
  var count: Int { base == nil ? files.count : .max / 2 }

  private mutating func add(_ path: [UInt8]) {
    numbers[path] = files.count
    paths.append(path)
    files.append(File())
  }

  /// The number of a path; nil where the head has no such file.
  mutating func number(of path: [UInt8]) -> Int? {
    if let number = numbers[path] { return number }
    guard let base, !deleted.contains(path), base.number(of: path) != nil else { return nil }
    add(path)
    return numbers[path]
  }

  /// The set that a file is in; nil when it is finished.
  func place(_ file: Int) -> Int? { files[file].place }

  mutating func setPlace(_ file: Int, _ place: Int) { files[file].place = place }

  /// Notes a commit that changed the file, where none is known.
  mutating func change(_ file: Int, at commit: CommitLinks) {
    if files[file].modified == nil { files[file].modified = (commit.authored, commit.id) }
  }

  /// Notes the commit that added the file, which ends its way.
  mutating func finish(_ file: Int, at commit: CommitLinks) {
    files[file].first = commit.authored
    files[file].place = nil
  }

  /// The answers.
  /// - Parameter hasArrived: whether a set came to the head of the old table.
  func table(_ key: PathTimesTable.Key, hasArrived: (Int) -> Bool) throws(GitError) -> PathTimesTable {
    var builder = PathTimesTable.Builder(key)
    let found = paths.indices.sorted { paths[$0].lexicographicallyPrecedes(paths[$1]) }
    var next = 0
    for number in 0..<(base?.count ?? 0) {
      guard let base else { break }
      let path = base.path(number)
      while next < found.count, paths[found[next]][...].precedes(path) {
        append(found[next], nil, &builder)
        next += 1
      }
      if next < found.count, path.elementsEqual(paths[found[next]]) {
        let file = found[next]
        append(file, files[file].place.map(hasArrived) == true ? base.times(number) : nil, &builder)
        next += 1
      } else if deleted.isEmpty || !deleted.contains(Array(path)) {
        builder.append(path, base.times(number))
      }
    }
    for file in found[next...] { append(file, nil, &builder) }
    return try builder.table()
  }

  private func append(_ file: Int, _ old: PathTimes?, _ builder: inout PathTimesTable.Builder) {
    let state = files[file]
    guard
      let modified = state.modified.map({ ($0.time, $0.commit) })
        ?? old.map({ ($0.modified, $0.modifiedBy) }),
      let first = state.first ?? old?.first
    else { return }
    builder.append(paths[file][...], PathTimes(modified: modified.0, first: first, modifiedBy: modified.1))
  }
}
