/// The times of the files of a commit below a folder: an old run of them all, and a short one of what changed since.
///
/// It lies in the mapped cache files and is searched there.
package struct PathTimesTable: Sendable {
  let base: PathTimesRun
  let recent: PathTimesRun?

  init(_ base: PathTimesRun, recent: PathTimesRun? = nil) {
    self.base = base
    self.recent = recent
  }

  var key: PathTimesKey { recent?.key ?? base.key }

  /// How many files it holds.
  package var count: Int { recent?.files ?? base.files }

  /// The table of the commit that the base was made for; nil where that is this very table.
  var withoutRecent: PathTimesTable? { recent == nil ? nil : PathTimesTable(base) }

  /// The times of a file, by its path from the root of the repository.
  /// - Complexity: O(log n).
  package subscript(path: [UInt8]) -> PathTimes? {
    path.withUnsafeBytes { path in below(path).flatMap { times(below: $0) } }
  }

  /// The path without the folder before it; nil where it is not in the folder.
  private func below(_ path: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer? {
    let prefix = key.prefix
    guard !prefix.isEmpty else { return path }
    guard path.count > prefix.count, path[prefix.count] == UInt8(ascii: "/"), path.starts(with: prefix) else {
      return nil
    }
    return path[rebased: (prefix.count + 1)..<path.count]
  }

  /// The times of a file, by its path below the folder.
  package func times(below path: UnsafeRawBufferPointer) -> PathTimes? {
    for run in [recent, base] {
      guard let run else { continue }
      let number = run.lowerBound(path)
      if number < run.count, Bytes.compare(run.path(number), path) == 0 { return run.times(number) }
    }
    return nil
  }

  /// A place in the table from which the files are looked up in the order of their paths.
  package func cursor() -> PathTimesCursor { PathTimesCursor(self) }

  /// All files with their times, by their paths from the root of the repository.
  package var dictionary: [[UInt8]: PathTimes] {
    var result: [[UInt8]: PathTimes] = [:]
    result.reserveCapacity(count)
    let prefix = key.prefix.isEmpty ? [] : key.prefix / ""
    for row in rows() { result[prefix + row.path] = row.times }
    return result
  }
}

extension PathTimesTable {
  /// A short run is written anew at each commit, so it is made part of the base when it has more rows than this.
  private static let longestRecent = 1_024

  /// The files in the order of their paths.
  func rows() -> some Sequence<PathTimesRow> {
    PathTimesOverlay(base, recent.map { recent in (0..<recent.count).map(recent.row) } ?? [])
  }

  /// The table after some files have changed.
  /// - Parameter changes: rows in the order of their paths, without times where a file is gone.
  func replacing(_ changes: [PathTimesRow], _ key: PathTimesKey) throws(GitError) -> PathTimesTable {
    let all = recent.map { Array(PathTimesOverlay($0, changes, keepsGone: true)) } ?? changes
    guard all.count <= Self.longestRecent else {
      return PathTimesTable(try PathTimesRun(key, PathTimesOverlay(base, all)))
    }
    var files = base.count
    for row in all {
      let wasThere = row.path.withUnsafeBytes { base.number(of: $0) } != nil
      files += (row.times == nil ? 0 : 1) - (wasThere ? 1 : 0)
    }
    return PathTimesTable(base, recent: try PathTimesRun(key, all, on: base, files: files))
  }
}

extension PathTimesRun {
  func row(_ number: Int) -> PathTimesRow { PathTimesRow(path: Array(path(number)), times: times(number)) }

  /// The number of the row of a path; nil where there is none.
  func number(of path: UnsafeRawBufferPointer) -> Int? {
    let number = lowerBound(path)
    return number < count && Bytes.compare(self.path(number), path) == 0 ? number : nil
  }
}

/// The rows of a run with other rows in place of some, or between them.
struct PathTimesOverlay: Sequence, IteratorProtocol {
  private let run: PathTimesRun
  private let changes: [PathTimesRow]
  private let keepsGone: Bool
  private var number = 0
  private var change = 0

  init(_ run: PathTimesRun, _ changes: [PathTimesRow], keepsGone: Bool = false) {
    self.run = run
    self.changes = changes
    self.keepsGone = keepsGone
  }

  mutating func next() -> PathTimesRow? {
    while let row = nextWithGone() { if keepsGone || row.times != nil { return row } }
    return nil
  }

  private mutating func nextWithGone() -> PathTimesRow? {
    guard change < changes.count else { return nextOfRun() }
    let candidate = changes[change]
    guard number < run.count else {
      change += 1
      return candidate
    }
    let order = candidate.path.withUnsafeBytes { Bytes.compare(run.path(number), $0) }
    if order < 0 { return nextOfRun() }
    if order == 0 { number += 1 }
    change += 1
    return candidate
  }

  private mutating func nextOfRun() -> PathTimesRow? {
    guard number < run.count else { return nil }
    number += 1
    return run.row(number - 1)
  }
}
