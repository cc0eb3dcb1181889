package import Notes

extension Query {
  /// Whether a term asks how notes are linked, or which block others: only all notes of a box tell.
  package var asksOthers: Bool {
    var asksOthers = false
    root.forEachTerm { term, _ in
      switch term.condition {
      case .links, .dependency: asksOthers = true
      default: break
      }
    }
    return asksOthers
  }

  /// The texts that stand for notes in terms about links.
  package var references: [String] {
    var references: [String] = []
    root.forEachTerm { term, _ in
      if case .links(let test) = term.condition { references += test.references }
    }
    return references
  }

  /// Returns the query with notes in place of the texts that stand for them in terms about links.
  package func naming<Failure: Error>(
    _ note: (String) throws(Failure) -> Note?
  ) throws(Failure) -> Query {
    let root = try root.mappingLinks { (test) throws(Failure) in try test.naming(note) }
    return replacing(root)
  }
}
