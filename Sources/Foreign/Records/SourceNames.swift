/// Names of records in their source, each given once: the second of the same name is told by a number.
struct SourceNames {
  private var counts: [String: Int] = [:]

  /// The name, with a number where it was given before.
  mutating func next(_ name: String) -> String {
    let count = counts[name, default: 0] + 1
    counts[name] = count
    return count == 1 ? name : "\(name) \(count)"
  }
}
