import Bytes
import Glibc

/// The entries that two trees do not hold alike, in the order of their names.
///
/// A file and a folder of one name are two entries.
struct DifferingEntries {
  private let left: Tree
  private let right: Tree
  private var one = 0
  private var two = 0

  init(_ left: Tree, _ right: Tree) {
    self.left = left
    self.right = right
  }

  /// The next of them, as each of the trees has it; nil at the end.
  mutating func next() -> (Tree.Place?, Tree.Place?)? {
    while true {
      let alike = left.lengthOfEqualEntries(at: one, right, at: two)
      one += alike
      two += alike
      let mine = left.place(at: one)
      let theirs = right.place(at: two)
      let order: Int
      if let mine, let theirs {
        order = compareNames(mine, theirs)
      } else if mine == nil, theirs == nil {
        return nil
      } else {
        order = mine == nil ? 1 : -1
      }
      let first = order <= 0 ? mine : nil
      let second = order >= 0 ? theirs : nil
      if let first { one = first.end }
      if let second { two = second.end }
      if let first, let second, first.mode == second.mode, left.id(at: first) == right.id(at: second) {
        continue
      }
      return (first, second)
    }
  }

  private func compareNames(_ one: Tree.Place, _ two: Tree.Place) -> Int {
    Tree.compare(
      left.bytes[one.name], isFolder: one.isFolder, right.bytes[two.name], isFolder: two.isFolder)
  }
}

extension Tree {
  /// How many bytes of entries are the same in two trees from two offsets on.
  fileprivate func lengthOfEqualEntries(at start: Int, _ other: Tree, at otherStart: Int) -> Int {
    bytes.withUnsafeBytes { left in
      other.bytes.withUnsafeBytes { right in
        guard let one = left.baseAddress, let two = right.baseAddress else { return 0 }
        let shared = min(left.count - start, right.count - otherStart)
        var length = 0
        while length < shared {
          let rest = one + start + length
          guard let nul = memchr(rest, 0, shared - length) else { break }
          let entry = UnsafeRawPointer(nul) - rest + 21
          guard length + entry <= shared, memcmp(rest, two + otherStart + length, entry) == 0 else { break }
          length += entry
        }
        return length
      }
    }
  }
}
