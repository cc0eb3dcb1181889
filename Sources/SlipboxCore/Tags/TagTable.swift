import NoteIndex
import Notes
import Text

/// The tags of a box by their names without regard to case.
struct TagTable {
  private struct Tally {
    /// How many notes spell the tag in which way, itself or as the parent of another; each spelling once by its bytes.
    var spellings: [(name: String, count: Int)] = []
    /// Notes that bear the tag itself.
    var active = 0
    var all = 0
    /// Notes that bear the tag or one below.
    var activeBelow = 0
    var allBelow = 0
    var isDeclared = false

    /// Whether it is a tag by itself, not only the parent of one.
    var isTag: Bool { all > 0 || isDeclared }

    var name: String {
      let best = spellings.max { first, second in
        first.count != second.count
          ? first.count < second.count : second.name.utf8.lexicographicallyPrecedes(first.name.utf8)
      }
      return best?.name ?? ""
    }
  }

  private var tallies: [String: Tally] = [:]

  /// Counts the tags of all notes.
  ///
  /// - Complexity: O(n), on several threads.
  init(counting column: TagColumn, _ active: ActiveNotes, executor: ParallelExecutor?) {
    let lineages = TagLineages(column.names)
    let sums = column.sum(TagSums(lineages), executor: executor) { sums, place in
      guard column.hasTags(at: place) else { return }
      sums.beginNote(isActive: active.isActive(at: place))
      column.forEachTag(at: place) { sums.add($0, lineages) }
    } _: { sums, next in
      sums.add(next)
    }
    for (key, name) in lineages.keys.enumerated() {
      var tally = Tally()
      (tally.active, tally.all) = (sums.active[key], sums.all[key])
      (tally.activeBelow, tally.allBelow) = (sums.activeBelow[key], sums.allBelow[key])
      if tally.allBelow > 0 { tallies[name] = tally }
    }
    for (spelling, count) in zip(lineages.spellings, sums.spellings) where count > 0 {
      tallies[lineages.keys[spelling.key]]?.spellings.append((spelling.name, count))
    }
  }

  /// Puts in a tag that the settings name.
  mutating func declare(_ tag: String) {
    for name in TagPath.lineage(of: tag) where tallies[TagPath.key(name)] == nil {
      tallies[TagPath.key(name)] = Tally(spellings: [(name, 0)])
    }
    tallies[TagPath.key(tag)]?.isDeclared = true
  }

  /// Whether a name is a tag or the parent of one.
  func knows(_ name: String) -> Bool { tallies[TagPath.key(name)] != nil }

  /// Whether a name is a tag itself.
  func has(_ name: String) -> Bool { tallies[TagPath.key(name)]?.isTag == true }

  /// The names of all tags and parents, in alphabetical order.
  var names: [String] { Self.sorted(tallies.values.map(\.name)) { $0 } }

  func counts() -> [TagCount] {
    let tags = tallies.values.filter(\.isTag).map {
      TagCount(name: $0.name, active: $0.active, all: $0.all, isDeclared: $0.isDeclared)
    }
    return Self.sorted(tags, by: \.name)
  }

  func branches() -> [TagBranch] {
    var children: [String: [Tally]] = [:]
    for tally in tallies.values {
      let parent = TagPath.lineage(of: tally.name).dropLast().last.map(TagPath.key)
      children[parent ?? "", default: []].append(tally)
    }
    return Self.branches(below: "", in: children)
  }

  /// No deeper than `TagPath.deepest`.
  private static func branches(below parent: String, in children: [String: [Tally]]) -> [TagBranch] {
    let branches = (children[parent] ?? []).map { tally in
      let name = tally.name
      let start = TagPath.lineage(of: name).dropLast().last.map { $0.utf8.count + 1 } ?? 0
      return TagBranch(
        tag: TagCount(
          name: name, active: tally.activeBelow, all: tally.allBelow, isDeclared: tally.isDeclared),
        label: String(decoding: name.utf8.dropFirst(start), as: UTF8.self),
        children: self.branches(below: TagPath.key(name), in: children))
    }
    return sorted(branches, by: \.tag.name)
  }

  private static func sorted<T>(_ elements: [T], by name: (T) -> String) -> [T] {
    let keyed = elements.map { (key: Collation.key(name($0)), element: $0) }
    return keyed.sorted { $0.key.lexicographicallyPrecedes($1.key) }.map(\.element)
  }
}
