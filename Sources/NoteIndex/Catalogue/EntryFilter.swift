import Notes

/// What can be told of an entry before its note is made: by its key and its path, and by the words in its front-matter.
///
/// It may let notes pass that are not asked for, never the other way round.
indirect enum EntryFilter: Sendable {
  /// Every note has to be looked at.
  case open
  /// The words of which one stands in the front-matter of each wanted note.
  case words(HeadWords)
  case created([DateInterval])
  case path([PathPattern])
  case all([EntryFilter])
  case any([EntryFilter])

  /// The filter of a query.
  init(_ node: QueryNode, _ schema: Schema) {
    switch node {
    case .everything, .not: self = .open
    case .filter(_, let inner): self.init(inner, schema)
    case .and(let parts): self = .joined(parts.map { EntryFilter($0, schema) })
    case .or(let parts):
      let parts = parts.map { EntryFilter($0, schema) }
      self = parts.contains { $0.isOpen } ? .open : .any(parts)
    case .term(let term): self.init(term.condition, schema)
    }
  }

  private init(_ condition: QueryCondition, _ schema: Schema) {
    switch condition {
    case .created(let intervals): self = .created(intervals)
    case .path(let patterns): self = .path(patterns)
    case .tag(let globs): self.init(literals: globs)
    case .field(let name, _): self = .words(HeadWords([name]))
    case .kind(let globs):
      // A note of a kind with `match:` need not name it, nor does a plain note.
      let isNamed =
        schema.kinds.allSatisfy { $0.match == nil } && !globs.contains { $0.covers(Array("note".utf8)) }
      if isNamed { self.init(literals: globs) } else { self = .open }
    case .declared(let test): self = test.filter(schema)
    case .typed(let test): self = test.filter
    default: self = .open
    }
  }

  /// One of the names has to stand in the front-matter, or with a tag in the text.
  private init(literals globs: [Glob]) {
    let words = globs.compactMap(\.literal)
    self = words.count == globs.count ? .words(HeadWords(words)) : .open
  }

  private static func joined(_ parts: [EntryFilter]) -> EntryFilter {
    let parts = parts.filter { !$0.isOpen }
    return parts.count > 1 ? .all(parts) : parts.first ?? .open
  }

  var isOpen: Bool { if case .open = self { true } else { false } }

  /// Whether the note at a place may be asked for.
  func mayPass(_ place: Int, of entries: Entries) -> Bool {
    switch self {
    case .open: true
    case .words(let words): entries.mayHold(words, at: place)
    case .created(let intervals):
      intervals.contains { $0.contains(entries.key(at: place).created) }
    case .path(let patterns):
      patterns.contains { $0.covers(entries.path(at: place)) }
    case .all(let parts): parts.allSatisfy { $0.mayPass(place, of: entries) }
    case .any(let parts): parts.contains { $0.mayPass(place, of: entries) }
    }
  }
}

extension Glob {
  /// The name where nothing in it stands for other letters.
  fileprivate var literal: String? {
    var bytes: [UInt8] = []
    for step in steps {
      guard case .byte(let byte) = step else { return nil }
      bytes.append(byte)
    }
    return bytes.isEmpty ? nil : String(decoding: bytes, as: UTF8.self)
  }
}
