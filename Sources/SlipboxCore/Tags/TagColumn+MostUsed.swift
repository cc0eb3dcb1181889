import NoteIndex
import Notes
import Text

extension TagColumn {
  /// How many active notes bear a tag, and where it is first met.
  private struct Use: Sendable {
    var count = 0
    /// The place of the note above the place of the tag there.
    var first = Int.max
  }

  /// The tags of active notes with how many bear each, the most used first.
  ///
  /// Tags that differ only in case are one, named as the newest note spells it.
  /// - Complexity: O(n), on several threads.
  func mostUsed(_ active: ActiveNotes, executor: ParallelExecutor?) -> [(name: String, count: Int)] {
    let none = [Use](repeating: Use(), count: names.count)
    let uses = sum(none, executor: executor) { uses, place in
      guard hasTags(at: place), active.isActive(at: place) else { return }
      var index = 0
      forEachTag(at: place) { tag in
        uses[tag].count += 1
        uses[tag].first = min(uses[tag].first, place << 16 | min(index, 0xFFFF))
        index += 1
      }
    } _: { uses, next in
      for tag in uses.indices {
        uses[tag].count += next[tag].count
        uses[tag].first = min(uses[tag].first, next[tag].first)
      }
    }
    var merged: [String: (name: String, use: Use)] = [:]
    for (name, use) in zip(names, uses) where use.count > 0 {
      let key = TagPath.key(name)
      guard let other = merged[key] else {
        merged[key] = (name, use)
        continue
      }
      let sum = Use(count: other.use.count + use.count, first: min(other.use.first, use.first))
      merged[key] = (use.first < other.use.first ? name : other.name, sum)
    }
    let counted = merged.values.map { (key: Collation.key($0.name), name: $0.name, count: $0.use.count) }
    return counted.sorted { first, second in
      if first.count != second.count { return first.count > second.count }
      return first.key.lexicographicallyPrecedes(second.key)
    }.map { ($0.name, $0.count) }
  }
}
