import Bytes
import Platform

/// A part of a new index.
enum IndexPiece {
  /// Bytes of the old one.
  case old(Range<Int>)
  case new([UInt8])
}

/// An index with some entries changed, all others taken over as they are.
///
/// It takes versions 2 and 3 with no extensions but TREE, REUC, EOIE and IEOT. The trees above changed paths are taken
/// out of TREE, REUC is kept, and the two others, which hold offsets, are left out.
struct IndexSplice {
  private let file: IndexFile
  private var removed: Set<Int> = []
  private var inserted: [(number: Int, path: [UInt8], entry: [UInt8])] = []
  private var keepsTrees = true
  /// Whether an entry has flags that version 2 of the format can't hold.
  private var needsVersion3 = false

  init(_ file: IndexFile) { self.file = file }

  /// Applies edits of different paths; a file without a status is left out of the work tree.
  /// - Throws: `unmerged` if a path has versions of a conflict.
  mutating func apply(
    _ edits: [TreeEdit], _ statuses: [[UInt8]: FileStatus]
  ) throws(GitError) {
    for edit in edits {
      let own = file.entries(of: edit.path)
      for number in own {
        guard file.stage(number) == 0 else { throw GitError.unmerged(edit.path) }
        removed.insert(number)
      }
      guard case .put(let path, let blob, let mode) = edit else { continue }
      let status = statuses[path]
      if own.isEmpty { try makeRoom(for: path) }
      let flags = IndexFlags(own.isEmpty ? nil : file.entry(own.lowerBound), isLeftOut: status == nil)
      if flags.skipWorktree { needsVersion3 = true }
      inserted.append((own.lowerBound, path, Self.entry(path, blob, mode, status, flags)))
    }
  }

  /// Removes files in the place of a needed folder, and the files in a folder that a file replaces.
  private mutating func makeRoom(for path: [UInt8]) throws(GitError) {
    var inTheWay: [Int] = []
    for (index, byte) in path.enumerated() where byte == UInt8(ascii: "/") {
      inTheWay.append(contentsOf: file.entries(of: Array(path[..<index])))
    }
    let folder = path / ""
    var number = file.lowerBound(folder)
    while number < file.count, file.withPath(number, { $0.starts(with: folder) }) {
      inTheWay.append(number)
      number += 1
    }
    for number in inTheWay {
      guard file.stage(number) == 0 else { throw GitError.unmerged(file.path(number)) }
      removed.insert(number)
    }
    if !inTheWay.isEmpty { keepsTrees = false }
  }

  /// The parts of the new index, without the hash at its end.
  /// - Parameters:
  ///   - paths: the changed paths.
  ///   - smudged: numbers of entries whose size becomes 0, by which git looks at the file itself.
  func pieces(changed paths: [[UInt8]], smudged: [Int]) -> [IndexPiece] {
    var head = Array(file.bytes[..<4])
    head.append(number: needsVersion3 ? max(file.version, 3) : file.version)
    head.append(number: UInt32(truncatingIfNeeded: file.count - removed.count + inserted.count))
    var result: [IndexPiece] = [.new(head)]
    appendEntries(to: &result, zeroing: smudged.filter { !removed.contains($0) })
    appendExtensions(to: &result, changed: paths)
    return result
  }

  private func appendEntries(to result: inout [IndexPiece], zeroing smudged: [Int]) {
    let insertions = inserted.sorted { left, right in
      if left.number != right.number { return left.number < right.number }
      return left.path[...].precedes(right.path[...])
    }
    let zeroed = Set(smudged)
    // Between these numbers entries are taken over in one piece.
    let stops = Set(insertions.map(\.number)).union(removed).union(zeroed).sorted() + [file.count]
    var copied = 0
    var insertion = 0
    for stop in stops {
      if copied < stop { result.append(.old(file.offset(copied)..<file.offset(stop))) }
      copied = max(copied, stop)
      while insertion < insertions.count, insertions[insertion].number == stop {
        result.append(.new(insertions[insertion].entry))
        insertion += 1
      }
      guard stop < file.count else { break }
      if removed.contains(stop) {
        copied = stop + 1
      } else if zeroed.contains(stop) {
        let size = file.offset(stop) + IndexFile.Field.size
        result.append(.old(file.offset(stop)..<size))
        result.append(.new([0, 0, 0, 0]))
        result.append(.old((size + 4)..<file.offset(stop + 1)))
        copied = stop + 1
      }
    }
  }

  private func appendExtensions(to result: inout [IndexPiece], changed paths: [[UInt8]]) {
    for part in file.extensions {
      switch part.signature {
      case "REUC":
        result.append(.old((part.content.lowerBound - 8)..<part.content.upperBound))
      case "TREE":
        let content = Array(file.bytes[part.content])
        guard keepsTrees, let kept = CacheTree.invalidating(paths, in: content[...]) else { continue }
        var bytes = Array("TREE".utf8)
        bytes.append(number: UInt32(truncatingIfNeeded: kept.count))
        result.append(.new(bytes + kept))
      default: break
      }
    }
  }

