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

extension BoxSnapshot {
  /// Every tag of the box in alphabetical order, declared ones that no note bears included.
  ///
  /// - Parameter active: the places of the active notes, where they are known already.
  package func tags(active: [Int]? = nil) throws(SlipboxError) -> [TagCount] {
    try tagTable(active: active).counts()
  }

  /// Every tag under its parent; parents that no note bears by themselves are there too.
  package func tagTree() throws(SlipboxError) -> [TagBranch] { try tagTable().branches() }

  /// The tags that a note does not bear, in alphabetical order. Whoever bears `work/clients` bears `work`.
  package func missingTags(of entry: Entry) throws(SlipboxError) -> [TagCount] {
    var borne: Set<String> = []
    for tag in entry.note.tags { borne.formUnion(TagPath.lineage(of: tag).map(TagPath.key)) }
    return try tags().filter { !borne.contains(TagPath.key($0.name)) }
  }

  func tagTable(active: [Int]? = nil) throws(SlipboxError) -> TagTable {
    let entries = try catalogue().entries
    let active = ActiveNotes(
      entries, ActiveTest(schema: schema(), clock: clock), known: active, executor: Self.executor)
    var table = TagTable(counting: TagColumn(entries), active, executor: Self.executor)
    for tag in try declaredTags() { table.declare(tag) }
    return table
  }

  /// The tags of active notes with how many bear each, without regard to case, the most used first.
  package func activeTags() throws(SlipboxError) -> [(name: String, count: Int)] {
    let entries = try catalogue().entries
    let active = ActiveNotes(
      entries, ActiveTest(schema: schema(), clock: clock), executor: Self.executor)
    return TagColumn(entries).mostUsed(active, executor: Self.executor)
  }
}
