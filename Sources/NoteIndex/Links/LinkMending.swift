package import Notes

/// Keeps the links of a box while some of its notes get other names: each means afterwards the note that it meant before.
package struct LinkMending: Sendable {
  /// The notes before.
  package let before: Entries
  /// The notes afterwards.
  package let after: Entries
  let old: LinkResolver
  let new: LinkResolver
  /// What becomes of the notes that change, by their paths before.
  let successors: [[UInt8]: NoteSuccessor]
  /// The notes that change or are made, by their paths afterwards.
  private let changed: [[UInt8]: Entry]
  let files: LinkedFileFinder
  /// The places of the notes whose links may need to change, ascending.
  package let sources: [Int]
  private let executor: ParallelExecutor?

  /// - Parameters:
  ///   - made: notes that are new.
  ///   - files: asked only for links of notes that move, and where files move.
  /// - Complexity: O(n) in the keys of all links and names, without making more notes than may be concerned.
  package init(
    _ entries: Entries, _ successors: [NoteSuccessor], made: [Entry] = [], executor: ParallelExecutor?,
    files: LinkedFileFinder
  ) {
    before = entries
    self.files = files
    self.executor = executor
    self.successors = Dictionary(
      successors.map { ($0.old.note.path, $0) }, uniquingKeysWith: { first, _ in first })
    let now = successors.compactMap(\.new) + made
    changed = Dictionary(now.map { ($0.note.path, $0) }, uniquingKeysWith: { first, _ in first })
    let own = Set(successors.map(\.old.note.path))
    let places = Set(entries.places(executor) { own.contains(entries.path(at: $0)) })
    after = entries.replacing(places, with: now)
    let names = LinkKeySet(
      (successors.map(\.old) + now).flatMap { $0.note.nameKeys } + files.moves.keys.compactMap { LinkKey($0) }
    )
    let linking = entries.places(executor) { places.contains($0) || entries.links(at: $0, haveKeyIn: names) }
    sources = linking
    let linked = ParallelChunks(count: linking.count, executor: executor).map { stretch in
      Set(linking[stretch].flatMap { entries.linkKeys(at: $0) })
    }
    let nameKeys = (successors.map(\.old) + now).flatMap { $0.note.nameKeys }
    var wanted = linked.reduce(Set(nameKeys)) { $0.union($1) }
    old = LinkGraph(entries, executor: executor).resolver(LinkKeySet(wanted))
    for successor in successors {
      let path = successor.old.note.path
      for link in successor.old.note.links {
        guard case .note(let place) = old.meaning(of: link, from: path) else { continue }
        wanted.formUnion(entries.nameKeys(at: place))
      }
    }
    new = LinkGraph(after, executor: executor).resolver(LinkKeySet(wanted))
  }

  /// The path that a note has afterwards, or that of the note which links to it lead to.
  package func path(after path: [UInt8]) -> [UInt8] { successors[path]?.path ?? path }

  /// Whether the note with a path before has not gone.
  package func isThere(_ path: [UInt8]) -> Bool { successors[path].map { $0.new != nil } ?? true }

  /// The note with a path afterwards, where it is one of those that change or are made.
  package func changedEntry(_ path: [UInt8]) -> Entry? { changed[path] }

  /// The links of all notes that are concerned, note by note.
  package func all() -> [MendedLinks] {
    ParallelChunks(count: sources.count, executor: executor).map { stretch in
      sources[stretch].map { place in
        let path = before.path(at: place)
        return links(before.links(at: place), from: path, to: self.path(after: path))
      }
    }.flatMap { $0 }
  }

  /// What becomes of the links of a note.
  ///
  /// - Parameters:
  ///   - path: of the note before.
  ///   - newPath: of the note in which they stand afterwards.
  package func links(_ links: [BodyScan.Link], from path: [UInt8], to newPath: [UInt8]) -> MendedLinks {
    var mended = MendedLinks(path: path)
    for (number, link) in links.enumerated() {
      switch decision(on: link, number, from: path, to: newPath) {
      case .same: continue
      case .gained: mended.gained += 1
      case .edit(let edit): mended.edits.append(edit)
      case .refused(let reason): mended.refusals.append((link, reason))
      }
    }
    return mended
  }

  /// The names of the note at a path afterwards; nil where there is none.
  func names(after path: [UInt8], at place: Int) -> NamesOfNote {
    changed[path].map { NamesOfNote($0.note) } ?? before.names(at: place)
  }

  func changedNames(_ path: [UInt8]) -> NamesOfNote? { changed[path].map { NamesOfNote($0.note) } }
}

/// What becomes of the links of one note.
package struct MendedLinks: Sendable {
  /// The path of the note before.
  package let path: [UInt8]
  package var edits: [LinkEdit] = []
  /// The links that can't be kept for certain, and why.
  package var refusals: [(link: BodyScan.Link, reason: String)] = []
  /// How many links lead to a note now that led nowhere.
  package var gained = 0
}
