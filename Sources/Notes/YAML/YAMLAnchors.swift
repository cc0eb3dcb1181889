/// The values of anchors, for the aliases that come after them.
///
/// Aliases may double what they name again and again; all together they bring no more than a bound.
struct YAMLAnchors {
  struct Anchor {
    let value: FieldValue
    /// The bytes of its text and one for each node in it.
    let size: Int
    /// How many lists and maps stand in one another.
    let depth: Int
    /// Whether each scalar of the value is written without quotes.
    let plainScalars: [Bool]
  }

  /// Blocks that are shorter may be made this long by their aliases.
  private static let leastRoom = 1 << 16

  private var anchors: [String: Anchor] = [:]
  private var room: Int
  private let deepest: Int

  /// - Parameters:
  ///   - length: of the block, in bytes.
  ///   - deepest: how deep lists and maps may stand in one another.
  init(length: Int, deepest: Int) {
    room = max(length, Self.leastRoom)
    self.deepest = deepest
  }

  /// Takes note of a node with an anchor; one of the same name before it is forgotten.
  mutating func define(_ name: String, _ node: YAMLNode) {
    anchors[name] = Anchor(
      value: node.value, size: node.size, depth: node.depth, plainScalars: node.plainScalars)
  }

  /// The value of an alias; nil where there is no such anchor, and where it would bring too much.
  ///
  /// - Parameter depth: of the lists and maps around it.
  mutating func value(of name: String, inside depth: Int) -> Anchor? {
    guard let anchor = anchors[name], anchor.size <= room, anchor.depth + depth < deepest
    else { return nil }
    room -= anchor.size
    return anchor
  }
}
