import Notes

extension Entries {
  /// The places of the notes that have a name, or a link, with one of some keys, ascending; perhaps some whose names are like
  /// these in a slug alone.
  ///
  /// - Complexity: O(n) for the first few questions about the stored entries, O(log n) a key for more of them.
  func places(_ use: StoredKeys.Use, haveKeyIn wanted: LinkKeySet, _ executor: ParallelExecutor?) -> [Int] {
    knownPlaces(use, haveKeyIn: wanted, executor) ?? places(executor) { has(use, at: $0, oneOf: wanted) }
  }

  /// The same, with those of which a slug has one of the keys; nil where all notes have to be looked at.
  func knownPlaces(
    _ use: StoredKeys.Use, haveKeyIn wanted: LinkKeySet, _ executor: ParallelExecutor?
  ) -> [Int]? {
    guard let stored, wanted.keys.count < storedCount / 64 + 1,
      let table = stored.keys.table(use, of: stored, executor)
    else { return nil }
    let known = table.numbers(having: wanted).compactMap(place(ofStored:))
    return (known + recentPlaces.filter { mayHave(use, at: $0, oneOf: wanted) }).sorted()
  }

  private func has(_ use: StoredKeys.Use, at place: Int, oneOf wanted: LinkKeySet) -> Bool {
    switch use {
    case .names: names(at: place, haveKeyIn: wanted)
    case .links: links(at: place, haveKeyIn: wanted)
    }
  }

  private func mayHave(_ use: StoredKeys.Use, at place: Int, oneOf wanted: LinkKeySet) -> Bool {
    if has(use, at: place, oneOf: wanted) { return true }
    return use == .names && LinkKey.slugKeys(ofPath: path(at: place)).contains(where: wanted.contains)
  }

  /// The place of a stored entry by its number; nil where it is left out.
  private func place(ofStored number: Int) -> Int? {
    guard let order else { return number }
    var (low, high) = (0, order.count)
    while low < high {
      let middle = (low + high) / 2
      var probe = middle
      // Recent entries stand among the stored ones, which alone are in the order of their numbers.
      while probe < high, Int(order[probe]) >= storedCount { probe += 1 }
      if probe == high {
        high = middle
      } else if Int(order[probe]) == number {
        return probe
      } else if Int(order[probe]) < number {
        low = probe + 1
      } else {
        high = middle
      }
    }
    return nil
  }
}
