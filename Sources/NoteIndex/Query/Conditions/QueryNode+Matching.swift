import Notes
import Text

extension QueryNode {
  /// Says whether a note is among those asked for.
  ///
  /// - Parameter modified: used only where the query asks for it.
  func matches(_ entry: Entry, modified: Timestamp?) -> Bool {
    switch self {
    case .everything: true
    case .term(let term): term.condition.holds(for: entry, modified: modified)
    case .not(let node): !node.matches(entry, modified: modified)
    case .filter(_, let node): node.matches(entry, modified: modified)
    case .and(let nodes): nodes.allSatisfy { $0.matches(entry, modified: modified) }
    case .or(let nodes): nodes.contains { $0.matches(entry, modified: modified) }
    }
  }
}

extension QueryCondition {
  func holds(for entry: Entry, modified: Timestamp?) -> Bool {
    let note = entry.note
    switch self {
    case .text(let pattern): return note.mentions(pattern)
    case .title(let tests): return tests.contains { note.passesTitle($0) }
    case .body(let patterns): return patterns.contains { $0.occurs(in: note.bodyBytes) }
    case .kind(let globs):
      let kind = Folding.fold(Array(entry.kind.utf8)[...])
      return globs.contains { $0.covers(kind) }
    case .tag(let globs):
      return note.tags.contains { tag in
        let tag = Folding.fold(Array(tag.utf8)[...])
        return globs.contains { $0.covers(tag) }
      }
    case .path(let patterns): return patterns.contains { $0.covers(note.path) }
    case .id(let globs): return globs.contains { note.isNamed($0) }
    case .created(let intervals): return intervals.contains { $0.contains(entry.created) }
    case .modified(let intervals):
      guard let modified else { return false }
      return intervals.contains { $0.contains(modified) }
    case .field(let name, let tests):
      guard let value = note.value(of: name) else { return false }
      return value.contains { text in tests.contains { $0.passes(text) } }
    case .has(let names): return names.contains { !entry.lacks($0) }
    case .lacks(let name): return entry.lacks(name)
    case .declared(let test): return test.holds(for: entry)
    case .typed(let test): return test.holds(for: note)
    case .referring(let test): return test.holds(for: entry)
    case .active(let test): return test.isActive(entry)
    case .untitled: return !note.hasOwnTitle && note.title == "Untitled"
    case .conflicted: return note.isConflicted
    case .links(let test): return test.found?.contains(note) ?? false
    case .dependency(let test): return test.found?.contains(note) ?? false
    }
  }
}
