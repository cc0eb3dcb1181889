import NoteIndex

/// A folder of the box with the number of notes in it and in the folders below it.
struct FolderCount {
  let path: ArraySlice<UInt8>
  private(set) var count: Int

  /// More folders are not listed.
  private static let most = 500

  /// The folders that hold notes, in order, each before the ones below it.
  ///
  /// - Complexity: O(n) in the bytes of the paths; notes of one folder that follow each other cost one look-up.
  static func all(in entries: Entries) -> [FolderCount] {
    var counts: [ArraySlice<UInt8>: Int] = [:]
    var (folder, run): (ArraySlice<UInt8>, Int) = ([], 0)
    for place in entries.indices {
      let path = entries.path(at: place)
      let end = path.lastIndex(of: UInt8(ascii: "/")) ?? path.startIndex
      if !path[..<end].elementsEqual(folder) {
        counts[folder, default: 0] += run
        (folder, run) = (path[..<end], 0)
      }
      run += 1
    }
    counts[folder, default: 0] += run
    var all: [ArraySlice<UInt8>: Int] = [:]
    for (folder, count) in counts where !folder.isEmpty {
      all[folder, default: 0] += count
      for end in folder.indices where folder[end] == UInt8(ascii: "/") {
        all[folder[..<end], default: 0] += count
      }
    }
    let folders = all.map { FolderCount(path: $0.key, count: $0.value) }
    return Array(folders.sorted { $0.path.lexicographicallyPrecedes($1.path) }.prefix(most))
  }
}
