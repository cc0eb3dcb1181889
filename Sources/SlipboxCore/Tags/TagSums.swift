import NoteIndex
import Notes

/// Tags with their parents, all as numbers.
struct TagLineages: Sendable {
  /// A tag or a parent of one, by the number of its key and of its spelling.
  struct Step: Sendable {
    let key: Int
    let spelling: Int
  }

  /// What is equal for tags that are the same.
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
        TagPath.lineage(of: tag).map { name in
          let key = TagPath.key(name)
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

/// How many notes bear each tag, by the numbers of `TagLineages`.
struct TagSums: Sendable {
  /// Notes that bear the tag itself, by keys.
  private(set) var all: [Int]
  private(set) var active: [Int]
  /// Notes that bear the tag or one below, by keys.
  private(set) var allBelow: [Int]
  private(set) var activeBelow: [Int]
  /// Notes that spell a tag so, or the parent of one.
  private(set) var spellings: [Int]
  /// The number of the last note that each key was counted for, by keys.
  private var counted: [Int]
  private var note = 0
  private var isActive = 0

  init(_ lineages: TagLineages) {
    all = [Int](repeating: 0, count: lineages.keys.count)
    active = all
    allBelow = all
    activeBelow = all
    counted = all
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
      allBelow[step.key] += 1
      activeBelow[step.key] += isActive
      spellings[step.spelling] += 1
    }
    guard let own = lineages.steps[tag].last?.key else { return }
    all[own] += 1
    active[own] += isActive
  }

  /// Adds the sums of other notes.
  mutating func add(_ other: TagSums) {
    for key in all.indices {
      all[key] += other.all[key]
      active[key] += other.active[key]
      allBelow[key] += other.allBelow[key]
      activeBelow[key] += other.activeBelow[key]
    }
    for spelling in spellings.indices { spellings[spelling] += other.spellings[spelling] }
  }
}
