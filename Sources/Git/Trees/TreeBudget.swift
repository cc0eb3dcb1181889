/// A bound for walks over trees that name one another many times: ten levels of ten equal folders are a few objects and
/// ten thousand million files.
struct TreeBudget {
  /// So many bytes of trees may be walked that were walked before: about 200,000 files.
  private static let mostRepeatedBytes = 8 << 20

  private var seen: Set<ObjectID> = []
  private var repeatedBytes = 0

  /// Counts a tree that is about to be walked; false where too much has been walked again and again.
  mutating func allows(_ id: ObjectID, _ tree: Tree) -> Bool {
    guard !seen.insert(id).inserted else { return true }
    repeatedBytes += tree.bytes.count
    return repeatedBytes <= Self.mostRepeatedBytes
  }
}
