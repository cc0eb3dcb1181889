package import NoteIndex
import Notes
import Text

/// The tags of a box by their names, ignoring case.
struct TagTable {
  private struct Tally {
    /// The spellings of the tag, itself or as the parent of another, each once by its bytes, with the number of notes.
    var spellings: [(name: String, count: Int)] = []
    /// Whether a note has the tag itself, not only one below.
    var isUsed = false
    /// The number of active notes that have the tag or one below, as a query for it finds them.
    var active = 0
    var all = 0
    var isDeclared = false

    /// Whether it is a tag by itself, not only the parent of one.
    var isTag: Bool { isUsed || isDeclared }

    /// The most frequent spelling; if several are, the one with the fewest capitals.
    var name: String {
      let best = spellings.max { first, second in
        first.count != second.count
          ? first.count < second.count : first.name.utf8.lexicographicallyPrecedes(second.name.utf8)
      }
      return best?.name ?? ""
    }
  }

  private var tallies: [String: Tally] = [:]

  /// Counts the tags of all notes.
  ///
  /// - Parameter active: nil leaves active notes uncounted.
  /// - Complexity: O(n), on several threads.
  init(counting column: TagColumn, _ active: ActiveNotes?, executor: ParallelExecutor?) {
    let lineages = TagLineages(column.names)
    let sums = column.sum(TagSums(lineages), executor: executor) { sums, place in
      guard column.hasTags(at: place) else { return }
      sums.beginNote(isActive: active?.isActive(at: place) ?? false)
      column.forEachTag(at: place) { sums.add($0, lineages) }
    } _: { sums, next in
      sums.add(next)
    }
    for (key, name) in lineages.keys.enumerated() {
      var tally = Tally()
      (tally.active, tally.all, tally.isUsed) = (sums.active[key], sums.all[key], sums.areUsed[key])
      if tally.all > 0 { tallies[name] = tally }
    }
    for (spelling, count) in zip(lineages.spellings, sums.spellings) where count > 0 {
      tallies[lineages.keys[spelling.key]]?.spellings.append((spelling.name, count))
    }
  }

  /// Adds a tag that the settings name.
  mutating func declare(_ tag: String) {
    for name in TagName.lineage(of: tag) where tallies[TagName.key(name)] == nil {
      tallies[TagName.key(name)] = Tally(spellings: [(name, 0)])
    }
    tallies[TagName.key(tag)]?.isDeclared = true
  }

  /// Returns the most frequent spelling of a tag; nil if no note has the tag.
  func spelling(of name: String) -> String? { tallies[TagName.key(name)]?.name }

  /// Returns whether a name is a tag or the parent of one.
  func knows(_ name: String) -> Bool { tallies[TagName.key(name)] != nil }

  /// Returns whether a name is a tag itself.
  func has(_ name: String) -> Bool { tallies[TagName.key(name)]?.isTag == true }

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
      let parent = TagName.lineage(of: tally.name).dropLast().last.map(TagName.key)
      children[parent ?? "", default: []].append(tally)
    }
    return Self.branches(below: "", in: children)
  }

  /// Returns the branches below a parent. The recursion is no deeper than `TagName.deepest`.
  private static func branches(below parent: String, in children: [String: [Tally]]) -> [TagBranch] {
    let branches = (children[parent] ?? []).map { tally in
      let name = tally.name
      let start = TagName.lineage(of: name).dropLast().last.map { $0.utf8.count + 1 } ?? 0
      return TagBranch(
        tag: TagCount(name: name, active: tally.active, all: tally.all, isDeclared: tally.isDeclared),
        label: String(decoding: name.utf8.dropFirst(start), as: UTF8.self),
        children: self.branches(below: TagName.key(name), in: children))
    }
    return sorted(branches, by: \.tag.name)
  }

  private static func sorted<T>(_ elements: [T], by name: (T) -> String) -> [T] {
    let keyed = elements.map { (key: Collation.key(name($0)), element: $0) }
    return keyed.sorted { $0.key.lexicographicallyPrecedes($1.key) }.map(\.element)
  }
}

/// A tag with the number of notes that have it or a tag below it, each note once, as a query for it finds them.
package struct TagCount: Sendable {
  /// The most frequent spelling; if several are, the first by bytes.
  package let name: String
  /// The number of active ones; a note of a kind without `active:` is active.
  package let active: Int
  package let all: Int
  /// Whether the settings of the box name it, so that it stays if no note has it.
  package let isDeclared: Bool
}

/// A tag with those below it.
package struct TagBranch: Sendable {
  package let tag: TagCount
  /// The last part of the name, which distinguishes it from its siblings.
  package let label: String
  package let children: [TagBranch]
}

