extension Entries {
  /// The same entries but for those at some places, and with others among them.
  ///
  /// - Complexity: O(n) without making a note.
  func replacing(_ places: Set<Int>, with others: [Entry]) -> Entries {
    guard let stored else {
      return Entries(indices.filter { !places.contains($0) }.map { self[$0] } + others)
    }
    var hidden = Set(places.compactMap { storedNumber(at: $0) })
    if let order {
      var isThere = [Bool](repeating: false, count: storedCount)
      for number in order where Int(number) < storedCount { isThere[Int(number)] = true }
      hidden.formUnion(isThere.indices.filter { !isThere[$0] })
    }
    let recent = recentPlaces.filter { !places.contains($0) }.map { self[$0] }
    return Entries(stored, hiding: hidden, adding: recent + others)
  }
}
