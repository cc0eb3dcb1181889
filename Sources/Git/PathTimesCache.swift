/// The files that keep a table of times: one with all rows, and beside it one with what changed since.
///
/// Each is replaced in one step. The second names the sum of the first, so that a mixture of two writers' files is only
/// an older table, never a wrong one.
struct PathTimesCache {
  private let baseFile: [UInt8]
  private let recentFile: [UInt8]

  init(_ path: [UInt8]) {
    baseFile = path
    recentFile = path + Array(".recent".utf8)
  }

  /// The table, where there is one for the folder and the cut of history, for whatever commit.
  func read(_ key: PathTimesKey) -> PathTimesTable? {
    guard let base = run(baseFile, key), base.baseSum == 0 else { return nil }
    let recent = run(recentFile, key).flatMap { $0.baseSum == base.sum ? $0 : nil }
    return PathTimesTable(base, recent: recent)
  }

  private func run(_ path: [UInt8], _ key: PathTimesKey) -> PathTimesRun? {
    guard let bytes = try? FileBytes.of(path)?.bytes, let run = PathTimesRun(bytes), run.key.cut == key.cut,
      run.key.prefix == key.prefix
    else { return nil }
    return run
  }

  /// Writes what differs from the table that was read.
  func write(_ table: PathTimesTable, unlike old: PathTimesTable?) {
    if old?.base.sum != table.base.sum { RawFile.replaceQuietly(baseFile, with: table.base.buffer) }
    if let recent = table.recent {
      if recent.sum != old?.recent?.sum { RawFile.replaceQuietly(recentFile, with: recent.buffer) }
    } else {
      RawFile.remove(recentFile)
    }
  }
}
