import Bytes

/// The index's extension TREE: the names of the trees that git would write for folders whose entries have not changed.
///
/// Source: gitformat-index(5), "Cache tree".
enum CacheTree {
  /// The extension without the trees of the folders above some paths; the others stay.
  /// - Returns: nil where it is damaged; it may then be left out.
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

  /// The tree of the whole index; nil where entries have changed since it was noted.
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
