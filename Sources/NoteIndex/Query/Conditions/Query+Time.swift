extension Query {
  /// Whether the answer may be another one on another day, although no note has changed.
  ///
  /// Wide rather than wrong: a term with dates counts, whether they are relative to today or not.
  package var mayDependOnTime: Bool {
    var mayDepend = false
    root.forEachTerm { term, _ in
      switch term.condition {
      case .text, .title, .body, .kind, .tag, .path, .id, .has, .lacks, .untitled, .conflicted, .links: break
      case .created, .modified, .field, .declared, .typed, .referring, .active, .dependency: mayDepend = true
      }
    }
    return mayDepend
  }
}
