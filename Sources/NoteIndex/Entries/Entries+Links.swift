package import Notes

extension Entries {
  /// The links of the note at a place, without making it where it is stored.
  package func links(at place: Int) -> [BodyScan.Link] {
    record(at: place).flatMap(NoteSummary.links(in:)) ?? self[place].note.links
  }

  /// Where the body of the note at a place begins, in bytes of the file.
  package func bodyStart(at place: Int) -> Int {
    record(at: place).flatMap(NoteSummary.bodyStart(in:)) ?? self[place].note.head.body.lowerBound
  }

  /// Whether the note at a place links to any note or file.
  package func mayLink(at place: Int) -> Bool {
    if let keys = record(at: place).flatMap(NoteSummary.linkKeys(in:)) { return !keys.areWithoutLinks }
    return !self[place].note.linkKeys.isEmpty
  }

  /// Whether the note at a place has a link with one of some keys.
  func links(at place: Int, haveKeyIn wanted: LinkKeySet) -> Bool {
    if let keys = record(at: place).flatMap(NoteSummary.linkKeys(in:)) { return keys.haveLink(in: wanted) }
    return self[place].note.linkKeys.contains(where: wanted.contains)
  }

  /// Whether the note at a place has a name with one of some keys.
  func names(at place: Int, haveKeyIn wanted: LinkKeySet) -> Bool {
    guard let keys = record(at: place).flatMap(NoteSummary.linkKeys(in:)) else {
      return self[place].note.nameKeys.contains(where: wanted.contains)
    }
    return keys.haveName(in: wanted) || fileNameKey(at: place).map(wanted.contains) ?? false
  }

  /// The keys of what the note at a place links to.
  func linkKeys(at place: Int) -> [LinkKey] {
    record(at: place).flatMap(NoteSummary.linkKeys(in:))?.ofLinks ?? self[place].note.linkKeys
  }

  /// The keys of the names of the note at a place.
  func nameKeys(at place: Int) -> [LinkKey] {
    guard let keys = record(at: place).flatMap(NoteSummary.linkKeys(in:)) else {
      return self[place].note.nameKeys
    }
    return keys.ofNames + [fileNameKey(at: place)].compactMap { $0 }
  }

  /// The places that fulfil a condition, ascending.
  func places(_ executor: ParallelExecutor?, where isWanted: @escaping @Sendable (Int) -> Bool) -> [Int] {
    ParallelChunks(count: count, executor: executor).map { $0.filter(isWanted) }.flatMap { $0 }
  }
}
