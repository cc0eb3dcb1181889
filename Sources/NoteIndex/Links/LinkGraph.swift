import Bytes
package import Notes

/// The links between the notes of a catalogue, resolved on demand.
///
/// The meaning of a link depends on all notes, so no meaning is stored. A query about a few notes reads the keys of all
/// links in place. It decodes only the notes that may be involved.
package struct LinkGraph {
  let entries: Entries
  private let executor: ParallelExecutor?
  /// A resolver for all names, shared by several queries.
  private let whole = Computed<LinkResolver, Never>()

  /// - Parameter executor: does the work on several threads; nil does it on the calling one.
  package init(_ entries: Entries, executor: ParallelExecutor?) {
    self.entries = entries
    self.executor = executor
  }

  /// Returns the links of notes, each resolved.
  ///
  /// - Complexity: O(n) in the number of all notes; decodes only notes that the links may mean.
  package func links(of notes: [LinkedNote]) -> [[ResolvedLink]] {
    let resolver = resolver(keys(of: notes) { $0.linkKeys(in: $1) })
    return ParallelChunks(count: notes.count, executor: executor).map { [entries] stretch in
      notes[stretch].map { note in
        let path = note.path(in: entries)
        return note.links(in: entries).map { link in
          let match = resolver.match(of: link, from: path)
          return ResolvedLink(link: link, meaning: match.meaning, reading: match.reading)
        }
      }
    }.flatMap { $0 }
  }

  /// Returns the places of the notes that link to each of some notes, ascending. A note's link to itself does not count.
  ///
  /// - Complexity: As that of `links(of:)`, for the links that may lead to the notes.
  package func backlinks(to notes: [LinkedNote]) -> [[Int]] { linkers(of: notes).map { $0.map(\.place) } }

  /// Returns the notes that link to each of some notes, ascending, each with these links in their order. A note's link to
  /// itself does not count.
  ///
  /// - Complexity: As that of `links(of:)`, for the links that may lead to the notes.
  package func linkers(of notes: [LinkedNote]) -> [[LinkingNote]] {
    let found = candidates(keys(of: notes) { $0.nameKeys(in: $1) })
    let resolver = resolver(LinkKeySet(found.flatMap { $0.links.flatMap(\.keys) }))
    let paths = notes.map { $0.path(in: entries) }
    let numbers = Dictionary(zip(paths, notes.indices), uniquingKeysWith: { first, _ in first })
    let hits = ParallelChunks(count: found.count, executor: executor).map { [entries] stretch in
      found[stretch].map { source -> [Int: [BodyScan.Link]] in
        let path = entries.path(at: source.place)
        var links: [Int: [BodyScan.Link]] = [:]
        for link in source.links {
          guard case .note(let place) = resolver.meaning(of: link, from: path), place != source.place,
            let number = numbers[entries.path(at: place)]
          else { continue }
          links[number, default: []].append(link)
        }
        return links
      }
    }.flatMap { $0 }
    var linkers = [[LinkingNote]](repeating: [], count: notes.count)
    for (source, targets) in zip(found, hits) {
      for (target, links) in targets {
        linkers[target].append(LinkingNote(place: source.place, links: links))
      }
    }
    return paths.map { path in numbers[path].map { linkers[$0] } ?? [] }
  }

  private func keys(
    of notes: [LinkedNote], _ keys: @escaping @Sendable (LinkedNote, Entries) -> [LinkKey]
  ) -> LinkKeySet {
    LinkKeySet(
      ParallelChunks(count: notes.count, executor: executor).map { [entries] stretch in
        notes[stretch].flatMap { keys($0, entries) }
      }.flatMap { $0 })
  }

  /// The notes with links that have one of some keys, and these links.
  private func candidates(_ wanted: LinkKeySet) -> [(place: Int, links: [BodyScan.Link])] {
    let places = entries.places(.links, haveKeyIn: wanted, executor)
    return ParallelChunks(count: places.count, executor: executor).map { [entries] stretch in
      places[stretch].map { place in
        (place, entries.links(at: place).filter { $0.keys.contains(where: wanted.contains) })
      }
    }.flatMap { $0 }
  }

  /// The places of the notes with a link that has a name of one of some notes, ascending: of more notes than link to them.
  ///
  /// - Complexity: as that of `backlinks(to:)`.
  package func mayLink(to places: [Int]) -> [Int] {
    let wanted = keys(of: places.map { .place($0) }) { $0.nameKeys(in: $1) }
    return entries.places(.links, haveKeyIn: wanted, executor)
  }

  /// A resolver for all names.
  package func resolver() -> LinkResolver {
    whole.value { LinkResolver(entries, among: nil, executor: executor) }
  }

  /// Applies a search to the places of all notes and returns the results in order.
  func chunks<Found: Sendable>(_ find: @escaping @Sendable (Int) -> Found?) -> [Found] {
    ParallelChunks(count: entries.count, executor: executor).map { $0.compactMap(find) }.flatMap { $0 }
  }

  /// A resolver for names with some keys.
  func resolver(_ wanted: LinkKeySet) -> LinkResolver {
    LinkResolver(entries, among: entries.places(.names, haveKeyIn: wanted, executor), executor: executor)
  }
}

