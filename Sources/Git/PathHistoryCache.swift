import Glibc

/// The files that keep an index of history: one with most of it, and beside it one with what came since.
///
/// Each is replaced in one step. The second names the sum of the first, so that a mixture of two writers' files is only
/// an older index, never a wrong one.
struct PathHistoryCache {
  private let baseFile: [UInt8]
  private let recentFile: [UInt8]

  init(_ path: [UInt8]) {
    baseFile = path
    recentFile = path + Array(".recent".utf8)
  }

  /// Whether the files can be made, as far as one can tell before.
  var isWritable: Bool { baseFile.parentPath.withCPath { access($0, W_OK | X_OK) } == 0 }

  /// The index, where there is one for the cut of history.
  func read(cut: ObjectID) -> PathHistoryIndex? {
    guard let base = Self.run(baseFile), base.cut == cut, base.baseSum == 0, base.first == 0 else {
      return nil
    }
    let recent = Self.run(recentFile).flatMap { recent in
      recent.baseSum == base.sum && recent.cut == cut && recent.first == base.end ? recent : nil
    }
    return PathHistoryIndex(base, recent: recent)
  }

  private static func run(_ path: [UInt8]) -> PathHistoryRun? {
    (try? FileBytes.of(path, isWhole: false)?.bytes).flatMap { PathHistoryRun($0) }
  }

  /// Writes what differs from the index that was read.
  func write(_ index: PathHistoryIndex, unlike old: PathHistoryIndex?) {
    if old?.base.sum != index.base.sum { RawFile.replaceQuietly(baseFile, with: index.base.buffer) }
    if let recent = index.recent {
      RawFile.replaceQuietly(recentFile, with: recent.buffer)
    } else {
      RawFile.remove(recentFile)
    }
  }
}
