package import NoteIndex
import Notes
import Text

/// A tag with how many notes bear it.
package struct TagCount: Sendable {
  /// The spelling that most notes use; of several, the first by bytes.
  package let name: String
  /// How many active notes bear it; a note of a kind without `active:` is active.
  package let active: Int
  package let all: Int
  /// Whether the settings of the box name it, so that it stays when no note bears it.
  package let isDeclared: Bool
}

/// A tag with those below it; its numbers count a note that bears several of them once.
package struct TagBranch: Sendable {
  package let tag: TagCount
  /// The last part of the name, which tells it from its siblings.
  package let label: String
  package let children: [TagBranch]
}

extension Slipbox {
  /// Every tag of the box in alphabetical order, declared ones that no note bears included.
  package func tags() throws(SlipboxError) -> [TagCount] { try tagTable().counts() }

  /// Every tag under its parent; parents that no note bears by themselves are there too.
  package func tagTree() throws(SlipboxError) -> [TagBranch] { try tagTable().branches() }

  /// The tags that a note does not bear, in alphabetical order. Whoever bears `work/clients` bears `work`.
  package func missingTags(of entry: Entry) throws(SlipboxError) -> [TagCount] {
    var borne: Set<String> = []
    for tag in entry.note.tags { borne.formUnion(TagPath.lineage(of: tag).map(TagPath.key)) }
    return try tags().filter { !borne.contains(TagPath.key($0.name)) }
  }

  func tagTable() throws(SlipboxError) -> TagTable {
    let active = ActiveTest(schema: schema(), clock: surroundings.clock)
    var table = TagTable()
    for entry in try catalogue().entries where !entry.note.tags.isEmpty {
      table.count(entry.note.tags, isActive: active.isActive(entry))
    }
    for tag in try declaredTags() { table.declare(tag) }
    return table
  }
}

/// The tags of a box by their names without regard to case.
struct TagTable {
  private struct Tally {
    /// How many notes spell the tag in which way, itself or as the parent of another.
    var spellings: [String: Int] = [:]
    /// Notes that bear the tag itself.
    var active = 0
    var all = 0
    /// Notes that bear the tag or one below.
    var activeBelow = 0
    var allBelow = 0
    var isDeclared = false

    mutating func add(_ spelling: String, active: Int) {
      spellings[spelling, default: 0] += 1
      allBelow += 1
      activeBelow += active
    }

    /// Whether it is a tag by itself, not only the parent of one.
    var isTag: Bool { all > 0 || isDeclared }

    var name: String {
      let best = spellings.max { first, second in
        first.value != second.value
          ? first.value < second.value : second.key.utf8.lexicographicallyPrecedes(first.key.utf8)
      }
      return best?.key ?? ""
    }
  }

  private var tallies: [String: Tally] = [:]

  /// Counts the tags of one note, which are different from each other.
  mutating func count(_ tags: [String], isActive: Bool) {
    var counted: Set<String> = []
    let active = isActive ? 1 : 0
    for tag in tags {
      for name in TagPath.lineage(of: tag) {
        let key = TagPath.key(name)
        guard counted.insert(key).inserted else { continue }
        tallies[key, default: Tally()].add(name, active: active)
      }
      let key = TagPath.key(tag)
      tallies[key]?.all += 1
      tallies[key]?.active += active
    }
  }

  /// Puts in a tag that the settings name.
  mutating func declare(_ tag: String) {
    for name in TagPath.lineage(of: tag) where tallies[TagPath.key(name)] == nil {
      tallies[TagPath.key(name)] = Tally(spellings: [name: 0])
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

/// The names of tags: compared without case, nested at slashes.
enum TagPath {
  /// Slashes beyond this many nest no deeper.
  static let deepest = 32

  /// What is equal for tags that are the same.
  static func key(_ name: String) -> String { name.lowercased() }

  /// The parents of a tag, the highest first, and the tag itself.
  static func lineage(of name: String) -> [String] {
    let bytes = name.utf8
    guard bytes.contains(UInt8(ascii: "/")) else { return [name] }
    var names: [String] = []
    var before: UInt8 = UInt8(ascii: "/")
    for index in bytes.indices {
      if bytes[index] == UInt8(ascii: "/"), before != UInt8(ascii: "/"), names.count < deepest {
        names.append(String(decoding: bytes[..<index], as: UTF8.self))
      }
      before = bytes[index]
    }
    return names + [name]
  }
}