/// The tags of the box of a snapshot.
package struct BoxTags {
  let snapshot: BoxSnapshot

  package init(of snapshot: BoxSnapshot) { self.snapshot = snapshot }

  /// Returns every tag of the box in alphabetical order, including declared ones that no note has.
  ///
  /// - Parameter active: the places of the active notes, if they are known already.
  package func counts(active: [Int]? = nil) throws(SlipboxError) -> [TagCount] {
    try table(active: active).counts()
  }

  /// Returns every tag under its parent, including parents that no note has as a tag.
  package func branches() throws(SlipboxError) -> [TagBranch] { try table().branches() }

  /// Returns the tags that a note does not have, in alphabetical order. A note with `work/clients` has `work`.
  package func missing(in entry: Entry) throws(SlipboxError) -> [TagCount] {
    var borne: Set<String> = []
    for tag in entry.note.tags { borne.formUnion(TagName.lineage(of: tag).map(TagName.key)) }
    return try counts().filter { !borne.contains(TagName.key($0.name)) }
  }

  func table(active: [Int]? = nil) throws(SlipboxError) -> TagTable {
    let entries = try snapshot.catalogue().entries
    let active = ActiveNotes(
      entries, ActiveTest(schema: snapshot.schema(), clock: snapshot.clock), known: active,
      executor: Processors.all)
    return try table(of: entries, active)
  }

  /// Returns the tags without their numbers of active notes: no query of a kind is read for them.
  private func spellings() throws(SlipboxError) -> TagTable {
    try table(of: try snapshot.catalogue().entries, nil)
  }

  private func table(of entries: Entries, _ active: ActiveNotes?) throws(SlipboxError) -> TagTable {
    var table = TagTable(counting: TagColumn(entries), active, executor: Processors.all)
    for tag in try declared() { table.declare(tag) }
    return table
  }

  /// Returns the tags of active notes with the number of notes that have each, ignoring case, the most used first.
  package func mostUsed() throws(SlipboxError) -> [(name: String, count: Int)] {
    let entries = try snapshot.catalogue().entries
    let active = ActiveNotes(
      entries, ActiveTest(schema: snapshot.schema(), clock: snapshot.clock), executor: Processors.all)
    return TagColumn(entries).mostUsed(active, executor: Processors.all)
  }
}

/// Tags with their parents, all as numbers.
struct TagLineages: Sendable {
  /// A tag or a parent of one, by the number of its key and of its spelling.
  struct Step: Sendable {
    let key: Int
    let spelling: Int
  }

  /// The keys: equal for spellings of the same tag.
  private(set) var keys: [String] = []
  /// The spellings with the numbers of their keys, each once by its bytes.
  private(set) var spellings: [(key: Int, name: String)] = []
  /// For each tag its parents, the highest first, and the tag itself.
  private(set) var steps: [[Step]] = []

  init(_ tags: [String]) {
    var keyNumbers: [String: Int] = [:]
    var spellingNumbers: [[UInt8]: Int] = [:]
    for tag in tags {
      steps.append(
        TagName.lineage(of: tag).map { name in
          let key = TagName.key(name)
          let number = keyNumbers[key] ?? keys.count
          if number == keys.count {
            keyNumbers[key] = number
            keys.append(key)
          }
          let spelling = spellingNumbers[Array(name.utf8)] ?? spellings.count
          if spelling == spellings.count {
            spellingNumbers[Array(name.utf8)] = spelling
            spellings.append((number, name))
          }
          return Step(key: number, spelling: spelling)
        })
    }
  }
}

/// The number of notes that have each tag or one below, by the numbers of `TagLineages`.
struct TagSums: Sendable {
  /// The number of notes with the tag or one below, by keys.
  private(set) var all: [Int]
  private(set) var active: [Int]
  /// Whether a note has the tag itself, by keys.
  private(set) var areUsed: [Bool]
  /// The number of notes with each spelling of a tag, or of the parent of one.
  private(set) var spellings: [Int]
  /// The number of the last note that each key was counted for, by keys.
  private var counted: [Int]
  private var note = 0
  private var isActive = 0

  init(_ lineages: TagLineages) {
    all = [Int](repeating: 0, count: lineages.keys.count)
    active = all
    counted = all
    areUsed = [Bool](repeating: false, count: lineages.keys.count)
    spellings = [Int](repeating: 0, count: lineages.spellings.count)
  }

  /// Begins the next note, whose tags are added then.
  mutating func beginNote(isActive: Bool) {
    note += 1
    self.isActive = isActive ? 1 : 0
  }

  /// Adds a tag of the note; its tags are different from each other.
  mutating func add(_ tag: Int, _ lineages: TagLineages) {
    for step in lineages.steps[tag] where counted[step.key] != note {
      counted[step.key] = note
      all[step.key] += 1
      active[step.key] += isActive
      spellings[step.spelling] += 1
    }
    if let own = lineages.steps[tag].last?.key { areUsed[own] = true }
  }

  /// Adds the sums of other notes.
  mutating func add(_ other: TagSums) {
    for key in all.indices {
      all[key] += other.all[key]
      active[key] += other.active[key]
      if other.areUsed[key] { areUsed[key] = true }
    }
    for spelling in spellings.indices { spellings[spelling] += other.spellings[spelling] }
  }
}

extension TagColumn {
  /// The number of active notes that have each tag or one below, by keys, and the first place of each spelling.
  private struct Uses: Sendable {
    var counts: [Int]
    /// The place of the note above the place of the tag there, by tags.
    var first: [Int]
    /// The last note that each key was counted for.
    var counted: [Int]
    var note = 0
  }