extension LinkGraph {
  /// Counts the links of other notes that use a name which a note no longer has, and the notes with such links.
  ///
  /// - Parameter old: the note as the catalogue has it.
  /// - Complexity: as that of `backlinks(to:)`; O(1) if the note keeps all names.
  package func linksLost(by old: Note, as new: Note) -> (links: Int, notes: Int) {
    let lost = Set(old.nameKeys).subtracting(new.nameKeys)
    guard !lost.isEmpty else { return (0, 0) }
    let sources = backlinks(to: [.note(old)])[0]
    let counts = links(of: sources.map { .place($0) }).map { links in
      links.count { resolved in
        guard case .note(let place) = resolved.meaning, entries.path(at: place) == old.path else {
          return false
        }
        return resolved.link.keys.contains(where: lost.contains)
      }
    }
    return (counts.reduce(0, +), counts.count { $0 > 0 })
  }
}

extension LinkGraph {
  /// Which notes have links to others, and which have links from others.
  struct Presence: Sendable {
    /// By the places of the notes.
    let areLinking: [Bool]
    let areLinked: [Bool]
  }

  /// Resolves all links.
  ///
  /// - Complexity: O(n) in all notes and their links.
  func census() -> Presence {
    let resolver = resolver()
    let found = chunks { [entries] place -> (place: Int, targets: [Int])? in
      guard entries.mayLink(at: place) else { return nil }
      let path = entries.path(at: place)
      let targets = entries.links(at: place).compactMap { link -> Int? in
        guard case .note(let target) = resolver.meaning(of: link, from: path), target != place else {
          return nil
        }
        return target
      }
      return (place, targets)
    }
    var (areLinking, areLinked) = ([Bool](repeating: false, count: entries.count), [Bool]())
    areLinked = areLinking
    for (place, targets) in found where !targets.isEmpty {
      areLinking[place] = true
      for target in targets { areLinked[target] = true }
    }
    return Presence(areLinking: areLinking, areLinked: areLinked)
  }
}

extension BodyScan.Link {
  /// The keys of the name in the link; empty if the link names no file.
  fileprivate var keys: [LinkKey] {
    if case .name(let name) = LinkAddress(self) { name.keys } else { [] }
  }
}

extension LinkGraph {
  /// The links that lead to no note or to several, or that name a part of one, by the places of the notes that hold them,
  /// ascending; if one leads to no note, a file may be meant, and a part may be missing.
  ///
  /// - Complexity: O(n) in all notes and their links.
  package func uncertain() -> [(place: Int, links: [ResolvedLink])] {
    let resolver = resolver()
    return chunks { [entries] place in
      guard entries.mayLink(at: place) else { return nil }
      let path = entries.path(at: place)
      let links = entries.links(at: place).compactMap { link -> ResolvedLink? in
        let match = resolver.match(of: link, from: path)
        let resolved = ResolvedLink(link: link, meaning: match.meaning, reading: match.reading)
        switch match.meaning {
        case .dangling, .ambiguous: return resolved
        case .note, .itself: return LinkedPart(resolved) == nil ? nil : resolved
        case .url: return nil
        }
      }
      return links.isEmpty ? nil : (place, links)
    }
  }

  /// The notes that each note links to by the links of its body and of its front-matter, by the places of the notes that
  /// have any, ascending. A note that is linked to twice is there twice, the note itself never.
  ///
  /// - Complexity: O(n) in all notes and their links.
  package func targets() -> [(place: Int, targets: [LinkedPlace])] {
    let resolver = resolver()
    return chunks { [entries] place in
      guard entries.mayLink(at: place) else { return nil }
      let (path, body) = (entries.path(at: place), entries.bodyStart(at: place))
      let targets = entries.links(at: place).compactMap { link -> LinkedPlace? in
        guard case .note(let target) = resolver.meaning(of: link, from: path), target != place else {
          return nil
        }
        return LinkedPlace(
          place: target, fieldOffset: link.range.lowerBound < body ? link.range.lowerBound : nil)
      }
      return targets.isEmpty ? nil : (place, targets)
    }
  }
}

