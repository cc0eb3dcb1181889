/// The bytes of an index with some entries changed, all others copied as they are.
///
/// It takes versions 2 and 3 with no extensions but TREE, REUC, EOIE and IEOT. The trees above changed paths are taken
/// out of TREE, REUC is kept, and the two others, which hold offsets, are left out.
struct IndexSplice {
  private let file: IndexFile
  private var removed: Set<Int> = []
  private var inserted: [(number: Int, entry: [UInt8])] = []
  private var keepsTrees = true

  init(_ file: IndexFile) { self.file = file }

  /// Applies edits of different paths.
  /// - Throws: `unmerged` where a path has versions of a conflict.
  mutating func apply(_ edits: [IndexEdit]) throws(GitError) {
    for edit in edits {
      let own = file.entries(of: edit.path)
      for number in own {
        guard file.stage(number) == 0 else { throw Self.unmerged(edit.path) }
        removed.insert(number)
      }
      guard case .put(let path, let blob, let mode, let status) = edit else { continue }
      if own.isEmpty { try makeRoom(for: path) }
      inserted.append((own.lowerBound, Self.entry(path, blob, mode, status)))
    }
  }

  static func unmerged(_ path: [UInt8]) -> GitError {
    GitError(
      .unmerged(path: path),
      "\(GitError.text(path)) has conflicting versions in git's index; settle them, then run: git add")
  }

  /// Takes out files that stand where a folder is needed, and what is in a folder where the file is to stand.
  private mutating func makeRoom(for path: [UInt8]) throws(GitError) {
    var inTheWay: [Int] = []
    for (index, byte) in path.enumerated() where byte == UInt8(ascii: "/") {
      inTheWay.append(contentsOf: file.entries(of: Array(path[..<index])))
    }
    let folder = path / ""
    var number = file.lowerBound(folder)
    while number < file.count, file.path(number).starts(with: folder) {
      inTheWay.append(number)
      number += 1
    }
    for number in inTheWay {
      guard file.stage(number) == 0 else { throw Self.unmerged(Array(file.path(number))) }
      removed.insert(number)
    }
    if !inTheWay.isEmpty { keepsTrees = false }
  }

  /// The bytes of the new index, its hash included.
  /// - Parameters:
  ///   - paths: the changed paths.
  ///   - smudged: numbers of entries whose size becomes 0, by which git looks at the file itself.
  func bytes(changed paths: [[UInt8]], smudged: [Int]) -> [UInt8] {
    var result: [UInt8] = []
    result.reserveCapacity(file.bytes.count + 128 * inserted.count + 64)
    result.append(contentsOf: file.bytes[..<8])
    result.append(number: UInt32(truncatingIfNeeded: file.count - removed.count + inserted.count))
    appendEntries(to: &result, zeroing: smudged.filter { !removed.contains($0) })
    appendExtensions(to: &result, changed: paths)
    let hash = SHA1.hash(result)
    hash.append(to: &result)
    return result
  }

  private func appendEntries(to result: inout [UInt8], zeroing smudged: [Int]) {
    let insertions = inserted.sorted { left, right in
      if left.number != right.number { return left.number < right.number }
      return left.entry.dropFirst(IndexFile.Field.end).precedes(right.entry.dropFirst(IndexFile.Field.end))
    }
    let zeroed = Set(smudged)
    // Between these numbers entries are copied in one piece.
    let stops = Set(insertions.map(\.number)).union(removed).union(zeroed).sorted() + [file.count]
    var copied = 0
    var insertion = 0
    for stop in stops {
      if copied < stop { result.append(contentsOf: file.bytes[file.offsets[copied]..<file.offsets[stop]]) }
      copied = max(copied, stop)
      while insertion < insertions.count, insertions[insertion].number == stop {
        result.append(contentsOf: insertions[insertion].entry)
        insertion += 1
      }
      guard stop < file.count else { break }
      if removed.contains(stop) {
        copied = stop + 1
      } else if zeroed.contains(stop) {
        let start = result.count
        result.append(contentsOf: file.bytes[file.offsets[stop]..<file.offsets[stop + 1]])
        let size = start + IndexFile.Field.size
        result.replaceSubrange(size..<(size + 4), with: [0, 0, 0, 0])
        copied = stop + 1
      }
    }
  }

  private func appendExtensions(to result: inout [UInt8], changed paths: [[UInt8]]) {
    for part in file.extensions where part.signature == "TREE" || part.signature == "REUC" {
      let content = file.bytes[part.content]
      let isTree = part.signature == "TREE"
      guard
        let kept = isTree ? (keepsTrees ? CacheTree.invalidating(paths, in: content) : nil) : Array(content)
      else { continue }
      result.append(contentsOf: part.signature.utf8)
      result.append(number: UInt32(truncatingIfNeeded: kept.count))
      result.append(contentsOf: kept)
    }
  }

  /// The bytes of one entry.
  private static func entry(_ path: [UInt8], _ blob: ObjectID, _ mode: UInt32, _ status: IndexStatus)
    -> [UInt8]
  {
    var entry: [UInt8] = []
    for time in [status.changed, status.modified] {
      entry.append(number: UInt32(truncatingIfNeeded: time.seconds))
      entry.append(number: UInt32(truncatingIfNeeded: time.nanoseconds))
    }
    entry.append(number: UInt32(truncatingIfNeeded: status.device))
    entry.append(number: UInt32(truncatingIfNeeded: status.inode))
    entry.append(number: mode)
    entry.append(number: status.owner)
    entry.append(number: status.group)
    entry.append(number: UInt32(truncatingIfNeeded: status.size))
    blob.append(to: &entry)
    entry.append(short: UInt16(min(path.count, 0xFFF)))
    entry.append(contentsOf: path)
    entry.append(contentsOf: repeatElement(0, count: 8 - entry.count % 8))
    return entry
  }
}
