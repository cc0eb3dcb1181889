import Notes
import Text

extension Query {
  /// The kind that the query is about: the one name, without wildcards, of its one `kind:` term that is not
  /// behind NOT or among alternatives, filters spelled out; nil for none or several.
  ///
  /// - Returns: the name as the schema spells it, or folded for an undeclared kind.
  package var kindName: String? {
    let names = root.spelledOut.topKindNames
    guard names.count == 1, let name = names[0] else { return nil }
    let kind = schema.kinds.first { Folding.fold(Array($0.name.utf8)[...]) == name }
    return kind?.name ?? String(decoding: name, as: UTF8.self)
  }

  /// The kinds that terms ask for or leave out by their whole names, folded, each once.
  package var namedKinds: [String] {
    literals { condition, _ in
      if case .kind(let globs) = condition { globs.map(\.literal) } else { [] }
    }
  }

  /// The tags that terms ask for by their whole names, folded, each once; not those that are left out.
  package var namedTags: [String] {
    literals { condition, isWanted in
      if case .tag(let globs) = condition, isWanted { globs.map(\.letters) } else { [] }
    }
  }

  /// The tags that terms leave out by their whole names, folded, each once.
  package var excludedTags: [String] {
    literals { condition, isWanted in
      if case .tag(let globs) = condition, !isWanted { globs.map(\.letters) } else { [] }
    }
  }

  private func literals(_ names: (QueryCondition, _ isWanted: Bool) -> [[UInt8]?]) -> [String] {
    var seen: Set<[UInt8]> = []
    var literals: [String] = []
    root.forEachTerm { term, isWanted in
      for case let name? in names(term.condition, isWanted) where seen.insert(name).inserted {
        literals.append(String(decoding: name, as: UTF8.self))
      }
    }
    return literals
  }

  /// The order in which notes are listed: the query's own, else that of its one kind with the creation date after the kind's
  /// keys, else by the date ahead of which the query has a range; empty for newest first.
  var order: [SortKey] {
    if sort.isEmpty, let field = fieldAhead { return [SortKey(field: field, descending: false)] }
    guard sort.isEmpty, let name = kindName, let text = schema.kind(named: name)?.sort,
      let keys = try? SortKey.parse(text)
    else { return sort }
    let namesCreated = keys.contains { $0.field.hasSameBytes(as: "created") }
    return namesCreated ? keys : keys + [SortKey(field: "created", descending: false)]
  }
}

extension Query {
  /// The field of the first top range on a date that lies ahead; nil if the query names kinds.
  private var fieldAhead: String? {
    guard root.spelledOut.topKindNames.isEmpty else { return nil }
    return root.spelledOut.topRangeNames.first { QueryNames.datesAhead.contains($0) }
  }
}

extension QueryNode {
  /// The names of the fields of which top terms ask a range.
  fileprivate var topRangeNames: [String] {
    switch self {
    case .everything, .not, .or, .filter: return []
    case .and(let nodes): return nodes.flatMap(\.topRangeNames)
    case .term(let term):
      switch term.condition {
      case .declared(let test): return test.otherwise.topRangeNames
      case .field(let name, let tests): return tests.contains(where: \.asksSpan) ? [name.lowercased()] : []
      default: return []
      }
    }
  }

  /// The literal names, folded, of the top `kind:` terms; nil for one with wildcards or several names.
  fileprivate var topKindNames: [[UInt8]?] {
    switch self {
    case .everything, .not, .or, .filter: return []
    case .and(let nodes): return nodes.flatMap(\.topKindNames)
    case .term(let term):
      guard case .kind(let globs) = term.condition else { return [] }
      return [globs.count == 1 ? globs[0].literal : nil]
    }
  }
}

extension Glob {
  /// The whole name that alone is covered; nil for a pattern.
  fileprivate var literal: [UInt8]? { reach == .whole ? letters : nil }

  /// The letters that a name has to begin with or to be; nil for a pattern.
  fileprivate var letters: [UInt8]? {
    var bytes: [UInt8] = []
    for step in steps {
      guard case .byte(let byte) = step else { return nil }
      bytes.append(byte)
    }
    return bytes
  }
}