/// A note that another one links to.
package struct LinkedPlace: Sendable {
  /// The place of the note in the catalogue.
  package let place: Int
  /// The offset of the link in the front matter, in bytes of the file; nil for a link of the body.
  package let fieldOffset: Int?
}

/// A note whose links are queried: a note in memory, or a place in the catalogue, whose note need not be decoded.
package enum LinkedNote: Sendable {
  case note(Note)
  case place(Int)

  /// The path of the note.
  func path(in entries: Entries) -> [UInt8] {
    switch self {
    case .note(let note): note.path
    case .place(let place): entries.path(at: place)
    }
  }

  func links(in entries: Entries) -> [BodyScan.Link] {
    switch self {
    case .note(let note): note.links
    case .place(let place): entries.links(at: place)
    }
  }

  /// The keys of the names of the note.
  func nameKeys(in entries: Entries) -> [LinkKey] {
    switch self {
    case .note(let note): note.nameKeys
    case .place(let place): entries.nameKeys(at: place)
    }
  }

  /// Returns the keys of the link targets of the note.
  func linkKeys(in entries: Entries) -> [LinkKey] {
    switch self {
    case .note(let note): note.linkKeys
    case .place(let place): entries.linkKeys(at: place)
    }
  }
}

/// A note that links to another one, with the links that do.
package struct LinkingNote: Sendable {
  /// The place of the note in the catalogue.
  package let place: Int
  /// The links, in the order of the text.
  package let links: [BodyScan.Link]
}

/// The heading, block or anchor of a note that a link names after its `#`.
package struct LinkedPart: Sendable {
  /// The name of the heading or block as it is written, without marks.
  package let name: String
  package let isBlock: Bool
  private let suffix: [UInt8]
  private let spelling: LinkSpelling

  /// - Returns: nil if the link names the whole of its target.
  package init?(_ link: ResolvedLink) { self.init(link.link, reading: link.reading) }

  /// - Parameter reading: which of the readings of its target is meant.
  package init?(_ link: BodyScan.Link, reading: Int) {
    guard link.target.utf8.contains(where: { "#&\\".utf8.contains($0) }) else { return nil }
    spelling = LinkSpelling(link, reading: reading)
    guard let mark = spelling.suffix.firstIndex(of: UInt8(ascii: "#")) else { return nil }
    suffix = Array(spelling.suffix[mark...])
    guard suffix.count > 1 else { return nil }
    isBlock = suffix[1] == UInt8(ascii: "^")
    name = String(decoding: suffix[(isBlock ? 2 : 1)...], as: UTF8.self)
  }

  /// Whether a note has the heading, the block or the anchor.
  ///
  /// Source: the HTML standard: a fragment `top`, in any case, leads to the beginning if no id has that name.
  package func isThere(in parts: NoteParts) -> Bool {
    range(in: parts) != nil || !spelling.isWiki && name.lowercased() == "top"
  }

  /// The bytes of the heading, of the line with the block or of the anchor; nil if the note has none.
  package func range(in parts: NoteParts) -> Range<Int>? {
    if isBlock { return parts.blocks.first { $0.name == "^\(name)" }?.range }
    if let number = heading(in: parts.headings) { return parts.headings.headings[number].lines }
    let wanted = spelling.decodedHeading(suffix[1...])
    return parts.anchors.first { $0.name.utf8.elementsEqual(wanted) }?.range
  }

  /// Returns the number of the heading among those of a note; nil for a block, and for a heading that the note lacks.
  package func heading(in anchors: HeadingAnchors) -> Int? { anchors.number(of: suffix, spelling) }
}

/// The places in a note that links can name: headings, blocks and the ids of HTML.
package struct NoteParts: Sendable {
  package let headings: HeadingAnchors
  package let blocks: [(name: String, range: Range<Int>)]
  package let anchors: [BodyScan.Anchor]

  /// - Complexity: that of a scan of the body.
  package init(_ text: NoteText) {
    headings = HeadingAnchors(text)
    blocks = BlockNames.all(in: text)
    anchors = BodyScan(text).anchors
  }
}
