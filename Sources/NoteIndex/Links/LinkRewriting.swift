package import Notes

/// Keeps the links of a box while some of its notes get other names: each means afterwards the note that it meant before.
package struct LinkRewriting: Sendable {
  /// The notes before the change.
  package let before: Entries
  /// The notes after the change.
  package let after: Entries
  let old: LinkResolver
  let new: LinkResolver
  /// The successors of the notes that change, by their paths before the change.
  let successors: [[UInt8]: NoteSuccessor]
  /// The notes that change or are created, by their paths after the change.
  private let changed: [[UInt8]: Entry]
  let files: LinkedFileFinder
  /// The style of links to created notes.
  private let style: LinkStyle
  private let made: Set<[UInt8]>
  /// The places of the notes whose links may need to change, ascending.
  package let sources: [Int]
  private let executor: ParallelExecutor?

  /// - Parameters:
  ///   - made: notes that are new.
  ///   - style: how links to these are written.
  ///   - files: asked only for links of notes that move, and where files move.
  /// - Complexity: O(n) in the keys of all links and names, without making more notes than may be concerned.
  package init(
    _ entries: Entries, _ successors: [NoteSuccessor], made: [Entry] = [], style: LinkStyle = .title,
    executor: ParallelExecutor?, files: LinkedFileFinder
  ) {
    before = entries
    self.files = files
    self.style = style
    self.made = Set(made.map(\.note.path))
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

  /// Returns the note with a path after the change, if it is one of those that change or are created.
  package func changedEntry(_ path: [UInt8]) -> Entry? { changed[path] }

  /// The links of all notes that are concerned, note by note.
  package func all() -> [RewrittenLinks] {
    ParallelChunks(count: sources.count, executor: executor).map { stretch in
      sources[stretch].map { place in
        let path = before.path(at: place)
        return links(before.links(at: place), from: path, to: self.path(after: path))
      }
    }.flatMap { $0 }
  }

  /// Rewrites the links of a note.
  ///
  /// - Parameters:
  ///   - path: the path of the note before the change.
  ///   - newPath: the path of the note that contains the links after the change.
  package func links(_ links: [BodyScan.Link], from path: [UInt8], to newPath: [UInt8]) -> RewrittenLinks {
    var rewritten = RewrittenLinks(path: path)
    for (number, link) in links.enumerated() {
      switch decision(on: link, number, from: path, to: newPath) {
      case .same: continue
      case .gained: rewritten.gained += 1
      case .edit(let edit): rewritten.edits.append(edit)
      case .refused(let reason): rewritten.refusals.append((link, reason))
      }
    }
    return rewritten
  }

  /// Returns the names of the note at a path after the change; an unchanged note keeps the names at its place.
  func names(after path: [UInt8], at place: Int) -> NamesOfNote {
    changed[path].map { NamesOfNote($0.note) } ?? before.names(at: place)
  }

  func changedNames(_ path: [UInt8]) -> NamesOfNote? { changed[path].map { NamesOfNote($0.note) } }
}

/// The changes to the links of one note.
package struct RewrittenLinks: Sendable {
  /// The path of the note before the change.
  package let path: [UInt8]
  package var edits: [LinkEdit] = []
  /// The links that can't be rewritten unambiguously, and why.
  package var refusals: [(link: BodyScan.Link, reason: String)] = []
  /// The number of dangling links that lead to a note after the change.
  package var gained = 0
}

extension LinkRewriting {
  /// The decision on one link.
  enum Decision {
    case same
    case edit(LinkEdit)
    /// It leads to a note now and led nowhere.
    case gained
    case refused(String)
  }

  func decision(
    on link: BodyScan.Link, _ number: Int, from path: [UInt8], to newPath: [UInt8]
  ) -> Decision {
    let (meaning, reading) = old.match(of: link, from: path)
    switch meaning {
    case .url: return .same
    case .itself: return decisionOnItself(link, number, from: path, to: newPath)
    case .dangling: return decisionOnFile(link, number, from: path, to: newPath)
    case .ambiguous(let places): return decision(onAmbiguous: places, link, from: newPath)
    case .note(let place):
      return decision(on: link, number, place, LinkSpelling(link, reading: reading), from: path, to: newPath)
    }
  }

  private func decision(onAmbiguous places: [Int], _ link: BodyScan.Link, from path: [UInt8]) -> Decision {
    let wanted = Set(places.map { self.path(after: before.path(at: $0)) })
    let now: Set<[UInt8]>
    switch new.meaning(of: link, from: path) {
    case .ambiguous(let places): now = Set(places.map { after.path(at: $0) })
    case .note(let place): now = [after.path(at: place)]
    case .dangling, .itself, .url: now = []
    }
    return now == wanted
      ? .same : .refused("it matches \(places.count) notes, and would match other notes after the change")
  }

  /// A link to a place in its own note.
  private func decisionOnItself(
    _ link: BodyScan.Link, _ number: Int, from path: [UInt8], to newPath: [UInt8]
  ) -> Decision {
    let spelling = LinkSpelling(link, reading: 1)
    let (target, outcome) = destination(of: path, spelling)
    if outcome == .lost { return .refused("another heading would have the same name") }
    let suffix: [UInt8]? = if case .changed(let suffix) = outcome { suffix } else { nil }
    // A heading that has become the note itself needs the note's name.
    if target == newPath, suffix?.isEmpty != true {
      return suffix.map { .edit(LinkEdit(number: number, spelling: spelling, name: [], suffix: $0)) } ?? .same
    }
    guard let names = changedNames(target) else { return .refused("its note no longer exists") }
    let way: LinkWay = spelling.isWiki && style == .title ? .title : .path
    return edit(
      link, number, spelling, LinkNames(spelling, way, old: names, to: names, from: newPath, newPath), suffix,
      to: target, from: newPath)
  }

  /// The note that a link to a note leads to afterwards, and its heading there.
  private func destination(
    of path: [UInt8], _ spelling: LinkSpelling
  ) -> (path: [UInt8], outcome: HeadingAnchors.Outcome) {
    guard let successor = successors[path] else { return (path, .same) }
    guard let headings = successor.headings, !spelling.suffix.isEmpty else { return (successor.path, .same) }
    let found = headings.destination(of: spelling.suffix, spelling)
    return (found.path ?? successor.path, found.outcome)
  }

  /// The path and the heading or block of a note afterwards; nil if the note stays as it is, or if another heading would
  /// have the same name.
  ///
  /// - Parameter suffix: the heading or block with its mark, as a wiki link writes it.
  package func destination(
    of suffix: [UInt8], in path: [UInt8]
  ) -> (path: [UInt8], suffix: [UInt8])? {
    guard successors[path] != nil else { return nil }
    let link = BodyScan.Link.wiki(String(decoding: path + suffix, as: UTF8.self))
    let (target, outcome) = destination(of: path, LinkSpelling(link, reading: 1))
    switch outcome {
    case .same: return (target, suffix)
    case .changed(let suffix): return (target, suffix)
    case .lost: return nil
    }
  }

  private func decision(
    on link: BodyScan.Link, _ number: Int, _ place: Int, _ spelling: LinkSpelling, from path: [UInt8],
    to newPath: [UInt8]
  ) -> Decision {
    let oldPath = before.path(at: place)
    let (target, outcome) = destination(of: oldPath, spelling)
    if outcome == .lost { return .refused("another heading would have the same name") }
    let suffix: [UInt8]? = if case .changed(let suffix) = outcome { suffix } else { nil }
    let isThere =
      leads(link, to: target, from: newPath, suffix: spelling.suffix)
      && standing(spelling, to: oldPath, from: path).isKept(
        by: standing(spelling, to: target, from: newPath))
    let successor = successors[oldPath]
    if isThere, successor == nil { return .same }
    let oldNames = before.names(at: place)
    // A heading that has become a note is called as the layout calls notes.
    let isMade = made.contains(target) && target != path
    let known = LinkWay(spelling, to: oldNames, from: LinkPath.folder(of: path))
    let names = names(after: target, at: place)
    let way: LinkWay =
      if isMade && spelling.isWiki {
        style == .title ? .title : .path
      } else {
        isNamedByTitle(spelling, oldNames, names) ? .title : known
      }
    let isOld =
      way == .title && (successor?.rewritesTitle ?? false)
      && !names.title.utf8.elementsEqual(oldNames.title.utf8)
    if isThere, !isOld {
      return suffix.map {
        .edit(LinkEdit(number: number, spelling: spelling, name: spelling.name, suffix: $0))
      }
        ?? .same
    }
    let candidates = LinkNames(spelling, way, old: oldNames, to: names, from: path, newPath)
    return edit(
      link, number, spelling, candidates, suffix, to: target, from: newPath, isNeeded: !isThere)
  }

  /// Whether a wiki link has the title of a page of Logseq that is also the name of its file, and will be so no longer: the
  /// file `food___bread` is called `[[food/bread]]`.
  private func isNamedByTitle(_ spelling: LinkSpelling, _ old: NamesOfNote, _ new: NamesOfNote) -> Bool {
    let stem = FileName.stem(of: new.path)
    guard spelling.isWiki, after.sameNames != .obsidian, LinkWay.fits(spelling.name, old.title) else {
      return false
    }
    let title = FileName.title(of: new.path)
    return title.hasSameBytes(as: new.title) && !stem.elementsEqual(title.utf8)
  }

  /// Returns the base of the path in a link. Other programs find files by their names regardless of case.
  private func standing(_ spelling: LinkSpelling, to target: [UInt8], from path: [UInt8]) -> LinkStanding {
    LinkStanding(spelling, to: target, from: path, ignoresCase: style != .title)
  }

  /// Writes the link with the first of some names that leads to the target.
  private func edit(
    _ link: BodyScan.Link, _ number: Int, _ spelling: LinkSpelling, _ names: LinkNames, _ suffix: [UInt8]?,
    to target: [UInt8], from path: [UInt8], isNeeded: Bool = true
  ) -> Decision {
    let written = { (name: LinkNames.Name) in
      spelling.target(name.bytes, suffix: suffix, isBracketed: false)
    }
    let name = first(of: names.all) { name in
      guard !spelling.isWiki || Self.isWritable(name.bytes) else { return nil }
      let changed = link.with(target: written(name))
      return leads(changed, to: target, from: path, suffix: suffix ?? spelling.suffix) ? changed : nil
    }
    guard let name else { return .refused("no name would identify the note unambiguously") }
    if written(name).elementsEqual(link.target.utf8) { return .same }
    return .edit(
      LinkEdit(
        number: number, spelling: spelling, name: name.bytes, suffix: suffix,
        label: link.form == .wiki ? name.label : nil, isNeeded: isNeeded))
  }

  /// The first of some names whose link leads to the note, preferably one that leads there from every folder.
  ///
  /// - Parameter link: the link with a name; nil if it does not lead there.
  private func first<Name>(of names: [Name], _ link: (Name) -> BodyScan.Link?) -> Name? {
    var near: Name?
    for name in names {
      guard let link = link(name) else { continue }
      if new.isUnique(link) { return name }
      near = near ?? name
    }
    return near
  }

  /// Whether a link leads to the note with a path, and to a heading as it is written.
  private func leads(
    _ link: BodyScan.Link, to target: [UInt8], from path: [UInt8], suffix: [UInt8]
  ) -> Bool {
    let (meaning, reading) = new.match(of: link, from: path)
    guard case .note(let place) = meaning, after.path(at: place) == target else { return false }
    return LinkSpelling(link, reading: reading).suffix == suffix
  }

  /// Whether a name can be in double brackets; other programs read `#` as the beginning of a heading.
  private static func isWritable(_ name: [UInt8]) -> Bool {
    !name.isEmpty && name.first != 0x20 && name.last != 0x20
      && name.allSatisfy { $0 >= 0x20 && !"[]|#".utf8.contains($0) }
  }
}

extension LinkRewriting {
  /// Returns a new link to a note in the style of the box, with its title as the label; nil if no form identifies the
  /// note unambiguously.
  package func link(to note: Note, from path: [UInt8]) -> String? {
    let names = NamesOfNote(note)
    if style == .title { return wikiLink(to: note, names, from: path) }
    let target = first(of: LinkNames.targets(of: note, style, from: path)) { target in
      guard !style.isWiki || Self.isWritable(target) else { return nil }
      let link = BodyScan.Link.written(target, isWiki: style.isWiki)
      return leads(link, to: note.path, from: path, suffix: []) ? link : nil
    }
    guard let target else { return nil }
    if style.isWiki {
      let isShown =
        FileName.stem(of: note.path).elementsEqual(note.title.utf8) && target.elementsEqual(note.title.utf8)
      let label = note.title.utf8.filter { !"[]|".utf8.contains($0) }
      let inside = isShown || label.isEmpty ? target : WikiLabels.joined(target, Array(label))
      return "[[\(String(decoding: inside, as: UTF8.self))]]"
    }
    let label = String(decoding: MarkdownText.escaped(note.title), as: UTF8.self)
    return "[\(label)](\(BodyScan.Link.written(target, isWiki: false).target))"
  }

  private func wikiLink(to note: Note, _ names: NamesOfNote, from path: [UInt8]) -> String? {
    let link = BodyScan.Link.wiki("")
    let spelling = LinkSpelling(link, reading: 0)
    let candidates = LinkNames(spelling, .title, old: names, to: names, from: path, path)
    guard case .edit(let edit) = edit(link, 0, spelling, candidates, nil, to: note.path, from: path) else {
      return nil
    }
    let written = edit.label.map { WikiLabels.joined(edit.name, Array($0.utf8)) } ?? edit.name
    return "[[\(String(decoding: written, as: UTF8.self))]]"
  }
}