  /// The bytes of one entry.
  private static func entry(
    _ path: [UInt8], _ blob: ObjectID, _ mode: UInt32, _ status: FileStatus?, _ flags: IndexFlags
  ) -> [UInt8] {
    var entry: [UInt8] = []
    for time in [status?.changed, status?.modified] {
      entry.append(number: UInt32(truncatingIfNeeded: time?.seconds ?? 0))
      entry.append(number: UInt32(truncatingIfNeeded: time?.nanoseconds ?? 0))
    }
    entry.append(number: UInt32(truncatingIfNeeded: status?.device ?? 0))
    entry.append(number: UInt32(truncatingIfNeeded: status?.inode ?? 0))
    entry.append(number: mode)
    entry.append(number: status?.owner ?? 0)
    entry.append(number: status?.group ?? 0)
    entry.append(number: UInt32(truncatingIfNeeded: status?.size ?? 0))
    blob.append(to: &entry)
    let isExtended = flags.skipWorktree
    let bits: UInt16 = (flags.assumeValid ? 0x8000 : 0) | (isExtended ? 0x4000 : 0)
    entry.append(short: UInt16(min(path.count, 0xFFF)) | bits)
    if isExtended { entry.append(short: 0x4000) }
    entry.append(contentsOf: path)
    entry.append(contentsOf: repeatElement(0, count: 8 - entry.count % 8))
    return entry
  }
}

/// The flags of an entry that the user, or a sparse checkout, has set.
struct IndexFlags: Equatable {
  let skipWorktree: Bool
  let assumeValid: Bool

  /// Those of an entry that is there, which keeps them.
  init(_ entry: IndexEntry?, isLeftOut: Bool) {
    skipWorktree = isLeftOut || entry?.skipWorktree ?? false
    assumeValid = entry?.assumeValid ?? false
  }
}

/// The index's extension TREE: the names of the trees that git would write for folders whose entries have not changed.
///
/// Source: gitformat-index(5), "Cache tree".
enum CacheTree {
  /// The extension without the trees of the folders above some paths; the others stay.
  /// - Returns: nil if it is damaged; it may then be left out.
  static func invalidating(_ paths: [[UInt8]], in content: ArraySlice<UInt8>) -> [UInt8]? {
    let changed = folders(above: paths)
    var result: [UInt8] = []
    result.reserveCapacity(content.count)
    var next = content.startIndex
    var open: [(remaining: Int, path: [UInt8])] = []
    repeat {
      guard let node = Node(content, at: next) else { return nil }
      let path = open.last.map { $0.path.isEmpty ? node.name : $0.path / node.name } ?? []
      if changed.contains(path) {
        result.append(contentsOf: node.name)
        result.append(0)
        result.append(contentsOf: "-1 \(node.subtrees)\n".utf8)
      } else {
        result.append(contentsOf: content[next..<node.end])
      }
      next = node.end
      if !open.isEmpty { open[open.count - 1].remaining -= 1 }
      if node.subtrees > 0 { open.append((node.subtrees, path)) }
      while let last = open.last, last.remaining == 0 { open.removeLast() }
    } while !open.isEmpty
    return next == content.endIndex ? result : nil
  }

  /// The tree of the whole index; nil if entries have changed since it was noted.
  static func root(in bytes: UnsafeRawBufferPointer, _ content: Range<Int>) -> ObjectID? {
    // The root has no name; its line is "\0COUNT SUBTREES\n".
    let line = Array(bytes[content].prefix(32))
    guard line.first == 0, let end = line.firstIndex(of: 10), line.count > 1, line[1] != UInt8(ascii: "-"),
      content.lowerBound + end + 21 <= content.upperBound
    else { return nil }
    return ObjectID(loading: bytes, at: content.lowerBound + end + 1)
  }

  private static func folders(above paths: [[UInt8]]) -> Set<[UInt8]> {
    var result: Set<[UInt8]> = [[]]
    for path in paths {
      for (index, byte) in path.enumerated() where byte == UInt8(ascii: "/") {
        result.insert(Array(path[..<index]))
      }
    }
    return result
  }

  /// One folder.
  private struct Node {
    let name: [UInt8]
    let subtrees: Int
    let end: Int

    init?(_ content: ArraySlice<UInt8>, at start: Int) {
      guard let nul = content[start...].firstIndex(of: 0), let line = content[nul...].firstIndex(of: 10)
      else {
        return nil
      }
      let numbers = content[(nul + 1)..<line].split(separator: 32, omittingEmptySubsequences: false)
      guard numbers.count == 2, let entries = Int(String(decoding: numbers[0], as: UTF8.self)),
        let subtrees = Int(String(decoding: numbers[1], as: UTF8.self)), subtrees >= 0,
        subtrees <= content.count, entries >= -1
      else { return nil }
      name = Array(content[start..<nul])
      self.subtrees = subtrees
      end = line + 1 + (entries < 0 ? 0 : 20)
      guard end <= content.endIndex else { return nil }
    }
  }
}