  /// Returns the tags of active notes with the number of these that have them or one below, the most used first.
  ///
  /// Tags that differ only in case are one, in the spelling of the newest note.
  /// - Complexity: O(n), on several threads.
  func mostUsed(_ active: ActiveNotes, executor: ParallelExecutor?) -> [(name: String, count: Int)] {
    let lineages = TagLineages(names)
    let none = [Int](repeating: 0, count: lineages.keys.count)
    let start = Uses(counts: none, first: [Int](repeating: .max, count: names.count), counted: none)
    let uses = sum(start, executor: executor) { uses, place in
      guard hasTags(at: place), active.isActive(at: place) else { return }
      uses.note += 1
      var index = 0
      forEachTag(at: place) { tag in
        for step in lineages.steps[tag] where uses.counted[step.key] != uses.note {
          uses.counted[step.key] = uses.note
          uses.counts[step.key] += 1
        }
        uses.first[tag] = min(uses.first[tag], place << 16 | min(index, 0xFFFF))
        index += 1
      }
    } _: { uses, next in
      for key in uses.counts.indices { uses.counts[key] += next.counts[key] }
      for tag in uses.first.indices { uses.first[tag] = min(uses.first[tag], next.first[tag]) }
    }
    var spelled: [Int: Int] = [:]
    for tag in names.indices {
      guard let key = lineages.steps[tag].last?.key, uses.first[tag] < .max else { continue }
      if let other = spelled[key], uses.first[other] <= uses.first[tag] { continue }
      spelled[key] = tag
    }
    let counted = spelled.map { key, tag in
      (key: Collation.key(names[tag]), name: names[tag], count: uses.counts[key])
    }
    return counted.sorted { first, second in
      if first.count != second.count { return first.count > second.count }
      return first.key.lexicographicallyPrecedes(second.key)
    }.map { ($0.name, $0.count) }
  }
}

/// New tags that are probably typing errors.
extension BoxTags {
  /// Returns the tag of the box that a new one almost equals; nil if there is none, or if the tag is not new.
  ///
  /// Case and diacritics do not count, nor does a difference in numbers alone: `2026` is not meant to be `2025`. Of
  /// nested tags the parts below common parents are compared.
  package func nearDuplicate(of tag: String) throws(SlipboxError) -> String? {
    let tag = TagName.bare(tag)
    // Most tags exist already, which is known without reading the notes.
    if let kept = snapshot.keptCatalogue(), kept.mayKnow(tag: tag) { return nil }
    return Self.nearDuplicate(of: tag, in: try spellings().names)
  }

  /// Returns the spelling of a tag in the box if it differs in case from a new one; nil if the tag is new or spelled
  /// alike.
  func otherSpelling(of tag: String) throws(SlipboxError) -> String? {
    let tag = TagName.bare(tag)
    guard tag.contains(where: \.isUppercase) || snapshot.keptCatalogue()?.mayHaveCapitals(tag: tag) == true,
      let known = try spellings().spelling(of: tag), known != tag
    else { return nil }
    return known
  }

  /// Warns that a new tag almost equals an old one.
  func warnOfNearDuplicate(of tag: String, in names: [String]) {
    guard let near = Self.nearDuplicate(of: tag, in: names) else { return }
    snapshot.reporter.warnOnce("\(tag) is a new tag; did you mean \(near)?")
  }

  static func nearDuplicate(of tag: String, in names: [String]) -> String? {
    let key = TagName.key(tag)
    if names.contains(where: { TagName.key($0) == key }) { return nil }
    let folded = Folding.fold(tag)
    var near: [String] = []
    for name in names {
      let other = Folding.fold(name)
      if other == folded { return name }
      if abs(other.utf8.count - folded.utf8.count) <= 8, almostEqual(folded, other) { near.append(name) }
    }
    return Spelling.nearest(to: tag, among: near) ?? near.first
  }

  /// The minimum number of letters; shorter tags resemble too many others.
  private static let shortest = 4

  private static func almostEqual(_ new: String, _ old: String) -> Bool {
    var (new, old) = (
      new.utf8.split(separator: UInt8(ascii: "/")), old.utf8.split(separator: UInt8(ascii: "/"))
    )
    while let first = new.first, let other = old.first, first.elementsEqual(other) {
      new.removeFirst()
      old.removeFirst()
    }
    let (mine, theirs) = (joined(new), joined(old))
    let (length, otherLength) = (mine.unicodeScalars.count, theirs.unicodeScalars.count)
    guard min(length, otherLength) >= shortest, abs(length - otherLength) <= (length > 4 ? 2 : 1) else {
      return false
    }
    if withoutDigits(mine) == withoutDigits(theirs) { return false }
    return Spelling.nearest(to: mine, among: [theirs]) != nil
  }

  private static func joined(_ parts: [Substring.UTF8View]) -> String {
    String(decoding: Array(parts.joined(separator: [UInt8(ascii: "/")])), as: UTF8.self)
  }

  private static func withoutDigits(_ text: String) -> [UInt8] {
    text.utf8.filter { !(UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
  }
}
